package consent_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"baton/backend/consent"
	"baton/backend/page"
	"baton/backend/tab"
)

func TestBannersOfUnknownMakeAreRefusedInManyLanguages(t *testing.T) {
	base := site(t)
	v := open(t, agent)
	early := 0
	for _, lang := range []string{"en", "de", "fr", "es", "it", "nl", "pl", "pt", "sv", "da", "nb", "fi", "cs", "hu", "tr", "ru", "ja"} {
		s := v.goTo(base + "unknown.html?lang=" + lang)
		if v.said() == "refused" { // before the first snapshot, as on any machine that is not overloaded
			early++
			if strings.Contains(s.Text, "button") {
				t.Errorf("%s: the snapshot still shows the banner:\n%s", lang, s.Text)
			}
		}
		v.until("refused", 15*time.Second)
		v.notice(consent.Refused)
	}
	if early == 0 {
		t.Error("no banner was refused before the first snapshot")
	}
}

func TestABannerThatComesLaterIsRefused(t *testing.T) {
	v := open(t, agent)
	v.goTo(site(t) + "unknown.html?after=1200")
	if got := v.said(); got != "" {
		t.Fatalf("the page heard %q before its banner came", got)
	}
	v.until("refused", 8*time.Second)
	v.notice(consent.Refused)
}

func TestAPlatformWithoutARefusingButtonIsRefusedByItsRule(t *testing.T) {
	v := open(t, agent)
	v.goTo(site(t) + "onetrust.html")
	v.until("settings, saved 0", 14*time.Second)
	v.notice(consent.Refused)
}

func TestAPlatformsOwnFunctionsAreNeverCalled(t *testing.T) {
	v := open(t, agent)
	v.goTo(site(t) + "cookiebot.html")
	v.until("Deny", 3*time.Second)
}

func TestBannersInShadowRootsAndFramesAreRefused(t *testing.T) {
	base := site(t)
	v := open(t, agent)
	v.goTo(base + "shadow.html")
	v.until("Decline", 3*time.Second)
	v.goTo(base + "frame.html")
	v.until("refused", 8*time.Second)
}

func TestWhatIsNoCookieBannerIsLeftAlone(t *testing.T) {
	base := site(t)
	for _, name := range []string{"signin.html", "terms.html", "acceptonly.html", "article.html"} {
		t.Run(name, func(t *testing.T) {
			v := open(t, agent)
			v.goTo(base + name)
			v.stays(4 * time.Second)
			v.notice("")
		})
	}
}

func TestThePersonsTabsKeepTheirBanners(t *testing.T) {
	v := open(t, tab.Actor{})
	v.goTo(site(t) + "unknown.html")
	v.stays(2 * time.Second)
}

func TestATakeoverEndsItForTheDocument(t *testing.T) {
	base := site(t)
	v := open(t, agent)
	v.goTo(base + "unknown.html?after=1500")
	if err := v.r.Take(v.id, tab.ByButton); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	if err := v.r.Give(v.id, ""); err != nil {
		t.Fatal(err)
	}
	v.stays(3500 * time.Millisecond)
	v.r.Notice(v.id)
	// The next document is looked at again.
	v.goTo(base + "unknown.html")
	v.until("refused", 3*time.Second)
}

func TestAHeldTabsBannersStay(t *testing.T) {
	base := site(t)
	v := open(t, agent)
	v.goTo(base + "article.html")
	if err := v.r.Take(v.id, tab.ByButton); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if _, err := v.page.Navigate(ctx, base+"unknown.html"); err != nil {
		t.Fatal(err)
	}
	v.stays(2 * time.Second)
	_ = v.r.Give(v.id, "")
}

func TestWhoWasWritingGoesOnWhereTheyWere(t *testing.T) {
	v := open(t, agent)
	v.goTo(site(t) + "unknown.html?after=1200")
	v.do(func(ctx context.Context, p *page.Page) error {
		_, _, err := p.Evaluate(ctx, `document.body.insertAdjacentHTML('afterbegin', '<input id="q">'), document.getElementById('q').focus(), 1`, 0)
		return err
	})
	v.until("refused", 8*time.Second)
	v.notice(consent.Refused)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if raw, _, err := v.page.Evaluate(ctx, `document.activeElement.id`, 0); err != nil || string(raw) != `"q"` {
		t.Fatalf("the focus is on %s (%v)", raw, err)
	}
}

func TestThePageSeesNothingButThePress(t *testing.T) {
	v := open(t, agent)
	v.goTo(site(t) + "onetrust.html")
	v.until("settings, saved 0", 14*time.Second)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	raw, _, err := v.page.Evaluate(ctx, `[Object.getOwnPropertyNames(window).filter(n => /baton|autoconsent/i.test(n)), [...document.querySelectorAll('style,script')].filter(e => /autoconsent|baton/i.test(e.id + e.textContent.slice(0, 200))).length, HTMLElement.prototype.click.toString()]`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if want := `[[],0,"function click() { [native code] }"]`; string(raw) != want {
		t.Fatalf("the page sees %s", raw)
	}
}

// plain is an ordinary page of some size.
func plain(rows int) string {
	var b strings.Builder
	b.WriteString(`<!doctype html><meta charset="utf-8"><title>Plain</title><header style="position:sticky;top:0"><a href="#a">Home</a> <button>Menu</button></header><h1>Plain</h1><table>`)
	for i := range rows {
		fmt.Fprintf(&b, `<tr><td>%d</td><td><a href="#%d">Product %d</a></td><td><button>Add</button></td></tr>`, i, i, i)
	}
	b.WriteString(`</table><footer>About · Cookie policy</footer>`)
	return b.String()
}

// BenchmarkPlainPages measures what ordinary pages pay: navigate and snapshot
// with and without the guard in turns, and the look before the snapshot beside
// a call that does nothing.
func BenchmarkPlainPages(b *testing.B) {
	for _, rows := range []int{20, 2000} {
		b.Run(fmt.Sprint(rows, " rows"), func(b *testing.B) {
			body := plain(rows)
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }))
			defer s.Close()
			with, without := open(b, agent), open(b, tab.Actor{})
			var took [2][]time.Duration
			var ready, nothing []time.Duration
			for n := 0; b.Loop(); n++ {
				for k := range 2 {
					i := (k + n) % 2
					v := []*visit{with, without}[i]
					v.do(func(ctx context.Context, p *page.Page) error {
						start := time.Now()
						if _, err := p.Navigate(ctx, s.URL); err != nil {
							return err
						}
						loaded := time.Now()
						if i == 0 {
							shared.guard.Ready(ctx, p)
							ready = append(ready, time.Since(loaded))
						}
						_, err := p.Snapshot(ctx, page.SnapshotArgs{})
						took[i] = append(took[i], time.Since(start))
						if i == 1 {
							start := time.Now()
							_ = p.Alive(ctx, time.Second)
							nothing = append(nothing, time.Since(start))
						}
						return err
					})
				}
			}
			b.ReportMetric(median(took[0]), "ms-with")
			b.ReportMetric(median(took[1]), "ms-without")
			b.ReportMetric(median(ready), "ms-look")
			b.ReportMetric(median(nothing), "ms-nothing")
		})
	}
}

func median(d []time.Duration) float64 {
	s := append([]time.Duration(nil), d...)
	for i := range s {
		for j := i; j > 0 && s[j] < s[j-1]; j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
	return float64(s[len(s)/2].Microseconds()) / 1000
}
