package agenttools

import (
	"encoding/json"
	"testing"

	"baton/backend/fault"
)

func repaired(t *testing.T, tool, in string) (string, error) {
	t.Helper()
	for _, x := range Tools() {
		if x.Name == tool {
			out, err := repair(tool, x.Args)(json.RawMessage(in))
			return string(out), err
		}
	}
	t.Fatalf("there is no tool %s", tool)
	return "", nil
}

func TestRepairRewritesFormsWithOneMeaning(t *testing.T) {
	for _, c := range []struct{ tool, in, want string }{
		{"browser_click", `{"target":"e12"}`, `{"target":"e12"}`},
		{"browser_click", `{"target":"[e12]"}`, `{"target":"e12"}`},
		{"browser_click", `{"target":"ref=e12"}`, `{"target":"e12"}`},
		{"browser_click", `{"target":"aria-ref=e12"}`, `{"target":"e12"}`},
		{"browser_click", `{"ref":"e12"}`, `{"target":"e12"}`},
		{"browser_click", `{"ref":"e12","element":"Save button"}`, `{"target":"e12"}`},
		{"browser_click", `{"target":{"ref":"[e12]","role":"button"}}`, `{"target":"e12"}`},
		{"browser_click", `{"target":"- button \"Save\" [e12] disabled"}`, `{"target":"e12"}`},
		{"browser_click", `{"target":"link \"Travel\""}`, `{"target":{"name":"Travel","role":"link"}}`},
		{"browser_click", `{"target":"css=#x"}`, `{"target":{"css":"#x"}}`},
		{"browser_click", `{"selector":"#x"}`, `{"target":{"css":"#x"}}`},
		{"browser_click", `{"selector":"#x >> nth=2"}`, `{"target":{"css":"#x","nth":2}}`},
		{"browser_click", `{"target":"text=Save"}`, `{"target":{"text":"Save"}}`},
		{"browser_click", `{"target":"role=button[name=\"Save\"]"}`, `{"target":{"name":"Save","role":"button"}}`},
		{"browser_click", `{"x":10,"y":20}`, `{"target":{"x":10,"y":20}}`},
		{"browser_click", `{"target":[10,20]}`, `{"target":{"x":10,"y":20}}`},
		{"browser_click", `{"role":"button","name":"Save"}`, `{"target":{"name":"Save","role":"button"}}`},
		{"browser_click", `{"tabId":3,"target":"e1","clickCount":2}`, `{"count":2,"tab":"t3","target":"e1"}`},
		{"browser_click", `{"target":"e1","modifiers":"Shift","timeoutMs":"500"}`, `{"modifiers":["Shift"],"target":"e1","timeout_ms":500}`},
		{"browser_click", `{"name":"browser_click","arguments":{"target":"e1"}}`, `{"target":"e1"}`},
		{"browser_click", `{"target":{"target":{"selector":"css=a","index":"1"}}}`, `{"target":{"css":"a","nth":1}}`},
		{"browser_type", `{"ref":"e1","value":"Ana"}`, `{"target":"e1","text":"Ana"}`},
		{"browser_type", `{"target":"e1","text":"Ana","clear":true}`, `{"mode":"replace","target":"e1","text":"Ana"}`},
		{"browser_type", `{"target":"e1","text":42,"append":true}`, `{"mode":"append","target":"e1","text":"42"}`},
		{"browser_select", `{"target":"e1","value":"France"}`, `{"target":"e1","values":["France"]}`},
		{"browser_select", `{"target":"e1","option":2}`, `{"target":"e1","values":["2"]}`},
		{"browser_check", `{"target":"e1"}`, `{"checked":true,"target":"e1"}`},
		{"browser_press", `{"key":"Enter"}`, `{"keys":"Enter"}`},
		{"browser_press", `{"keys":["Control","K"]}`, `{"keys":"Control+K"}`},
		{"browser_wait", `{"load":"networkidle"}`, `{"quiet":500}`},
		{"browser_wait", `{"target":"e1","state":"attached"}`, `{"state":"visible","target":"e1"}`},
		{"browser_wait", `{"time":500}`, `{"ms":500}`},
		{"browser_wait", `{"textGone":"Loading"}`, `{"text_gone":"Loading"}`},
		{"browser_fill", `{"fields":{"e1":"Ana"}}`, `{"fields":[{"target":"e1","text":"Ana"}]}`},
		{"browser_fill", `{"fields":[{"ref":"e1","name":"Name","type":"textbox","value":"Ana"}]}`, `{"fields":[{"target":"e1","text":"Ana"}]}`},
		{"browser_scroll", `{"direction":"up","amount":300}`, `{"dy":-300}`},
		{"browser_snapshot", `{"maxChars":"500"}`, `{"max_chars":500}`},
		{"browser_drag", `{"from":"[e1]","to":{"ref":"e2"}}`, `{"from":"e1","to":"e2"}`},
		{"browser_upload", `{"target":"e1","paths":"a.txt"}`, `{"files":["a.txt"],"target":"e1"}`},
		{"browser_navigate", `{"action":"refresh"}`, `{"action":"reload"}`},
		{"browser_open", `{"tab":"t1","uri":"x.test"}`, `{"url":"x.test"}`},
		{"browser_evaluate", `{"function":"() => 1"}`, `{"expression":"() =\u003e 1"}`},
	} {
		got, err := repaired(t, c.tool, c.in)
		if err != nil || got != c.want {
			t.Errorf("%s %s: %s %v, want %s", c.tool, c.in, got, err, c.want)
		}
	}
}

func TestRepairRefusesFormsWithTwoMeanings(t *testing.T) {
	for _, in := range []string{`{"target":12}`, `{"target":"Save"}`, `{"target":"button \"A\" [e1] in form \"B\" [e2]"}`, `{"target":"//button"}`} {
		if got, err := repaired(t, "browser_click", in); !fault.Is(err, fault.BadArguments) {
			t.Errorf("%s: %s %v", in, got, err)
		}
	}
}

func FuzzRepair(f *testing.F) {
	f.Add(`{"target":{"css":"x"}}`)
	f.Add(`{"target":"[e1]","nth":"2"}`)
	fix := repair("browser_click", []string{"tab", "target", "count", "modifiers"})
	f.Fuzz(func(t *testing.T, s string) {
		out, err := fix(json.RawMessage(s))
		if err == nil && json.Valid([]byte(s)) && !json.Valid(out) {
			t.Errorf("%q became %q", s, out)
		}
	})
}
