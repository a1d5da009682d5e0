package engine

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/chromedp/cdproto/emulation"

	"baton/backend/page"
)

// identity gives what pages see of this Chromium: what a person's own browser
// of that version shows, without a word of headless (P7). Brands follow
// Chromium's own list for the version; see uaBrands.
func identity(version string) page.Identity {
	major, _, _ := strings.Cut(version, ".")
	system, platform := "X11; Linux x86_64", "Linux"
	switch runtime.GOOS {
	case "darwin":
		system, platform = "Macintosh; Intel Mac OS X 10_15_7", "macOS"
	case "windows":
		system, platform = "Windows NT 10.0; Win64; x64", "Windows"
	}
	arch, bits := "x86", "64"
	if runtime.GOARCH == "arm64" {
		arch = "arm"
	}
	_ = arch
	id := page.Identity{
		UserAgent: fmt.Sprintf("Mozilla/5.0 (%s) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s.0.0.0 Safari/537.36", system, major),
		Language:  acceptLanguage(os.Getenv("LANGUAGE"), os.Getenv("LC_ALL"), os.Getenv("LANG")),
	}
	brands, full := uaBrands(major, version)
	id.Metadata = &emulation.UserAgentMetadata{
		Brands: brands, FullVersionList: full, Platform: platform, Architecture: arch, Bitness: bits, FormFactors: []string{"Desktop"},
	}
	return id
}

// acceptLanguage gives a person's languages as Chrome sends them: each with its
// base language, weighted.
func acceptLanguage(env ...string) string {
	var tags []string
	seen := map[string]bool{}
	add := func(tag string) {
		if tag != "" && !seen[tag] {
			seen[tag] = true
			tags = append(tags, tag)
		}
	}
	for _, v := range env {
		for _, l := range strings.Split(v, ":") {
			l, _, _ = strings.Cut(l, ".")
			l, _, _ = strings.Cut(l, "@")
			if l == "" || l == "C" || l == "POSIX" {
				continue
			}
			tag := strings.ReplaceAll(l, "_", "-")
			base, _, _ := strings.Cut(tag, "-")
			add(tag)
			add(base)
		}
		if len(tags) > 0 {
			break
		}
	}
	if len(tags) == 0 {
		tags = []string{"en-US", "en"}
	}
	return strings.Join(tags, ",")
}
