package mcpserver

import (
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listed leaves out of a list of tools what the session's list does not hold
// now. Such a tool still answers a client that remembers it, with a refusal of
// its own.
func (c *connection[S]) listed(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		list, ok := res.(*mcp.ListToolsResult)
		if err != nil || !ok || c.s.cfg.Lists == nil {
			return res, err
		}
		ss, ok := req.GetSession().(*mcp.ServerSession)
		if !ok {
			return res, err
		}
		sess, failed := c.session(ss)
		if failed != nil {
			return res, nil // the first call tells why
		}
		out := *list
		out.Tools = slices.DeleteFunc(slices.Clone(list.Tools), func(t *mcp.Tool) bool { return !c.s.cfg.Lists(sess, t.Name) })
		return &out, nil
	}
}

// Relist tells the clients whose list of tools has changed since they were last
// told.
func (s *Server[S]) Relist() {
	s.mu.Lock()
	conns := make([]*connection[S], 0, len(s.conns))
	for c := range s.conns {
		conns = append(conns, c)
	}
	s.mu.Unlock()
	for _, c := range conns {
		c.mu.Lock()
		now := c.names()
		changed := now != c.shown
		c.shown = now
		c.mu.Unlock()
		if !changed {
			continue
		}
		// Adding a tool again is how the library is made to tell the client.
		if c.client.Gateway && s.cfg.Gateway.Name != "" {
			c.add(s.cfg.Gateway)
		} else if len(s.cfg.Tools) > 0 {
			c.add(s.cfg.Tools[0])
		}
	}
}

// names gives the names that the session's list holds, as one text. Call with
// mu held and the session opened.
func (c *connection[S]) names() string {
	if c.s.cfg.Lists == nil {
		return ""
	}
	var b strings.Builder
	for _, t := range c.s.cfg.Tools {
		if c.s.cfg.Lists(c.sess, t.Name) {
			b.WriteString(t.Name + " ")
		}
	}
	return b.String()
}
