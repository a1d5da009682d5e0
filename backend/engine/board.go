package engine

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"

	"baton/backend/cdp"
)

// Clip is what lies on a clipboard: the same thing in up to three forms.
type Clip struct {
	Text  string
	HTML  string
	Image []byte // PNG
}

// Empty tells whether there is nothing.
func (c Clip) Empty() bool { return c.Text == "" && c.HTML == "" && len(c.Image) == 0 }

// boardURL is the document through which Chromium's own clipboard is filled and
// read. It is answered here; nothing goes out for it.
const boardURL = "https://clipboard.invalid/"

const boardWait = 5 * time.Second

// board is a page of Baton's own without a tab. A Chromium without a window has
// a clipboard of its own, which has nothing to do with the person's.
type board struct {
	mu   sync.Mutex // one use at a time
	sess *cdp.Session
	// loaded is told once its document is there; it is made anew for each.
	loaded chan struct{}

	// Guarded by running.mu.
	id      string        // the target's id
	opening chan struct{} // closed once id is known; nil when none is being made
}

// isBoard tells whether a new target is the board, waiting while one is made.
func (r *running) isBoard(id string) bool {
	r.mu.Lock()
	opening := r.board.opening
	r.mu.Unlock()
	if opening != nil {
		<-opening
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.board.id == id
}

// boarded prepares the board's session. It runs as the target attaches.
func (r *running) boarded(ctx context.Context, s *cdp.Session, arrived chan<- *cdp.Session) {
	there := false
	s.Handle(func(ev cdp.Event) {
		switch ev.Method {
		case "Page.frameNavigated":
			e, ok := cdp.Decode[cdppage.EventFrameNavigated](ev)
			there = there || ok && e.Frame != nil && e.Frame.URL == boardURL
		case "Page.loadEventFired":
			if there {
				there = false
				r.board.loaded <- struct{}{}
			}
		}
		if e, ok := cdp.Decode[fetch.EventRequestPaused](ev); ok && ev.Method == "Fetch.requestPaused" {
			_, _ = s.Send(ctx, "Fetch.fulfillRequest", fetch.FulfillRequestParams{
				RequestID: e.RequestID, ResponseCode: 200, Body: []byte("<!doctype html><title></title>"),
				ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html"}},
			})
		}
	})
	for _, c := range []struct {
		method string
		params any
	}{
		{"Fetch.enable", fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*"}}}},
		{"Page.enable", nil},
		{"Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}},
		{"Runtime.runIfWaitingForDebugger", nil},
	} {
		_, _ = s.Send(ctx, c.method, c.params)
	}
	arrived <- s
}

// openBoard makes the board unless there is one. Call with board.mu held.
func (r *running) openBoard(ctx context.Context) error {
	b := &r.board
	if b.sess != nil {
		select {
		case <-b.sess.Ended():
			b.sess = nil
		default:
			return nil
		}
	}
	yes := true // in a window of its own it covers no page
	opening, arrived := make(chan struct{}), make(chan *cdp.Session, 1)
	b.loaded = make(chan struct{}, 1)
	r.mu.Lock()
	b.opening, r.arrived = opening, arrived
	r.mu.Unlock()
	made, err := cdproto.Call(ctx, r.proc.Conn.Browser(), target.CreateTarget, target.CreateTargetParams{URL: boardURL, NewWindow: &yes, Background: &yes})
	r.mu.Lock()
	b.id, b.opening = string(made.TargetID), nil
	r.mu.Unlock()
	close(opening)
	if err != nil {
		return fmt.Errorf("opening the clipboard: %w", err)
	}
	var s *cdp.Session
	select {
	case s = <-arrived:
	case <-ctx.Done():
		return fmt.Errorf("opening the clipboard: %w", context.Cause(ctx))
	}
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		origin := boardURL[:len(boardURL)-1]
		if err := r.proc.Conn.Browser().Call(ctx, "Browser.setPermission", browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSettingGranted, Origin: origin,
		}, nil); err != nil {
			return fmt.Errorf("opening the clipboard: %w", err)
		}
	}
	// No script runs in it before, and it goes nowhere from there: what happens to
	// a page while it changes its process is not always answered.
	select {
	case <-b.loaded:
	case <-ctx.Done():
		return fmt.Errorf("loading the clipboard: %w", context.Cause(ctx))
	}
	b.sess = s
	return nil
}

// onBoard calls a func of the board's page with one argument.
func (e *Engine) onBoard(ctx context.Context, fn string, arg, out any) error {
	e.mu.Lock()
	r := e.run
	e.mu.Unlock()
	if r == nil {
		return fmt.Errorf("no Chromium runs")
	}
	ctx, cancel := context.WithTimeout(ctx, boardWait)
	defer cancel()
	r.board.mu.Lock()
	defer r.board.mu.Unlock()
	if err := r.openBoard(ctx); err != nil {
		return err
	}
	a, err := json.Marshal(arg)
	if err != nil {
		return err
	}
	yes := true
	var res runtime.EvaluateResult
	err = r.board.sess.Call(ctx, "Runtime.evaluate", runtime.EvaluateParams{
		Expression: "(" + fn + ")(" + string(a) + ")", AwaitPromise: &yes, ReturnByValue: &yes, UserGesture: &yes,
	}, &res)
	switch {
	case err != nil:
		return fmt.Errorf("the clipboard: %w", err)
	case res.ExceptionDetails != nil:
		return fmt.Errorf("the clipboard refused: %s", res.ExceptionDetails.Text)
	case out == nil || res.Result == nil:
		return nil
	}
	return json.Unmarshal(res.Result.Value, out)
}

type clipJSON struct {
	Text  string `json:"text"`
	HTML  string `json:"html"`
	Image string `json:"image"` // base64
}

const setBoard = `async c => {
 const items = {};
 if (c.text) items['text/plain'] = new Blob([c.text], {type: 'text/plain'});
 if (c.html) items['text/html'] = new Blob([c.html], {type: 'text/html'});
 if (c.image) items['image/png'] = new Blob([Uint8Array.from(atob(c.image), x => x.charCodeAt(0))], {type: 'image/png'});
 if (Object.keys(items).length) await navigator.clipboard.write([new ClipboardItem(items)]);
 else await navigator.clipboard.writeText('');
}`

const readBoard = `async most => {
 const out = {text: '', html: '', image: ''};
 for (const item of await navigator.clipboard.read()) for (const type of item.types) {
  const blob = await item.getType(type);
  if (blob.size > most) continue;
  if (type === 'text/plain') out.text = await blob.text();
  else if (type === 'text/html') out.html = await blob.text();
  else if (type === 'image/png') out.image = await new Promise(done => {
   const r = new FileReader();
   r.onload = () => done(r.result.slice(r.result.indexOf(',') + 1));
   r.readAsDataURL(blob);
  });
 }
 return out;
}`

// clipMost bounds each form of what is read, in bytes.
const clipMost = 4 << 20

// SetClip puts something on Chromium's own clipboard; an empty Clip clears it.
func (e *Engine) SetClip(ctx context.Context, c Clip) error {
	return e.onBoard(ctx, setBoard, clipJSON{c.Text, c.HTML, base64.StdEncoding.EncodeToString(c.Image)}, nil)
}

// Clip gives what lies on Chromium's own clipboard; a form larger than 4 MiB is
// left out.
func (e *Engine) Clip(ctx context.Context) (Clip, error) {
	var got clipJSON
	if err := e.onBoard(ctx, readBoard, clipMost, &got); err != nil {
		return Clip{}, err
	}
	image, err := base64.StdEncoding.DecodeString(got.Image)
	return Clip{Text: got.Text, HTML: got.HTML, Image: image}, err
}
