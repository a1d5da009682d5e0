//go:build desktop

package app

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"

	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	desktop "github.com/wailsapp/wails/v2/pkg/runtime"

	"baton/build"
)

// The picture-in-picture window: a program of its own that shows one tab, over
// all other windows.

var tabID = regexp.MustCompile(`^t[0-9]{1,18}$`)

// small describes the window of one tab.
func (w *Window) small() *options.App {
	return &options.App{
		Title: "Baton", Width: 480, Height: 330, MinWidth: 240, MinHeight: 180, AlwaysOnTop: true, Frameless: true,
		BackgroundColour: options.NewRGB(32, 33, 36),
		AssetServer:      &assetserver.Options{Assets: w.config.Files, Middleware: guardWindow},
		Bind:             []any{w},
		OnStartup:        func(ctx context.Context) { w.ctx = ctx; w.watch() },
		Logger:           quietLogger{},
		LogLevel:         logger.ERROR,
		Linux:            &linux.Options{Icon: build.Icon, ProgramName: "baton", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	}
}

// Pip gives the one tab that this window shows; empty for the whole interface.
func (w *Window) Pip() string { return w.config.Pip }

// OpenPip shows a tab in a small window of its own. It stays when this window
// closes, as long as the tab is there.
func (w *Window) OpenPip(id string) error {
	if !tabID.MatchString(id) {
		return fmt.Errorf("%q is no tab", id)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, "pip", "--data-dir", w.config.Data, "--tab", id)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}

// ShowMain brings the whole interface's window forward.
func (w *Window) ShowMain() error {
	ctx, cancel := context.WithTimeout(w.ctx, hostWait)
	defer cancel()
	return w.config.Host.Show(ctx)
}

// Close closes this window.
func (w *Window) Close() { desktop.Quit(w.ctx) }
