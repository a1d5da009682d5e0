package tab

import (
	"slices"
	"syscall"
	"testing"
	"time"

	"baton/backend/fault"
)

func TestDeveloperToolsAreThePersonsAlone(t *testing.T) {
	w := newWorld(t)
	s := site(t)
	page := w.add(ada, s.URL+"/page")
	if _, err := w.do(ada, page.ID, "1"); err != nil {
		t.Fatal(err)
	}
	tools, err := w.Inspect(t.Context(), page.ID, Inspection{})
	if err != nil {
		t.Fatal(err)
	}
	if tools.Inspects != page.ID || tools.Owner != Person {
		t.Fatalf("the tools are %+v", tools)
	}
	// No agent has them, the one of the page neither.
	for _, a := range []Actor{ada, bob} {
		if _, err := w.Get(tools.ID, a); !fault.Is(err, fault.NoSuchTab) {
			t.Errorf("%s gets the tools: %v", a.Agent, err)
		}
		_, err := w.do(a, tools.ID, "1")
		wantCode(t, err, fault.NoSuchTab)
		wantCode(t, w.Close(t.Context(), tools.ID, a), fault.NoSuchTab)
		if slices.ContainsFunc(w.List(a), func(i Info) bool { return i.ID == tools.ID }) {
			t.Errorf("%s sees the tools in the list", a.Agent)
		}
	}
	if !slices.ContainsFunc(w.List(me), func(i Info) bool { return i.ID == tools.ID }) {
		t.Error("the person does not see them")
	}
	// The agent works on meanwhile; the page does not sleep.
	if v, err := w.do(ada, page.ID, "document.title"); err != nil || v != `"/page"` {
		t.Errorf("beside the tools the page gives %s, %v", v, err)
	}
	w.nap(time.Now().Add(time.Hour), false)
	if i, _ := w.Get(page.ID, me); i.State == Asleep {
		t.Error("the page slept under its developer tools")
	}
	// They are saved nowhere, and nothing of them comes back.
	w.stop()
	w.open()
	if l := w.List(me); len(l) != 1 || l[0].ID != page.ID {
		t.Errorf("after a restart there are %+v", l)
	}
	if next := w.add(me, s.URL); next.ID == tools.ID {
		t.Error("their id was used again")
	}
}

func TestDeveloperToolsGoWithChromium(t *testing.T) {
	w := newWorld(t)
	page := w.add(me, site(t).URL+"/page")
	tools, err := w.Inspect(t.Context(), page.ID, Inspection{})
	if err != nil {
		t.Fatal(err)
	}
	pid, _ := w.engine.Running()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the tools to have gone", func() bool { _, err := w.Get(tools.ID, me); return err != nil })
	if _, err := w.Get(page.ID, me); err != nil {
		t.Errorf("the page's tab has gone too: %v", err)
	}
	if again, err := w.Inspect(t.Context(), page.ID, Inspection{}); err != nil || again.ID == tools.ID {
		t.Errorf("opened again they are %+v, %v", again, err)
	}
}
