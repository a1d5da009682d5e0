package app

import (
	"bytes"
	"context"
	"encoding/base64"
	"net/http"
	"strings"
	"sync"
	"time"

	"baton/backend/bus"
	"baton/backend/tab"
)

const (
	iconMost  = 64 << 10         // bytes of an icon
	iconsMost = 400              // icons that are kept
	iconWait  = 10 * time.Second // bounds the fetching of one
	iconAgain = 5 * time.Minute  // after which one that failed is tried again
)

// icons fetches the sites' icons through their own pages, so that they come
// over the profile's connection, and keeps them as data: addresses. The
// interface itself never asks a site for anything.
type icons struct {
	tabs    *tab.Registry
	changed bus.State[int] // grows with every icon that came
	ctx     context.Context
	end     context.CancelFunc
	slots   chan struct{}

	mu   sync.Mutex
	over bool
	work sync.WaitGroup
	kept map[string]icon // by profile and address
	came int
}

type icon struct {
	data    string // "" while under way, and where there is none
	pending bool
	since   time.Time
}

func newIcons(tabs *tab.Registry) *icons {
	i := &icons{tabs: tabs, slots: make(chan struct{}, 2), kept: map[string]icon{}}
	i.ctx, i.end = context.WithCancel(context.Background())
	return i
}

func (i *icons) close() {
	i.mu.Lock()
	i.over = true
	i.mu.Unlock()
	i.end()
	i.work.Wait()
}

// of gives a tab's icon as a data: address, "" until it is there.
func (i *icons) of(t tab.Info) string {
	address := t.Favicon
	switch {
	case strings.HasPrefix(address, "data:image/"):
		if len(address) <= iconMost*4/3+64 {
			return address
		}
		return ""
	case !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://"):
		return ""
	}
	key := t.Profile + " " + address
	i.mu.Lock()
	defer i.mu.Unlock()
	k, known := i.kept[key]
	if known && (k.data != "" || k.pending || time.Since(k.since) < iconAgain) {
		return k.data
	}
	if i.over || t.State == tab.Asleep || t.State == tab.Crashed {
		return ""
	}
	if len(i.kept) >= iconsMost {
		clear(i.kept)
	}
	i.kept[key] = icon{pending: true, since: time.Now()}
	i.work.Go(func() { i.fetch(key, t.ID, address) })
	return ""
}

func (i *icons) fetch(key, id, address string) {
	select {
	case i.slots <- struct{}{}:
		defer func() { <-i.slots }()
	case <-i.ctx.Done():
		return
	}
	ctx, cancel := context.WithTimeout(i.ctx, iconWait)
	defer cancel()
	data := ""
	if p := i.tabs.Live(id); p != nil {
		if b, err := p.Resource(ctx, address, iconMost); err == nil {
			data = imageAddress(b)
		}
	}
	i.mu.Lock()
	i.kept[key] = icon{data: data, since: time.Now()}
	i.came++
	n := i.came
	i.mu.Unlock()
	if data != "" {
		i.changed.Set(n)
	}
}

// imageAddress gives an image as a data: address, by what it is and not by what
// it was called; "" for anything else.
func imageAddress(b []byte) string {
	kind := http.DetectContentType(b)
	if head := bytes.ToLower(b[:min(len(b), 512)]); strings.HasPrefix(kind, "text/") && bytes.Contains(head, []byte("<svg")) {
		kind = "image/svg+xml"
	}
	if len(b) == 0 || !strings.HasPrefix(kind, "image/") {
		return ""
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(b)
}
