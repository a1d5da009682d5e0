package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/cdp"
	"baton/backend/chromium"
)

// outer is a person's own browser, on the address that `baton serve` prints.
// Its input is Chromium's own: what a real mouse, keyboard or input method there
// would make of it.
type outer struct {
	t         *testing.T
	s         *cdp.Session // the interface's
	target    target.ID
	browser   *cdp.Session
	attach    func(id string) *cdp.Session
	desk      *desk
	w         *witness
	origin    string
	left, top float64 // of the page, in the browser
}

var printed = regexp.MustCompile(`http://\S+/\?code=\S+`)

// browse opens the witness in the interface of a browser.
func browse(t *testing.T) *outer {
	d := newDesk(t)
	serve := exec.Command(program, "serve", "--data-dir", d.data)
	serve.Stderr = t.Output()
	out, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = serve.Process.Signal(syscall.SIGINT); _ = serve.Wait() })
	address := ""
	for lines := bufio.NewScanner(out); address == "" && lines.Scan(); {
		address = printed.FindString(lines.Text())
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	if address == "" {
		t.Fatal("serve prints no address")
	}

	path, err := chromium.Find("")
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	proc, err := chromium.Launch(ctx, chromium.Config{Path: path, Profile: t.TempDir(), Root: os.Geteuid() == 0}, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = proc.Stop(5 * time.Second) })
	made, err := cdproto.Call(ctx, proc.Conn.Browser(), target.CreateTarget, target.CreateTargetParams{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	o := &outer{t: t, target: made.TargetID, browser: proc.Conn.Browser(), attach: proc.Conn.Attach, desk: d, w: newWitness(t), origin: address[:strings.Index(address, "/?")]}
	at, err := cdproto.Call(ctx, proc.Conn.Browser(), target.AttachToTarget, target.AttachToTargetParams{TargetID: made.TargetID, Flatten: yes})
	if err != nil {
		t.Fatal(err)
	}
	o.s = proc.Conn.Attach(string(at.SessionID))
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		if err := proc.Conn.Browser().Call(ctx, "Browser.setPermission", browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSettingGranted, Origin: o.origin,
		}, nil); err != nil {
			t.Fatal(err)
		}
	}
	o.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 1200, "height": 900, "deviceScaleFactor": 1, "mobile": false})
	o.call("Page.navigate", map[string]any{"url": address})
	o.wait("the interface is there", `document.querySelector('.surface')`)
	o.press("l", "KeyL", 'L', ctrlKey)
	o.wait("the address bar has the keys", `document.activeElement.localName === 'input'`)
	o.call("Input.insertText", input.InsertTextParams{Text: o.w.url})
	o.press("Enter", "Enter", 13, 0)
	o.wait("the page is shown", `!document.querySelector('.surface.hidden') && document.querySelector('.surface textarea')?.ariaLabel.includes('witness')`)
	o.w.eventually("document.readyState", "complete")
	var box struct{ X, Y float64 }
	o.js(`(r => ({x: r.x, y: r.y}))(document.querySelector('.surface canvas').getBoundingClientRect())`, &box)
	o.left, o.top = box.X, box.Y
	return o
}

func (o *outer) call(method string, params any) {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), 20*time.Second)
	defer cancel()
	if err := o.s.Call(ctx, method, params, nil); err != nil {
		o.t.Fatalf("%s: %v", method, err)
	}
}

// js reads a value of the interface.
func (o *outer) js(expression string, into any) {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), 20*time.Second)
	defer cancel()
	var r runtime.EvaluateResult
	err := o.s.Call(ctx, "Runtime.evaluate", runtime.EvaluateParams{Expression: expression, AwaitPromise: yes, ReturnByValue: yes, UserGesture: yes}, &r)
	if err == nil && r.ExceptionDetails == nil && r.Result != nil {
		err = json.Unmarshal(r.Result.Value, into)
	}
	if err != nil || r.ExceptionDetails != nil {
		o.t.Fatalf("%s: %v %+v", expression, err, r.ExceptionDetails)
	}
}

func (o *outer) wait(what, expression string) {
	o.t.Helper()
	ok := false
	for end := time.Now().Add(20 * time.Second); !ok; time.Sleep(30 * time.Millisecond) {
		if time.Now().After(end) {
			var html string
			o.js("document.body.innerText", &html)
			o.t.Fatalf("never came: %s; the interface says %q", what, html)
		}
		o.js("(async () => !!(await ("+expression+")))()", &ok)
	}
}

func (o *outer) mouse(kind input.DispatchMouseEventType, x, y float64, button input.MouseButton, buttons int64) {
	o.t.Helper()
	e := input.DispatchMouseEventParams{Type: kind, X: o.left + x, Y: o.top + y, Button: button, Buttons: buttons}
	if kind != input.DispatchMouseEventTypeMouseMoved {
		e.ClickCount = 1
	}
	o.call("Input.dispatchMouseEvent", e)
}

func (o *outer) click(x, y float64) {
	o.t.Helper()
	o.mouse(input.DispatchMouseEventTypeMousePressed, x, y, input.MouseButtonLeft, 1)
	o.mouse(input.DispatchMouseEventTypeMouseReleased, x, y, input.MouseButtonLeft, 0)
}

// focus clicks the page's field, which then has the keys.
func (o *outer) focus() {
	o.t.Helper()
	o.click(170, 40)
	o.w.eventually("document.activeElement.id", "field")
}

// key is one move of a key in the browser.
func (o *outer) key(e input.DispatchKeyEventParams) {
	o.t.Helper()
	e.NativeVirtualKeyCode = e.WindowsVirtualKeyCode
	o.call("Input.dispatchKeyEvent", e)
}

const (
	altKey   = 1
	ctrlKey  = 2
	shiftKey = 8
)

// press presses one key: what it types as text, or with modifiers.
func (o *outer) press(key, code string, number, mods int64, commands ...string) {
	o.t.Helper()
	e := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: key, Code: code, WindowsVirtualKeyCode: number, Modifiers: mods, Commands: commands}
	if mods&(altKey|ctrlKey) == 0 && (len([]rune(key)) == 1 || key == "Enter") {
		e.Type, e.Text = input.DispatchKeyEventTypeKeyDown, strings.Replace(key, "Enter", "\r", 1)
	}
	o.key(e)
	o.key(input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: key, Code: code, WindowsVirtualKeyCode: number, Modifiers: mods})
}

var yes = func() *bool { b := true; return &b }()
