package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	protocol "github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/backend/mcpserver"
)

// Methods of MCP that are looked at.
const (
	initialized = "notifications/initialized" // how an agent ends its introduction
	cancelled   = "notifications/cancelled"
	subscribe   = "subscriptions/listen" // it stays open, in versions without an introduction
	toolsChange = "notifications/tools/list_changed"
)

// lastBatches is the first version of MCP without batches.
const lastBatches = "2025-06-18"

// request is a call of the agent that waits for its answer.
type request struct {
	msg   *jsonrpc.Request
	line  []byte
	batch *batch // nil when it came alone

	// Guarded by bridge.mu.
	up      *upstream
	sending bool // it is being written to up, which may have ended already
	dropped bool // the agent cancelled it
}

// tool gives the name of the tool that a call runs; empty for other requests.
func (c *request) tool() string {
	if c.msg.Method != "tools/call" {
		return ""
	}
	var p struct{ Name string }
	if json.Unmarshal(c.msg.Params, &p) != nil || p.Name == "" {
		return "?"
	}
	return p.Name
}

// toldOfTools gives the word that the list of tools has changed, for a
// subscription to that; nil for other requests.
func (c *request) toldOfTools() []byte {
	var p struct {
		Notifications struct{ ToolsListChanged bool }
	}
	if c.msg.Method != subscribe || json.Unmarshal(c.msg.Params, &p) != nil || !p.Notifications.ToolsListChanged {
		return nil
	}
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": toolsChange, "params": map[string]any{
		"_meta": map[string]any{protocol.MetaKeySubscriptionID: c.msg.ID.Raw()},
	}})
	if err != nil {
		return nil
	}
	return line
}

// cancels gives the id of the request that a cancellation is of.
func cancels(m *jsonrpc.Request) jsonrpc.ID {
	var p struct {
		RequestID any `json:"requestId"`
	}
	_ = json.Unmarshal(m.Params, &p)
	id, _ := jsonrpc.MakeID(p.RequestID)
	return id
}

// batch gathers the answers of an array of requests. Guarded by bridge.outMu.
type batch struct {
	want    int
	answers []json.RawMessage
}

// read takes the agent's messages until its stdin ends.
func (b *bridge) read(in io.Reader) {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := nextLine(r, mcpserver.MaxLine)
		if line = bytes.TrimSpace(line); len(line) > 0 {
			b.fromAgent(line)
		}
		if errors.Is(err, errLong) {
			b.write(errorLine(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is longer than %d MiB: send less at once", mcpserver.MaxLine>>20)))
		}
		if err != nil && (!errors.Is(err, errLong) || errors.Is(err, io.EOF)) {
			return
		}
	}
}

// fromAgent takes one line of the agent.
func (b *bridge) fromAgent(line []byte) {
	switch {
	case !json.Valid(line):
		b.write(errorLine(nil, jsonrpc.CodeParseError, "the line is not valid JSON; a message is one JSON object on a line of its own"))
	case line[0] == '[':
		b.fromBatch(line)
	default:
		m, refusal := understand(line)
		if refusal != nil {
			b.write(refusal)
			return
		}
		b.deliver(m, line, nil)
	}
}

// fromBatch takes an array of messages, which MCP had in its older versions. The
// host gets them one by one.
func (b *bridge) fromBatch(line []byte) {
	b.mu.Lock()
	version := b.version
	b.mu.Unlock()
	var parts []json.RawMessage
	if err := json.Unmarshal(line, &parts); err != nil || len(parts) == 0 {
		b.write(errorLine(nil, jsonrpc.CodeInvalidRequest, "the batch is empty"))
		return
	}
	if version == "" || version >= lastBatches {
		b.write(errorLine(nil, jsonrpc.CodeInvalidRequest, "MCP has no batches as of "+lastBatches+": send each message on a line of its own"))
		return
	}
	together := &batch{}
	var send []func()
	var refusals [][]byte
	for _, part := range parts {
		m, refusal := understand(part)
		if refusal != nil {
			together.want++
			refusals = append(refusals, refusal)
			continue
		}
		if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
			together.want++
		}
		send = append(send, func() { b.deliver(m, compact(part), together) })
	}
	for _, r := range refusals {
		b.answer(&request{batch: together}, r)
	}
	for _, f := range send {
		f()
	}
}

// deliver sends one well-formed message on.
func (b *bridge) deliver(m jsonrpc.Message, line []byte, together *batch) {
	r, ok := m.(*jsonrpc.Request)
	if !ok || !r.IsCall() {
		b.tell(m, line)
		return
	}
	c := &request{msg: r, line: line, batch: together}
	b.mu.Lock()
	_, taken := b.calls[r.ID]
	b.mu.Unlock()
	if taken {
		b.answer(c, errorLine(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("another request with the id %v is open", r.ID.Raw())))
		return
	}
	b.forward(c)
}

