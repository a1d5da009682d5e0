package page

import (
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/cdp"
	"baton/backend/redact"
)

// consoleKept is how many entries a page keeps.
const consoleKept = 300

// ConsoleEntry is a console message, an uncaught error or a failed request.
type ConsoleEntry struct {
	Seq   int64  // grows by one an entry
	Level string // error, warning, info, debug, network
	Text  string // redacted, at most 1,000 characters
	At    time.Time
	Where string // address and line, redacted
}

type consoleLog struct {
	mu      sync.Mutex
	seq     int64
	entries []ConsoleEntry
	urls    map[network.RequestID]string
	clean   func(string) string // takes known values out; fixed before events come
}

// Since gives the entries after seq, oldest first, and the newest number.
func (c *consoleLog) Since(seq int64) ([]ConsoleEntry, int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []ConsoleEntry
	for _, e := range c.entries {
		if e.Seq > seq {
			e.Text, e.Where = c.clean(e.Text), c.clean(e.Where)
			out = append(out, e)
		}
	}
	return out, c.seq
}

func (c *consoleLog) add(level, text, where string) {
	text, where = c.clean(text), c.clean(where)
	if r := []rune(text); len(r) > 1000 {
		text = string(r[:1000]) + "…"
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	c.entries = append(c.entries, ConsoleEntry{Seq: c.seq, Level: level, Text: redact.Text(text), Where: where, At: time.Now()})
	if n := len(c.entries); n > consoleKept {
		c.entries = append(c.entries[:0:0], c.entries[n-consoleKept:]...)
	}
}

// take records what an event says, when it says something.
func (c *consoleLog) take(p *Page, ev cdp.Event) {
	switch ev.Method {
	case "Runtime.consoleAPICalled":
		e, ok := cdp.Decode[runtime.EventConsoleAPICalled](ev)
		if !ok {
			return
		}
		level := string(e.Type)
		switch level {
		case "error", "warning", "info", "debug":
		case "assert":
			level = "error"
		default:
			level = "info"
		}
		words := make([]string, 0, len(e.Args))
		for _, a := range e.Args {
			words = append(words, remoteText(a))
		}
		where := ""
		if e.StackTrace != nil && len(e.StackTrace.CallFrames) > 0 {
			where = redact.URL(e.StackTrace.CallFrames[0].URL)
		}
		c.add(level, strings.Join(words, " "), where)
	case "Runtime.exceptionThrown":
		if e, ok := cdp.Decode[runtime.EventExceptionThrown](ev); ok && e.ExceptionDetails != nil {
			c.add("error", "uncaught: "+exceptionText(e.ExceptionDetails), redact.URL(e.ExceptionDetails.URL))
		}
	case "Log.entryAdded":
		if e, ok := cdp.Decode[log.EventEntryAdded](ev); ok && e.Entry != nil && e.Entry.Source != "network" {
			c.add(string(e.Entry.Level), e.Entry.Text, redact.URL(e.Entry.URL))
		}
	case "Network.requestWillBeSent":
		if e, ok := cdp.Decode[struct {
			RequestID network.RequestID `json:"requestId"`
			Type      string            `json:"type"`
			Request   struct {
				URL    string `json:"url"`
				Method string `json:"method"`
			} `json:"request"`
		}](ev); ok {
			c.mu.Lock()
			if c.urls == nil || len(c.urls) > 2000 {
				c.urls = map[network.RequestID]string{}
			}
			c.urls[e.RequestID] = e.Request.Method + " " + safeURL(p.ShownAs(e.Request.URL))
			c.mu.Unlock()
			switch e.Type {
			case "XHR", "Fetch", "Script", "Document":
				p.requests(e.RequestID, true)
			}
		}
	case "Network.responseReceived":
		if e, ok := cdp.Decode[struct {
			RequestID network.RequestID `json:"requestId"`
			LoaderID  cdproto.LoaderID  `json:"loaderId"`
			FrameID   cdproto.FrameID   `json:"frameId"`
			Type      string            `json:"type"`
			Response  struct {
				URL     string       `json:"url"`
				Status  int          `json:"status"`
				State   string       `json:"securityState"`
				Details *certificate `json:"securityDetails"`
			} `json:"response"`
		}](ev); ok {
			p.respondedTo(e.RequestID)
			if e.Type == "Document" && e.FrameID == p.root {
				p.secured(e.LoaderID, e.Response.URL, e.Response.State, e.Response.Details)
			}
			if e.Response.Status < 400 {
				return
			}
			c.add("network", "HTTP "+itoa(e.Response.Status)+" "+c.url(e.RequestID), "")
		}
	case "Network.loadingFinished":
		if e, ok := cdp.Decode[network.EventLoadingFinished](ev); ok {
			c.url(e.RequestID)
			p.requests(e.RequestID, false)
		}
	case "Network.loadingFailed":
		if e, ok := cdp.Decode[network.EventLoadingFailed](ev); ok {
			what := c.url(e.RequestID)
			p.requests(e.RequestID, false)
			if !e.Canceled {
				c.add("network", "failed "+what+": "+strings.TrimPrefix(e.ErrorText, "net::"), "")
			}
		}
	}
}

func (c *consoleLog) url(id network.RequestID) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	u := c.urls[id]
	delete(c.urls, id)
	return redact.Text(u)
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

// remoteText shows a console argument as the console would, briefly.
func remoteText(o *runtime.RemoteObject) string {
	if o == nil {
		return ""
	}
	if o.UnserializableValue != "" {
		return string(o.UnserializableValue)
	}
	if len(o.Value) > 0 {
		var s string
		if json.Unmarshal(o.Value, &s) == nil {
			return s
		}
		return string(o.Value)
	}
	return o.Description
}
