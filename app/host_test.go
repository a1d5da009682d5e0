package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"baton/backend/access"
	"baton/backend/card"
	"baton/backend/download"
	"baton/backend/engine"
	"baton/backend/fault"
	"baton/backend/handover"
	"baton/backend/history"
	"baton/backend/liveview"
	"baton/backend/page"
	"baton/backend/preview"
	"baton/backend/service"
	"baton/backend/settings"
	"baton/backend/store"
	"baton/backend/tab"
	"baton/backend/upload"
)

// runGlass shows a window when this program was started to be one.
var runGlass = func() bool { return false }

func TestMain(m *testing.M) {
	if runGlass() {
		return
	}
	// Chromium is started from one thread that never ends, so that it ends with us.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("baton/backend/chromium.init.func1.1"))
}

// host is a whole Baton without its agents' side.
type host struct {
	t        *testing.T
	tabs     *tab.Registry
	engine   *engine.Engine
	cards    *card.Deck
	handover *handover.Desk
	access   *access.Rules
	saved    *download.List
	past     *history.History
	folder   string // where downloads go
	server   *Server
	address  string // host:port
	pages    string // where testdata is served
	uploads  string // the folder of what browsers send
}

func testLog(t *testing.T) *slog.Logger {
	if os.Getenv("BATON_TEST_LOG") == "" {
		return slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func newHost(t *testing.T) *host {
	t.Helper()
	return newHostBehind(t, "")
}

// newHostBehind is newHost with a proxy; "" is none.
func newHostBehind(t *testing.T, proxy string) *host {
	t.Helper()
	log := testLog(t)
	ctx, cancel := context.WithCancel(context.Background())
	st, err := store.Open(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	set, err := settings.Load(ctx, st)
	if err != nil {
		t.Fatal(err)
	}
	h := &host{t: t, cards: &card.Deck{}}
	h.access, err = access.Load(ctx, st, func() access.Mode { return access.Mode(set.Get().AgentAccess) })
	if err != nil {
		t.Fatal(err)
	}
	h.folder = t.TempDir()
	h.saved, err = download.Load(ctx, download.Config{Store: st, Log: log, Engine: func(string) (*engine.Engine, error) { return h.engine, nil }})
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Config{
		Folder: t.TempDir(), Log: log, Downloads: h.folder, Proxy: proxy,
		Scale:  func() float64 { return float64(set.Get().DisplayScale) / 100 },
		Saving: func(d page.Download) { h.saved.Took(tab.Shared, d) },
		Popup:  func(p, from *page.Page, opener bool) { h.tabs.Popup(tab.Shared, p, from, opener) },
		Closed: func(p *page.Page) { h.tabs.PageGone(p) },
	})
	h.engine = e
	local := preview.New(log)
	h.tabs, err = tab.Load(ctx, tab.Config{Store: st, Log: log, Preview: local, Access: h.access.Of, Cards: h.cards, Engine: func(profile string) (*engine.Engine, error) {
		if profile != tab.Shared {
			return nil, fault.New(fault.ProfileMissing, "there is no profile %q", profile)
		}
		return e, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	h.handover, err = handover.Load(ctx, handover.Config{Tabs: h.tabs, Cards: h.cards, Store: st, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	h.past = history.New(ctx, st, h.tabs, log)
	views := liveview.New(h.tabs, log)
	files := fstest.MapFS{
		"index.html":     {Data: []byte("<!doctype html><title>Baton</title>")},
		"assets/main.js": {Data: []byte("export {}")},
		".keep":          {},
	}
	h.uploads = t.TempDir()
	uploads, err := upload.New(h.uploads)
	if err != nil {
		t.Fatal(err)
	}
	h.server = NewServer(Config{Uploads: uploads, Tabs: h.tabs, Settings: set, Cards: h.cards, Access: h.access, Handover: h.handover, Downloads: h.saved, History: h.past, Views: views, Files: files, Log: log, Version: "test"})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.address = ln.Addr().String()
	group := service.New(ctx, log)
	group.Go("downloads", h.saved.Serve)
	group.Go("tabs", h.tabs.Serve)
	group.Go("history", h.past.Serve)
	group.Go("uploads", func(ctx context.Context) error {
		changed, stop := h.tabs.State.Watch()
		defer stop()
		return uploads.Follow(ctx, changed, h.tabs.IsOpen)
	})
	group.Go("views", views.Serve)
	group.Go("handover", h.handover.Serve)
	group.Go("server", func(ctx context.Context) error { return h.server.Serve(ctx, ln) })
	web := httptest.NewServer(http.FileServer(http.Dir("testdata")))
	h.pages = web.URL
	t.Cleanup(func() {
		if err := group.Stop(5 * time.Second); err != nil {
			t.Error(err)
		}
		cancel()
		if err := e.Stop(5 * time.Second); err != nil {
			t.Error(err)
		}
		if err := errors.Join(local.Close(), st.Close()); err != nil {
			t.Error(err)
		}
		web.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	for range 500 {
		if url, _ := h.server.Endpoint(); url != "" {
			return h
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("the server does not listen")
	return nil
}

// client is an interface as the host sees it.
type client struct {
	t      *testing.T
	ws     *websocket.Conn
	silent bool // does not acknowledge frames

	mu      sync.Mutex
	id      int64
	replies map[int64]chan Reply
	frames  []frame
	events  []received
	arrived chan struct{} // a frame or event came
	pause   time.Duration // before each Ack
}

type frame struct {
	FrameHeader
	image []byte
	at    time.Time
}

type received struct {
	Event string
	Rev   int64
	Data  json.RawMessage
}

func (h *host) connect() *client {
	h.t.Helper()
	_, token := h.server.Endpoint()
	return h.dial("window", []string{"baton", token}, http.Header{"Origin": {"wails://wails"}})
}

// browser connects as a browser that has signed in.
func (h *host) browser() *client {
	h.t.Helper()
	header := h.signIn()
	header.Set("Origin", "http://"+h.address)
	return h.dial("browser", []string{"baton"}, header)
}

func (h *host) dial(shell string, protocols []string, header http.Header) *client {
	h.t.Helper()
	url, _ := h.server.Endpoint()
	ws, _, err := websocket.Dial(context.Background(), url, &websocket.DialOptions{Subprotocols: protocols, HTTPHeader: header})
	if err != nil {
		h.t.Fatal(err)
	}
	ws.SetReadLimit(64 << 20)
	c := &client{t: h.t, ws: ws, replies: map[int64]chan Reply{}, arrived: make(chan struct{}, 1)}
	done := make(chan struct{})
	go func() { defer close(done); c.read() }()
	h.t.Cleanup(func() { ws.CloseNow(); <-done })
	var hello Hello
	c.must("hello", nil, &hello)
	if hello.Role != "owner" || hello.Shell != shell {
		h.t.Fatalf("hello says %+v", hello)
	}
	return c
}

func (c *client) read() {
	for {
		kind, data, err := c.ws.Read(context.Background())
		if err != nil {
			return
		}
		c.mu.Lock()
		if kind == websocket.MessageBinary {
			head, _ := decodeFrameHeader(data)
			f := frame{FrameHeader: head, image: data[FrameHeaderSize:], at: time.Now()}
			c.frames = append(c.frames, f)
			if !c.silent {
				pause := c.pause
				go func() {
					time.Sleep(pause)
					c.write(Ack{Ack: f.Seq, View: int(f.View)})
				}()
			}
		} else {
			var m struct {
				received
				ID     int64           `json:"id"`
				Result json.RawMessage `json:"result"`
				Error  *Error          `json:"error"`
			}
			if err := json.Unmarshal(data, &m); err != nil {
				c.t.Errorf("a message that is no JSON: %v", err)
			}
			if m.Event != "" {
				c.events = append(c.events, m.received)
			} else if ch := c.replies[m.ID]; ch != nil {
				ch <- Reply{ID: m.ID, Result: m.Result, Error: m.Error}
			}
		}
		select {
		case c.arrived <- struct{}{}:
		default:
		}
		c.mu.Unlock()
	}
}

func (c *client) write(m any) {
	b, err := json.Marshal(m)
	if err != nil {
		c.t.Error(err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = c.ws.Write(ctx, websocket.MessageText, b)
}

// call makes a call and decodes its result.
func (c *client) call(name string, args, result any) error {
	ch := make(chan Reply, 1)
	c.mu.Lock()
	c.id++
	id := c.id
	c.replies[id] = ch
	c.mu.Unlock()
	c.write(Request{ID: id, Call: name, Args: args})
	select {
	case r := <-ch:
		if r.Error != nil {
			return errors.New(r.Error.Code + ": " + r.Error.Message)
		}
		if result != nil {
			return json.Unmarshal(r.Result.(json.RawMessage), result)
		}
		return nil
	case <-time.After(20 * time.Second):
		return errors.New("no answer to " + name)
	}
}

func (c *client) must(name string, args, result any) {
	c.t.Helper()
	if err := c.call(name, args, result); err != nil {
		c.t.Fatalf("%s: %v", name, err)
	}
}

// open opens a page of testdata in a new tab.
func (c *client) open(url string) string {
	c.t.Helper()
	var r TabResult
	c.must("tabs.open", OpenArgs{URL: url}, &r)
	return r.Tab
}

func (c *client) watch(tab string, width, height int) {
	c.t.Helper()
	c.must("view.watch", WatchArgs{View: 1, Tab: tab, Width: width, Height: height, Scale: 1}, nil)
}

// count gives how many frames have come.
func (c *client) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.frames)
}

// patience is what a wait grants a slow computer.
const patience = 20 * time.Second

// until waits for a frame after the first from ones that fits.
func (c *client) until(from int, wait time.Duration, what string, fits func(frame) bool) frame {
	c.t.Helper()
	deadline := time.After(max(wait, patience)) // how quick it is is measured elsewhere
	for {
		c.mu.Lock()
		for i := from; i < len(c.frames); i++ {
			if fits(c.frames[i]) {
				f := c.frames[i]
				c.mu.Unlock()
				return f
			}
		}
		from = max(from, len(c.frames)-1)
		c.mu.Unlock()
		select {
		case <-c.arrived:
		case <-deadline:
			c.t.Fatalf("no frame %s within %v", what, wait)
		}
	}
}

// event waits for an event of a kind whose data fits.
func (c *client) event(kind string, wait time.Duration, fits func(json.RawMessage) bool) {
	c.t.Helper()
	deadline := time.After(max(wait, patience)) // how quick it is is measured elsewhere
	for {
		c.mu.Lock()
		for _, e := range c.events {
			if e.Event == kind && fits(e.Data) {
				c.mu.Unlock()
				return
			}
		}
		c.mu.Unlock()
		select {
		case <-c.arrived:
		case <-time.After(20 * time.Millisecond):
		case <-deadline:
			c.t.Fatalf("no fitting %s event within %v", kind, wait)
		}
	}
}

// pixel gives the colour at a point in CSS pixels.
func (f frame) pixel(t *testing.T, x, y int) color.RGBA {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(f.image))
	if err != nil {
		t.Fatal(err)
	}
	px := int(float64(x) * float64(f.PixelW) / float64(f.Width))
	py := int(float64(y) * float64(f.PixelH) / float64(f.Height))
	r, g, b, a := img.At(px, py).RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}
}

func near(a, b color.RGBA) bool {
	d := func(x, y uint8) bool { return math.Abs(float64(x)-float64(y)) < 24 }
	return d(a.R, b.R) && d(a.G, b.G) && d(a.B, b.B)
}

// js reads a value of the page by its own script, beside everything tested.
func (h *host) js(tab, expression string, into any) {
	h.t.Helper()
	p := h.tabs.Live(tab)
	if p == nil {
		h.t.Fatalf("tab %s is asleep", tab)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	raw, _, err := p.Evaluate(ctx, expression, 0)
	for fault.Is(err, fault.Uncertain) || fault.Is(err, fault.TargetGone) { // its first document is still to come
		raw, _, err = p.Evaluate(ctx, expression, 0)
	}
	if err != nil {
		h.t.Fatalf("%s: %v", expression, err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		h.t.Fatalf("%s gave %s: %v", expression, raw, err)
	}
}

// eventually waits until the page's expression gives want.
func (h *host) eventually(tab, expression, want string) {
	h.t.Helper()
	var got string
	for range 100 {
		h.js(tab, "String("+strings.TrimSpace(expression)+")", &got)
		if got == want {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	h.t.Errorf("%s gives %q, want %q", expression, got, want)
}
