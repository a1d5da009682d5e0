package page_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
)

// door lets a number of inputs through and then says that the person took over.
type door struct{ left atomic.Int32 }

func (d *door) Pass(send func() error) error {
	if d.left.Add(-1) < 0 {
		return fault.New(fault.InterruptedByPerson, "the person took over").WithEffect("unknown")
	}
	return send()
}

// Touch lets what prepares input through.
func (d *door) Touch(send func() error) error { return send() }

func TestNoInputArrivesOnceTheGateIsClosed(t *testing.T) {
	p := show(t, `<button onmousedown="document.title+=' down'" onmouseup="document.title+=' up'" onclick="document.title+=' click'">B</button>`)
	b := ref(t, look(t, p), `"B"`)
	for left, title := range map[int32]string{0: "Test", 1: "Test"} {
		d := &door{}
		d.left.Store(left)
		_, err := p.Click(page.WithGate(within(t, 5*time.Second), d), page.ClickArgs{Target: b})
		refused(t, err, fault.InterruptedByPerson)
		if got := js(t, p, "document.title"); got != `"`+title+`"` {
			t.Errorf("after %d inputs the page became %s", left, got)
		}
	}
}

func TestCancelledCallLetsGoOfTheButton(t *testing.T) {
	p := show(t, `<div id=a role=button aria-label=A style="width:50px;height:50px;background:red"></div><div role=button aria-label=Z style="margin-top:300px;width:50px;height:50px;background:blue"></div>
	 <script>let n=0;onmousemove=()=>{if(++n===3)document.title='moving'};onmouseup=()=>document.title='let go'</script>`)
	s := look(t, p)
	ctx, cancel := context.WithCancel(within(t, 5*time.Second))
	go func() {
		for range 400 {
			if st, _ := p.State.Get(); st.Title == "moving" {
				break
			}
			time.Sleep(2 * time.Millisecond)
		}
		cancel()
	}()
	_, _ = p.Drag(ctx, ref(t, s, `"A"`), ref(t, s, `"Z"`))
	for range 100 {
		if js(t, p, "document.title") == `"let go"` {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the button stayed down")
}

func TestCrashEndsWhatRunsOnThePage(t *testing.T) {
	p := show(t, `<button>B</button>`)
	look(t, p)
	done := make(chan error, 1)
	go func() {
		_, err := p.Wait(within(t, 10*time.Second), page.WaitArgs{Text: "never"})
		done <- err
	}()
	time.Sleep(150 * time.Millisecond)
	_, _ = p.Session().Send(context.Background(), "Page.crash", nil)
	select {
	case err := <-done:
		refused(t, err, fault.PageCrashed)
	case <-time.After(5 * time.Second):
		t.Fatal("the wait went on after the crash")
	}
	_, err := p.Snapshot(within(t, 2*time.Second), page.SnapshotArgs{})
	refused(t, err, fault.PageCrashed)
	if _, err := p.Reload(within(t, 10*time.Second), false); err != nil {
		t.Fatal(err)
	}
	if s := look(t, p); !strings.Contains(s, `button "B"`) {
		t.Error(s)
	}
}

func TestTypeWorksInAControlledInput(t *testing.T) {
	p := show(t, `<label>Email <input id=i></label><button id=s disabled>Save</button><script>
	 const d = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); let seen = '', state = '';
	 Object.defineProperty(i, 'value', {configurable: true, get(){ return d.get.call(this) }, set(v){ seen = '' + v; d.set.call(this, v) }});
	 document.addEventListener('input', () => { const now = d.get.call(i); if (now === seen) return; seen = now; state = now; s.disabled = !state });
	 setInterval(() => { if (d.get.call(i) !== state && document.activeElement !== i) d.set.call(i, state) }, 50)</script>`)
	e := ref(t, look(t, p), `"Email"`)
	got := typeInto(t, p, page.TypeArgs{Target: &e, Text: "ada@example.org"})
	if got.Value != "ada@example.org" || !strings.Contains(got.Changed, `button "Save"`) {
		t.Errorf("%+v", got)
	}
	if v := js(t, p, "state"); v != `"ada@example.org"` {
		t.Error(v)
	}
}

func TestOnlyThisComputersOwnSitesAreLoopback(t *testing.T) {
	for url, want := range map[string]bool{
		"http://localhost:8080/": true, "http://127.0.0.1/": true, "http://[::1]:80/x": true, "http://app.localhost/": true,
		"https://example.com/": false, "https://127.0.0.1.example.com/": false, "http://localhost.example.com/": false, "http://x@localhost.evil/": false,
	} {
		if page.Loopback(url) != want {
			t.Errorf("%s: want %v", url, want)
		}
	}
}
