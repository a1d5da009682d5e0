package engine

import (
	"strconv"

	"github.com/chromedp/cdproto/emulation"
)

// uaBrands gives the brand list that Chromium of a major version shows: its
// own name and one meaningless brand whose wording, version and place follow
// from the version (Chromium's components/embedder_support/user_agent_utils.cc,
// GenerateBrandVersionList). full has whole versions.
func uaBrands(major, version string) (brands, full []*emulation.UserAgentBrandVersion) {
	seed, err := strconv.Atoi(major)
	if err != nil {
		return nil, nil
	}
	chars := []string{" ", "(", ":", "-", ".", "/", ")", ";", "=", "?", "_"}
	versions := []string{"8", "99", "24"}
	grease := "Not" + chars[seed%len(chars)] + "A" + chars[(seed+1)%len(chars)] + "Brand"
	greaseVersion := versions[seed%len(versions)]
	order := [][2]int{{0, 1}, {1, 0}}[seed%2]
	place := func(g, c string) []*emulation.UserAgentBrandVersion {
		out := make([]*emulation.UserAgentBrandVersion, 2)
		out[order[0]] = &emulation.UserAgentBrandVersion{Brand: grease, Version: g}
		out[order[1]] = &emulation.UserAgentBrandVersion{Brand: "Chromium", Version: c}
		return out
	}
	return place(greaseVersion, major), place(greaseVersion+".0.0.0", version)
}
