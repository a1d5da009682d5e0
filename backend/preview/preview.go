// Package preview shows local HTML and PDF files to pages of the browser, over
// a loopback server that starts with the first of them.
//
// [Server.Open] makes a [Grant]: one entry and the files that it needs, each
// pinned, under an origin of its own. Whoever shows it attaches the grant's
// [Grant.Header] to the requests of its own tab's frames; without it, with
// another Host, for any other file, and for a file that is no longer the one
// that was granted, the server refuses. [Grant.Close] ends it.
package preview

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"baton/backend/fault"
)

// header carries a grant's secret. No page can see or set it for another's.
const header = "X-Baton-Preview"

// drainWait is how long requests under way may go on once a grant has ended.
const drainWait = 5 * time.Second

// Request says what is to be shown.
type Request struct {
	Root   string   // an absolute folder; nothing outside it is served
	Entry  string   // the HTML or PDF file, absolute, inside Root
	Assets []string // files that the entry needs, absolute, inside Root
	// Find grants what the entry names in plain text as well (see find.go). It is
	// for the person's own opens: agents declare what they need.
	Find bool
}

// Server serves grants. The zero value is not ready: use New.
type Server struct {
	log *slog.Logger

	mu     sync.Mutex
	http   *http.Server
	port   string
	grants map[string]*Grant // by the Host header that leads to it
	over   bool
	work   sync.WaitGroup // listeners and drains
}

// New makes a server; nothing listens yet.
func New(log *slog.Logger) *Server { return &Server{log: log, grants: map[string]*Grant{}} }

// Kind tells what a file's name says it is, "html" or "pdf", or "" for what is
// not shown.
func Kind(name string) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".html", ".htm", ".xhtml":
		return "html"
	case ".pdf":
		return "pdf"
	}
	return ""
}

// Path gives the path that a file: address names; ok is false for every other
// address, and for one of another computer.
func Path(address string) (name, fragment string, ok bool) {
	if len(address) < 5 || !strings.EqualFold(address[:5], "file:") {
		return "", "", false
	}
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" || u.Path == "" || (u.Host != "" && !strings.EqualFold(u.Host, "localhost")) || strings.ContainsRune(u.Path, 0) {
		return "", "", false
	}
	name = u.Path
	if len(name) > 2 && name[2] == ':' { // /C:/folder
		name = name[1:]
	}
	return filepath.Clean(filepath.FromSlash(name)), u.EscapedFragment(), true
}

// Address gives the file: address of a path, as people and agents see it.
func Address(name string) string {
	p := filepath.ToSlash(name)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

// Open grants a file. FileNotAllowed says why it cannot be shown, Unsupported
// that its kind is not.
func (s *Server) Open(ctx context.Context, r Request) (*Grant, error) {
	kind := Kind(r.Entry)
	if kind == "" {
		return nil, fault.New(fault.Unsupported, "only HTML and PDF files are shown, and %q is neither", filepath.Base(r.Entry)).Then("give a .html or .pdf file")
	}
	root, err := os.OpenRoot(r.Root)
	if err != nil {
		return nil, fault.New(fault.FileNotAllowed, "the folder of %q cannot be opened", filepath.Base(r.Entry)).Because(err)
	}
	g := &Grant{s: s, root: root, folder: r.Root, Kind: kind, files: map[string]*pinned{}}
	if err := g.fill(ctx, r); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return g, s.publish(g)
}

// publish gives a grant its origin and secret, and lets requests in.
func (s *Server) publish(g *Grant) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.start(); err != nil {
		return errors.Join(fault.New(fault.EngineUnavailable, "local files cannot be shown: no port is free on this computer").Because(err), g.root.Close())
	}
	g.host = strings.ToLower(rand.Text()) + ".localhost:" + s.port
	g.secret = rand.Text() + rand.Text()
	s.grants[g.host] = g
	return nil
}

// start listens on loopback, once. Call with mu held.
func (s *Server) start() error {
	switch {
	case s.over:
		return errors.New("the preview server has ended")
	case s.http != nil:
		return nil
	}
	four, six, err := listen()
	if err != nil {
		return err
	}
	_, s.port, _ = net.SplitHostPort(four.Addr().String())
	s.http = &http.Server{
		Handler: s, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 20 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 32 << 10,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	for _, l := range []net.Listener{four, six} {
		if l == nil {
			continue
		}
		s.work.Go(func() {
			if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				s.log.Error("the preview server ended", "error", err)
			}
		})
	}
	return nil
}

