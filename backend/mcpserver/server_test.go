package mcpserver

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/backend/fault"
)

type nobody struct{}

func (nobody) Close() {}

func TestARefusalIsShortWhateverItRepeats(t *testing.T) {
	c := &connection[nobody]{client: Client{Structured: true}}
	f := fault.New(fault.NoSuchTab, "there is no tab %q", strings.Repeat("é", 1<<20))
	out := c.refuse(f)
	text := out.Content[0].(*mcp.TextContent).Text
	message := out.StructuredContent.(map[string]any)["message"].(string)
	if len(text) > 5000 || len(message) > 5000 || strings.ToValidUTF8(text, "?") != text || !strings.Contains(text, " Next: ") {
		t.Errorf("%d bytes of text, %d of message: %.60s", len(text), len(message), text)
	}
	if len(f.Message) < 1<<20 {
		t.Error("the fault itself was cut")
	}
}
