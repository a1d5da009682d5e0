package engine

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"

	"baton/backend/fault"
	"baton/backend/page"
)

// incoming is the folder inside the download folder where files grow, each
// under a name of Chromium's own: nothing that a site says is a path, and a
// file gets its name once it is whole. Each profile has a folder of its own in
// it, for others may save to the same downloads.
const incoming = ".incoming"

// longestName bounds a file name in bytes; file systems take 255.
const longestName = 180

// downloading is a file that Chromium saves.
type downloading struct {
	page.Download
	by *page.Page // the page that began it; nil when none is known
}

// arrivals gives the folder that the profile's files grow in.
func (e *Engine) arrivals() string {
	id := sha256.Sum256([]byte(e.cfg.Folder))
	return filepath.Join(e.cfg.Downloads, incoming, hex.EncodeToString(id[:6]))
}

// grown is what Chromium calls a file that grows.
var grown = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(\.crdownload)?$`)

// sweep makes that folder and throws away what a killed Chromium left there.
// Call it while none runs on the profile.
func (e *Engine) sweep() (string, error) {
	dir := e.arrivals()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	list, err := os.ReadDir(dir)
	for _, f := range list {
		if f.Type().IsRegular() && grown.MatchString(f.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, f.Name())))
		}
	}
	return dir, err
}

func (r *running) downloadBegins(e browser.EventDownloadWillBegin) {
	d := &downloading{by: r.beganBy(string(e.FrameID))}
	d.ID, d.Name, d.Path, d.State = e.GUID, FileName(r.e.known.Text(e.SuggestedFilename, "")), r.e.cfg.Downloads, page.DownloadGoing
	d.URL = r.e.known.Text(e.URL, "")
	r.mu.Lock()
	if r.downloads == nil {
		r.downloads = map[string]*downloading{}
	}
	r.downloads[e.GUID] = d
	r.mu.Unlock()
	r.tell(*d)
}

func (r *running) downloadMoves(e browser.EventDownloadProgress) {
	r.mu.Lock()
	d := r.downloads[e.GUID]
	if d == nil {
		r.mu.Unlock()
		return
	}
	d.Received, d.Total = int64(e.ReceivedBytes), int64(e.TotalBytes)
	now := *d
	ended := e.State != browser.DownloadProgressStateInProgress
	if ended {
		delete(r.downloads, e.GUID)
	}
	r.mu.Unlock()
	if !ended {
		r.tell(now)
		return
	}
	go r.downloadEnds(now, e.State == browser.DownloadProgressStateCompleted)
}

// downloadEnds gives a whole file its name, or throws away what came of it.
func (r *running) downloadEnds(d downloading, whole bool) {
	from := filepath.Join(r.e.arrivals(), d.ID)
	d.State = page.DownloadFailed
	if whole {
		path, err := place(from, r.e.cfg.Downloads, FileName(r.e.known.Text(d.Name, "")))
		if err == nil {
			d.State, d.Path, d.Name = page.DownloadDone, path, filepath.Base(path)
			if st, err := os.Stat(path); err == nil {
				d.Received, d.Total = st.Size(), st.Size()
			}
		} else {
			r.e.cfg.Log.Error("a download could not be put in its folder", "error", err)
		}
	}
	if d.State == page.DownloadFailed {
		_ = os.Remove(from)
	}
	r.tell(d)
}

// downloadsBreak ends what was being saved when Chromium ended.
func (r *running) downloadsBreak() {
	r.mu.Lock()
	list := r.downloads
	r.downloads = nil
	r.mu.Unlock()
	for _, d := range list {
		r.downloadEnds(*d, false)
	}
}

func (r *running) tell(d downloading) {
	if d.by != nil {
		d.by.Downloading(d.Download)
	}
	if r.e.cfg.Saving != nil {
		r.e.cfg.Saving(d.Download)
	}
}

// CancelDownload breaks a download off; its end is told as any other.
func (e *Engine) CancelDownload(ctx context.Context, id string) error {
	e.mu.Lock()
	r := e.run
	e.mu.Unlock()
	if r == nil {
		return nil // it ended with its Chromium
	}
	return r.proc.Conn.Browser().Call(ctx, "Browser.cancelDownload", browser.CancelDownloadParams{GUID: id}, nil)
}

// Fetch asks for an address that is a download, in a page of its own that
// nobody sees, and comes back once it has begun. NavigationFailed when no
// download comes of it.
func (e *Engine) Fetch(ctx context.Context, url string) error {
	p, err := e.Open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = e.Close(ctx, p)
	}()
	begun := p.Begun()
	var went struct {
		Error    string `json:"errorText"`
		Download bool   `json:"isDownload"`
	}
	if err := p.Session().Call(ctx, "Page.navigate", map[string]any{"url": url}, &went); err != nil {
		return fault.New(fault.NavigationFailed, "the address cannot be asked for").Because(err)
	}
	if !went.Download && went.Error != "" && went.Error != "net::ERR_ABORTED" {
		return fault.New(fault.NavigationFailed, "%s", page.FailureText(went.Error, url))
	}
	wait, stop := context.WithTimeout(ctx, fetchWait)
	defer stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !begun() {
		select {
		case <-tick.C:
		case <-wait.Done():
			return fault.New(fault.NavigationFailed, "the address gave no file")
		}
	}
	return nil
}

// fetchWait bounds what a file that was asked for takes to begin.
const fetchWait = 5 * time.Second

// Save puts a file of the person's making into the download folder, under a
// name that is free, and tells of it as of a finished download.
func (e *Engine) Save(name, url string, data []byte) (path string, err error) {
	if e.cfg.Downloads == "" {
		return "", errors.New("there is no download folder")
	}
	if err := os.MkdirAll(e.arrivals(), 0o700); err != nil {
		return "", err
	}
	d := page.Download{ID: rand.Text(), Name: FileName(e.known.Text(name, "")), URL: url, State: page.DownloadDone, Received: int64(len(data)), Total: int64(len(data))}
	from := filepath.Join(e.arrivals(), d.ID)
	if err := os.WriteFile(from, data, 0o600); err != nil {
		return "", err
	}
	if d.Path, err = place(from, e.cfg.Downloads, d.Name); err != nil {
		_ = os.Remove(from)
		return "", err
	}
	d.Name = filepath.Base(d.Path)
	if e.cfg.Saving != nil {
		e.cfg.Saving(d)
	}
	return d.Path, nil
}

// beganBy gives the page that a download belongs to: the one with the frame. A
// window that was only opened for the download stands for its opener.
func (r *running) beganBy(frame string) *page.Page {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.pages {
		if !p.Holds(frame) {
			continue
		}
		if st, _ := p.State.Get(); st.Revision > 0 {
			return p
		}
		if from := r.from[p.ID]; from != nil {
			r.needless(frame)
			return from
		}
		return p
	}
	if time.Since(r.opened.at) < openedWait {
		r.needless(frame)
		return r.opened.by
	}
	return nil
}

// needless closes a window that was only opened for a download.
func (r *running) needless(frame string) {
	go func() {
		time.Sleep(50 * time.Millisecond) // its page is told of first
		_, _ = r.proc.Conn.Browser().Send(context.Background(), "Target.closeTarget", target.CloseTargetParams{TargetID: target.ID(frame)})
	}()
}

// FileName makes a plain file name of what a site calls a file: no folders, no
// control or direction characters, no name with a meaning of its own.
func FileName(s string) string {
	s = strings.ToValidUTF8(s, "_")
	if i := strings.LastIndexAny(s, `/\`); i >= 0 {
		s = s[i+1:]
	}
	s = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsControl(c), unicode.Is(unicode.Cf, c), unicode.Is(unicode.Zl, c), unicode.Is(unicode.Zp, c):
			return -1
		case strings.ContainsRune(`<>:"|?*`, c):
			return '_'
		}
		return c
	}, s)
	s = strings.TrimRight(strings.TrimLeft(strings.TrimSpace(s), "."), ". ")
	base, ext := parts(s)
	if reserved[strings.ToUpper(base)] {
		base = "_" + base
	}
	if len(ext) > 40 {
		base, ext = base+ext, ""
	}
	for len(base) > longestName-len(ext) {
		_, n := utf8.DecodeLastRuneInString(base)
		base = base[:len(base)-n]
	}
	if base == "" && ext == "" {
		return "download"
	}
	return base + ext
}

