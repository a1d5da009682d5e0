// Package download keeps the list of files that pages saved: what is going on,
// and what came lately, over restarts. Taking an entry off the list leaves its
// file alone.
//
// [Load] reads the list and [List.Serve] keeps it; engines tell of their
// downloads with [List.Took].
package download

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"baton/backend/bus"
	"baton/backend/engine"
	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/redact"
	"baton/backend/store"
)

// Cancelled is the state of a download that the person cancelled; the others
// are package page's.
const Cancelled = "cancelled"

// Item is one download.
type Item struct {
	store.Download
	Gone  bool // its file is no longer there
	Risky bool // opening it could run something
	Again bool // it can be asked for again
}

// Config is fixed for a list's life.
type Config struct {
	Store  *store.Store
	Log    *slog.Logger
	Engine func(profile string) (*engine.Engine, error)
}

// List is the list of downloads.
type List struct {
	cfg   Config
	State bus.State[[]Item] // the newest first
	kick  chan struct{}

	mu     sync.Mutex
	items  []*entry // the newest first
	queue  []news   // what Serve has not taken yet
	ending map[string]bool
}

type entry struct {
	Item
	guid string // Chromium's name for it while it goes on
	from string // the address itself, in memory alone
}

type news struct {
	profile string
	page.Download
}

