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
	t := tool.Define(name, description, schemas, run)
	return t.Repaired(repair(name, t.Args))
}
