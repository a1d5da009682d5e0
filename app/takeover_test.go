package app

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/tab"
)

// takeovers gives how many takeovers are tried: BATON_TAKEOVERS, or a few.
func takeovers(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv("BATON_TAKEOVERS")); err == nil {
		return n
	}
	if testing.Short() {
		return 20
	}
	return 100
}

// The page's own log of trusted events is the witness: from the person's first
// touch on there is nothing of the agent's, and nothing of the person's is
// missing.
func TestTakeoverStopsTheAgentAndLosesNothing(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/witness.html")
	c.watch(id, 800, 600)
	c.until(0, 10*time.Second, "of the page", func(frame) bool { return true })
	h.eventually(id, "document.readyState", "complete")
	agent := tab.Op{Actor: tab.Actor{Agent: "robot"}, Tab: id, What: "typing"}
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 1))
	var slowest time.Duration
	rounds := takeovers(t)
	for round := range rounds {
		started := make(chan struct{})
		ended := make(chan error, 1)
		clicks := r.IntN(2) == 0
		go func() {
			ended <- h.tabs.Do(context.Background(), agent, func(ctx context.Context, p *page.Page) error {
				close(started)
				for {
					if err := robot(ctx, p, clicks); err != nil {
						return err
					}
				}
			})
		}()
		select {
		case <-started:
		case err := <-ended:
			t.Fatalf("round %d (seed %d): the agent could not begin: %v", round, seed, err)
		}
		time.Sleep(time.Duration(r.IntN(9000)) * time.Microsecond)
		start := time.Now()
		want := c.touch(r)
		err := <-ended
		took := time.Since(start)
		slowest = max(slowest, took)
		if !fault.Is(err, fault.InterruptedByPerson) {
			t.Fatalf("round %d (seed %d): the agent's action ended with %v", round, seed, err)
		}
		if took > 10*time.Second {
			t.Errorf("round %d (seed %d): taking over took %v", round, seed, took)
		}
		if err := h.tabs.Do(context.Background(), agent, func(context.Context, *page.Page) error { return nil }); !fault.Is(err, fault.InUseByPerson) {
			t.Fatalf("round %d (seed %d): the held tab let the agent in: %v", round, seed, err)
		}
		h.witness(round, seed, id, want)
		if t.Failed() {
			return
		}
		c.must("tabs.give", GiveArgs{Tab: id}, nil)
	}
	t.Logf("%d takeovers, the slowest in %v", rounds, slowest)
}

// robot does one thing as the agent.
func robot(ctx context.Context, p *page.Page, clicks bool) error {
	if !clicks {
		return p.Send(ctx,
			input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "a", Code: "KeyA", Text: "a", WindowsVirtualKeyCode: 65},
			input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: "a", Code: "KeyA", WindowsVirtualKeyCode: 65})
	}
	return p.Send(ctx,
		input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: 100, Y: 50},
		input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMousePressed, X: 100, Y: 50, Button: input.MouseButtonLeft, ClickCount: 1},
		input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseReleased, X: 100, Y: 50, Button: input.MouseButtonLeft, ClickCount: 1})
}

// touch does something as the person and gives what the page has to see.
func (c *client) touch(r *rand.Rand) (want []string) {
	for n := range 1 + r.IntN(3) {
		switch kind := r.IntN(4); {
		case kind == 0 || n > 0:
			c.press("P", "KeyP", 8)
			want = append(want, "keydown", "keyup")
		case kind == 1:
			c.click(300, 50)
			want = append(want, "mousedown", "mouseup")
		case kind == 2:
			c.write(Input{In: "wheel", View: 1, X: 300, Y: 50, DY: 10})
			want = append(want, "wheel")
		default:
			c.write(Input{In: "commit", View: 1, Text: "Q"})
			want = append(want, "input")
		}
		if r.IntN(2) == 0 {
			time.Sleep(time.Duration(r.IntN(2000)) * time.Microsecond)
		}
	}
	return want
}

// witness reads the page's log once all that the person did has come.
func (h *host) witness(round int, seed uint64, id string, want []string) {
	t := h.t
	t.Helper()
	var log []string
	for range 200 {
		h.js(id, "log", &log)
		if n := count(log, "person"); n >= len(want) {
			break
		}
		time.Sleep(2 * time.Millisecond)
	}
	h.js(id, "take()", &log)
	first := slices.IndexFunc(log, func(s string) bool { return strings.HasPrefix(s, "person") })
	if first < 0 {
		t.Errorf("round %d (seed %d): nothing of the person's came: want %v", round, seed, want)
		return
	}
	var got []string
	for _, s := range log[first:] {
		if !strings.HasPrefix(s, "person ") {
			t.Errorf("round %d (seed %d): %q came after the person had taken over: %v", round, seed, s, log[first:])
			return
		}
		got = append(got, strings.TrimPrefix(s, "person "))
	}
	// A wheel goes through another thread of Chromium's and may pass or be passed.
	isWheel := func(s string) bool { return s == "wheel" }
	wheels, wanted := count(got, "wheel"), count(want, "wheel")
	got, want = slices.DeleteFunc(got, isWheel), slices.DeleteFunc(want, isWheel)
	if !slices.Equal(got, want) || wheels != wanted {
		t.Errorf("round %d (seed %d): of the person's came %v, want %v", round, seed, got, want)
	}
	if down, up := count(log, "agent keydown")+count(log, "agent mousedown"), count(log, "agent keyup")+count(log, "agent mouseup"); down != up {
		t.Errorf("round %d (seed %d): the agent pressed %d times and let go %d times", round, seed, down, up)
	}
}

func count(log []string, prefix string) (n int) {
	for _, s := range log {
		if strings.HasPrefix(s, prefix) {
			n++
		}
	}
	return n
}
