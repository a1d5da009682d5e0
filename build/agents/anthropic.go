package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// messages speaks the model's side of Anthropic's Messages API, as a stream.
func messages(m *model) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", func(w http.ResponseWriter, r *http.Request) {
		var ask struct {
			Stream bool
			Tools  []struct{ Name string }
			// Content is a string, or a list of blocks.
			Messages []struct {
				Role    string
				Content json.RawMessage
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&ask); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var names, answers []string
		for _, t := range ask.Tools {
			names = append(names, t.Name)
		}
		for _, msg := range ask.Messages {
			answers = append(answers, toolResults(msg.Content)...)
		}
		// Programs also ask small questions of their own, such as for a title.
		s := step{say: "Order of tea"}
		if longName("browser_open", names) != "" {
			s = m.next(answers)
		}
		block, reason := map[string]any{"type": "text", "text": ""}, "end_turn"
		delta := map[string]any{"type": "text_delta", "text": s.say}
		if s.tool != "" {
			args, _ := json.Marshal(s.args)
			block = map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", len(answers)+1), "name": longName(s.tool, names), "input": map[string]any{}}
			delta, reason = map[string]any{"type": "input_json_delta", "partial_json": string(args)}, "tool_use"
		}
		message := map[string]any{"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "content": []any{}, "stop_reason": nil, "usage": map[string]any{"input_tokens": 1, "output_tokens": 1}}
		if !ask.Stream {
			if s.tool != "" {
				block["input"] = s.args
			} else {
				block["text"] = s.say
			}
			message["content"], message["stop_reason"] = []any{block}, reason
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(message)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		send := func(kind string, data map[string]any) {
			data["type"] = kind
			b, _ := json.Marshal(data)
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, b)
		}
		send("message_start", map[string]any{"message": message})
		send("content_block_start", map[string]any{"index": 0, "content_block": block})
		send("content_block_delta", map[string]any{"index": 0, "delta": delta})
		send("content_block_stop", map[string]any{"index": 0})
		send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": reason}, "usage": map[string]any{"output_tokens": 1}})
		send("message_stop", map[string]any{})
	})
	mux.HandleFunc("POST /v1/messages/count_tokens", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"input_tokens":1}`) })
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") })
	return mux
}

// toolResults gives the texts of a message's tool results.
func toolResults(content json.RawMessage) (out []string) {
	var blocks []struct {
		Type    string
		Content json.RawMessage
	}
	if json.Unmarshal(content, &blocks) != nil {
		return nil
	}
	for _, b := range blocks {
		if b.Type == "tool_result" {
			out = append(out, plain(b.Content))
		}
	}
	return out
}

// plain gives the text of a string or of a list of text blocks.
func plain(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct{ Text string }
	if json.Unmarshal(raw, &parts) != nil {
		return string(raw)
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}
