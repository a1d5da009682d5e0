package app

import (
	"os"
	"regexp"
	"testing"
)

func TestTheVersionThatIsBuiltSaysWhatItBrings(t *testing.T) {
	first := func(file, pattern string) string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(pattern).FindSubmatch(text)
		if found == nil {
			t.Fatalf("%s names no version", file)
		}
		return string(found[1])
	}
	built := first("../Taskfile.yml", `(?m)^  VERSION: (\S+)$`)
	if told := first("../frontend/src/panels/news/releases.ts", `version: '(.+)'`); told != built {
		t.Errorf("Baton %s is built, and the notes begin with %s", built, told)
	}
}

func TestANewerVersionIsToldOnce(t *testing.T) {
	h := newHost(t)
	for _, step := range []struct{ version, want, why string }{
		{"test", "", "a build without a version"},
		{"0.1.0", "", "a fresh data folder"},
		{"0.1.0", "", "the same version again"},
		{"0.2.0", "0.2.0", "a newer version"},
		{"0.2.0", "", "that was told"},
		{"0.1.0", "", "an older version after a newer"},
		{"0.2.0", "", "the newer one again"},
		{"dev", "", "a build without a version, later"},
		{"0.10.0-rc.1", "0.10.0-rc.1", "the tenth, before its release"},
		{"0.10.0", "0.10.0", "the tenth"},
		{"0.9.0", "", "the ninth is older than the tenth"},
	} {
		h.server.cfg.Version = step.version
		// Two interfaces of one person are told once.
		var first, second Unread
		h.connect().must("news.take", nil, &first)
		h.browser().must("news.take", nil, &second)
		if first.Version != step.want || second.Version != "" {
			t.Errorf("%s: Baton %s tells %q, then %q, want %q once", step.why, step.version, first.Version, second.Version, step.want)
		}
	}
}
