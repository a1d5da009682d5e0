package cli

import (
	"context"
	"errors"

	"baton/backend"
)

// ui serves the user interface for the host.
type ui struct {
	version string
	b       *backend.Backend
}

func newUI(version string) *ui { return &ui{version: version} }

func (u *ui) use(b *backend.Backend) { u.b = b }

// Owns tells Baton's own addresses, which agents never open.
func (u *ui) Owns(string) bool { return false }

// Endpoint satisfies backend.UI.
func (u *ui) Endpoint(context.Context, int) (url, token, code string, err error) {
	return "", "", "", errors.New("this build serves no user interface")
}

// Show satisfies backend.UI.
func (u *ui) Show() {}

func (u *ui) close() {}
