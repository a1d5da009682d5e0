package main

import (
	"encoding/json"
	"strings"
	"testing"

	"baton/backend/fault"
	"baton/backend/tool"
)

func TestStructsBecomeInterfaces(t *testing.T) {
	files, index, err := typescript(map[string][]byte{"wire": []byte("package app\n\n" +
		"// Kinds of event.\nconst (\n\tOne = \"one\" // the first\n\thidden = 2\n)\n\n" +
		"// A is\n// something.\ntype A struct {\n" +
		"\tID   int64             `json:\"id\"`\n" +
		"\tMaybe *B              `json:\"maybe,omitempty\"` // or not\n" +
		"\tList []string         `json:\"list\"`\n" +
		"\tMap  map[string]B     `json:\"map\"`\n" +
		"\tAny  any              `json:\"any,omitzero\"`\n" +
		"\tX, PixelW float32\n" +
		"\tGone bool `json:\"-\"`\n}\n\ntype b struct{}\n"), "more": []byte("package app\n\n// B is more.\ntype B struct {\n\tOf *A `json:\"of\"`\n}\n")})
	if err != nil {
		t.Fatal(err)
	}
	want := `// Generated from app/wire.go by build/gen: change it there.
import type { B } from './more'

// Kinds of event.
export const One = 'one' // the first

// A is
// something.
export interface A {
  id: number
  maybe?: B // or not
  list: string[]
  map: Record<string, B>
  any?: unknown
  x: number
  pixelW: number
}
`
	if got := files["wire"]; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want = `// Generated from app/wire_more.go by build/gen: change it there.
import type { A } from './wire'

// B is more.
export interface B {
  of: A
}
`
	if got := files["more"]; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if want := "export * from './wire/more'\nexport * from './wire/wire'\n"; !strings.HasSuffix(index, want) {
		t.Errorf("the index is\n%s", index)
	}
}

func TestWireTakesNoGuesses(t *testing.T) {
	for name, source := range map[string]string{
		"iota":     "package app\nconst (\n\tA = iota\n\tB\n)\n",
		"embedded": "package app\ntype A struct{ B }\n",
		"channel":  "package app\ntype A struct{ C chan int }\n",
		"private":  "package app\ntype A struct{ c int }\n",
	} {
		if got, _, err := typescript(map[string][]byte{"wire": []byte(source)}); err == nil {
			t.Errorf("%s gives\n%v", name, got)
		}
	}
}

func TestDocumentsNameEverything(t *testing.T) {
	doc := errorsDocument(fault.Table)
	for _, r := range fault.Table {
		if !strings.Contains(doc, "| `"+string(r.Code)+"` |") {
			t.Errorf("%s is missing", r.Code)
		}
	}
	doc, err := toolsDocument([]entry{{
		name: "browser_try", description: "Try", reads: true, args: []string{"a", "b"}, example: tool.Example{Call: `{"a":"x"}`, Result: "Tried x"},
		schema: json.RawMessage(`{"type":"object","required":["a"],"properties":{"a":{"enum":["x","y"]},"b":{"type":"array","items":{"type":"string"},"description":"some | words"}}}`),
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## browser_try\n\nTry. It only reads.", "| `a` | `x`, `y` | required. |", `| ` + "`b`" + ` | list of string | some \| words |`, "```\nbrowser_try {\"a\":\"x\"}\n```\n```\nTried x\n```\n"} {
		if !strings.Contains(doc, want) {
			t.Errorf("%q is missing in\n%s", want, doc)
		}
	}
}
