// Package link is the host's private socket: how `baton mcp`, the window and
// `baton serve` find the one host of a data folder, start it when there is
// none, and say what they want.
//
// A client sends one [Greeting] line. After it, an mcp connection carries MCP
// as newline-delimited JSON; a control connection carries [Ask] and [Answer]
// lines, one answer an ask, and counts as a client of the host while it is open.
package link

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// Version of the protocol; a host refuses another one.
const Version = 1

// Kinds of connection.
const (
	MCP     = "mcp"
	Control = "control"
)

// Greeting opens a connection.
type Greeting struct {
	Version    int      `json:"v"`
	Kind       string   `json:"kind"`
	Agent      string   `json:"agent,omitempty"`      // name given on the command line
	Structured bool     `json:"structured,omitempty"` // send structuredContent too
	Gateway    bool     `json:"gateway,omitempty"`    // list the gateway tool alone at first
	Files      []string `json:"files,omitempty"`      // folders given with --files
	Folder     string   `json:"folder,omitempty"`     // the client's working folder
	Role       string   `json:"role,omitempty"`       // control: window, serve, doctor
	Listed     bool     `json:"listed,omitempty"`     // the gateway was called on an earlier host: list every tool
}

// Closed is the method of the notification that ends an mcp connection when the
// person closed Baton, or took its data folder away. A host that ends without it
// died or was not needed, and may be started again.
const Closed = "notifications/baton/closed"

// Things that a control connection asks for.
const (
	AskEndpoint   = "endpoint"   // start serving the UI; answers URL, Token and Code
	AskShow       = "show"       // bring the window forward
	AskStatus     = "status"     // what the host is doing
	AskBackground = "background" // go on without clients, or not (On)
	AskStop       = "stop"       // end the host
)

// Ask is a request on a control connection.
type Ask struct {
	Do   string `json:"do"`
	On   bool   `json:"on,omitempty"`
	Port int    `json:"port,omitempty"` // endpoint: the port to listen on; 0 is any
}

// Answer is the reply to an Ask.
type Answer struct {
	Error  string `json:"error,omitempty"`
	URL    string `json:"url,omitempty"`   // the UI's base address
	Token  string `json:"token,omitempty"` // for a window
	Code   string `json:"code,omitempty"`  // one-time, for a browser
	Agents int    `json:"agents,omitempty"`
	Tabs   int    `json:"tabs,omitempty"`
	PID    int    `json:"pid,omitempty"`
	Serves bool   `json:"serves,omitempty"`

	// Status: what the host is made of now.
	Goroutines int    `json:"goroutines,omitempty"`
	Heap       uint64 `json:"heap,omitempty"` // bytes in use
}

// WriteClosed says on an mcp connection that Baton was closed.
func WriteClosed(w io.Writer) error {
	return writeLine(w, map[string]string{"jsonrpc": "2.0", "method": Closed})
}

// maxLine bounds a greeting or an ask.
const maxLine = 64 << 10

// greetWait bounds the wait for a greeting.
const greetWait = 5 * time.Second

// ErrVersion says that host and client are of different versions.
var ErrVersion = errors.New("the running Baton is of another version: close it and try again")

// Conn is a connection after its greeting. Reads go through R, which may hold
// bytes that came with the greeting.
type Conn struct {
	net.Conn
	R *bufio.Reader
}

// Accept reads the greeting of a new connection.
func Accept(c net.Conn) (*Conn, Greeting, error) {
	r := bufio.NewReaderSize(c, 4096)
	if err := c.SetReadDeadline(time.Now().Add(greetWait)); err != nil {
		return nil, Greeting{}, err
	}
	line, err := readLine(r)
	if err != nil {
		return nil, Greeting{}, fmt.Errorf("greeting: %w", err)
	}
	var g Greeting
	if err := json.Unmarshal(line, &g); err != nil {
		return nil, g, fmt.Errorf("greeting: %w", err)
	}
	if g.Version != Version {
		return nil, g, ErrVersion
	}
	return &Conn{Conn: c, R: r}, g, c.SetReadDeadline(time.Time{})
}

// ReadAsk reads the next request of a control connection; io.EOF at its end.
func (c *Conn) ReadAsk() (Ask, error) {
	var a Ask
	line, err := readLine(c.R)
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal(line, &a)
}

// WriteAnswer answers a request.
func (c *Conn) WriteAnswer(a Answer) error { return writeLine(c, a) }

// Ask sends a request and waits for its answer.
func (c *Conn) Ask(ctx context.Context, a Ask) (Answer, error) {
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(15 * time.Second)
	}
	if err := c.SetDeadline(deadline); err != nil {
		return Answer{}, err
	}
	defer func() { _ = c.SetDeadline(time.Time{}) }()
	if err := writeLine(c, a); err != nil {
		return Answer{}, err
	}
	line, err := readLine(c.R)
	if err != nil {
		return Answer{}, fmt.Errorf("the host did not answer: %w", err)
	}
	var ans Answer
	if err := json.Unmarshal(line, &ans); err != nil {
		return ans, err
	}
	if ans.Error != "" {
		return ans, errors.New(ans.Error)
	}
	return ans, nil
}

func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, errors.New("line too long")
		}
		if err == nil {
			return bytes.TrimRight(line, "\r\n"), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}

func writeLine(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
