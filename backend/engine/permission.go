package engine

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/browser"

	"baton/backend/cdp"
)

// Permission is what one origin may do: its pages, when they are what a tab
// shows. Chromium refuses everything else without asking anybody.
type Permission struct {
	Origin  string
	Name    string // geolocation, notifications, clipboard-read, camera, microphone
	Setting string // allow, deny; "" is the default
}

// Permit applies a permission at once, where Chromium runs. A page keeps what
// it was told before until it is loaded again.
func (e *Engine) Permit(ctx context.Context, p Permission) error {
	e.mu.Lock()
	r := e.run
	e.mu.Unlock()
	if r == nil {
		return nil
	}
	return permit(ctx, r.proc.Conn.Browser(), p)
}

func permit(ctx context.Context, b *cdp.Session, p Permission) error {
	setting := map[string]browser.PermissionSetting{
		"allow": browser.PermissionSettingGranted, "deny": browser.PermissionSettingDenied, "": browser.PermissionSettingPrompt,
	}[p.Setting]
	err := b.Call(ctx, "Browser.setPermission", browser.SetPermissionParams{
		Permission: &browser.PermissionDescriptor{Name: p.Name}, Setting: setting, Origin: p.Origin,
	}, nil)
	if err != nil {
		return fmt.Errorf("the permission %s of %s: %w", p.Name, p.Origin, err)
	}
	return nil
}
