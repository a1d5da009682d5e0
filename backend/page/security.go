package page

import (
	"context"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/cdp"
	"baton/backend/fault"
)

// Security is what is known of the connection that a document came over.
type Security struct {
	State    string // secure, insecure, neutral, unknown; "" before a document came
	Protocol string // "TLS 1.3"
	Subject  string
	Issuer   string
	From, To int64  // of the certificate, Unix seconds
	Error    string // the net::ERR_ name of what is wrong with it, when the person went past that

	document cdproto.LoaderID
}

// Trust holds the sites that the person opened in spite of their certificate,
// until Baton closes. The zero Trust is ready.
type Trust struct {
	mu    sync.Mutex
	sites map[string]string // host and port -> the net::ERR_ name that was gone past
}

func (t *Trust) of(site string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sites[site]
}

func (t *Trust) add(site, name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sites == nil {
		t.sites = map[string]string{}
	}
	t.sites[site] = name
}

// passable are the problems with a certificate that a person may go past.
var passable = map[string]bool{
	"net::ERR_CERT_DATE_INVALID": true, "net::ERR_CERT_AUTHORITY_INVALID": true, "net::ERR_CERT_COMMON_NAME_INVALID": true,
	"net::ERR_CERT_WEAK_SIGNATURE_ALGORITHM": true, "net::ERR_CERT_VALIDITY_TOO_LONG": true,
}

// Personal sets what tells whether the page is the person's to decide on: the
// person's own, or one that they hold. Until it is set the page is not.
func (p *Page) Personal(f func() bool) {
	p.mu.Lock()
	p.personal = f
	p.mu.Unlock()
}

// personally tells whether what the page loads now is the person's doing.
func (p *Page) personally() bool {
	p.mu.Lock()
	agent, f := p.dialogFor, p.personal
	p.mu.Unlock()
	return agent == "" && f != nil && f()
}

// distrust refuses a document of a site with a bad certificate that the person
// opened all the same, unless it is the person who loads it here: Chromium would
// use the connection again without a question. It also has Chromium ask about
// certificates while a site is loaded that the person decided on.
func (p *Page) distrust(s *cdp.Session, e fetch.EventRequestPaused) bool {
	if e.ResourceType != network.ResourceTypeDocument || e.Request == nil || s != p.sess {
		return false
	}
	u, err := url.Parse(e.Request.URL)
	if err != nil {
		return false
	}
	name, main := "", e.FrameID == p.root
	if u.Scheme == "https" {
		name = p.cfg.Trust.of(u.Host)
	}
	if name != "" && !p.personally() {
		if main {
			p.mu.Lock()
			p.distrusted = name
			p.mu.Unlock()
		}
		_, _ = s.Send(context.Background(), "Fetch.failRequest", fetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: network.ErrorReasonFailed})
		return true
	}
	if want := name != ""; main && want != p.overriding {
		p.overriding = want
		_, _ = s.Send(context.Background(), "Security.setOverrideCertificateErrors", map[string]any{"override": want})
	}
	return false
}

// certificateError answers Chromium's question about a certificate.
func (p *Page) certificateError(s *cdp.Session, ev cdp.Event) {
	e, ok := cdp.Decode[struct {
		EventID   int64  `json:"eventId"`
		ErrorType string `json:"errorType"`
		URL       string `json:"requestURL"`
	}](ev)
	if !ok {
		return
	}
	action := "cancel"
	if u, err := url.Parse(e.URL); err == nil && p.cfg.Trust.of(u.Host) == "net::"+e.ErrorType && p.personally() {
		action = "continue"
	}
	_, _ = s.Send(context.Background(), "Security.handleCertificateError", map[string]any{"eventId": e.EventID, "action": action})
}

// refused gives the reason of a failed load: of one that Baton refused for its
// certificate the certificate's, else what Chromium said.
func (p *Page) refused(name string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.distrusted != "" {
		return p.distrusted
	}
	return name
}

// certificate is a site's, as Chromium tells it.
type certificate struct {
	Protocol    string  `json:"protocol"`
	SubjectName string  `json:"subjectName"`
	Issuer      string  `json:"issuer"`
	ValidFrom   float64 `json:"validFrom"`
	ValidTo     float64 `json:"validTo"`
}