// listen takes one port on both loopback addresses: a browser tries either for
// a name under .localhost, and another program must not answer at the other.
func listen() (four, six net.Listener, err error) {
	for range 8 {
		if four, err = net.Listen("tcp4", "127.0.0.1:0"); err != nil {
			return nil, nil, err
		}
		_, port, _ := net.SplitHostPort(four.Addr().String())
		if six, err = net.Listen("tcp6", "[::1]:"+port); err == nil {
			return four, six, nil
		}
		probe, none := net.Listen("tcp6", "[::1]:0")
		if none != nil {
			return four, nil, nil // this computer has no IPv6
		}
		_ = probe.Close()
		_ = four.Close() // somebody has the other half of the port
	}
	return nil, nil, err
}

// Owns tells whether an address leads to this server: agents never open one.
func (s *Server) Owns(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.port != "" && strings.TrimLeft(u.Port(), "0") == s.port
}

// Close ends every grant and the server, within drainWait.
func (s *Server) Close() error {
	s.mu.Lock()
	s.over = true
	grants := make([]*Grant, 0, len(s.grants))
	for _, g := range s.grants {
		grants = append(grants, g)
	}
	server := s.http
	s.mu.Unlock()
	for _, g := range grants {
		g.Close()
	}
	var err error
	if server != nil {
		err = server.Close()
	}
	s.work.Wait()
	return err
}

// Grant is one local file that is shown, and what it needs.
type Grant struct {
	Kind    string    // html or pdf
	Blocked []Missing // what the entry names and does not get

	s      *Server
	root   *os.Root
	folder string
	host   string
	secret string
	entry  string // its name below the root, with slashes
	files  map[string]*pinned

	mu     sync.Mutex
	closed bool
	active map[*http.ResponseController]struct{}
}

// Missing is a file that a page names and that is not served.
type Missing struct {
	Name string // below the folder, or as the page writes it
	Why  string // a few words
}

// Origin is the grant's own, without a slash at the end.
func (g *Grant) Origin() string { return "http://" + g.host }

// URL is where the entry is served; a fragment may be empty.
func (g *Grant) URL(fragment string) string {
	u := g.Origin() + (&url.URL{Path: "/" + g.entry}).EscapedPath()
	if fragment != "" {
		u += "#" + fragment
	}
	return u
}

// Has tells whether an address is one of the grant's origin.
func (g *Grant) Has(address string) bool {
	rest, ok := strings.CutPrefix(address, g.Origin())
	return ok && (rest == "" || strings.ContainsRune("/?#", rune(rest[0])))
}

// Serves tells whether an address of the grant's origin names one of its files,
// and the file's name.
func (g *Grant) Serves(address string) (name string, ok bool) {
	u, err := url.Parse(address)
	if err != nil {
		return "", false
	}
	name = strings.TrimPrefix(u.Path, "/")
	_, ok = g.files[name]
	return name, ok
}

// Shown gives an address of the grant's origin as people and agents see it: the
// file's own.
func (g *Grant) Shown(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return Address(filepath.Join(g.folder, filepath.FromSlash(g.entry)))
	}
	out := Address(filepath.Join(g.folder, filepath.FromSlash(path.Clean("/"+u.Path))))
	if f := u.EscapedFragment(); f != "" {
		out += "#" + f
	}
	return out
}

// Entry is the entry's path.
func (g *Grant) Entry() string { return filepath.Join(g.folder, filepath.FromSlash(g.entry)) }

// Header is what a request needs to be answered. Attach it to requests of the
// grant's tab only, and write it nowhere.
func (g *Grant) Header() (name, value string) { return header, g.secret }

// Again grants the same files anew, as they were when g was made: one that has
// changed since is refused as it is by g.
func (g *Grant) Again() (*Grant, error) {
	root, err := os.OpenRoot(g.folder)
	if err != nil {
		return nil, fault.New(fault.FileNotAllowed, "the folder of %q is no longer there", path.Base(g.entry)).Because(err)
	}
	n := &Grant{Kind: g.Kind, Blocked: g.Blocked, s: g.s, root: root, folder: g.folder, entry: g.entry, files: g.files}
	return n, g.s.publish(n)
}

