package chromium

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"time"
)

var versionText = regexp.MustCompile(`\d+\.\d+\.\d+\.\d+`)

var versions struct {
	sync.Mutex
	known map[string]string // "path mtime size" -> version
}

// Version gives a Chromium's version, such as "156.0.8078.114", by asking the
// program; the answer is kept until the program changes.
func Version(ctx context.Context, path string) (string, error) {
	st, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	key := fmt.Sprint(path, st.ModTime().UnixNano(), st.Size())
	versions.Lock()
	v := versions.known[key]
	versions.Unlock()
	if v != "" {
		return v, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, _ := exec.CommandContext(ctx, path, "--product-version").Output() // not every Chromium knows it
	if v = versionText.FindString(string(out)); v == "" {
		if out, err = exec.CommandContext(ctx, path, "--version").Output(); err != nil {
			return "", fmt.Errorf("asking %s for its version: %w", path, err)
		}
		if v = versionText.FindString(string(out)); v == "" {
			return "", fmt.Errorf("%s names no version: is it a Chromium?", path)
		}
	}
	versions.Lock()
	defer versions.Unlock()
	if versions.known == nil {
		versions.known = map[string]string{}
	}
	versions.known[key] = v
	return v, nil
}
