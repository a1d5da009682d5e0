package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// contents speaks the model's side of Google's Gemini API, streamed or not.
func contents(m *model) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var ask struct {
			Contents []struct {
				Role  string
				Parts []struct {
					FunctionResponse *struct {
						Name     string
						Response json.RawMessage
					}
				}
			}
			Tools []struct {
				FunctionDeclarations []struct{ Name string }
			}
			GenerationConfig struct{ ResponseMIMEType string }
		}
		if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&ask) != nil || !strings.Contains(r.URL.Path, "enerateContent") {
			fmt.Fprint(w, `{"totalTokens":1}`)
			return
		}
		var names, answers []string
		for _, t := range ask.Tools {
			for _, f := range t.FunctionDeclarations {
				names = append(names, f.Name)
			}
		}
		for _, c := range ask.Contents {
			for _, p := range c.Parts {
				if p.FunctionResponse != nil {
					answers = append(answers, spoken(p.FunctionResponse.Response))
				}
			}
		}
		s := step{say: "{}"}
		if longName("browser_open", names) != "" {
			s = m.next(answers)
		}
		part := map[string]any{"text": s.say}
		if s.tool != "" {
			part = map[string]any{"functionCall": map[string]any{"name": longName(s.tool, names), "args": s.args}}
		}
		answer := map[string]any{
			"candidates":    []any{map[string]any{"index": 0, "finishReason": "STOP", "content": map[string]any{"role": "model", "parts": []any{part}}}},
			"usageMetadata": map[string]any{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
		}
		b, _ := json.Marshal(answer)
		if strings.Contains(r.URL.Path, "stream") {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: %s\n\n", b)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(b)
	})
}

// spoken gives a function's response as text: the program wraps it in its own way.
func spoken(raw json.RawMessage) string {
	var wrapped struct{ Output, Error string }
	if json.Unmarshal(raw, &wrapped) == nil && wrapped.Output+wrapped.Error != "" {
		return wrapped.Output + wrapped.Error
	}
	s := string(raw)
	var text strings.Builder
	d := json.NewDecoder(strings.NewReader(s))
	for {
		t, err := d.Token()
		if err != nil {
			break
		}
		if v, ok := t.(string); ok {
			text.WriteString(v + "\n")
		}
	}
	return text.String()
}
