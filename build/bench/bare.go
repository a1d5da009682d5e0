package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"baton/backend/cdp"
	"baton/build/probe"
)

// bare is a Chromium that nobody but the benchmark speaks with: what it takes
// is the least that a server can take.
type bare struct {
	cmd  *exec.Cmd
	conn *cdp.Conn
	page *cdp.Session
	done chan struct{}
}

var bareFlags = []string{
	"--headless=new", "--window-size=1280,800", "--no-first-run", "--no-default-browser-check", "--disable-gpu", "--hide-scrollbars", "--mute-audio",
	"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions", "--disable-breakpad",
	"--metrics-recording-only", "--password-store=basic", "--use-mock-keychain", "--disable-features=Translate,OptimizationHints,MediaRouter",
}

// bare starts one. With listen it takes DevTools clients on a port of loopback
// and has no pipe.
func (r *run) bare(ctx context.Context, listen bool) (*bare, error) {
	r.count++
	dir := filepath.Join(r.scratch, fmt.Sprintf("bare-%d", r.count))
	flags := append([]string{"--user-data-dir=" + dir}, bareFlags...)
	if root {
		flags = append(flags, "--no-sandbox")
	}
	b := &bare{done: make(chan struct{})}
	if listen {
		b.cmd = exec.Command(r.browser, append(flags, "--remote-debugging-port=0", "about:blank")...)
		if err := b.cmd.Start(); err != nil {
			return nil, err
		}
		go func() { _ = b.cmd.Wait(); close(b.done) }()
		return b, nil
	}
	ours, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	theirsToo, oursToo, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	b.cmd = exec.Command(r.browser, append(flags, "--remote-debugging-pipe", "about:blank")...)
	b.cmd.ExtraFiles = []*os.File{theirsToo, theirs}
	err = b.cmd.Start()
	theirs.Close()
	theirsToo.Close()
	if err != nil {
		return nil, err
	}
	go func() { _ = b.cmd.Wait(); close(b.done) }()
	b.conn = cdp.New(ours, oursToo)
	var made struct {
		TargetID  string `json:"targetId"`
		SessionID string `json:"sessionId"`
	}
	if err := b.conn.Browser().Call(ctx, "Target.createTarget", args{"url": "about:blank"}, &made); err != nil {
		return nil, errors.Join(err, b.close())
	}
	if err := b.conn.Browser().Call(ctx, "Target.attachToTarget", args{"targetId": made.TargetID, "flatten": true}, &made); err != nil {
		return nil, errors.Join(err, b.close())
	}
	b.page = b.conn.Attach(made.SessionID)
	b.page.Handle(func(cdp.Event) {})
	return b, b.page.Call(ctx, "Page.enable", nil, nil)
}

// address waits for the port of a listening browser.
func (r *run) address(ctx context.Context, n int) (string, error) {
	file := filepath.Join(r.scratch, fmt.Sprintf("bare-%d", n), "DevToolsActivePort")
	for ctx.Err() == nil {
		if b, err := os.ReadFile(file); err == nil {
			port, _, _ := strings.Cut(string(b), "\n")
			return "http://127.0.0.1:" + port, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return "", ctx.Err()
}

// close ends the browser.
func (b *bare) close() error {
	all := probe.Descend(b.cmd.Process.Pid)
	if b.conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		_ = b.conn.Browser().Call(ctx, "Browser.close", nil, nil)
		cancel()
	}
	select {
	case <-b.done:
	case <-time.After(3 * time.Second):
		_ = b.cmd.Process.Kill()
		<-b.done
	}
	if b.conn != nil {
		_ = b.conn.Close()
	}
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end) && len(probe.Descend(all...)) > len(all); {
		time.Sleep(20 * time.Millisecond)
	}
	return nil
}

// load opens an address and waits for its load event.
func (b *bare) load(ctx context.Context, url string) (time.Duration, error) {
	loaded, stop := b.page.Subscribe("Page.loadEventFired")
	defer stop()
	start := time.Now()
	if err := b.page.Call(ctx, "Page.navigate", args{"url": url}, nil); err != nil {
		return 0, err
	}
	select {
	case <-loaded:
		return time.Since(start), nil
	case <-ctx.Done():
		return 0, fmt.Errorf("%s did not load: %w", url, ctx.Err())
	}
}

func (b *bare) run(ctx context.Context, js string, value any) (time.Duration, error) {
	var got struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
	}
	got.Result.Value = value
	start := time.Now()
	err := b.page.Call(ctx, "Runtime.evaluate", args{"expression": js, "returnByValue": true}, &got)
	return time.Since(start), err
}

// walk is the least that a snapshot takes: role and name of every element that
// shows, in order, as one text.
const walk = `(() => {
  const roles = { A: 'link', BUTTON: 'button', INPUT: 'textbox', TEXTAREA: 'textbox', SELECT: 'combobox', H1: 'heading', H2: 'heading', P: 'paragraph', TD: 'cell', TR: 'row' };
  const out = [];
  const go = (e, depth) => {
    if (e.localName === 'script' || e.localName === 'style' || !e.checkVisibility()) return;
    const role = e.getAttribute('role') ?? roles[e.tagName];
    if (role) {
      e.getBoundingClientRect();
      const name = e.getAttribute('aria-label') ?? (e.childElementCount ? '' : e.textContent);
      out.push('  '.repeat(depth) + role + ' ' + JSON.stringify(name.trim().slice(0, 90)));
    }
    for (const c of (e.shadowRoot ?? e).children) go(c, depth + 1);
  };
  go(document.body, 0);
  return out.join('\n');
})()`

// click presses and releases the button in the middle of an element, all sent
// at once, and waits until the last is answered.
func (b *bare) click(ctx context.Context, selector string) (time.Duration, error) {
	var at []float64
	_, err := b.run(ctx, `(() => { const r = document.querySelector(`+quoted(selector)+`).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`, &at)
	if err != nil {
		return 0, err
	}
	if len(at) != 2 {
		return 0, fmt.Errorf("no %s", selector)
	}
	start := time.Now()
	var last *cdp.Pending
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		m := args{"type": kind, "x": at[0], "y": at[1]}
		if kind != "mouseMoved" {
			m["button"], m["clickCount"] = "left", 1
		}
		if last, err = b.page.Send(ctx, "Input.dispatchMouseEvent", m); err != nil {
			return 0, err
		}
	}
	err = last.Wait(ctx, nil)
	return time.Since(start), err
}
