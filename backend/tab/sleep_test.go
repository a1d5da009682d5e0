package tab

import (
	"context"
	"os"
	"testing"
	"time"

	"baton/backend/page"
)

func TestIdleTabsSleepAndLoadAgainOnNextUse(t *testing.T) {
	w, s := newWorld(t), site(t)
	i := w.add(ada, s.URL+"/a")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	first := 0
	if err := w.Do(ctx, Op{Actor: ada, Tab: i.ID}, func(ctx context.Context, p *page.Page) error {
		_, err := p.Navigate(ctx, s.URL+"/b")
		if err == nil {
			_, err = p.Snapshot(ctx, page.SnapshotArgs{})
		}
		first = p.NextRef()
		return err
	}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is loaded", func() bool { x, _ := w.Get(i.ID, me); return x.State == Ready && x.CanBack })
	w.nap(time.Now().Add(10*time.Minute), false)
	if x, _ := w.Get(i.ID, me); x.State == Asleep {
		t.Fatal("it slept before its time")
	}
	w.nap(time.Now().Add(16*time.Minute), false)
	x, _ := w.Get(i.ID, me)
	if x.State != Asleep || x.URL != s.URL+"/b" || !x.CanBack {
		t.Fatalf("after its time: %+v", x)
	}
	if v, err := w.do(ada, i.ID, "location.pathname"); err != nil || v != `"/b"` {
		t.Fatalf("on next use: %s, %v", v, err)
	}
	if n := w.Notice(i.ID); n == "" {
		t.Error("the next result does not tell that it slept")
	}
	p, err := w.Page(ctx, i.ID)
	if err != nil {
		t.Fatal(err)
	}
	if p.NextRef() < first {
		t.Errorf("refs are given out again from e%d on; e%d was in use", p.NextRef(), first-1)
	}
}

func TestBusyTabsDoNotSleep(t *testing.T) {
	w, s := newWorld(t), site(t)
	held, shown, dialog, popup := w.add(ada, s.URL+"/held"), w.add(me, s.URL+"/shown"), w.add(ada, s.URL+"/dialog"), w.add(ada, s.URL+"/popup")
	for _, i := range []Info{held, shown, dialog, popup} {
		if _, err := w.do(ada, i.ID, "1"); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Take(held.ID, ByButton); err != nil {
		t.Fatal(err)
	}
	w.Show(shown.ID)
	if _, err := w.do(ada, popup.ID, "window.open('/child'); 1"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.do(ada, dialog.ID, "setTimeout(()=>alert(1)); 1"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "popup and dialog", func() bool {
		x, _ := w.Get(dialog.ID, me)
		return len(w.List(me)) == 5 && x.Dialog != nil
	})
	w.nap(time.Now().Add(time.Hour), true)
	for _, x := range w.List(me) {
		if x.State == Asleep {
			t.Errorf("tab %s (%s) slept", x.ID, x.URL)
		}
	}
}

func TestBeyondThreeIdleTabsTheLeastRecentlyUsedSleepSooner(t *testing.T) {
	w, s := newWorld(t), site(t)
	var tabs []Info
	for _, path := range []string{"/1", "/2", "/3", "/4", "/5"} {
		i := w.add(ada, s.URL+path)
		if _, err := w.do(ada, i.ID, "1"); err != nil {
			t.Fatal(err)
		}
		tabs = append(tabs, i)
	}
	eventually(t, "all are loaded", func() bool {
		for _, x := range w.List(me) {
			if x.State != Ready {
				return false
			}
		}
		return true
	})
	w.nap(time.Now().Add(3*time.Minute), false)
	for n, i := range tabs {
		x, _ := w.Get(i.ID, me)
		if slept := x.State == Asleep; slept != (n < 2) {
			t.Errorf("tab %d of 5, oldest first: asleep is %v", n+1, slept)
		}
	}
}

// A reading that comes in the moment after Chromium's death waits for the next
// one instead of failing.
func TestAReadingAtChromiumsDeathIsDoneByTheNextOne(t *testing.T) {
	w, s := newWorld(t), site(t)
	i := w.add(ada, s.URL+"/a")
	if _, err := w.do(ada, i.ID, "1"); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
		defer cancel()
		e, err := w.cfg.Engine(Shared)
		if err != nil {
			t.Fatal(err)
		}
		pid, ok := e.Running()
		if !ok {
			t.Fatal("no Chromium runs")
		}
		proc, err := os.FindProcess(pid)
		if err != nil {
			t.Fatal(err)
		}
		if err := proc.Kill(); err != nil {
			t.Fatal(err)
		}
		shown := ""
		if err := w.Do(ctx, Op{Actor: ada, Tab: i.ID, Reads: true}, func(ctx context.Context, p *page.Page) error {
			got, err := p.Snapshot(ctx, page.SnapshotArgs{})
			shown = got.URL
			return err
		}); err != nil || shown != s.URL+"/a" {
			t.Fatalf("read %q, %v", shown, err)
		}
	}
}
