//go:build desktop

package app

import (
	"context"
	"net/url"
	"os"
	"time"

	"github.com/godbus/dbus/v5"
)

// showInFolder has the desktop's file manager show a file; false where none
// answers.
func showInFolder(ctx context.Context, path string) bool {
	address := os.Getenv("DBUS_SESSION_BUS_ADDRESS")
	if address == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	bus, err := dbus.Connect(address, dbus.WithContext(ctx))
	if err != nil {
		return false
	}
	defer bus.Close()
	file := url.URL{Scheme: "file", Path: path}
	return bus.Object("org.freedesktop.FileManager1", "/org/freedesktop/FileManager1").CallWithContext(ctx,
		"org.freedesktop.FileManager1.ShowItems", 0, []string{file.String()}, "").Err == nil
}

// notify shows a notification by the desktop's own service. Without a session
// bus there is none, and none is started.
func notify(ctx context.Context, title, body string) {
	address := os.Getenv("DBUS_SESSION_BUS_ADDRESS")
	if address == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	bus, err := dbus.Connect(address, dbus.WithContext(ctx))
	if err != nil {
		return
	}
	defer bus.Close()
	_ = bus.Object("org.freedesktop.Notifications", "/org/freedesktop/Notifications").CallWithContext(ctx,
		"org.freedesktop.Notifications.Notify", 0,
		"Baton", uint32(0), "baton", title, body, []string{}, map[string]dbus.Variant{}, int32(-1)).Err
}
