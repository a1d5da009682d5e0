package agenttools

import (
	"context"
	"reflect"

	"baton/backend/page"
	"baton/backend/tool"
)

// schemas keep the catalogue short: a target's forms are told once, in the
// instructions.
var schemas = tool.Schemas{reflect.TypeFor[page.Target](): {Types: []string{"string", "object"}}}

func define[A any](name, description string, run func(ctx context.Context, t *Thread, a A) (tool.Result, error)) tool.Tool[*Thread] {
	t := tool.Define(name, description, schemas, func(ctx context.Context, t *Thread, a A) (tool.Result, error) {
		if err := t.allowed(name); err != nil {
			return tool.Result{}, err
		}
		return run(ctx, t, a)
	})
	return t.Repaired(repair(name, t.Args)).Around(scrubbed)
}
