//go:build desktop

package app

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	desktop "github.com/wailsapp/wails/v2/pkg/runtime"

	"baton/backend/page"
	"baton/build"
)

// hostWait bounds what the window asks of the host.
const hostWait = 25 * time.Second

// Host is the host as the window needs it.
type Host interface {
	// Endpoint gives the address of the interface's socket and the token for it.
	Endpoint(ctx context.Context) (url, token string, err error)
	// Agents gives how many agents are connected.
	Agents(ctx context.Context) (int, error)
	// Background says whether the host goes on without a window.
	Background(ctx context.Context, on bool) error
	// Show brings the whole interface's window forward.
	Show(ctx context.Context) error
	// Stop ends the host and with it the agents' work.
	Stop(ctx context.Context) error
}

// WindowConfig is what a window needs.
type WindowConfig struct {
	Host  Host
	Files fs.FS  // the built interface
	Data  string // the data folder, where the window's size is kept
	Pip   string // the one tab that a small window over all others shows; empty is the whole interface
}

// Endpoint is where the page's socket is, and what signs it in.
type Endpoint struct {
	URL   string `json:"url"`
	Token string `json:"token"`
}

// Window is what the page in the window can call: only what is native.
type Window struct {
	ctx    context.Context
	config WindowConfig
	under  underlay
}

// RunWindow shows the window until it is closed. Call it on the main goroutine.
func RunWindow(config WindowConfig) error {
	w := &Window{config: config}
	if config.Pip != "" {
		return wails.Run(w.small())
	}
	place := loadPlace(config.Data)
	return wails.Run(&options.App{
		Title: "Baton", Width: place.Width, Height: place.Height, MinWidth: minWidth, MinHeight: minHeight,
		WindowStartState: map[bool]options.WindowStartState{true: options.Maximised}[place.Maximised],
		BackgroundColour: options.NewRGB(32, 33, 36),
		AssetServer:      &assetserver.Options{Assets: config.Files, Middleware: guardWindow},
		Bind:             []any{w},
		OnStartup:        func(ctx context.Context) { w.ctx = ctx; w.watch() },
		OnBeforeClose:    w.closing,
		Logger:           quietLogger{},
		LogLevel:         logger.ERROR,
		// Drawing by the processor is what works with every driver, and the page
		// in the window is pictures anyway.
		Linux: &linux.Options{Icon: build.Icon, ProgramName: "baton", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	})
}

// guardWindow sets the headers that keep the window's page to itself.
func guardWindow(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "+
			"connect-src 'self' ws://127.0.0.1:*; object-src 'none'; base-uri 'none'; form-action 'none'")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		next.ServeHTTP(w, r)
	})
}

// Endpoint gives the host's socket and what signs the page in.
func (w *Window) Endpoint() (Endpoint, error) {
	ctx, cancel := context.WithTimeout(w.ctx, hostWait)
	defer cancel()
	url, token, err := w.config.Host.Endpoint(ctx)
	return Endpoint{url, token}, err
}

// Notify tells the person something while the window is not in front.
func (w *Window) Notify(title, body string) { notify(w.ctx, title, body) }

// OpenExternal opens a web address in the system's own browser.
func (w *Window) OpenExternal(url string) error {
	if !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		return fmt.Errorf("only web addresses are opened outside Baton")
	}
	desktop.BrowserOpenURL(w.ctx, url)
	return nil
}

// OpenProgram has the system's program for an address open it, such as mailto:.
func (w *Window) OpenProgram(url string) error {
	if !page.Opens(url) {
		return fmt.Errorf("that address is for no other program")
	}
	return w.opener(url)
}

// FileAsk is a page's request for files.
type FileAsk struct {
	Title    string   `json:"title"`
	Multiple bool     `json:"multiple"`
	Folder   bool     `json:"folder"`
	Accept   []string `json:"accept"` // as a page writes it
	Kinds    string   `json:"kinds"`  // what files of these kinds are called
	All      string   `json:"all"`    // what all files are called
}

// ChooseFiles asks the person for files by the system's own dialog. None are
// given when they cancel it.
func (w *Window) ChooseFiles(a FileAsk) ([]string, error) {
	o := desktop.OpenDialogOptions{Title: a.Title}
	if p := patterns(a.Accept); len(p) > 0 {
		o.Filters = []desktop.FileFilter{{DisplayName: a.Kinds, Pattern: strings.Join(p, ";")}, {DisplayName: a.All, Pattern: "*"}}
	}
	if a.Multiple && !a.Folder {
		return desktop.OpenMultipleFilesDialog(w.ctx, o)
	}
	open := desktop.OpenFileDialog
	if a.Folder {
		o.Filters, open = nil, desktop.OpenDirectoryDialog
	}
	path, err := open(w.ctx, o)
	if err != nil || path == "" {
		return nil, err
	}
	return []string{path}, nil
}

// FillScreen gives the window the whole screen, or its place again.
func (w *Window) FillScreen(on bool) {
	if on {
		desktop.WindowFullscreen(w.ctx)
	} else {
		desktop.WindowUnfullscreen(w.ctx)
	}
}

// Raise brings the window to the front.
func (w *Window) Raise() {
	desktop.WindowUnminimise(w.ctx)
	desktop.WindowShow(w.ctx)
}

// closing runs before the window closes; true keeps it open. With agents at
// work the person says whether they go on.
func (w *Window) closing(ctx context.Context) (keep bool) {
	width, height := desktop.WindowGetSize(ctx)
	savePlace(w.config.Data, place{Width: width, Height: height, Maximised: desktop.WindowIsMaximised(ctx)})
	ask, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	n, err := w.config.Host.Agents(ask)
	if err != nil || n == 0 {
		return false
	}
	title, message := "Stop the agent too?", "An agent is connected to Baton. Stop it too? If not, it goes on in the background, without the window."
	if n > 1 {
		title = "Stop the agents too?"
		message = fmt.Sprintf("%d agents are connected to Baton. Stop them too? If not, they go on in the background, without the window.", n)
	}
	// "No" is what a careless Enter takes, and it breaks nothing off.
	const no, yes = "No", "Yes"
	answer, err := desktop.MessageDialog(ctx, desktop.MessageDialogOptions{
		Type: desktop.QuestionDialog, Title: title, Message: message, Buttons: []string{no, yes}, DefaultButton: no,
	})
	if err != nil {
		return false
	}
	ask, cancel = context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	switch answer {
	case no:
		_ = w.config.Host.Background(ask, true)
		return false
	case yes:
		_ = w.config.Host.Stop(ask)
		return false
	}
	return true // the question was closed: nothing happens
}

// quietLogger keeps Wails's own messages off the terminal.
type quietLogger struct{}

func (quietLogger) Print(string)   {}
func (quietLogger) Trace(string)   {}
func (quietLogger) Debug(string)   {}
func (quietLogger) Info(string)    {}
func (quietLogger) Warning(string) {}
func (quietLogger) Error(string)   {}
func (quietLogger) Fatal(string)   {}
