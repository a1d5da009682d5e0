package tab

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"baton/backend/engine"
	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/preview"
	"baton/backend/store"
)

// world is a registry over a real store and a real Chromium. stop ends them as
// a host would; open starts them again on the same folder.
type world struct {
	*Registry
	t      *testing.T
	folder string
	engine *engine.Engine
	stop   func()
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, folder: t.TempDir()}
	w.open()
	t.Cleanup(func() { w.stop() })
	return w
}

func (w *world) open() {
	w.t.Helper()
	log := slog.New(slog.DiscardHandler)
	st, err := store.Open(w.t.Context(), w.folder)
	if err != nil {
		w.t.Fatal(err)
	}
	var r *Registry
	e := engine.New(engine.Config{
		Folder: w.folder + "/profiles/shared", Log: log,
		Popup:  func(p, from *page.Page, opener bool) { r.Popup(Shared, p, from, opener) },
		Closed: func(p *page.Page) { r.PageGone(p) },
	})
	files := preview.New(log)
	r, err = Load(w.t.Context(), Config{
		Store: st, Log: log, Preview: files, TouchHold: func() time.Duration { return 2 * time.Second },
		Engine: func(profile string) (*engine.Engine, error) {
			if profile != Shared {
				return nil, fault.New(fault.ProfileMissing, "there is no profile %q", profile)
			}
			return e, nil
		},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { _ = r.Serve(ctx); close(ended) }()
	w.Registry, w.engine = r, e
	w.stop = func() {
		r.Stopping()
		cancel()
		<-ended
		if err := e.Stop(5 * time.Second); err != nil {
			w.t.Error(err)
		}
		if err := errors.Join(files.Close(), st.Close()); err != nil {
			w.t.Error(err)
		}
		w.stop = func() {}
	}
}

func site(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>%s</title><h1>%s</h1><input autofocus>", r.URL.Path, r.URL.Path)
	}))
	t.Cleanup(s.Close)
	return s
}

var (
	ada = Actor{Agent: "ada"}
	bob = Actor{Agent: "bob"}
	me  = Actor{}
)

func (w *world) add(a Actor, url string) Info {
	w.t.Helper()
	i, err := w.Open(w.t.Context(), New{Actor: a, URL: url})
	if err != nil {
		w.t.Fatal(err)
	}
	return i
}

// do runs a script on a tab as an actor and gives its value.
func (w *world) do(a Actor, id, script string) (string, error) {
	ctx, cancel := context.WithTimeout(w.t.Context(), 15*time.Second)
	defer cancel()
	var out string
	err := w.Do(ctx, Op{Actor: a, Tab: id}, func(ctx context.Context, p *page.Page) error {
		v, _, err := p.Evaluate(ctx, script, 0)
		out = string(v)
		return err
	})
	return out, err
}

func wantCode(t *testing.T, err error, code fault.Code) {
	t.Helper()
	if !fault.Is(err, code) {
		t.Fatalf("ended as %v, want %s", err, code)
	}
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never came: %s", what)
		}
	}
}

func TestATabBelongsToItsAgent(t *testing.T) {
	w, s := newWorld(t), site(t)
	mine := w.add(ada, s.URL+"/mine")
	persons := w.add(me, s.URL+"/persons")
	if _, err := w.do(ada, mine.ID, "1"); err != nil {
		t.Fatal(err)
	}
	_, err := w.do(bob, mine.ID, "1")
	wantCode(t, err, fault.NotYourTab)
	if i, _ := w.Get(mine.ID, bob); !i.Foreign || i.URL != "" || i.Title != "" || i.Owner != "ada" {
		t.Errorf("another agent sees %+v", i)
	}
	if v, err := w.do(bob, persons.ID, "location.pathname"); err != nil || v != `"/persons"` {
		t.Errorf("a person's tab for an agent: %s, %v", v, err)
	}
	wantCode(t, w.Close(t.Context(), persons.ID, bob), fault.NotYourTab)
	if err := w.SetPrivate(persons.ID, true); err != nil {
		t.Fatal(err)
	}
	_, err = w.do(bob, persons.ID, "1")
	wantCode(t, err, fault.NotYourTab)
	if i, _ := w.Get(persons.ID, bob); !i.Foreign || i.URL != "" {
		t.Errorf("a private tab shows an agent %+v", i)
	}
	_, err = w.do(ada, "t99", "1")
	wantCode(t, err, fault.NoSuchTab)
}

