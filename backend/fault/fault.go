// Package fault holds every error that a person or an agent can see: a stable
// code, one sentence of what is wrong, and one of what to do next.
//
// Make one with [New]; branch on it with [Is]. Raw Go errors stay in the chain
// for the log and never reach a result: [From] turns whatever it is given into
// a Fault whose text is safe to show.
package fault

import (
	"context"
	"errors"
	"fmt"
)

// Fault is an error with a code from the table.
type Fault struct {
	Code    Code
	Message string // one sentence, without the final stop
	Next    string // what to do now; the code's default when empty
	Effect  string // "", "yes", "no" or "unknown": whether the action had taken effect
	// Partial is what had been reached, as lines below the sentences, and Data
	// the same facts for structured results.
	Partial string
	Data    map[string]any
	cause   error
}

// New makes a Fault whose sentence is formatted as by fmt.Sprintf.
func New(code Code, format string, args ...any) *Fault {
	return &Fault{Code: code, Message: fmt.Sprintf(format, args...), Next: code.Next()}
}

// Because keeps err as the cause, for the log alone.
func (f *Fault) Because(err error) *Fault { f.cause = err; return f }

// Then replaces the next step.
func (f *Fault) Then(format string, args ...any) *Fault {
	f.Next = fmt.Sprintf(format, args...)
	return f
}

// WithEffect says whether the action had taken effect: "yes", "no", "unknown".
func (f *Fault) WithEffect(effect string) *Fault { f.Effect = effect; return f }

// Error gives "code: sentence", without the cause.
func (f *Fault) Error() string { return string(f.Code) + ": " + f.Message }

// Unwrap gives the cause.
func (f *Fault) Unwrap() error { return f.cause }

// Is tells whether err or something it wraps is a Fault with this code.
func Is(err error, code Code) bool {
	var f *Fault
	return errors.As(err, &f) && f.Code == code
}

// From gives the Fault in err's chain, or makes one: a passed deadline is
// Timeout, a cancelled context Cancelled, everything else Internal.
func From(err error) *Fault {
	var f *Fault
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.DeadlineExceeded):
		return New(Timeout, "the call did not finish in time").Because(err)
	case errors.Is(err, context.Canceled):
		return New(Cancelled, "the call was cancelled").Because(err)
	}
	return New(Internal, "something went wrong inside Baton").Because(err)
}
