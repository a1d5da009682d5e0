package chromium

import (
	"fmt"
	"strings"
)

// Config says how to start a Chromium.
type Config struct {
	Path    string  // the program; Find gives it
	Profile string  // the user-data folder, made when missing
	Scale   float64 // pixel ratio of frames; 0 means 1
	Proxy   string  // proxy address for every request but loopback; empty is the system's
	Root    bool    // running as root: Chromium's sandbox cannot be used
	Extra   []string
}

// quiet are features that call home, or draw what nobody sees.
var quiet = []string{
	"Translate", "OptimizationHints", "OptimizationGuideModelDownloading", "OptimizationTargetPrediction", "MediaRouter", "DialMediaRouteProvider",
	"InterestFeedContentSuggestions", "CertificateTransparencyComponentUpdater", "AutofillServerCommunication", "PrivacySandboxSettings4",
	"GlobalMediaControls", "ImprovedCookieControls", "LensOverlay", "NetworkTimeServiceQuerying", "AsyncDns", "PaintHolding", "DestroyProfileOnBrowserClose",
	"SafeBrowsingDelayedWarnings", "HttpsUpgrades",
	// Parts of a window that nobody sees; each would cost a renderer.
	"WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
}

// args gives the command line after the program's name.
func (c Config) args() []string {
	scale := c.Scale
	if scale <= 0 {
		scale = 1
	}
	a := []string{
		"--headless=new",
		"--remote-debugging-pipe",
		"--user-data-dir=" + c.Profile,
		"--no-first-run", "--no-default-browser-check", "--no-startup-window",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
		"--disable-extensions", "--disable-domain-reliability", "--disable-client-side-phishing-detection", "--disable-breakpad",
		"--disable-search-engine-choice-screen", "--disable-prompt-on-repost", "--disable-hang-monitor", "--no-pings", "--no-service-autorun",
		// One component asks for updates in spite of --disable-component-update;
		// nothing listens at this address.
		"--component-updater=url-source=http://127.0.0.1:1/", "--gaia-url=http://127.0.0.1:1/", "--allow-browser-signin=false",
		"--metrics-recording-only", "--password-store=basic", "--use-mock-keychain",
		"--disable-blink-features=AutomationControlled",
		"--disable-features=" + strings.Join(quiet, ","),
		"--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding", "--disable-background-timer-throttling",
		"--disable-gpu",
		"--hide-scrollbars",
		// Its preview waits for a person who never sees it, and the page cannot be
		// printed meanwhile.
		"--disable-print-preview",
		// A tab behind another one tells scripts 87 less than the window's height as
		// its outer one: with this a usual frame round the usual 720.
		"--window-size=1280,894",
		// The screen that pages see: a usual one, in its own pixels.
		fmt.Sprintf("--screen-info={%.0fx%.0f}", 1920*scale, 1080*scale),
		fmt.Sprintf("--force-device-scale-factor=%g", scale),
	}
	if c.Proxy != "" {
		a = append(a, "--proxy-server="+c.Proxy)
	}
	if c.Root {
		a = append(a, "--no-sandbox", "--test-type")
	}
	return append(a, c.Extra...)
}