// Revive lets a tab have a grant back that it left, for going back in its
// history: the same origin and files as pinned, with a new secret.
func (g *Grant) Revive() (*Grant, error) {
	root, err := os.OpenRoot(g.folder)
	if err != nil {
		return nil, err
	}
	n := &Grant{Kind: g.Kind, Blocked: g.Blocked, s: g.s, root: root, folder: g.folder, entry: g.entry, files: g.files, host: g.host}
	n.secret = rand.Text() + rand.Text()
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	if g.s.over || g.s.grants[g.host] != nil {
		return nil, errors.Join(errors.New("the preview cannot be had back"), root.Close())
	}
	g.s.grants[g.host] = n
	return n, nil
}

// Close ends the grant: new requests are refused at once, those under way have
// drainWait.
func (g *Grant) Close() {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return
	}
	g.closed = true
	busy := len(g.active)
	g.mu.Unlock()
	g.s.mu.Lock()
	if g.s.grants[g.host] == g {
		delete(g.s.grants, g.host)
	}
	over := g.s.over
	if busy > 0 {
		g.s.work.Add(1)
	}
	g.s.mu.Unlock()
	if busy == 0 {
		_ = g.root.Close()
		return
	}
	go func() {
		defer g.s.work.Done()
		g.drain(over)
	}()
}

// drain waits for the requests under way, and cuts off those that stay.
func (g *Grant) drain(now bool) {
	end := time.Now().Add(drainWait)
	for !now && time.Now().Before(end) {
		g.mu.Lock()
		left := len(g.active)
		g.mu.Unlock()
		if left == 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	g.mu.Lock()
	for c := range g.active {
		_ = c.SetWriteDeadline(time.Now())
	}
	g.mu.Unlock()
	_ = g.root.Close()
}

// enter counts a request in, unless the grant has ended.
func (g *Grant) enter(c *http.ResponseController) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	if g.active == nil {
		g.active = map[*http.ResponseController]struct{}{}
	}
	g.active[c] = struct{}{}
	return true
}

func (g *Grant) leave(c *http.ResponseController) {
	g.mu.Lock()
	delete(g.active, c)
	g.mu.Unlock()
}

// below gives a path's name below the folder, with slashes.
func (g *Grant) below(name string) (string, error) {
	rel, err := filepath.Rel(g.folder, name)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fault.New(fault.FileNotAllowed, "%q is outside the folder %s", name, g.folder)
	}
	return filepath.ToSlash(rel), nil
}

// fill pins the entry, the declared assets, and what is found.
func (g *Grant) fill(ctx context.Context, r Request) error {
	var err error
	if g.entry, err = g.below(r.Entry); err != nil {
		return err
	}
	if err := g.add(g.entry, true); err != nil {
		return refuse(r.Entry, err)
	}
	if len(r.Assets)+1 > mostFiles {
		return fault.New(fault.BadArguments, "%d assets are too many; %d is the most", len(r.Assets), mostFiles-1).Then("give only the files that the page loads")
	}
	for _, a := range r.Assets {
		name, err := g.below(a)
		if err != nil {
			return err
		}
		if err := g.add(name, false); err != nil {
			return refuse(a, err)
		}
	}
	if g.Kind == "html" {
		return g.find(ctx, r.Find)
	}
	return nil
}

func refuse(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.FileNotAllowed, "there is no file %q", name).Then("give a path that exists").Because(err)
	case errors.Is(err, errNoFile):
		return fault.New(fault.FileNotAllowed, "%q is no plain file", name).Then("give a file")
	}
	return fault.New(fault.FileNotAllowed, "%q cannot be read", name).Because(err)
}

var errNoFile = errors.New("no plain file")

// String names the grant without anything that opens it.
func (g *Grant) String() string { return "preview of " + strconv.Quote(g.Entry()) }

// LogValue keeps the secret out of logs, whoever logs a grant.
func (g *Grant) LogValue() slog.Value { return slog.StringValue(g.String()) }

// GoString is String.
func (g *Grant) GoString() string { return g.String() }

var _ fmt.Stringer = (*Grant)(nil)
