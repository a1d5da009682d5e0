package probe

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Tag is the variable that every process of a Client's server carries, so that
// it is found wherever the server detaches it to.
const Tag = "BATON_PROBE"

// Client speaks MCP with a server on its stdin and stdout, and times it from
// the writing of a request to the last byte of its answer. It asks and answers
// nothing more than the protocol wants.
type Client struct {
	Tag          string // value of the variable Tag in the server's processes
	Instructions string

	cmd    *exec.Cmd
	in     io.WriteCloser
	said   *tail
	closed chan struct{}

	mu      sync.Mutex
	next    int64
	waiting map[int64]chan answer
}

type answer struct {
	result json.RawMessage
	err    error
	at     time.Time
}

type message struct {
	ID     *json.RawMessage `json:"id"`
	Method string           `json:"method"`
	Result json.RawMessage  `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// Start runs a server and greets it.
func Start(ctx context.Context, cmd *exec.Cmd, tag string) (*Client, error) {
	c := &Client{Tag: tag, cmd: cmd, said: &tail{}, closed: make(chan struct{}), waiting: map[int64]chan answer{}}
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, Tag+"="+tag)
	cmd.Stderr = c.said
	cmd.WaitDelay = 2 * time.Second
	var err error
	if c.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go c.read(out)
	var hello struct{ Instructions string }
	_, err = c.ask(ctx, "initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "probe", "version": "1"},
	}, &hello)
	if err != nil {
		c.Stop()
		return nil, err
	}
	c.Instructions = hello.Instructions
	return c, c.write(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
}

func (c *Client) write(m any) error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = c.in.Write(append(b, '\n'))
	return err
}

func (c *Client) read(out io.Reader) {
	r := bufio.NewReaderSize(out, 1<<16)
	for {
		line, err := r.ReadBytes('\n')
		at := time.Now()
		if err != nil {
			break
		}
		var m message
		if json.Unmarshal(line, &m) != nil || m.ID == nil {
			continue
		}
		if m.Method != "" {
			c.oblige(m)
			continue
		}
		var id int64
		if json.Unmarshal(*m.ID, &id) != nil {
			continue
		}
		a := answer{result: m.Result, at: at}
		if m.Error != nil {
			a.err = errors.New(m.Error.Message)
		}
		c.mu.Lock()
		ch := c.waiting[id]
		delete(c.waiting, id)
		c.mu.Unlock()
		if ch != nil {
			ch <- a
		}
	}
	close(c.closed)
}

// oblige answers a request of the server's.
func (c *Client) oblige(m message) {
	reply := map[string]any{"jsonrpc": "2.0", "id": m.ID}
	switch m.Method {
	case "ping":
		reply["result"] = map[string]any{}
	case "roots/list":
		reply["result"] = map[string]any{"roots": []any{}}
	default:
		reply["error"] = map[string]any{"code": -32601, "message": "not offered"}
	}
	_ = c.write(reply)
}

// ask sends a request and decodes its answer.
func (c *Client) ask(ctx context.Context, method string, params, result any) (time.Duration, error) {
	ch := make(chan answer, 1)
	c.mu.Lock()
	c.next++
	id := c.next
	c.waiting[id] = ch
	c.mu.Unlock()
	start := time.Now()
	if err := c.write(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}); err != nil {
		return 0, fmt.Errorf("%s: %w%s", method, err, c.said.line())
	}
	select {
	case a := <-ch:
		if a.err != nil {
			return a.at.Sub(start), fmt.Errorf("%s: %w", method, a.err)
		}
		if result == nil {
			return a.at.Sub(start), nil
		}
		return a.at.Sub(start), json.Unmarshal(a.result, result)
	case <-c.closed:
		return 0, fmt.Errorf("%s: the server has ended%s", method, c.said.line())
	case <-ctx.Done():
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
		return 0, fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// Tools gives the server's tool list as JSON, and the tools' names.
func (c *Client) Tools(ctx context.Context) (list string, names []string, err error) {
	var all []json.RawMessage
	for cursor := ""; ; {
		params := map[string]any{}
		if cursor != "" {
			params["cursor"] = cursor
		}
		var page struct {
			Tools      []json.RawMessage
			NextCursor string
		}
		if _, err := c.ask(ctx, "tools/list", params, &page); err != nil {
			return "", nil, err
		}
		all = append(all, page.Tools...)
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	for _, raw := range all {
		var t struct{ Name string }
		if err := json.Unmarshal(raw, &t); err != nil {
			return "", nil, err
		}
		names = append(names, t.Name)
	}
	b, err := json.Marshal(all)
	return string(b), names, err
}

// Result is a tool's answer as an agent gets it.
type Result struct {
	Text   string
	Images int // bytes of base64
	Failed bool
	Took   time.Duration
	Asked  string // what the agent wrote: the tool's name and its arguments
}

// Call calls a tool. An error says that there was no answer; a refusal by the
// server is a failed Result.
func (c *Client) Call(ctx context.Context, tool string, args map[string]any) (Result, error) {
	if args == nil {
		args = map[string]any{}
	}
	asked, err := json.Marshal(args)
	if err != nil {
		return Result{}, err
	}
	var got struct {
		Content []struct{ Type, Text, Data string }
		IsError bool
	}
	took, err := c.ask(ctx, "tools/call", map[string]any{"name": tool, "arguments": args}, &got)
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", tool, err)
	}
	r := Result{Took: took, Failed: got.IsError, Asked: tool + string(asked)}
	var texts []string
	for _, part := range got.Content {
		if part.Type == "text" {
			texts = append(texts, part.Text)
		}
		r.Images += len(part.Data)
	}
	r.Text = strings.Join(texts, "\n")
	return r, nil
}

// PIDs gives the processes of the server: those that carry its tag and all that
// came of them.
func (c *Client) PIDs() []int {
	own := Tagged(Tag, c.Tag)
	if len(own) == 0 {
		own = []int{c.cmd.Process.Pid}
	}
	return Descend(own...)
}

// Leave ends the connection as a client does that has finished.
func (c *Client) Leave() {
	_ = c.in.Close()
	end := time.AfterFunc(8*time.Second, func() { _ = c.cmd.Process.Kill() })
	_ = c.cmd.Wait()
	end.Stop()
}

// Stop ends the connection, then what is left of the server's processes.
func (c *Client) Stop() {
	before := c.PIDs()
	_ = c.in.Close()
	end := time.AfterFunc(4*time.Second, func() { _ = c.cmd.Process.Kill() })
	_ = c.cmd.Wait()
	end.Stop()
	for limit := time.Now().Add(3 * time.Second); len(Tagged(Tag, c.Tag)) > 0 && time.Now().Before(limit); {
		time.Sleep(30 * time.Millisecond)
	}
	left := Tagged(Tag, c.Tag)
	for _, pid := range append(left, before...) {
		if Tags(pid, Tag, c.Tag) {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill()
			}
		}
	}
}

// tail keeps the end of what a server says on its error output.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if n := len(t.buf); n > 2000 {
		t.buf = append([]byte(nil), t.buf[n-1000:]...)
	}
	return len(b), nil
}

func (t *tail) line() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.buf) == 0 {
		return ""
	}
	return "; it said: " + strings.TrimSpace(string(t.buf))
}
