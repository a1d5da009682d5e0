package mcpserver

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/backend/tool"
)

func answering(name string) tool.Tool[nobody] {
	return tool.Define(name, name, nil, func(context.Context, nobody, struct{}) (tool.Result, error) {
		return tool.Result{Text: name + " ran"}, nil
	})
}

// connect joins the official client to a server by a pair of pipes. told gets a
// value whenever the server says that its list has changed.
func connect(t *testing.T, s *Server[nobody], c Client) (client *mcp.ClientSession, told <-chan struct{}) {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer close(ended)
		_ = s.Stream(ctx, toServer, fromServer, c)
	}()
	changed := make(chan struct{}, 16)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
	}).Connect(ctx, &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Close()
		cancel()
		<-ended
	})
	return client, changed
}

func names(t *testing.T, c *mcp.ClientSession) []string {
	t.Helper()
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, x := range list.Tools {
		out = append(out, x.Name)
	}
	slices.Sort(out)
	return out
}

func TestAListFollowsWhatTheSessionMayUse(t *testing.T) {
	var hidden atomic.Pointer[[]string]
	hidden.Store(&[]string{"two"})
	s := New(Config[nobody]{
		Name: "baton", Version: "1", Tools: []tool.Tool[nobody]{answering("one"), answering("two"), answering("three")},
		Gateway: answering("gate"), Log: slog.New(slog.DiscardHandler),
		Open:  func(Client) (nobody, error) { return nobody{}, nil },
		Lists: func(_ nobody, name string) bool { return !slices.Contains(*hidden.Load(), name) },
	})
	whole, told := connect(t, s, Client{})
	short, toldShort := connect(t, s, Client{Gateway: true})
	if got := names(t, whole); !slices.Equal(got, []string{"one", "three"}) {
		t.Errorf("the list holds %v", got)
	}
	if got := names(t, short); !slices.Equal(got, []string{"gate"}) {
		t.Errorf("the short list holds %v", got)
	}
	// What a list does not hold still answers a client that remembers it.
	if r, err := whole.CallTool(t.Context(), &mcp.CallToolParams{Name: "two"}); err != nil || r.IsError {
		t.Errorf("%+v %v", r, err)
	}
	hidden.Store(&[]string{"one", "two", "three", "gate"})
	s.Relist()
	for _, c := range []<-chan struct{}{told, toldShort} {
		select {
		case <-c:
		case <-time.After(20 * time.Second):
			t.Fatal("a client was not told that its list has changed")
		}
	}
	if got := append(names(t, whole), names(t, short)...); len(got) != 0 {
		t.Errorf("with everything off the lists hold %v", got)
	}
	hidden.Store(&[]string{})
	s.Relist()
	if got := names(t, whole); !slices.Equal(got, []string{"one", "three", "two"}) {
		t.Errorf("with everything on the list holds %v", got)
	}
}

// A client that lists every tool is reminded once of how to use them, below its
// first result that is no error; one with the gateway is told to call it.
func TestTheReminderComesOnce(t *testing.T) {
	s := New(Config[nobody]{
		Name: "baton", Version: "1", Tools: []tool.Tool[nobody]{answering("one")}, Gateway: answering("gate"), Log: slog.New(slog.DiscardHandler),
		Instructions: "All of it.", Reminder: "Remember.", Invitation: "Call gate.",
		Open: func(Client) (nobody, error) { return nobody{}, nil },
	})
	for _, c := range []struct {
		client       Client
		instructions string
		tool         string
		reminded     bool
	}{
		{Client{}, "All of it.", "one", true},
		{Client{Structured: true}, "All of it.", "one", true},
		{Client{Gateway: true}, "Call gate.", "gate", false},
	} {
		conn, _ := connect(t, s, c.client)
		if got := conn.InitializeResult().Instructions; got != c.instructions {
			t.Errorf("%+v is told %q", c.client, got)
		}
		if r, err := conn.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: map[string]any{"nothing": 1}}); err != nil || !r.IsError || len(r.Content) != 1 {
			t.Errorf("a refusal: %+v %v", r, err)
		}
		for n := range 3 {
			r, err := conn.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool})
			if err != nil {
				t.Fatal(err)
			}
			want := c.reminded && n == 0
			last, _ := r.Content[len(r.Content)-1].(*mcp.TextContent)
			if got := len(r.Content) == 2 && last.Text == "Remember."; got != want {
				t.Errorf("%+v, call %d: %d blocks", c.client, n, len(r.Content))
			}
			if c.client.Structured {
				data, _ := r.StructuredContent.(map[string]any)
				if _, got := data["reminder"]; got != want {
					t.Errorf("call %d, structured: %v", n, data)
				}
			}
		}
	}
}
