// Command gen writes the files that are generated from Go and committed: the
// wire's TypeScript types, and the documents of errors and tools. Run it from
// the repository's root (`go tool task gen`). A file that would not change is
// left alone.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"baton/backend/agenttools"
	"baton/backend/fault"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run() error {
	sources, err := wireFiles()
	if err != nil {
		return err
	}
	types, index, err := typescript(sources)
	if err != nil {
		return err
	}
	tools, err := toolsDocument(entries(agenttools.Tools()))
	if err != nil {
		return err
	}
	texts := map[string]string{
		"frontend/src/lib/wire.ts": index,
		"docs/errors.md":           errorsDocument(fault.Table),
		"docs/tools.md":            tools,
	}
	for name, text := range types {
		texts["frontend/src/lib/wire/"+name+".ts"] = text
	}
	for path, text := range texts {
		if err := write(path, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// write replaces a file whose content differs.
func write(path string, content []byte) error {
	old, err := os.ReadFile(path)
	if err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}
