// Command package readies what the packages of Baton bundle: it copies Debian's
// Chromium into .cache/package/chromium, and writes .cache/package/nfpm.yaml,
// which is build/package/nfpm.yaml with the packages that this Chromium needs.
// The task "package" makes the packages of these.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const (
	installed = "/usr/lib/chromium"
	copyright = "/usr/share/doc/chromium/copyright"
	out       = ".cache/package"
	// helper is a program of root's that sets the sandbox up where user
	// namespaces are off; the package gives it its mode.
	helper = "chrome-sandbox"
	marker = "  - CHROMIUM_DEPENDS\n"
)

// left are parts that only developers of Chromium use, and the folder of
// extensions, which is the computer's own.
var left = []string{"extensions", "libVkLayer_khronos_validation.so", "libVkICD_mock_icd.so"}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "package:", err)
		os.Exit(1)
	}
}

func run() error {
	version, depends, err := debian()
	if err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := stage(filepath.Join(out, "chromium"), version); err != nil {
		return err
	}
	config, err := os.ReadFile("build/package/nfpm.yaml")
	if err != nil {
		return err
	}
	var lines strings.Builder
	for _, d := range depends {
		fmt.Fprintf(&lines, "  - %q\n", d)
	}
	if !strings.Contains(string(config), marker) {
		return errors.New("build/package/nfpm.yaml does not say where Chromium's dependencies go")
	}
	return os.WriteFile(filepath.Join(out, "nfpm.yaml"), []byte(strings.Replace(string(config), marker, lines.String(), 1)), 0o600)
}

// debian gives the version of the installed Chromium and the packages that it
// and its parts need, beside its own.
func debian() (version string, depends []string, err error) {
	names := []string{"chromium", "chromium-common", "chromium-sandbox"}
	for _, name := range names {
		b, err := exec.Command("dpkg-query", "--show", "--showformat=${Version}\t${Depends}", name).Output()
		if err != nil {
			return "", nil, fmt.Errorf("the package %s, which is bundled, is not installed: apt install %s", name, strings.Join(names, " "))
		}
		v, needs, _ := strings.Cut(string(b), "\t")
		if version == "" {
			version = v
		}
		if v != version {
			return "", nil, fmt.Errorf("%s is of version %s, and %s of %s", names[0], version, name, v)
		}
		for _, d := range strings.Split(needs, ",") {
			if d = strings.TrimSpace(d); d != "" && !strings.HasPrefix(d, "chromium-common") && !slices.Contains(depends, d) {
				depends = append(depends, d)
			}
		}
	}
	slices.Sort(depends)
	return version, depends, nil
}

// stage copies what is shipped of Chromium into a folder.
func stage(to, version string) error {
	err := filepath.WalkDir(installed, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(installed, path)
		if err != nil {
			return err
		}
		switch {
		case slices.Contains(left, rel) && e.IsDir():
			return fs.SkipDir
		case rel == helper:
			return copyFile(path, filepath.Join(out, helper))
		case slices.Contains(left, rel), strings.HasSuffix(rel, ".TOC"):
			return nil
		case e.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		return copyFile(path, filepath.Join(to, rel))
	})
	if err != nil {
		return err
	}
	for _, name := range []string{filepath.Join(to, "chromium"), filepath.Join(out, helper)} {
		if _, err := os.Stat(name); err != nil {
			return fmt.Errorf("%s has no %s", installed, filepath.Base(name))
		}
	}
	if err := copyFile(copyright, filepath.Join(to, "copyright")); err != nil {
		return err
	}
	source := "This is Chromium " + version + " as Debian builds it, without its debugging layers.\n" +
		"Its licences are in the file copyright. Its source: https://snapshot.debian.org/package/chromium/" + version + "/\n"
	return os.WriteFile(filepath.Join(to, "README"), []byte(source), 0o644)
}

// copyFile copies a file, to be read by all and run where it could be.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	st, err := in.Stat()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644|st.Mode()&0o111)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, in)
	return errors.Join(err, f.Close())
}
