// Package mcpserver serves a catalogue of tools over MCP: on one stream of
// newline-delimited JSON a connection ([Server.Stream]), and over streamable
// HTTP ([Server.HTTP]). Every connection is a session of its own.
package mcpserver

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/backend/fault"
	"baton/backend/tool"
)

// Client is what a connection told of itself.
type Client struct {
	Agent      string // named by the person's command line; else empty
	Program    string // the client program's own name
	Structured bool   // send structuredContent beside the text
	Gateway    bool   // list the gateway tool alone until it is called
	Listed     bool   // it was called already, on an earlier connection
	Files      []string
	Folder     string
	Roots      func(ctx context.Context) []string // the client's MCP roots as folders; may ask the client
}

// MaxLine bounds one message of a stream, in bytes.
const MaxLine = 32 << 20

// Session is a connection's state. Run tools with it, Close it at the end.
type Session interface{ Close() }

// Config is fixed for a server's life.
type Config[S Session] struct {
	Name, Version string
	Instructions  string // for clients that list every tool
	Reminder      string // stands once below such a client's first result that is no error; empty is none
	Invitation    string // in place of the instructions for a client with the gateway alone
	Tools         []tool.Tool[S]
	Gateway       tool.Tool[S] // listed alone in gateway mode; Name "" when there is none
	Open          func(c Client) (S, error)
	Lists         func(s S, tool string) bool // whether a session's list holds a tool now; nil lists all
	Log           *slog.Logger
}

// Server serves the catalogue.
type Server[S Session] struct {
	cfg Config[S]

	mu    sync.Mutex
	conns map[*connection[S]]struct{} // that have opened their session
}

// New makes a server.
func New[S Session](cfg Config[S]) *Server[S] {
	return &Server[S]{cfg: cfg, conns: map[*connection[S]]struct{}{}}
}

// connection is one client's session, opened once the client has said its name.
type connection[S Session] struct {
	s      *Server[S]
	client Client
	server *mcp.Server

	mu     sync.Mutex
	opened bool
	closed bool
	sess   S
	err    error
	all    bool   // every tool is listed
	told   bool   // the reminder was given, or is not needed
	shown  string // the names that the list held when it was last looked at
}

// Stream serves one connection until it ends.
func (s *Server[S]) Stream(ctx context.Context, r io.ReadCloser, w io.WriteCloser, c Client) error {
	conn := s.connect(c)
	defer conn.close()
	ss, err := conn.server.Connect(ctx, &mcp.IOTransport{Reader: r, Writer: w, MaxLineLength: MaxLine}, nil)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = ss.Close() })
	defer stop()
	err = ss.Wait()
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// HTTP serves streamable HTTP. The caller has checked the bearer token; agent
// is taken from the query's "agent".
func (s *Server[S]) HTTP() http.Handler {
	return mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		q := r.URL.Query()
		return s.connect(Client{Agent: q.Get("agent"), Structured: q.Get("structured") == "1", Gateway: q.Get("tools") == "gateway"}).server
	}, &mcp.StreamableHTTPOptions{SessionTimeout: 10 * time.Minute})
}

func (s *Server[S]) connect(c Client) *connection[S] {
	conn := &connection[S]{s: s, client: c}
	instructions := s.cfg.Instructions
	if c.Gateway && s.cfg.Gateway.Name != "" {
		instructions, conn.told = s.cfg.Invitation, true
	}
	conn.server = mcp.NewServer(&mcp.Implementation{Name: s.cfg.Name, Version: s.cfg.Version}, &mcp.ServerOptions{
		Instructions: instructions,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
		InitializedHandler: func(_ context.Context, r *mcp.InitializedRequest) {
			_, _ = conn.session(r.Session) // the person sees at once who has connected
			// A session over HTTP ends with its own end, not with a stream of ours.
			go func() {
				_ = r.Session.Wait()
				conn.close()
			}()
		},
	})
	conn.server.AddReceivingMiddleware(conn.listed)
	if c.Gateway && s.cfg.Gateway.Name != "" {
		conn.add(s.cfg.Gateway)
	}
	if !c.Gateway || s.cfg.Gateway.Name == "" || c.Listed {
		conn.list()
	}
	return conn
}

// list adds the whole catalogue, once.
func (c *connection[S]) list() {
	c.mu.Lock()
	done := c.all
	c.all = true
	c.mu.Unlock()
	if done {
		return
	}
	for _, t := range c.s.cfg.Tools {
		c.add(t)
	}
}

func (c *connection[S]) add(t tool.Tool[S]) {
	def := &mcp.Tool{Name: t.Name, Description: t.Description, InputSchema: t.Schema}
	if t.ReadOnly {
		def.Annotations = nil // names tell it; annotations cost every session tokens
	}
	c.server.AddTool(def, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return c.call(ctx, t, r), nil
	})
}