// secured notes the connection that the main frame's document comes over.
func (p *Page) secured(document cdproto.LoaderID, address, state string, c *certificate) {
	sec := &Security{State: state, document: document}
	if c != nil {
		sec.Protocol, sec.Subject, sec.Issuer, sec.From, sec.To = c.Protocol, c.SubjectName, c.Issuer, int64(c.ValidFrom), int64(c.ValidTo)
	}
	if u, err := url.Parse(address); err == nil && state == "insecure" && u.Scheme == "https" {
		sec.Error = p.cfg.Trust.of(u.Host)
	}
	p.mu.Lock()
	p.responded = sec
	f := p.frames[p.root]
	here := f != nil && f.loader == document
	p.mu.Unlock()
	if here {
		p.update(func(st *State) { st.Security = *sec })
	}
}

// OpenAnyway loads a page that failed for its certificate all the same, for the
// person alone, and remembers that for the site until Baton closes.
func (p *Page) OpenAnyway(ctx context.Context) error {
	st, _ := p.State.Get()
	if err := p.MayOpenAnyway(ctx); err != nil {
		return err
	}
	u, err := url.Parse(st.URL)
	if err != nil {
		return err
	}
	p.cfg.Trust.add(u.Host, st.Failed)
	_, err = p.Navigate(ctx, st.URL)
	// The connection closed before the request went out, as when the site turns
	// away who has no client certificate: a new one tells why.
	if now, _ := p.State.Get(); err != nil && now.Failed == "net::ERR_SOCKET_NOT_CONNECTED" {
		_, err = p.Navigate(ctx, st.URL)
	}
	return err
}

// MayOpenAnyway tells whether the person may go past the problem with the
// site's certificate; the fault says why not.
func (p *Page) MayOpenAnyway(ctx context.Context) error {
	st, _ := p.State.Get()
	u, err := url.Parse(st.URL)
	switch {
	case err != nil || u.Scheme != "https" || !passable[st.Failed]:
		return fault.New(fault.Unsupported, "there is no way past this problem with the certificate")
	}
	strict, err := p.strict(ctx, u.Hostname())
	if err != nil {
		return err
	}
	if strict {
		return fault.New(fault.Unsupported, "%s has said that it is never to be opened without a good certificate (HSTS)", u.Hostname())
	}
	return nil
}