// understand decodes one message, or gives the answer to what is none.
func understand(line []byte) (m jsonrpc.Message, refusal []byte) {
	m, err := jsonrpc.DecodeMessage(line)
	id, wrong := idOf(line)
	if r, ok := m.(*jsonrpc.Response); err != nil || wrong || (ok && r.Result == nil && r.Error == nil) {
		return nil, errorLine(id, jsonrpc.CodeInvalidRequest, `this is no JSON-RPC 2.0 message: it needs "jsonrpc":"2.0", a method and, when it wants an answer, an id that is a string or a whole number`)
	}
	return m, nil
}

// idOf gives the id of a message that may be malformed, as JSON, if an answer can
// name it, and whether it is there and of a form that MCP has not.
func idOf(line []byte) (id json.RawMessage, wrong bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(line, &fields) != nil {
		return nil, false
	}
	id, ok := fields["id"]
	if !ok {
		return nil, false
	}
	if id[0] == '"' || json.Unmarshal(id, new(int64)) == nil && id[0] != 'n' {
		return id, false
	}
	return nil, true
}

// write sends one line to the agent.
func (b *bridge) write(line []byte) {
	b.outMu.Lock()
	defer b.outMu.Unlock()
	_, _ = b.out.Write(append(line, '\n'))
}

// answer sends a call's answer, or keeps it until its batch is whole.
func (b *bridge) answer(c *request, line []byte) {
	if c.batch == nil {
		b.write(line)
		return
	}
	b.outMu.Lock()
	c.batch.answers = append(c.batch.answers, bytes.Clone(line))
	whole := len(c.batch.answers) == c.batch.want
	b.outMu.Unlock()
	if whole {
		all, err := json.Marshal(c.batch.answers)
		if err == nil {
			b.write(all)
		}
	}
}

// renamed gives a request of a later host ids of its own: the agent may still
// answer those of an earlier one.
func (b *bridge) renamed(u *upstream, m *jsonrpc.Request, line []byte) []byte {
	name := func(id jsonrpc.ID) string { return fmt.Sprintf("host%d-%v", u.generation, id.Raw()) }
	out := *m
	switch {
	case m.IsCall():
		id, err := jsonrpc.MakeID(name(m.ID))
		if err != nil {
			return line
		}
		b.mu.Lock()
		u.asked[name(m.ID)] = m.ID
		b.mu.Unlock()
		out.ID = id
	case m.Method == cancelled:
		var p map[string]any
		if json.Unmarshal(m.Params, &p) != nil {
			return line
		}
		id, err := jsonrpc.MakeID(p["requestId"])
		if err != nil {
			return line
		}
		p["requestId"] = name(id)
		if out.Params, err = json.Marshal(p); err != nil {
			return line
		}
	default:
		return line
	}
	if b, err := jsonrpc.EncodeMessage(&out); err == nil {
		return b
	}
	return line
}

// original gives the agent's answer the id that the host had asked with; nil
// when another host had asked.
func (b *bridge) original(u *upstream, r *jsonrpc.Response) []byte {
	name, _ := r.ID.Raw().(string)
	b.mu.Lock()
	id, ok := u.asked[name]
	delete(u.asked, name)
	b.mu.Unlock()
	if !ok {
		return nil
	}
	line, err := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: id, Result: r.Result, Error: r.Error})
	if err != nil {
		return nil
	}
	return line
}

// versionOf gives the version of MCP that an answer to initialize names.
func versionOf(r *jsonrpc.Response) string {
	var v struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(r.Result, &v)
	return v.ProtocolVersion
}

// isError tells whether a tool's result is a refusal.
func isError(r *jsonrpc.Response) bool {
	var v struct {
		IsError bool `json:"isError"`
	}
	return json.Unmarshal(r.Result, &v) != nil || v.IsError
}

// errorLine gives an error as JSON-RPC has it; a nil id is null. id is a
// jsonrpc.ID or JSON.
func errorLine(id any, code int64, words string) []byte {
	return encode(id, "error", map[string]any{"code": code, "message": words})
}

func resultLine(id jsonrpc.ID, result any) []byte { return encode(id, "result", result) }

// encode writes an answer. The library's own encoder leaves a null id out.
func encode(id any, kind string, v any) []byte {
	switch x := id.(type) {
	case jsonrpc.ID:
		id = x.Raw()
	case json.RawMessage:
		if x == nil {
			id = nil
		}
	}
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, kind: v})
	if err != nil {
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"the answer could not be written"}}`)
	}
	return line
}

// compact puts a message on one line.
func compact(raw json.RawMessage) []byte {
	var out bytes.Buffer
	if json.Compact(&out, raw) != nil {
		return raw
	}
	return out.Bytes()
}
