package page

import "context"

// Gate stands between an agent's action and its input. Pass runs send, which
// only queues commands, unless the actor may no longer act; then its error says
// why and nothing is sent. The tab's registry closes the gate at the instant
// the person takes over.
type Gate interface {
	// Pass is for input: what it has let through may have had its effect.
	Pass(send func() error) error
	// Touch is for what only prepares input: scrolling, focus, guards.
	Touch(send func() error) error
}

type gateKey struct{}

// WithGate gives a context whose input passes g.
func WithGate(ctx context.Context, g Gate) context.Context {
	return context.WithValue(ctx, gateKey{}, g)
}

// pass runs send through the gate in ctx, when there is one.
func pass(ctx context.Context, send func() error) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if g, ok := ctx.Value(gateKey{}).(Gate); ok {
		return g.Pass(send)
	}
	return send()
}

// touch runs send through the gate in ctx, when there is one.
func touch(ctx context.Context, send func() error) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if g, ok := ctx.Value(gateKey{}).(Gate); ok {
		return g.Touch(send)
	}
	return send()
}

type hasteKey struct{}

// WithHaste gives a context for steps that follow one another at once: what is
// entered and read back is not waited upon any longer than the page needs to
// handle it.
func WithHaste(ctx context.Context) context.Context {
	return context.WithValue(ctx, hasteKey{}, true)
}

func hasty(ctx context.Context) bool { return ctx.Value(hasteKey{}) != nil }

// Pointer tells where an agent's pointer is and what it does; the live view
// draws it.
type Pointer struct {
	X, Y  float64
	State string // move, down, up, type
	Label string
}

type pointerKey struct{}

// WithPointer gives a context whose actions report their pointer to f.
func WithPointer(ctx context.Context, f func(Pointer)) context.Context {
	return context.WithValue(ctx, pointerKey{}, f)
}

func point(ctx context.Context, x, y float64, state, label string) {
	if f, ok := ctx.Value(pointerKey{}).(func(Pointer)); ok {
		f(Pointer{X: x, Y: y, State: state, Label: label})
	}
}
