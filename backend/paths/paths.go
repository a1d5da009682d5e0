// Package paths says where Baton keeps things: the data folder by the system's
// convention, and the private socket that belongs to a data folder.
package paths

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// EnvData names the variable that overrides the default data folder.
const EnvData = "BATON_DATA_DIR"

// Data gives the data folder: explicit, else from the environment, else the
// system's convention. It is absolute, exists and is private (0700).
func Data(explicit string) (string, error) {
	dir := explicit
	if dir == "" {
		dir = os.Getenv(EnvData)
	}
	if dir == "" {
		base, err := dataHome()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(base, "baton")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("data folder: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("data folder: %w", err)
	}
	return dir, nil
}

func dataHome() (string, error) {
	if runtime.GOOS == "linux" {
		if d := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(d) {
			return d, nil
		}
		home, err := os.UserHomeDir()
		return filepath.Join(home, ".local", "share"), err
	}
	return os.UserConfigDir()
}

// maxSocket is the longest path that a unix socket may have everywhere.
const maxSocket = 100

// Socket gives the path of the data folder's private socket. It lies in the
// folder itself or, where that path is too long for a socket, in a private
// folder of the user's in the temporary directory.
func Socket(data string) (string, error) {
	p := filepath.Join(data, "run", "host.sock")
	if len(p) > maxSocket {
		// Not TMPDIR or the runtime folder: programs that an agent starts may
		// lack those variables and must find the same socket.
		base := filepath.Join("/tmp", fmt.Sprintf("baton-%d", os.Getuid()))
		sum := sha256.Sum256([]byte(data))
		p = filepath.Join(base, hex.EncodeToString(sum[:8]), "host.sock")
		if err := private(base); err != nil {
			return "", err
		}
	}
	return p, private(filepath.Dir(p))
}

// private makes dir with mode 0700 and refuses one that somebody else owns or
// that is a link.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("socket folder: %w", err)
	}
	st, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("socket folder: %w", err)
	}
	if !st.IsDir() || !ownedByMe(st) {
		return fmt.Errorf("socket folder %s belongs to somebody else", dir)
	}
	return os.Chmod(dir, 0o700)
}
