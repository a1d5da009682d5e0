package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// made gives the path of a package, without its ending; the task "package" says
// it once it has made them.
func made(t *testing.T) string {
	p := os.Getenv("BATON_PACKAGES")
	if p == "" {
		t.Skip("the task package runs this on what it made")
	}
	return p
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

// alone gives a command that sees no Chromium of the system's.
func alone(ctx context.Context, program string, args ...string) *exec.Cmd {
	hide := `for d in /usr/lib/chromium /opt/google; do [ ! -d $d ] || mount -t tmpfs none $d || exit 1; done
for p in chromium chromium-browser google-chrome google-chrome-stable microsoft-edge-stable; do [ ! -e /usr/bin/$p ] || mount --bind /dev/null /usr/bin/$p || exit 1; done
exec "$@"`
	own := []string{"--mount"}
	if os.Geteuid() != 0 {
		own = append(own, "--map-root-user")
	}
	cmd := exec.CommandContext(ctx, "unshare", append(append(own, "sh", "-c", hide, "sh", program), args...)...)
	cmd.Env = append(os.Environ(), "BATON_CHROMIUM=")
	return cmd
}

// What a package holds finds its own Chromium and shows a page with it.
func works(t *testing.T, folder string) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>Packed</title><h1>Packed</h1><p id=p></p><script>p.textContent = 'sum ' + (40 + 2)</script>`)
	}))
	t.Cleanup(site.Close)
	data := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	program := filepath.Join(folder, "baton")
	out, err := alone(ctx, program, "doctor", "--data-dir", data).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "("+filepath.Join(folder, "chromium", "chromium")+")") {
		t.Fatalf("doctor: %v\n%s", err, out)
	}
	t.Logf("%s", out)
	s, err := sdk.NewClient(&sdk.Implementation{Name: "packed", Version: "1"}, nil).
		Connect(ctx, &sdk.CommandTransport{Command: alone(ctx, program, "mcp", "--data-dir", data)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "browser_open", Arguments: map[string]any{"url": site.URL}})
	if err != nil || r.IsError {
		t.Fatalf("%+v %v", r, err)
	}
	if text, _ := r.Content[0].(*sdk.TextContent); text == nil || !strings.Contains(text.Text, "sum 42") {
		t.Errorf("the page is %+v", r.Content[0])
	}
}

func TestTheDebianPackageBrowsesWithItsOwnChromium(t *testing.T) {
	deb := made(t) + ".deb"
	list := output(t, "dpkg-deb", "--contents", deb)
	for _, want := range []string{"-rwsr-xr-x root/root", "./usr/lib/baton/chromium/chrome-sandbox", "./usr/share/doc/baton/chromium.copyright", "./usr/lib/baton/chromium/copyright", "./usr/bin/baton -> "} {
		if !strings.Contains(list, want) {
			t.Errorf("it has no %s", want)
		}
	}
	for line := range strings.Lines(list) {
		if strings.Contains(line, "rws") != strings.Contains(line, "/chrome-sandbox") {
			t.Errorf("the mode is wrong: %s", line)
		}
	}
	needs := output(t, "dpkg-deb", "--field", deb, "Depends")
	if !strings.Contains(needs, "libnss3 (>= ") || !strings.Contains(needs, "libwebkit2gtk-4.1-0") || strings.Contains(needs, "chrom") {
		t.Errorf("it depends on %s", needs)
	}
	t.Logf("Installed-Size: %s", output(t, "dpkg-deb", "--field", deb, "Installed-Size"))
	root := t.TempDir()
	output(t, "dpkg-deb", "--extract", deb, root)
	works(t, filepath.Join(root, "usr/lib/baton"))
}

func TestThePortableTarBrowsesWithItsOwnChromium(t *testing.T) {
	root := t.TempDir()
	output(t, "tar", "--extract", "--file", made(t)+".tar.gz", "--directory", root)
	works(t, filepath.Join(root, "baton"))
}