func TestOperationsOnATabRunInOrderAndTabsDoNotWait(t *testing.T) {
	w, s := newWorld(t), site(t)
	one, two := w.add(ada, s.URL+"/one"), w.add(ada, s.URL+"/two")
	for _, i := range []Info{one, two} {
		if _, err := w.do(ada, i.ID, "1"); err != nil {
			t.Fatal(err)
		}
	}
	slow, begun := make(chan error, 1), make(chan struct{})
	go func() {
		slow <- w.Do(context.Background(), Op{Actor: ada, Tab: one.ID}, func(ctx context.Context, p *page.Page) error {
			close(begun)
			_, _, err := p.Evaluate(ctx, "new Promise(r=>setTimeout(()=>{window.slow=1;r(1)},1500))", 0)
			return err
		})
	}()
	<-begun
	if _, err := w.do(ada, two.ID, "1"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-slow:
		t.Fatal("the other tab waited for the slow one")
	default:
	}
	if v, err := w.do(ada, one.ID, "window.slow === 1"); err != nil || v != "true" {
		t.Errorf("the second operation overtook the first: %s, %v", v, err)
	}
	if err := <-slow; err != nil {
		t.Error(err)
	}
}

func TestTabsComeBackAfterARestart(t *testing.T) {
	w, s := newWorld(t), site(t)
	a := w.add(ada, s.URL+"/a")
	for _, path := range []string{"/b?code=SENTINEL&state=x", "/c"} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		err := w.Do(ctx, Op{Actor: ada, Tab: a.ID}, func(ctx context.Context, p *page.Page) error {
			_, err := p.Navigate(ctx, s.URL+path)
			return err
		})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
	}
	gone := w.add(me, s.URL+"/gone")
	if err := w.Close(t.Context(), gone.ID, me); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the history is known", func() bool { i, _ := w.Get(a.ID, me); return i.CanBack })
	time.Sleep(200 * time.Millisecond)
	w.stop()
	for _, f := range []string{"baton.db", "baton.db-wal"} {
		if b, err := os.ReadFile(w.folder + "/" + f); err == nil && containsSentinel(b) {
			t.Errorf("a sign-in's code was saved in %s", f)
		}
	}
	w.open()
	list := w.List(ada)
	if len(list) != 1 || list[0].ID != a.ID || list[0].URL != s.URL+"/c" || list[0].State != Asleep || !list[0].Mine {
		t.Fatalf("came back as %+v", list)
	}
	if !list[0].CanBack {
		t.Error("the history was lost")
	}
	if v, err := w.do(ada, a.ID, "location.pathname"); err != nil || v != `"/c"` {
		t.Fatalf("loaded on first use: %s, %v", v, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := w.Do(ctx, Op{Actor: ada, Tab: a.ID}, func(ctx context.Context, p *page.Page) error {
		return w.MoveIn(ctx, a.ID, p, -1)
	}); err != nil {
		t.Fatal(err)
	}
	if v, _ := w.do(ada, a.ID, "location.pathname"); v != `"/b"` {
		t.Errorf("back leads to %s", v)
	}
	if again := w.add(me, ""); again.ID == gone.ID || again.ID == a.ID {
		t.Errorf("the id %s was used again", again.ID)
	}
}

func containsSentinel(b []byte) bool {
	for i := 0; i+8 <= len(b); i++ {
		if string(b[i:i+8]) == "SENTINEL" {
			return true
		}
	}
	return false
}

func TestATabOfAMissingProfileIsDropped(t *testing.T) {
	w := newWorld(t)
	if _, err := w.cfg.Store.AddTab(t.Context(), store.Tab{Owner: Person, Profile: "gone", URL: "https://example.test/"}); err != nil {
		t.Fatal(err)
	}
	w.stop()
	w.open()
	if list := w.List(me); len(list) != 0 {
		t.Fatalf("came back as %+v", list)
	}
}

func TestReopenBringsBackTheLastClosedTab(t *testing.T) {
	w, s := newWorld(t), site(t)
	i := w.add(me, s.URL+"/x")
	if _, err := w.do(me, i.ID, "1"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(t.Context(), i.ID, me); err != nil {
		t.Fatal(err)
	}
	back, err := w.Reopen(t.Context())
	if err != nil || back.URL != s.URL+"/x" || back.ID == i.ID {
		t.Fatalf("reopened %+v, %v", back, err)
	}
	_, err = w.Reopen(t.Context())
	wantCode(t, err, fault.NoSuchTab)
}

func TestPopupsBelongToTheirOpenersOwnerAndCloseWithIt(t *testing.T) {
	w, s := newWorld(t), site(t)
	i := w.add(ada, s.URL+"/opener")
	for _, script := range []string{"window.open('/popup'); 1", "window.open('/alone','_blank','noopener'); 1"} {
		if _, err := w.do(ada, i.ID, script); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "two popups", func() bool { return len(w.List(ada)) == 3 })
	openers := 0
	for _, x := range w.List(ada) {
		if !x.Mine {
			t.Errorf("a popup of ada's belongs to %s", x.Owner)
		}
		if x.Opener == i.ID {
			openers++
		}
	}
	if openers != 1 {
		t.Fatalf("%d popups name their opener, want 1", openers)
	}
	if err := w.Close(t.Context(), i.ID, ada); err != nil {
		t.Fatal(err)
	}
	if list := w.List(ada); len(list) != 1 {
		t.Fatalf("left after the opener closed: %+v", list)
	}
}

func TestAPopupOfAClosedTabIsNobodys(t *testing.T) {
	w, s := newWorld(t), site(t)
	i := w.add(ada, s.URL+"/opener")
	from, err := w.Page(t.Context(), i.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(t.Context(), i.ID, ada); err != nil {
		t.Fatal(err)
	}
	p, err := w.engine.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.Popup(Shared, p, from, false)
	if list := w.List(Actor{}); len(list) != 0 {
		t.Errorf("it became a tab: %+v", list)
	}
	if st, _ := p.State.Get(); !st.Closed {
		t.Error("it stayed open")
	}
}

func TestAPageThatClosesItselfTakesItsTabAlong(t *testing.T) {
	w, s := newWorld(t), site(t)
	i := w.add(ada, s.URL+"/opener")
	if _, err := w.do(ada, i.ID, "const c = window.open('/popup'); setTimeout(()=>c.close(), 600); 1"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the popup", func() bool { return len(w.List(ada)) == 2 })
	eventually(t, "its end", func() bool { return len(w.List(ada)) == 1 })
}

func TestACrashedPageIsLoadedAgainOnNextUse(t *testing.T) {
	w, s := newWorld(t), site(t)
	i := w.add(ada, s.URL+"/x")
	if _, err := w.do(ada, i.ID, "window.mark = 1"); err != nil {
		t.Fatal(err)
	}
	p, err := w.Page(t.Context(), i.ID)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = p.Session().Call(context.Background(), "Page.crash", nil, nil) }()
	eventually(t, "the crash shows", func() bool { x, _ := w.Get(i.ID, me); return x.State == Crashed })
	if v, err := w.do(ada, i.ID, "[location.pathname, typeof mark].join()"); err != nil || v != `"/x,undefined"` {
		t.Fatalf("after the crash: %s, %v", v, err)
	}
	if n := w.Notice(i.ID); n == "" {
		t.Error("the next result does not tell of the crash")
	}
	pid, _ := w.engine.Running()
	proc, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := proc.Kill(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the tab sleeps", func() bool { x, err := w.Get(i.ID, me); return err == nil && x.State == Asleep })
	if v, err := w.do(ada, i.ID, "location.pathname"); err != nil || v != `"/x"` {
		t.Fatalf("after Chromium's death: %s, %v", v, err)
	}
}

func TestAFailedActionEndsWhatTheSameAgentHasWaitingBehindIt(t *testing.T) {
	w, s := newWorld(t), site(t)
	i := w.add(me, s.URL+"/x")
	if _, err := w.do(ada, i.ID, "1"); err != nil {
		t.Fatal(err)
	}
	begun := make(chan struct{})
	fail := make(chan struct{})
	results := make(chan error, 4)
	go func() {
		results <- w.Do(context.Background(), Op{Actor: ada, Tab: i.ID}, func(context.Context, *page.Page) error {
			close(begun)
			<-fail
			return fault.New(fault.TargetGone, "the element is gone")
		})
	}()
	<-begun
	behind, read, other := make(chan error, 1), make(chan error, 1), make(chan error, 1)
	run := func(op Op, to chan error) {
		op.Tab = i.ID
		to <- w.Do(context.Background(), op, func(context.Context, *page.Page) error { return nil })
	}
	go run(Op{Actor: ada}, behind)
	go run(Op{Actor: ada, Reads: true}, read)
	go run(Op{Actor: bob}, other)
	time.Sleep(200 * time.Millisecond) // all three wait in the queue now
	close(fail)
	wantCode(t, <-results, fault.TargetGone)
	wantCode(t, <-behind, fault.Cancelled)
	if err := <-read; err != nil {
		t.Errorf("reading: %v", err)
	}
	if err := <-other; err != nil {
		t.Errorf("another agent's action: %v", err)
	}
	if _, err := w.do(ada, i.ID, "1"); err != nil {
		t.Errorf("a later action: %v", err)
	}
}
