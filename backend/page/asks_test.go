package page_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/backend/fault"
	"baton/backend/input"
	"baton/backend/page"
)

// patience is what a wait grants a slow computer.
const patience = 20 * time.Second

func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if f() {
			return
		}
	}
	t.Fatalf("never: %s", what)
}

func asks(p *page.Page) page.Asks { a, _ := p.Asks.Get(); return a }

func state(p *page.Page) page.State { s, _ := p.State.Get(); return s }

// press clicks as the person does: without an agent's name.
func press(t *testing.T, p *page.Page, ctx context.Context, name string) {
	t.Helper()
	if _, err := p.Click(ctx, page.ClickArgs{Target: ref(t, look(t, p), name)}); err != nil {
		t.Fatal(err)
	}
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const uploads = `<input type=file id=f accept=".txt,image/*" style="display:none"><button onclick="f.click()">Hidden</button>
<button onclick="i=document.createElement('input');i.type='file';i.multiple=true;i.onchange=()=>take(i.files);i.click()">Detached</button>
<input type=file webkitdirectory id=d onchange="take(d.files)" aria-label=Folder><button onclick="d.click()">Directory</button>
<button onclick="showOpenFilePicker().then(()=>out='picked',e=>out=e.name)">Picker</button>
<div id=drop style="width:200px;height:80px">Drop</div>
<script>out='';async function take(fs){out=(await Promise.all([...fs].map(async x=>(x.webkitRelativePath||x.name)+':'+await x.text()))).sort().join(',')}
f.onchange=()=>take(f.files);drop.ondragover=e=>e.preventDefault();drop.ondrop=e=>{e.preventDefault();take(e.dataTransfer.files)}</script>`

func TestThePersonChoosesFiles(t *testing.T) {
	p := show(t, uploads)
	ctx := within(t, 60*time.Second)
	press(t, p, ctx, "Hidden")
	eventually(t, "the chooser shows", func() bool { return asks(p).Chooser != nil })
	c := asks(p).Chooser
	if c.Multiple || c.Folder || strings.Join(c.Accept, " ") != ".txt image/*" {
		t.Fatalf("the chooser is %+v", c)
	}
	if err := p.ChooseFiles(ctx, c.ID, []string{file(t, "note.txt", "hello")}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the page has the file", func() bool { return js(t, p, "out") == `"note.txt:hello"` })
	if err := p.ChooseFiles(ctx, c.ID, []string{file(t, "late.txt", "late")}); !fault.Is(err, fault.NoChooser) {
		t.Fatalf("a second answer gave %v", err)
	}

	press(t, p, ctx, "Detached")
	eventually(t, "the chooser shows", func() bool { return asks(p).Chooser != nil })
	if c = asks(p).Chooser; !c.Multiple {
		t.Fatalf("the chooser is %+v", c)
	}
	if err := p.ChooseFiles(ctx, c.ID, []string{file(t, "a.txt", "ay"), file(t, "b.txt", "bee")}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the page has both", func() bool { return js(t, p, "out") == `"a.txt:ay,b.txt:bee"` })

	folder := filepath.Join(t.TempDir(), "box")
	_ = os.MkdirAll(filepath.Join(folder, "in"), 0o700)
	_ = os.WriteFile(filepath.Join(folder, "in", "x.txt"), []byte("ex"), 0o600)
	press(t, p, ctx, "Directory")
	eventually(t, "the chooser shows", func() bool { return asks(p).Chooser != nil })
	if c = asks(p).Chooser; !c.Folder {
		t.Fatalf("the chooser is %+v", c)
	}
	if err := p.ChooseFiles(ctx, c.ID, []string{folder}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the page has the folder", func() bool { return js(t, p, "out") == `"box/in/x.txt:ex"` })
}

func TestACancelledChooserLeavesThePageUsable(t *testing.T) {
	p := show(t, uploads)
	ctx := within(t, 60*time.Second)
	js(t, p, `addEventListener('cancel', e => { globalThis.cancels = ((globalThis.cancels ?? '') + ' ' + e.isTrusted).trim() }, true)`)
	for n := range 2 {
		press(t, p, ctx, "Hidden")
		eventually(t, "the chooser shows", func() bool { return asks(p).Chooser != nil })
		p.CancelChooser(asks(p).Chooser.ID)
		eventually(t, "the page hears of it", func() bool {
			return js(t, p, "(globalThis.cancels ?? '').split(' ').filter(Boolean).length") == strconv.Itoa(n+1)
		})
		if asks(p).Chooser != nil {
			t.Fatal("a cancelled chooser stays")
		}
	}
	eventually(t, "the page hears of it each time", func() bool { return js(t, p, "globalThis.cancels") == `"true true"` })
	eventually(t, "nothing is asked", func() bool { return asks(p).Chooser == nil })
	press(t, p, ctx, "Hidden")
	eventually(t, "the chooser shows", func() bool { return asks(p).Chooser != nil })
	if _, err := p.Reload(ctx, false); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the chooser goes with its document", func() bool { return asks(p).Chooser == nil })
}

func TestAnAgentsChooserIsNotThePersons(t *testing.T) {
	p := show(t, uploads)
	ctx := page.WithDialogs(within(t, 60*time.Second), "helper")
	o, err := p.Click(ctx, page.ClickArgs{Target: ref(t, look(t, p), "Hidden")})
	if err != nil || !o.Chooser {
		t.Fatalf("the click gave %+v, %v", o, err)
	}
	if asks(p).Chooser != nil {
		t.Fatal("the person is asked for an agent's files")
	}
	u, err := p.Upload(ctx, ref(t, look(t, p), "Hidden"), []string{file(t, "note.txt", "hello")})
	if err != nil || len(u.Files) != 1 {
		t.Fatalf("the upload gave %+v, %v", u, err)
	}
}

func TestAPickerOfTheNewerSortIsSaidToBeUnsupported(t *testing.T) {
	p := show(t, uploads)
	words, stop := p.Words.Subscribe(4)
	defer stop()
	ctx := within(t, 60*time.Second)
	press(t, p, ctx, "Picker")
	select {
	case w := <-words:
		if !strings.Contains(w, "showOpenFilePicker") {
			t.Fatalf("told %q", w)
		}
	case <-ctx.Done():
		t.Fatal("nothing was told")
	}
	eventually(t, "the page goes on", func() bool { return js(t, p, "out") == `"AbortError"` })
	_, err := p.Upload(page.WithDialogs(ctx, "helper"), ref(t, look(t, p), "Picker"), []string{file(t, "note.txt", "hello")})
	if !fault.Is(err, fault.Unsupported) {
		t.Fatalf("an agent's upload gave %v", err)
	}
}

func TestFilesAreDroppedOntoThePage(t *testing.T) {
	p := show(t, uploads)
	ctx := within(t, 60*time.Second)
	var at struct{ X, Y float64 }
	_ = json.Unmarshal([]byte(js(t, p, "(r=>({x:r.x+20,y:r.y+20}))(drop.getBoundingClientRect())")), &at)
	if err := p.DropFiles(ctx, at.X, at.Y, []string{file(t, "a.txt", "ay"), file(t, "b.txt", "bee")}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the page has them", func() bool { return js(t, p, "out") == `"a.txt:ay,b.txt:bee"` })
}

const canary = "cAnary-5f3a-pass"

// guarded is a site with HTTP authentication at /secret.
func guarded(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			fmt.Fprint(w, `<title>Front</title><a href="/secret">Staff</a>`)
			return
		}
		if user, password, _ := r.BasicAuth(); user != "demo" || password != canary {
			w.Header().Set("WWW-Authenticate", `Basic realm="Staff"`)
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, "<h1>401</h1>")
			return
		}
		fmt.Fprint(w, "<title>Staff</title>welcome demo")
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestThePersonSignsIn(t *testing.T) {
	base := guarded(t)
	p := goTo(t, base+"/")
	ctx := within(t, 60*time.Second)
	js(t, p, "document.querySelector('a').click()")
	eventually(t, "the question shows", func() bool { return asks(p).SignIn != nil })
	a := asks(p).SignIn
	if a.Origin != base || a.Realm != "Staff" || a.Proxy || a.Wrong || a.For != "" {
		t.Fatalf("the question is %+v", a)
	}
	if err := p.Sign(ctx, a.ID, "demo", "nonsense"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is asked again", func() bool { b := asks(p).SignIn; return b != nil && b.ID != a.ID && b.Wrong })
	if err := p.Sign(ctx, asks(p).SignIn.ID, "demo", canary); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the page shows", func() bool { s := state(p); return s.Title == "Staff" && s.Failed == "" && !s.Loading })
	if asks(p).SignIn != nil {
		t.Fatal("the question stays")
	}
}

func TestASignInThatIsCancelledShowsWhy(t *testing.T) {
	base := guarded(t)
	p := goTo(t, base+"/")
	ctx := within(t, 60*time.Second)
	if _, err := p.Navigate(ctx, base+"/secret?one"); !fault.Is(err, fault.AuthRequired) {
		t.Fatalf("navigating gave %v", err)
	}
	p.CancelSignIn(asks(p).SignIn.ID)
	eventually(t, "the reason shows", func() bool { s := state(p); return strings.HasPrefix(s.Failed, "baton::") && !s.Loading })
	if got := page.FailureText(state(p).Failed, state(p).URL); !strings.Contains(got, "user name and password") {
		t.Fatalf("the reason is %q", got)
	}
	p.AskSignIn()
	if err := p.Sign(ctx, asks(p).SignIn.ID, "demo", canary); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the page shows", func() bool { s := state(p); return s.Title == "Staff" && s.Failed == "" })
}

func TestAnAgentIsToldAtOnceAndThePersonMaySignIn(t *testing.T) {
	base := guarded(t)
	p := goTo(t, base+"/")
	ctx := within(t, 60*time.Second)
	agent := page.WithDialogs(ctx, "helper")
	_, err := p.Navigate(agent, base+"/secret?two")
	if !fault.Is(err, fault.AuthRequired) || !strings.Contains(err.Error(), `"Staff"`) {
		t.Fatalf("the agent was told %v", err)
	}
	eventually(t, "the question shows", func() bool { a := asks(p).SignIn; return a != nil && a.For == "helper" && state(p).Failed != "" })
	if err := p.Sign(ctx, asks(p).SignIn.ID, "demo", "nonsense"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is asked again", func() bool { a := asks(p).SignIn; return a != nil && a.Wrong })
	if err := p.Sign(ctx, asks(p).SignIn.ID, "demo", canary); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the page shows", func() bool { return state(p).Title == "Staff" })
	if _, err := p.Navigate(agent, base+"/secret?three"); err != nil {
		t.Fatalf("after the person signed in the agent gets %v", err)
	}
	if text := look(t, p); strings.Contains(text, canary) {
		t.Fatal("the outline holds the password")
	}
}

func TestANavigationLeavesASignInBehind(t *testing.T) {
	base := guarded(t)
	p := goTo(t, base+"/")
	ctx := within(t, 60*time.Second)
	if _, err := p.Navigate(ctx, base+"/secret?four"); !fault.Is(err, fault.AuthRequired) {
		t.Fatal(err)
	}
	if _, err := p.Navigate(ctx, base+"/?again"); err != nil {
		t.Fatal(err)
	}
	if asks(p).SignIn != nil || state(p).Failed != "" {
		t.Fatalf("left behind: %+v, %q", asks(p).SignIn, state(p).Failed)
	}
}

// untrusted is a site whose certificate nobody knows, at two names.
func untrusted(t *testing.T, h2 bool) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Inside</title><h1>Inside</h1><a href=/next>Next</a>")
	}))
	s.EnableHTTP2, s.TLS = h2, &tls.Config{}
	s.Config.ErrorLog = nil
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func TestThePersonGoesPastACertificateAndAgentsDoNot(t *testing.T) {
	for _, h2 := range []bool{false, true} {
		t.Run(fmt.Sprint("h2=", h2), func(t *testing.T) {
			s := untrusted(t, h2)
			p := show(t, "front")
			p.Personal(func() bool { return true })
			ctx := within(t, 90*time.Second)
			agent := page.WithDialogs(ctx, "helper")
			for range 2 {
				if _, err := p.Navigate(ctx, s.URL); !fault.Is(err, fault.TLSError) || !strings.Contains(err.Error(), "issuer") {
					t.Fatalf("the load gave %v", err)
				}
			}
			eventually(t, "the reason shows", func() bool { return strings.HasPrefix(state(p).URL, s.URL) && !state(p).Loading })
			if err := p.OpenAnyway(ctx); err != nil {
				t.Fatal(err)
			}
			st := state(p)
			if st.Title != "Inside" || st.Failed != "" || st.Security.State != "insecure" || st.Security.Error != "net::ERR_CERT_AUTHORITY_INVALID" {
				t.Fatalf("the page is %+v", st)
			}
			press(t, p, ctx, "Next")
			eventually(t, "its links work", func() bool { return strings.HasSuffix(state(p).URL, "/next") && state(p).Failed == "" })

			// An agent is refused, in the person's tab and in its own, though the connection is there.
			_, err := p.Navigate(agent, s.URL+"/agent")
			if !fault.Is(err, fault.TLSError) {
				t.Fatalf("in the person's tab an agent gets %v", err)
			}
			q := show(t, "other")
			q.Personal(func() bool { return false })
			if _, err := q.Navigate(agent, s.URL+"/agent2"); !fault.Is(err, fault.TLSError) {
				t.Fatalf("in its own tab an agent gets %v", err)
			}
			if _, err := q.Navigate(ctx, s.URL+"/agent3"); !fault.Is(err, fault.TLSError) {
				t.Fatalf("a page that is not the person's gets %v", err)
			}
			if _, err := p.Navigate(ctx, s.URL+"/back"); err != nil {
				t.Fatalf("the person gets %v", err)
			}
			// Another bad site is asked about anew.
			other := strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
			if _, err := p.Navigate(ctx, other); !fault.Is(err, fault.TLSError) || state(p).Failed != "net::ERR_CERT_COMMON_NAME_INVALID" && state(p).Failed != "net::ERR_CERT_AUTHORITY_INVALID" {
				t.Fatalf("another site gave %v, %q", err, state(p).Failed)
			}
		})
	}
}

func TestThereIsNoWayPastAStrictSite(t *testing.T) {
	p := show(t, "front")
	strict, err := page.Strict(within(t, 20*time.Second), p, "accounts.google.com")
	if err != nil || !strict {
		t.Fatalf("a site of Chromium's own list: %v, %v", strict, err)
	}
	for _, host := range []string{"localhost", "example.com", "127.0.0.1"} {
		if strict, err = page.Strict(within(t, 20*time.Second), p, host); err != nil || strict {
			t.Fatalf("%s: %v, %v", host, strict, err)
		}
	}
	if got := js(t, p, "fetch('/').then(r=>r.status)"); got != "200" {
		t.Fatalf("the network is off afterwards: %s", got)
	}
}

func TestASiteThatWantsAClientCertificateHangsNothing(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	s.StartTLS()
	t.Cleanup(s.Close)
	p := show(t, "front")
	p.Personal(func() bool { return true })
	ctx := within(t, 60*time.Second)
	if _, err := p.Navigate(ctx, s.URL); !fault.Is(err, fault.TLSError) {
		t.Fatalf("the load gave %v", err)
	}
	eventually(t, "the reason shows", func() bool { return strings.HasPrefix(state(p).URL, s.URL) && !state(p).Loading })
	err := p.OpenAnyway(ctx)
	if err == nil {
		t.Fatal("a page without a client certificate opened")
	}
	t.Log(err, state(p))
	eventually(t, "the reason names the client certificate", func() bool {
		return strings.Contains(page.FailureText(state(p).Failed, s.URL), "client certificate")
	})
}

func TestAStormOfDialogsCanBeEnded(t *testing.T) {
	p := show(t, `<button onclick="for(i=0;i<50;i++)alert(i);out=confirm('sure?')">Storm</button><script>out=0</script>`)
	ctx := within(t, 60*time.Second)
	go func() { _, _ = p.Click(ctx, page.ClickArgs{Target: page.Target{Point: &input.Point{X: 30, Y: 18}}}) }()
	for n := range 2 {
		var d *page.Dialog
		eventually(t, "a dialog shows", func() bool { d, _ = p.Dialogs.Get(); return d != nil && d.Message == fmt.Sprint(n) })
		if d.More != (n > 0) {
			t.Fatalf("dialog %d: more is %v", n, d.More)
		}
		if n > 0 {
			p.QuietDialogs()
		}
		if _, err := p.Answer(ctx, true, nil); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "the page goes on", func() bool {
		v, _, err := p.Evaluate(ctx, "out", 0)
		return err == nil && string(v) == "false"
	})
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Fatal("too long")
	}
}

func TestPrintingHangsNothing(t *testing.T) {
	p := show(t, `<button onclick="print();out=1">Print</button><script>out=0</script>`)
	press(t, p, within(t, 30*time.Second), "Print")
	eventually(t, "the page goes on", func() bool { return js(t, p, "out") == "1" })
}

func TestAPageThatAsksToBePrintedIsTold(t *testing.T) {
	p := show(t, `<title>A</title><button onclick="for(let i=0;i<20;i++)print();out=1">Print</button><script>out=0</script>`)
	asked, stop := p.Prints.Subscribe(64)
	defer stop()
	press(t, p, within(t, 30*time.Second), "Print")
	eventually(t, "the page goes on", func() bool { return js(t, p, "out") == "1" })
	<-asked
	// A storm of them is told once, and Baton's own printing never.
	if data, err := p.Print(within(t, 60*time.Second)); err != nil || !bytes.HasPrefix(data, []byte("%PDF")) {
		t.Fatalf("after print() the page gives %d bytes, %v", len(data), err)
	}
	js(t, p, "1")
	if n := len(asked); n != 0 {
		t.Errorf("it was told %d times more", n)
	}
	// What an agent's action leads to is not the person's to be asked about.
	q := show(t, `<button onclick="print();out=1">Print</button><script>out=0</script>`)
	told, end := q.Prints.Subscribe(64)
	defer end()
	ctx := page.WithDialogs(within(t, 60*time.Second), "helper")
	if _, err := q.Click(ctx, page.ClickArgs{Target: ref(t, look(t, q), "Print")}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the page goes on", func() bool { return js(t, q, "out") == "1" })
	if n := len(told); n != 0 {
		t.Error("an agent's click asks the person to print")
	}
}
