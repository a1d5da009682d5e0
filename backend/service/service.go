// Package service starts long-lived parts by name and stops them in reverse.
//
// A part is a func that runs until its context ends. [Group.Go] starts one and
// [Group.Stop] ends all, newest first, waiting a bounded time for each and
// naming the ones that did not end.
package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// Group owns running parts. Make one with New.
type Group struct {
	ctx  context.Context
	log  *slog.Logger
	mu   sync.Mutex
	done bool
	all  []*part
}

type part struct {
	name   string
	cancel context.CancelFunc
	ended  chan struct{}
}

// New makes a Group whose parts end with ctx.
func New(ctx context.Context, log *slog.Logger) *Group {
	return &Group{ctx: ctx, log: log}
}

// Go starts serve under name. An error other than the context's is logged, and
// so is a panic, which ends only that part. After Stop it does nothing.
func (g *Group) Go(name string, serve func(ctx context.Context) error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.done {
		return
	}
	ctx, cancel := context.WithCancel(g.ctx)
	p := &part{name: name, cancel: cancel, ended: make(chan struct{})}
	g.all = append(g.all, p)
	go func() {
		defer g.forget(p)
		defer close(p.ended)
		defer cancel()
		defer func() {
			if r := recover(); r != nil {
				g.log.Error("part panicked", "part", name, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			}
		}()
		if err := serve(ctx); err != nil && !errors.Is(err, context.Canceled) {
			g.log.Warn("part ended", "part", name, "error", err)
		}
	}()
}

func (g *Group) forget(p *part) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, q := range g.all {
		if q == p {
			g.all = append(g.all[:i], g.all[i+1:]...)
			return
		}
	}
}

// Stop ends all parts, newest first, each within wait. The error names those
// that were still running.
func (g *Group) Stop(wait time.Duration) error {
	g.mu.Lock()
	g.done = true
	all := append([]*part(nil), g.all...)
	g.mu.Unlock()
	var errs []error
	for i := len(all) - 1; i >= 0; i-- {
		p := all[i]
		p.cancel()
		t := time.NewTimer(wait)
		select {
		case <-p.ended:
		case <-t.C:
			errs = append(errs, fmt.Errorf("part %s did not end within %v", p.name, wait))
		}
		t.Stop()
	}
	return errors.Join(errs...)
}