func (c *connection[S]) session(ss *mcp.ServerSession) (S, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.opened {
		c.opened = true
		if p := ss.InitializeParams(); p != nil && p.ClientInfo != nil {
			c.client.Program = p.ClientInfo.Name
			//lint:ignore SA1019 clients in use tell their folders by roots only
			if p.Capabilities != nil && p.Capabilities.RootsV2 != nil {
				c.client.Roots = func(ctx context.Context) []string { return roots(ctx, ss) }
			}
		}
		if c.sess, c.err = c.s.cfg.Open(c.client); c.err == nil {
			c.s.mu.Lock()
			c.s.conns[c] = struct{}{}
			c.s.mu.Unlock()
			c.shown = c.names()
		}
	}
	if c.closed {
		return c.sess, fault.New(fault.Cancelled, "the connection has ended")
	}
	return c.sess, c.err
}

func (c *connection[S]) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.opened && !c.closed && c.err == nil {
		c.sess.Close()
	}
	c.closed = true
	c.s.mu.Lock()
	delete(c.s.conns, c)
	c.s.mu.Unlock()
}

func (c *connection[S]) call(ctx context.Context, t tool.Tool[S], r *mcp.CallToolRequest) (out *mcp.CallToolResult) {
	defer func() {
		if p := recover(); p != nil {
			c.s.cfg.Log.Error("a tool panicked", "tool", t.Name, "panic", p, "stack", string(debug.Stack()))
			out = c.refuse(fault.New(fault.Internal, "the tool %s failed inside Baton", t.Name))
		}
	}()
	sess, err := c.session(r.Session)
	if err != nil {
		return c.refuse(fault.From(err))
	}
	ctx = withProgress(ctx, r)
	res, err := t.Call(ctx, sess, r.Params.Arguments)
	if err != nil {
		f := fault.From(err)
		if f.Code == fault.Internal {
			c.s.cfg.Log.Error("a tool failed", "tool", t.Name, "error", errors.Unwrap(f))
		}
		return c.refuse(f)
	}
	if t.Name == c.s.cfg.Gateway.Name {
		c.list()
	}
	out = &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: res.Text}}}
	for _, i := range res.Images {
		out.Content = append(out.Content, &mcp.ImageContent{Data: i.Data, MIMEType: i.MIME})
	}
	reminder := c.reminder()
	if c.client.Structured {
		data := res.Data
		if data == nil {
			data = map[string]any{}
		}
		data["ok"] = true
		if reminder != "" {
			data["reminder"] = reminder
		}
		out.StructuredContent = data
	}
	if reminder != "" {
		out.Content = append(out.Content, &mcp.TextContent{Text: reminder})
	}
	return out
}

// reminder gives the reminder, once.
func (c *connection[S]) reminder() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.told {
		return ""
	}
	c.told = true
	return c.s.cfg.Reminder
}

// mostRefused bounds the words of a refusal, which may repeat what the client
// sent, in bytes.
const mostRefused = 4000

func (c *connection[S]) refuse(f *fault.Fault) *mcp.CallToolResult {
	return Refusal(f, c.client.Structured)
}

// Refusal gives a fault as a tool's result.
func Refusal(f *fault.Fault, structured bool) *mcp.CallToolResult {
	if len(f.Message) > mostRefused {
		short := *f
		short.Message = strings.ToValidUTF8(f.Message[:mostRefused], "") + "…"
		f = &short
	}
	out := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: Text(f)}}}
	if structured {
		data := map[string]any{"ok": false, "code": string(f.Code), "message": f.Message, "next": f.Next}
		if f.Effect != "" {
			data["effect"] = f.Effect
		}
		for k, v := range f.Data {
			if _, taken := data[k]; !taken {
				data[k] = v
			}
		}
		out.StructuredContent = data
	}
	return out
}

// Text gives a fault as agents read it: "CODE: sentence. Next: sentence.", and
// what had been reached below.
func Text(f *fault.Fault) string {
	s := string(f.Code) + ": " + sentence(f.Message)
	if f.Effect != "" {
		s += " Effect: " + f.Effect + "."
	}
	if f.Next != "" {
		s += " Next: " + sentence(f.Next)
	}
	if f.Partial != "" {
		s += "\n" + f.Partial
	}
	return s
}

func sentence(s string) string {
	if s == "" {
		return s
	}
	switch s[len(s)-1] {
	case '.', '!', '?':
		return s
	}
	return s + "."
}

// roots asks the client for its folders.
func roots(ctx context.Context, s *mcp.ServerSession) []string {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	//lint:ignore SA1019 clients in use tell their folders by roots only
	r, err := s.ListRoots(ctx, nil)
	if err != nil {
		return nil
	}
	var out []string
	for _, root := range r.Roots {
		if u, err := url.Parse(root.URI); err == nil && u.Scheme == "file" && u.Path != "" {
			out = append(out, u.Path)
		}
	}
	return out
}

type progressKey struct{}

// withProgress lets tools report progress when the client asked for it.
func withProgress(ctx context.Context, r *mcp.CallToolRequest) context.Context {
	token := r.Params.GetProgressToken()
	if token == nil {
		return ctx
	}
	var n atomic.Int64
	return context.WithValue(ctx, progressKey{}, func(words string) {
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(n.Add(1)), Message: words})
	})
}

// Progress tells a client that waits what is going on; it does nothing for a
// client that did not ask, and says so.
func Progress(ctx context.Context, words string) (asked bool) {
	f, ok := ctx.Value(progressKey{}).(func(string))
	if ok {
		f(words)
	}
	return ok
}
