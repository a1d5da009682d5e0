package agenttools

import (
	"context"

	"baton/backend/tool"
)

// Gateway is the one tool of a client that asked for the short list: calling it
// makes the others available and returns how to use them.
func Gateway() tool.Tool[*Thread] {
	return define("browser", "Browse the web in the browser you share with the person. Call once to get its tools", browserGateway).
		Shown(`{}`, `The browser's tools are available now.…`)
}

func browserGateway(context.Context, *Thread, noArgs) (tool.Result, error) {
	names := make([]string, 0, 32)
	for _, t := range Tools() {
		names = append(names, t.Name)
	}
	return tool.Result{Text: "The browser's tools are available now.\n" + Guidance, Data: map[string]any{"tools": names}}, nil
}
