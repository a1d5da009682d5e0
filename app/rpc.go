package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"baton/backend/fault"
)

const (
	callsMost = 32               // calls of one client under way at a time
	callWait  = 12 * time.Second // bounds a call unless its method says otherwise
)

// Role is what a client may do.
type Role int

// The roles, each of which may do what those before it may.
const (
	None Role = iota
	Member
	Admin
	Owner
)

// String gives the role's name on the wire.
func (r Role) String() string { return [...]string{"none", "member", "admin", "owner"}[r] }

// method is one call that clients can make.
type method struct {
	role Role // at least
	call func(ctx context.Context, args json.RawMessage) (any, error)
}

// gives makes a method of a func with a result.
func gives[A, R any](role Role, f func(context.Context, A) (R, error)) method {
	return method{role, func(ctx context.Context, raw json.RawMessage) (any, error) {
		var a A
		if err := decode(raw, &a); err != nil {
			return nil, err
		}
		return f(ctx, a)
	}}
}

// does makes a method of a func without one.
func does[A any](role Role, f func(context.Context, A) error) method {
	return gives(role, func(ctx context.Context, a A) (struct{}, error) { return struct{}{}, f(ctx, a) })
}

// nothing is for methods without arguments.
type nothing struct{}

// decode reads arguments strictly: no unknown field, no second value.
func decode(raw json.RawMessage, into any) error {
	if len(bytes.TrimSpace(raw)) == 0 || bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		raw = json.RawMessage("{}")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fault.New(fault.BadArguments, "the call's arguments are wrong: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fault.New(fault.BadArguments, "the call's arguments are more than one value")
	}
	return nil
}

type connKey struct{}

// caller is the connection that a method is called from.
func caller(ctx context.Context) *conn { return ctx.Value(connKey{}).(*conn) }

// call runs a method beside the reader and sends its answer.
func (c *conn) call(id int64, name string, args json.RawMessage) {
	m, ok := c.s.methods[name]
	switch {
	case !ok:
		c.out.reply(Reply{ID: id, Error: wireError(fault.New(fault.BadArguments, "there is no method %q", name))})
		return
	case c.role < m.role:
		c.out.reply(Reply{ID: id, Error: wireError(fault.New(fault.Unsupported, "a %s may not do this", c.role))})
		return
	}
	select {
	case c.busy <- struct{}{}:
	default:
		c.out.reply(Reply{ID: id, Error: wireError(fault.New(fault.HostBusy, "too many calls are under way"))})
		return
	}
	c.work.Go(func() {
		defer func() { <-c.busy }()
		ctx, cancel := context.WithTimeout(context.WithValue(c.ctx, connKey{}, c), callWait)
		defer cancel()
		result, err := c.guarded(ctx, name, m, args)
		if err != nil {
			c.out.reply(Reply{ID: id, Error: wireError(err)})
			return
		}
		c.out.reply(Reply{ID: id, Result: result})
		if name == "hello" {
			c.hello.Do(func() { c.work.Go(c.follow) })
		}
	})
}

func (c *conn) guarded(ctx context.Context, name string, m method, args json.RawMessage) (result any, err error) {
	log := c.s.cfg.Log
	defer func() {
		if r := recover(); r != nil {
			log.Error("a method panicked", "method", name, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			err = fault.New(fault.Internal, "something went wrong inside Baton")
		}
		switch {
		case err == nil:
		case fault.From(err).Code == fault.Internal:
			log.Error("a call failed", "method", name, "error", err) // the person is sent here
		default:
			log.Debug("a call was refused", "method", name, "error", err)
		}
	}()
	return m.call(ctx, args)
}

// wireError puts an error into the person's terms.
func wireError(err error) *Error {
	f := fault.From(err)
	return &Error{Code: string(f.Code), Message: sentence(f.Message), Next: f.Code.Person()}
}

// sentence makes a whole sentence of a fault's words.
func sentence(s string) string {
	if s == "" {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(r)) + s[n:]
	if last, _ := utf8.DecodeLastRuneInString(s); unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune(`"')]`, last) {
		s += "."
	}
	return s
}

// fields parts a header at its commas.
func fields(h string) []string {
	var out []string
	for _, f := range strings.Split(h, ",") {
		if f = strings.TrimSpace(f); f != "" {
			out = append(out, f)
		}
	}
	return out
}
