//go:build desktop

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"baton/app"
	"baton/backend/link"
	"baton/frontend"
)

// window shows the window of the data folder's host. One that shows already is
// brought to the front instead.
func window(o options, _ string) error {
	h := &windowHost{o: o}
	defer h.close()
	folder := filepath.Join(o.data, "window")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	lock, err := link.Lock(folder)
	if errors.Is(err, link.ErrTaken) {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_, err := h.ask(ctx, link.Ask{Do: link.AskShow})
		return err
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := display(); err != nil {
		return fmt.Errorf("%w: open the page that `baton serve` prints in a browser instead", err)
	}
	go h.begin()
	return app.RunWindow(app.WindowConfig{Host: h, Files: frontend.Files(), Data: o.data})
}

// pip shows one tab of the data folder's host in a small window.
func pip(o options) error {
	h := &windowHost{o: o}
	defer h.close()
	if err := display(); err != nil {
		return err
	}
	return app.RunWindow(app.WindowConfig{Host: h, Files: frontend.Files(), Data: o.data, Pip: o.tab})
}

// display tells why no window can be shown, or nil.
func display() error { return app.CheckDisplay() }

// windowHost is the host as the window sees it: one control connection, made
// anew when it breaks.
type windowHost struct {
	o options

	mu   sync.Mutex
	conn *link.Conn
	over bool
}

// begin connects while the window is being made, and takes back that the host
// goes on without one.
func (h *windowHost) begin() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = h.Background(ctx, false)
}

// ask asks the host, which is started when none runs.
func (h *windowHost) ask(ctx context.Context, a link.Ask) (link.Answer, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return link.Answer{}, errors.New("the window is closing")
	}
	for try := 0; ; try++ {
		fresh := h.conn == nil
		if fresh {
			c, err := h.o.attach(ctx, h.o.greeting(link.Control, "window"))
			if err != nil {
				return link.Answer{}, err
			}
			h.conn = c
		}
		answer, err := h.conn.Ask(ctx, a)
		if err == nil || answer.Error != "" {
			return answer, err
		}
		h.conn.Close()
		h.conn = nil
		if fresh || try > 0 || ctx.Err() != nil {
			return answer, err
		}
	}
}

// Endpoint satisfies app.Host.
func (h *windowHost) Endpoint(ctx context.Context) (url, token string, err error) {
	a, err := h.ask(ctx, link.Ask{Do: link.AskEndpoint})
	if err != nil {
		return "", "", err
	}
	return "ws" + strings.TrimPrefix(a.URL, "http") + "/ws", a.Token, nil
}

// Agents satisfies app.Host.
func (h *windowHost) Agents(ctx context.Context) (int, error) {
	a, err := h.ask(ctx, link.Ask{Do: link.AskStatus})
	return a.Agents, err
}

// Background satisfies app.Host.
func (h *windowHost) Background(ctx context.Context, on bool) error {
	_, err := h.ask(ctx, link.Ask{Do: link.AskBackground, On: on})
	return err
}

// Show satisfies app.Host.
func (h *windowHost) Show(ctx context.Context) error {
	_, err := h.ask(ctx, link.Ask{Do: link.AskShow})
	return err
}

// Stop satisfies app.Host.
func (h *windowHost) Stop(ctx context.Context) error {
	_, err := h.ask(ctx, link.Ask{Do: link.AskStop})
	return err
}

func (h *windowHost) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.over = true
	if h.conn != nil {
		h.conn.Close()
	}
}
