// Package inject holds Baton's code that runs inside pages: TypeScript in src, bundled at build time into dist, and one
// typed Go function an entry.
//
// The bundle lives in an isolated world named World in every document, best installed before the page's first line runs
// (Source with Page.addScriptToEvaluateOnNewDocument, worldName World). Package page gives a Caller a document; every
// function here is one call into that world. Coordinates are CSS pixels in the viewport of the document's own frame,
// times are milliseconds, budgets are UTF-16 units (never fewer than the characters of the rendered text).
//
// Errors are those of the Caller. What a page can answer in the ordinary way (an element that is gone, covered,
// disabled) is a Status in the result, never an error.
package inject

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"sync"
)

// World is the name of the isolated world that the bundle lives in.
const World = "baton"

//go:embed all:dist
var dist embed.FS

// ErrNotBuilt says that the bundle was not generated before this program was built.
var ErrNotBuilt = errors.New("inject: page scripts are missing from this build; run `go tool task gen` and build again")

// Caller is one document's isolated world.
type Caller interface {
	// Call runs an entry of the bundle with arg as its only argument and decodes its JSON value into out (nil drops
	// it). Implementations send Function(fn) through Runtime.callFunctionOn with awaitPromise and returnByValue.
	Call(ctx context.Context, fn string, arg, out any) error
	// Load evaluates source in the same world (Runtime.evaluate); its value is dropped. The page's content security
	// policy does not bind it.
	Load(ctx context.Context, source string) error
}

// NodeCaller is a Caller that can also pass nodes that DevTools knows and the world cannot find by itself.
type NodeCaller interface {
	Caller
	// CallNodes runs an entry with an array of nodes: objects are Runtime remote object ids that were resolved in
	// this world (DOM.resolveNode with executionContextId). Implementations send NodesFunction(fn).
	CallNodes(ctx context.Context, fn string, objects []string, out any) error
}

// Function is the function declaration that calls an entry with one argument.
func Function(fn string) string {
	return "function(a){return globalThis." + global + "." + fn + "(a)}"
}

// NodesFunction is the function declaration that calls an entry with all its arguments as one array.
func NodesFunction(fn string) string {
	return "function(...a){return globalThis." + global + "." + fn + "(a)}"
}

// ElementFunction is a function declaration without arguments that returns the element of a ref itself (call it with
// returnByValue false to get a remote object id, for DOM.describeNode, DOM.setFileInputFiles and the like), or null.
func ElementFunction(ref int) string {
	return "function(){return globalThis." + global + ".element(" + strconv.Itoa(ref) + ")}"
}

// AddedFunction is one that returns the element that holds what came, after a Changes that says Added.
const AddedFunction = "function(){return globalThis." + global + ".added()}"

// MarkAdded is the entry that marks those of some nodes that came.
const MarkAdded = "markAdded"

// InstalledExpression evaluates to true in a world that holds the bundle.
const InstalledExpression = "typeof globalThis." + global + `==="object"`

const global = "__baton"

// Source returns the bundle. Evaluating it twice in a world is harmless: the first one stays.
func Source() (string, error) { return source() }

// Playwright returns Playwright's injected runtime, extracted from its npm package at build time (Apache-2.0). It is
// evaluated lazily by Locate, only in documents where a locator other than a ref is used.
func Playwright() (string, error) { return playwright() }

var (
	source     = sync.OnceValues(func() (string, error) { return read("inject.js") })
	playwright = sync.OnceValues(func() (string, error) { return read("playwright.js") })
	guards     = sync.OnceValues(func() (string, error) { return read("guard.js") })
)

func read(name string) (string, error) {
	b, err := dist.ReadFile("dist/" + name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(b) == 0 {
		return "", fmt.Errorf("%w (no %s)", ErrNotBuilt, name)
	}
	if err != nil {
		return "", fmt.Errorf("inject: read %s: %w", name, err)
	}
	return string(b), nil
}

func call[T any](ctx context.Context, c Caller, fn string, arg any) (T, error) {
	var out T
	if err := c.Call(ctx, fn, arg, &out); err != nil {
		return out, fmt.Errorf("inject: %s: %w", fn, err)
	}
	return out, nil
}

// RefArgs name one element.
type RefArgs struct {
	Ref int `json:"ref"`
}

// Point is a place in the frame's viewport.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Box is a rectangle in the frame's viewport.
type Box struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}