// Load reads the list. What was going on when the host ended is broken off.
func Load(ctx context.Context, cfg Config) (*List, error) {
	l := &List{cfg: cfg, kick: make(chan struct{}, 1), ending: map[string]bool{}}
	saved, err := cfg.Store.Downloads(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range saved {
		if d.State == page.DownloadGoing {
			d.State = page.DownloadFailed
			if err := cfg.Store.SaveDownload(ctx, d); err != nil {
				return nil, err
			}
		}
		e := &entry{Item: Item{Download: d}}
		if d.Whole {
			e.from = d.URL
		}
		l.items = append(l.items, e)
	}
	l.publish()
	return l, nil
}

// Serve takes what engines tell until ctx ends.
func (l *List) Serve(ctx context.Context) error {
	look := time.NewTicker(5 * time.Second) // files go without a word
	defer look.Stop()
	for {
		select {
		case <-l.kick:
			l.mu.Lock()
			queue := l.queue
			l.queue = nil
			l.mu.Unlock()
			for _, n := range queue {
				l.take(ctx, n)
			}
			l.publish()
		case <-look.C:
			l.publish()
		case <-ctx.Done():
			return nil
		}
	}
}

// Took is told of a download as it begins, goes on and ends. It never waits.
func (l *List) Took(profile string, d page.Download) {
	l.mu.Lock()
	if n := len(l.queue); n > 0 && l.queue[n-1].ID == d.ID && l.queue[n-1].State == d.State && n > 1 {
		l.queue[n-1].Download = d
	} else {
		l.queue = append(l.queue, news{profile, d})
	}
	l.mu.Unlock()
	select {
	case l.kick <- struct{}{}:
	default:
	}
}

// take brings the list up to date with one piece of news.
func (l *List) take(ctx context.Context, n news) {
	l.mu.Lock()
	i := slices.IndexFunc(l.items, func(e *entry) bool { return e.guid == n.ID })
	if i < 0 {
		row := store.Download{Profile: n.profile, Name: n.Name, State: n.State, Began: time.Now()}
		row.URL, row.Whole = address(n.URL)
		row.Received, row.Total = n.Received, n.Total
		if n.State == page.DownloadDone {
			row.Path = n.Path
		}
		l.mu.Unlock()
		id, err := l.cfg.Store.AddDownload(ctx, row)
		if err != nil {
			l.cfg.Log.Error("a download could not be listed", "error", err)
			return
		}
		row.ID = id
		l.mu.Lock()
		defer l.mu.Unlock()
		l.items = append([]*entry{{Item: Item{Download: row}, guid: n.ID, from: n.URL}}, l.items...)
		return
	}
	e := l.items[i]
	ended := e.State != n.State
	e.Name, e.State, e.Received, e.Total = n.Name, n.State, n.Received, n.Total
	switch n.State {
	case page.DownloadDone:
		e.Path = n.Path
	case page.DownloadFailed:
		if l.ending[n.ID] {
			e.State = Cancelled
		}
	}
	row := e.Download
	if ended {
		delete(l.ending, n.ID)
		e.guid = ""
	}
	l.mu.Unlock()
	if !ended {
		return
	}
	if err := l.cfg.Store.SaveDownload(ctx, row); err != nil && !errors.Is(err, context.Canceled) {
		l.cfg.Log.Error("a download could not be saved", "error", err)
	}
}

// address gives a download's address as it is kept, and whether that is all of
// it.
func address(raw string) (kept string, whole bool) {
	if !strings.HasPrefix(raw, "https://") && !strings.HasPrefix(raw, "http://") {
		scheme, _, _ := strings.Cut(raw, ":")
		return scheme + ":", false // data: and blob: hold the file, or mean nothing later
	}
	kept = redact.URL(raw)
	return kept, kept == raw
}

func (l *List) publish() {
	l.mu.Lock()
	out := make([]Item, 0, len(l.items))
	for _, e := range l.items {
		i := e.Item
		if i.State == page.DownloadDone {
			_, err := os.Lstat(i.Path)
			i.Gone = errors.Is(err, fs.ErrNotExist)
		}
		i.Risky = Risky(i.Name)
		i.Again = i.State != page.DownloadGoing && strings.HasPrefix(e.from, "http")
		out = append(out, i)
	}
	l.mu.Unlock()
	if old, rev := l.State.Get(); rev > 0 && slices.Equal(old, out) {
		return
	}
	l.State.Set(out)
}

func (l *List) find(id int64) (entry, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.items {
		if e.ID == id {
			return *e, nil
		}
	}
	return entry{}, fault.New(fault.FileNotAllowed, "this download is no longer listed")
}

// File gives a finished download's file. One that opening could run is refused
// unless the person is sure.
func (l *List) File(id int64, sure bool) (string, error) {
	e, err := l.find(id)
	if err != nil {
		return "", err
	}
	if e.State != page.DownloadDone {
		return "", fault.New(fault.FileNotAllowed, "%s is not here yet", e.Name)
	}
	if st, err := os.Lstat(e.Path); err != nil || !st.Mode().IsRegular() {
		l.publish()
		return "", fault.New(fault.FileNotAllowed, "%s was moved or deleted", e.Name)
	}
	if Risky(e.Name) && !sure {
		return "", fault.New(fault.Unsupported, "%s could run a program", e.Name)
	}
	return e.Path, nil
}

// Cancel breaks a download off.
func (l *List) Cancel(ctx context.Context, id int64) error {
	e, err := l.find(id)
	if err != nil || e.State != page.DownloadGoing {
		return err
	}
	eng, err := l.cfg.Engine(e.Profile)
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.ending[e.guid] = true
	l.mu.Unlock()
	return eng.CancelDownload(ctx, e.guid)
}

// Retry asks for a download's address again; the new download is listed by
// itself, and the old entry goes.
func (l *List) Retry(ctx context.Context, id int64) error {
	e, err := l.find(id)
	if err != nil {
		return err
	}
	if e.State == page.DownloadGoing || !strings.HasPrefix(e.from, "http") {
		return fault.New(fault.Unsupported, "%s cannot be asked for again; open its page and save it anew", e.Name)
	}
	eng, err := l.cfg.Engine(e.Profile)
	if err != nil {
		return err
	}
	if err := eng.Fetch(ctx, e.from); err != nil {
		return err
	}
	return l.Forget(ctx, id)
}

// Forget takes a download that is over off the list; its file stays.
func (l *List) Forget(ctx context.Context, id int64) error {
	e, err := l.find(id)
	if err != nil {
		return nil // it is off the list
	}
	if e.State == page.DownloadGoing {
		return fault.New(fault.Unsupported, "%s is still being saved", e.Name)
	}
	l.mu.Lock()
	l.items = slices.DeleteFunc(l.items, func(x *entry) bool { return x.ID == id })
	l.mu.Unlock()
	l.publish()
	return l.cfg.Store.DropDownload(ctx, id)
}

// Save puts what the person made of a page into the profile's download folder
// and gives the name that it got; the list tells of it.
func (l *List) Save(profile, name, from string, data []byte) (string, error) {
	eng, err := l.cfg.Engine(profile)
	if err != nil {
		return "", err
	}
	path, err := eng.Save(name, from, data)
	return filepath.Base(path), err
}

// Clear takes every download that is over off the list.
func (l *List) Clear(ctx context.Context) error {
	now, _ := l.State.Get()
	var errs []error
	for _, i := range now {
		if i.State != page.DownloadGoing {
			errs = append(errs, l.Forget(ctx, i.ID))
		}
	}
	return errors.Join(errs...)
}

// runs are the endings of files that opening could run, on any system.
var runs = func() map[string]bool {
	m := map[string]bool{}
	for _, e := range strings.Fields(`exe msi msp msix appx com scr pif bat cmd ps1 psm1 vbs vbe js jse mjs wsf wsh hta cpl dll sys lnk url reg inf
		jar jnlp sh bash zsh csh fish run bin out appimage desktop deb rpm snap flatpakref flatpak apk app command workflow action dmg pkg mpkg scpt scptd
		applescript py pyw pyz pl rb php lua html htm xhtml shtml mht mhtml svg svgz xml xsl iso img vhd vhdx chm docm xlsm pptm dotm xltm potm xll
		one rdp ica application gadget settingcontent-ms library-ms search-ms service so dylib kext terminal webloc fileloc inetloc`) {
		m["."+e] = true
	}
	return m
}()

// Risky tells whether opening a file of this name could run something.
func Risky(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == "" || runs[ext]
}