// strict tells whether a host insists on good certificates (HSTS). Chromium
// says it by where it sends a request for http: itself, before anything goes
// out; the network is off for the page meanwhile.
func (p *Page) strict(ctx context.Context, host string) (bool, error) {
	if net.ParseIP(strings.Trim(host, "[]")) != nil {
		return false, nil
	}
	ctx, cancel := p.bind(ctx)
	defer cancel()
	ctx, stop := soon(ctx, 5*time.Second)
	defer stop()
	network := func(ctx context.Context, off bool) error {
		return p.sess.Call(ctx, "Network.emulateNetworkConditions", map[string]any{"offline": off, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}, nil)
	}
	if err := network(ctx, true); err != nil {
		return false, p.explain(ctx, err)
	}
	defer func() {
		ctx, cancel := soon(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		_ = network(ctx, false)
	}()
	sent, unsubscribe := p.sess.Subscribe("Network.requestWillBeSent")
	defer unsubscribe()
	asked := "http://" + host + "/"
	yes := true
	err := p.sess.Call(ctx, "Runtime.evaluate", runtime.EvaluateParams{
		Expression: "fetch(" + strconv.Quote(asked) + ",{mode:'no-cors',credentials:'omit',cache:'no-store'}).then(()=>0,()=>0)", AwaitPromise: &yes,
	}, nil)
	if err != nil {
		return false, p.explain(ctx, err)
	}
	last := time.NewTimer(200 * time.Millisecond) // the events are read beside the answer
	defer last.Stop()
	for {
		select {
		case v, ok := <-sent:
			if !ok {
				return false, nil
			}
			e, ok := cdp.Decode[struct {
				Redirect *struct {
					URL     string            `json:"url"`
					Status  int               `json:"status"`
					Headers map[string]string `json:"headers"`
				} `json:"redirectResponse"`
			}](cdp.Event{Method: "Network.requestWillBeSent", Params: v})
			if ok && e.Redirect != nil && e.Redirect.URL == asked && e.Redirect.Status == 307 {
				return true, nil
			}
		case <-last.C:
			return false, nil
		case <-ctx.Done():
			return false, p.explain(ctx, context.Cause(ctx))
		}
	}
}

// tlsFault says what is wrong with a site's certificate or encryption.
func tlsFault(name, host string) *fault.Fault {
	bare := strings.TrimPrefix(name, "net::")
	why, ok := map[string]string{
		"ERR_CERT_DATE_INVALID":                         "the certificate of %s has expired or is not valid yet",
		"ERR_CERT_AUTHORITY_INVALID":                    "the certificate of %s comes from an issuer that this computer does not know",
		"ERR_CERT_COMMON_NAME_INVALID":                  "the certificate of %s was issued for another site",
		"ERR_CERT_REVOKED":                              "the certificate of %s was revoked by its issuer",
		"ERR_CERT_INVALID":                              "the certificate of %s is damaged",
		"ERR_CERT_WEAK_SIGNATURE_ALGORITHM":             "the certificate of %s is signed in a way that can be forged",
		"ERR_CERT_WEAK_KEY":                             "the certificate of %s has a key that is too weak",
		"ERR_CERT_VALIDITY_TOO_LONG":                    "the certificate of %s is valid for longer than is allowed",
		"ERR_CERT_NAME_CONSTRAINT_VIOLATION":            "the issuer of the certificate of %s may not issue it for this name",
		"ERR_CERTIFICATE_TRANSPARENCY_REQUIRED":         "the certificate of %s is in no public log",
		"ERR_SSL_PINNED_KEY_NOT_IN_CERT_CHAIN":          "the certificate of %s is not the one that the site has promised",
		"ERR_SSL_PROTOCOL_ERROR":                        "%s does not speak TLS as browsers do",
		"ERR_SSL_VERSION_OR_CIPHER_MISMATCH":            "%s offers only kinds of encryption that browsers no longer use",
		"ERR_SSL_CLIENT_AUTH_CERT_NEEDED":               "%s asks for a client certificate, which Baton cannot give; open the site in another browser",
		"ERR_BAD_SSL_CLIENT_AUTH_CERT":                  "%s asks for a client certificate, which Baton cannot give; open the site in another browser",
		"ERR_SSL_CLIENT_AUTH_SIGNATURE_FAILED":          "%s asks for a client certificate, which Baton cannot give; open the site in another browser",
		"ERR_SSL_CLIENT_AUTH_NO_COMMON_ALGORITHMS":      "%s asks for a client certificate, which Baton cannot give; open the site in another browser",
		"ERR_SSL_UNRECOGNIZED_NAME_ALERT":               "%s does not know itself by this name",
		"ERR_SSL_OBSOLETE_VERSION":                      "%s offers only kinds of encryption that browsers no longer use",
		"ERR_SSL_BAD_RECORD_MAC_ALERT":                  "the encryption with %s broke down",
		"ERR_SSL_DECRYPT_ERROR_ALERT":                   "the encryption with %s broke down",
		"ERR_SSL_KEY_USAGE_INCOMPATIBLE":                "the certificate of %s is not meant for web sites",
		"ERR_CERT_UNABLE_TO_CHECK_REVOCATION":           "whether the certificate of %s was revoked cannot be found out",
		"ERR_CERT_NO_REVOCATION_MECHANISM":              "whether the certificate of %s was revoked cannot be found out",
		"ERR_CERT_CONTAINS_ERRORS":                      "the certificate of %s is damaged",
		"ERR_CERT_NON_UNIQUE_NAME":                      "the certificate of %s is for a name that many computers have",
		"ERR_CERT_KNOWN_INTERCEPTION_BLOCKED":           "the certificate of %s is one that is used to listen in",
		"ERR_CERT_SYMANTEC_LEGACY":                      "the certificate of %s comes from an issuer that is no longer trusted",
		"ERR_CERT_SELF_SIGNED_LOCAL_NETWORK":            "the certificate of %s was issued by the device itself",
		"ERR_SSL_SERVER_CERT_BAD_FORMAT":                "the certificate of %s is damaged",
		"ERR_SSL_SERVER_CERT_CHANGED":                   "the certificate of %s changed during the connection",
		"ERR_SSL_CLIENT_AUTH_CERT_NO_PRIVATE_KEY":       "%s asks for a client certificate, which Baton cannot give; open the site in another browser",
		"ERR_SSL_CLIENT_AUTH_PRIVATE_KEY_ACCESS_DENIED": "%s asks for a client certificate, which Baton cannot give; open the site in another browser",
	}[bare]
	if !ok {
		why = "the certificate of %s is not to be trusted"
	}
	f := fault.New(fault.TLSError, why+" (%s)", host, bare)
	if strings.Contains(why, "client certificate") {
		f.Then("tell the person: the site has to be opened in another browser")
	}
	return f
}
