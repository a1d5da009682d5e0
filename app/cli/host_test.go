package cli

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/backend/link"
	"baton/backend/paths"
)

// program is the built command; TestMain makes it.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "baton-cli-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "baton")
	build := exec.Command("go", "build", "-o", program, "baton")
	build.Stderr = os.Stderr
	code := 1
	if err := build.Run(); err == nil {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

func TestAHostEndsSoonAfterItsLastClient(t *testing.T) {
	d, url := newDesk(t), web(t)
	one, two := d.agent(), d.agent()
	must(t, one, "browser_open", map[string]any{"url": url + "/a"})
	if list := must(t, two, "browser_tabs", nil); !strings.Contains(list, "/a") {
		t.Errorf("another connection of the same agent sees %q", list)
	}
	_ = one.Close()
	must(t, two, "browser_evaluate", map[string]any{"expression": "1"})
	_ = two.Close()
	start := time.Now()
	d.wait("the host and Chromium end", func() bool { return len(d.processes()) == 0 })
	t.Logf("ended %v after the last client", time.Since(start).Round(10*time.Millisecond))
	if list := must(t, d.agent(), "browser_tabs", nil); !strings.Contains(list, url+"/a") {
		t.Errorf("the next host has %q", list)
	}
}

func TestAgentsSeeEachOthersTabsOnlyByName(t *testing.T) {
	d, url := newDesk(t), web(t)
	ada, bob := d.agent("--agent", "ada"), d.agent("--agent", "bob")
	must(t, ada, "browser_open", map[string]any{"url": url + "/secret-of-ada"})
	list := must(t, bob, "browser_tabs", nil)
	if strings.Contains(list, "secret-of-ada") || !strings.Contains(list, "ada's") {
		t.Errorf("bob sees %q", list)
	}
	if text, bad := call(t, bob, "browser_navigate", map[string]any{"tab": "t1", "url": url}); !bad || !strings.HasPrefix(text, "not_your_tab: ") {
		t.Errorf("bob navigates ada's tab: %q", text)
	}
}

func TestAKilledHostLeavesNothingAndComesBackWithItsTabs(t *testing.T) {
	d, url := newDesk(t), web(t)
	a := d.agent()
	must(t, a, "browser_open", map[string]any{"url": url + "/kept"})
	left := d.ofHost()
	if len(left) < 3 {
		t.Fatalf("host and Chromium are %v", left)
	}
	d.killHost()
	d.wait("Chromium ends with its host", func() bool { return !d.anyOf(left) })
	b := d.agent()
	if list := must(t, b, "browser_tabs", nil); !strings.Contains(list, "page /kept") {
		t.Errorf("after kill -9: %q", list)
	}
	if v := must(t, b, "browser_evaluate", map[string]any{"expression": "location.pathname"}); v != `"/kept"` {
		t.Errorf("the restored tab is at %s", v)
	}
}

func TestASecondHostGivesWay(t *testing.T) {
	d := newDesk(t)
	d.agent()
	out, err := exec.Command(program, "host", "--data-dir", d.data).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "another Baton has this data folder") {
		t.Fatalf("a second host: %v, %q", err, out)
	}
}

func TestAHostEndsWhenItsDataFolderIsGone(t *testing.T) {
	d := newDesk(t)
	cmd := exec.Command(program, "host", "--data-dir", d.data)
	said := &strings.Builder{}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	d.wait("the host has its lock", func() bool { return link.Owner(d.data) == cmd.Process.Pid })
	socket, err := paths.Socket(d.data)
	if err != nil {
		t.Fatal(err)
	}
	var c *link.Conn
	d.wait("it listens", func() bool {
		c, err = link.Dial(t.Context(), socket, options{}.greeting(link.Control, "test"))
		return err == nil
	})
	defer c.Close()
	if err := os.RemoveAll(d.data); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(said.String(), "was deleted or replaced") {
			t.Errorf("it ended with %v and said %q", err, said)
		}
	case <-time.After(20 * time.Second):
		t.Error("it goes on without its folder")
		_ = cmd.Process.Kill()
	}
	if _, err := os.Stat(d.data); err == nil {
		list, _ := filepath.Glob(filepath.Join(d.data, "*"))
		t.Logf("it left %v", list)
	}
}

func TestManyClientsStartOneHost(t *testing.T) {
	d := newDesk(t)
	const n = 6
	done := make(chan error, n)
	socket, err := paths.Socket(d.data)
	if err != nil {
		t.Fatal(err)
	}
	o := options{data: d.data}
	for range n {
		go func() {
			c, err := link.Connect(t.Context(), socket, o.greeting(link.Control, "test"), func() (<-chan error, error) {
				cmd := exec.Command(program, "host", "--data-dir", d.data)
				detach(cmd)
				err := cmd.Start()
				go func() { _ = cmd.Wait() }()
				return nil, err
			})
			if err == nil {
				_, err = c.Ask(t.Context(), link.Ask{Do: link.AskStatus})
				defer time.AfterFunc(time.Second, func() { c.Close() })
			}
			done <- err
		}()
	}
	for range n {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	d.wait("one host is left", func() bool { return len(d.processes()) == 1 })
}

func TestMCPOverHTTPNeedsItsToken(t *testing.T) {
	d := newDesk(t)
	socket, err := paths.Socket(d.data)
	if err != nil {
		t.Fatal(err)
	}
	d.agent()
	c, err := link.Dial(t.Context(), socket, options{}.greeting(link.Control, "serve"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ui, err := c.Ask(t.Context(), link.Ask{Do: link.AskEndpoint})
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []func(*http.Request){
		func(*http.Request) {},
		func(r *http.Request) { r.Header.Set("Authorization", "Bearer wrong") },
		func(r *http.Request) { r.Host = "evil.example" },
		func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
	} {
		r, _ := http.NewRequest(http.MethodPost, ui.URL+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
		r.Header.Set("Content-Type", "application/json")
		bad(r)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode < 400 {
			t.Errorf("a request without the right token, host or origin got %s", res.Status)
		}
	}
	token := tokenOf(t, d)
	hc := &http.Client{Transport: bearer{token}}
	s, err := sdk.NewClient(&sdk.Implementation{Name: "web", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: ui.URL + "/mcp", HTTPClient: hc}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	must(t, s, "browser_tabs", nil)
}

type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

func TestTheGatewayListsOneToolUntilItIsCalled(t *testing.T) {
	d := newDesk(t)
	s := d.agent("--tools", "gateway")
	names := func() []string {
		r, err := s.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, x := range r.Tools {
			out = append(out, x.Name)
		}
		return out
	}
	if got := names(); len(got) != 1 || got[0] != "browser" {
		t.Fatalf("listed at first: %v", got)
	}
	for range 2 { // once more changes nothing
		if text := must(t, s, "browser", nil); !strings.Contains(text, "untrusted") {
			t.Errorf("the guidance is %q", text)
		}
	}
	if got := names(); len(got) < 10 {
		t.Fatalf("listed after the call: %v", got)
	}
	must(t, s, "browser_tabs", nil)
}

func TestAHostThatCannotStartSaysWhyAtOnce(t *testing.T) {
	d := newDesk(t)
	if err := os.WriteFile(filepath.Join(d.data, "baton.db"), []byte(strings.Repeat("this is no database ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "mcp", "--data-dir", d.data)
	cmd.Stdin = strings.NewReader("")
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "could not start") || !strings.Contains(string(out), "database") {
		t.Fatalf("after %v: %v, %q", time.Since(start), err, out)
	}
}