// reserved are names that Windows gives to devices.
var reserved = func() map[string]bool {
	m := map[string]bool{"CON": true, "PRN": true, "AUX": true, "NUL": true}
	for i := '1'; i <= '9'; i++ {
		m["COM"+string(i)], m["LPT"+string(i)] = true, true
	}
	return m
}()

// parts cuts a name before its ending, both parts of .tar.gz and the like.
func parts(s string) (base, ext string) {
	ext = filepath.Ext(s)
	base = strings.TrimSuffix(s, ext)
	if strings.HasSuffix(base, ".tar") {
		base, ext = strings.TrimSuffix(base, ".tar"), ".tar"+ext
	}
	if base == "" {
		return s, ""
	}
	return base, ext
}

// place moves a file into a folder under a name that is free: "a.txt", else
// "a (1).txt". Another file is never replaced.
func place(from, dir, name string) (string, error) {
	base, ext := parts(name)
	for n := range 10_000 {
		to := filepath.Join(dir, name)
		if n > 0 {
			to = filepath.Join(dir, fmt.Sprintf("%s (%d)%s", base, n, ext))
		}
		err := os.Link(from, to) // fails when the name is taken
		if err == nil {
			return to, os.Remove(from)
		}
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		// A file system without links.
		if err = copyNew(from, to); errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		return to, os.Remove(from)
	}
	return "", fmt.Errorf("no name is free for %q", name)
}

func copyNew(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		_ = os.Remove(to)
	}
	return err
}
