package challenge_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"baton/backend/challenge"
	"baton/backend/engine"
	"baton/backend/inject"
	"baton/backend/input"
	"baton/backend/page"
)

var shared struct {
	once   sync.Once
	engine *engine.Engine
	folder string
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.engine != nil {
		_ = shared.engine.Stop(5 * time.Second)
		_ = os.RemoveAll(shared.folder)
	}
	os.Exit(code)
}

// limits are short, so that the tests are.
var limits = challenge.Limits{Wait: 2500 * time.Millisecond, Token: time.Second, Click: 1500 * time.Millisecond}

// visit is a page and what is known of its checks.
type visit struct {
	t      testing.TB
	base   string
	page   *page.Page
	checks *challenge.Checks
}

func open(t testing.TB) *visit {
	t.Helper()
	shared.once.Do(func() {
		var err error
		if shared.folder, err = os.MkdirTemp("", "challenge-"); err != nil {
			t.Fatal(err)
		}
		shared.engine = engine.New(engine.Config{Folder: shared.folder, Log: slog.New(slog.DiscardHandler)})
	})
	s := httptest.NewServer(http.FileServer(http.Dir("testdata")))
	t.Cleanup(s.Close)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	p, err := shared.engine.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = shared.engine.Close(ctx, p)
	})
	return &visit{t: t, base: s.URL + "/", page: p, checks: challenge.New(limits)}
}

// goTo loads a page of testdata and reads it.
func (v *visit) goTo(name string) *challenge.Challenge {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if _, err := v.page.Navigate(ctx, v.base+name); err != nil {
		v.t.Fatal(err)
	}
	return v.read(30 * time.Second)
}

// read reads the page as the tools do.
func (v *visit) read(most time.Duration) *challenge.Challenge {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	s, err := v.page.Snapshot(ctx, page.SnapshotArgs{})
	if err != nil {
		v.t.Fatal(err)
	}
	c, _ := v.checks.Look(ctx, v.page, s.Check)
	return c
}

func status(c *challenge.Challenge) challenge.Status {
	if c == nil {
		return "none"
	}
	return c.Status
}

func (v *visit) click(at *inject.Point) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if _, err := v.page.Click(ctx, page.ClickArgs{Target: page.Target{Point: &input.Point{X: at.X, Y: at.Y}}}); err != nil {
		v.t.Fatal(err)
	}
}

func TestChecksAreToldApart(t *testing.T) {
	v := open(t)
	for _, c := range []struct {
		page   string
		status challenge.Status
		vendor string
	}{
		{"cloudflare-blocked.html", challenge.Blocked, "Cloudflare"},
		{"datadome.html", challenge.NeedsUser, "DataDome"},
		{"datadome-blocked.html", challenge.Blocked, "DataDome"},
		{"perimeterx.html", challenge.NeedsUser, "PerimeterX"},
		{"imperva.html", challenge.NeedsUser, "Imperva"},
		{"imperva-blocked.html", challenge.Blocked, "Imperva"},
		{"akamai.html", challenge.NeedsUser, "Akamai"},
		{"akamai-blocked.html", challenge.Blocked, "Akamai"},
		{"awswaf.html", challenge.NeedsUser, "AWS WAF"},
		{"recaptcha.html", challenge.ClickOnce, "reCAPTCHA"},
		{"hcaptcha.html", challenge.ClickOnce, "hCaptcha"},
		{"phrase.html", challenge.NeedsUser, ""},
	} {
		v.checks = challenge.New(limits)
		got := v.goTo(c.page)
		if status(got) != c.status {
			t.Errorf("%s is %s, wanted %s", c.page, status(got), c.status)
			continue
		}
		if got.Vendor != c.vendor {
			t.Errorf("%s is of %q, wanted %q", c.page, got.Vendor, c.vendor)
		}
		if !strings.Contains(got.Next, "do not solve, reload or retry") {
			t.Errorf("%s: next is %q", c.page, got.Next)
		}
		if got.Waited > 500*time.Millisecond {
			t.Errorf("%s was waited for %v", c.page, got.Waited)
		}
	}
}

func TestWhatIsNoCheckIsNone(t *testing.T) {
	v := open(t)
	for _, name := range []string{"article.html", "plain.html", "shop.html", "recaptcha-invisible.html", "turnstile-invisible.html"} {
		if got := v.goTo(name); got != nil {
			t.Errorf("%s is %s", name, got)
		}
	}
}

func TestChecksThatPassByThemselvesAreWaitedFor(t *testing.T) {
	v := open(t)
	for _, c := range []struct{ page, vendor string }{
		{"cloudflare.html", "Cloudflare"},
		{"datadome-wait.html", "DataDome"},
		{"imperva-wait.html", "Imperva"},
		{"akamai-wait.html", "Akamai"},
		{"akamai-refresh.html", "Akamai"},
		{"awswaf-wait.html", "AWS WAF"},
	} {
		v.checks = challenge.New(limits)
		got := v.goTo(c.page + "?pass=900")
		if status(got) != challenge.Cleared || got.Vendor != c.vendor {
			t.Errorf("%s is %v of %q", c.page, status(got), c.vendor)
			continue
		}
		if st, _ := v.page.State.Get(); !strings.HasSuffix(st.URL, "/shop.html") {
			t.Errorf("%s ended on %s", c.page, st.URL)
		}
		if again := v.read(5 * time.Second); again != nil {
			t.Errorf("%s: a later read says %s", c.page, again)
		}
	}
}

func TestReadsOfADocumentShareTheWait(t *testing.T) {
	v := open(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if _, err := v.page.Navigate(ctx, v.base+"cloudflare.html"); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if got := v.read(2500 * time.Millisecond); status(got) != challenge.Checking {
		t.Fatalf("a short read says %s", status(got))
	}
	if got := v.read(20 * time.Second); status(got) != challenge.NeedsUser {
		t.Fatalf("a long read says %s", status(got))
	}
	if took := time.Since(start); took < limits.Wait || took > limits.Wait+20*time.Second {
		t.Errorf("both reads took %v", took)
	}
	start = time.Now()
	if got := v.read(20 * time.Second); status(got) != challenge.NeedsUser {
		t.Fatalf("a later read says %s", status(got))
	}
	if took := time.Since(start); took > 15*time.Second {
		t.Errorf("the later read took %v", took)
	}
}

func TestAWidgetThatPassesByItselfIsNotOffered(t *testing.T) {
	v := open(t)
	if got := v.goTo("turnstile-form.html?self=500"); status(got) != challenge.Cleared {
		t.Errorf("the widget is %s", status(got))
	}
	if got := v.read(5 * time.Second); got != nil {
		t.Errorf("a later read says %s", got)
	}
}

func TestAWidgetInAClosedShadowRootIsOfferedOnce(t *testing.T) {
	v := open(t)
	got := v.goTo("turnstile.html?click=500&go=1")
	if status(got) != challenge.ClickOnce || got.Point == nil {
		t.Fatalf("the widget is %s", status(got))
	}
	if got.Waited < limits.Token {
		t.Errorf("it was offered after %v", got.Waited)
	}
	v.click(got.Point)
	if got := v.read(10 * time.Second); status(got) != challenge.Cleared {
		t.Fatalf("after the click it is %s", status(got))
	}
	if st, _ := v.page.State.Get(); !strings.HasSuffix(st.URL, "/shop.html") {
		t.Errorf("the page is %s", st.URL)
	}
}

func TestAClickThatChangesNothingLeadsToThePerson(t *testing.T) {
	v := open(t)
	got := v.goTo("turnstile.html")
	if status(got) != challenge.ClickOnce {
		t.Fatalf("the widget is %s", status(got))
	}
	v.click(got.Point)
	if got := v.read(10 * time.Second); status(got) != challenge.NeedsUser || got.Waited < limits.Click {
		t.Fatalf("after the click it is %v", got)
	}
	if got := v.read(10 * time.Second); status(got) != challenge.NeedsUser || got.Waited > 500*time.Millisecond {
		t.Fatalf("later it is %v", got)
	}
}

func TestAPuzzleEndsTheWait(t *testing.T) {
	v := open(t)
	got := v.goTo("recaptcha.html?puzzle=1")
	if status(got) != challenge.ClickOnce {
		t.Fatalf("the widget is %s", status(got))
	}
	v.click(got.Point)
	if got := v.read(10 * time.Second); status(got) != challenge.NeedsUser || got.Waited > time.Second {
		t.Fatalf("with the puzzle it is %v", got)
	}
}

func TestAnAnswerAfterTheClickClears(t *testing.T) {
	v := open(t)
	got := v.goTo("recaptcha.html?click=300")
	if status(got) != challenge.ClickOnce {
		t.Fatalf("the widget is %s", status(got))
	}
	v.click(got.Point)
	if got := v.read(10 * time.Second); status(got) != challenge.Cleared {
		t.Fatalf("with its answer it is %v", got)
	}
}

func TestTheEndOfTheCallEndsTheWait(t *testing.T) {
	v := open(t)
	ctx, cancel := context.WithTimeoutCause(context.Background(), 30*time.Second, errors.New("late"))
	defer cancel()
	if _, err := v.page.Navigate(ctx, v.base+"cloudflare.html"); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(300*time.Millisecond, cancel) // as a takeover or a close does
	start := time.Now()
	if got, _ := v.checks.Look(ctx, v.page, true); got != nil {
		t.Errorf("a cancelled read says %s", got)
	}
	if took := time.Since(start); took > 15*time.Second {
		t.Errorf("it took %v", took)
	}
}

// BenchmarkPlainPages measures what the look costs on a page without marks and
// on one with some.
func BenchmarkPlainPages(b *testing.B) {
	for _, name := range []string{"plain.html", "recaptcha-invisible.html"} {
		b.Run(name, func(b *testing.B) {
			v := open(b)
			v.goTo(name)
			ctx := context.Background()
			s, err := v.page.Snapshot(ctx, page.SnapshotArgs{})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				v.checks.Look(ctx, v.page, s.Check)
			}
		})
	}
}
