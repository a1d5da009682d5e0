package agenttools

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/backend/fault"
)

func TestOpenReturnsTheFirstSnapshot(t *testing.T) {
	d := sit(t)
	base, s := d.open(map[string]string{"/": `<title>Shop</title><button>Buy</button>`})
	first, rest, _ := strings.Cut(s, "\n")
	if !strings.HasPrefix(first, "Opened t") || !strings.HasPrefix(rest, "tab t") || !strings.Contains(rest, " · Shop · "+base) || !strings.Contains(rest, `- button "Buy" [e`) {
		t.Error(s)
	}
}

func TestClickTellsOutcomeThenChange(t *testing.T) {
	d := sit(t)
	_, s := d.open(map[string]string{"/": `<title>A</title><button onclick="o.textContent='Saved'">Save</button><p id=o role=status></p>`})
	r := d.must("browser_click", fmt.Sprintf(`{"target":%q}`, d.ref(s, "Save")))
	if !strings.HasPrefix(r.Text, "Clicked button \"Save\"\nChanged:\n") || !strings.Contains(r.Text, `status "Saved"`) || r.Data["changed"] == nil {
		t.Errorf("%s\n%v", r.Text, r.Data)
	}
}

func TestTypingTellsTheValueAndNothingTwice(t *testing.T) {
	d := sit(t)
	_, s := d.open(map[string]string{"/": `<title>A</title><label>Name <input></label>`})
	r := d.must("browser_type", fmt.Sprintf(`{"ref":%q,"value":"Ana"}`, d.ref(s, "Name")))
	if r.Text != "Typed into textbox \"Name\"\nValue: \"Ana\"" || r.Data["value"] != "Ana" {
		t.Errorf("%q %v", r.Text, r.Data)
	}
}

func TestPopupIsAnnouncedAndHandsBack(t *testing.T) {
	d := sit(t)
	_, s := d.open(map[string]string{
		"/":    `<title>App</title><button onclick="window.open('/idp','x','width=400,height=400')">Sign in</button><p id=o></p><script>onmessage=e=>o.textContent='hello '+e.data</script>`,
		"/idp": `<title>Id</title><button onclick="opener.postMessage('ana','*');setTimeout(()=>window.close(),30)">Approve</button>`,
	})
	r := d.must("browser_click", fmt.Sprintf(`{"target":%q}`, d.ref(s, "Sign in")))
	rows := told[[]struct{ ID string }](t, r, "opened")
	if len(rows) != 1 || !strings.Contains(r.Text, "a new tab opened: ") {
		t.Fatalf("%s", r.Text)
	}
	id := rows[0].ID
	look := d.must("browser_snapshot", fmt.Sprintf(`{"tab":%q}`, id))
	_, err := d.call("browser_click", fmt.Sprintf(`{"target":%q}`, d.ref(look.Text, "Approve")))
	if err != nil {
		t.Fatal(err)
	}
	for range 400 {
		if _, err := d.deps.Tabs.Get(id, d.actor()); err != nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if now := d.must("browser_snapshot", `{}`); !strings.Contains(now.Text, "hello ana") {
		t.Error(now.Text)
	}
}

func TestDialogOfAnActionIsTheAgentsToAnswer(t *testing.T) {
	d := sit(t)
	_, s := d.open(map[string]string{"/": `<title>A</title><button onclick="document.title=confirm('Sure?')">Ask</button>`})
	r := d.must("browser_click", fmt.Sprintf(`{"target":%q}`, d.ref(s, "Ask")))
	if !strings.Contains(r.Text, `a dialog opened: confirm "Sure?"`) || r.Data["dialog"] == nil {
		t.Fatal(r.Text)
	}
	if _, err := d.call("browser_snapshot", `{}`); !fault.Is(err, fault.DialogOpen) {
		t.Errorf("%v", err)
	}
	d.must("browser_dialog", `{"accept":true}`)
	if r := d.must("browser_evaluate", `{"expression":"document.title"}`); r.Text != `"true"` {
		t.Error(r.Text)
	}
}

func TestUploadTakesFilesOfItsFoldersOnly(t *testing.T) {
	d := sit(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	d.Files = func(context.Context) []string { return []string{dir} }
	_, s := d.open(map[string]string{"/": `<title>A</title><label>Docs <input type=file></label>`})
	ref := d.ref(s, "Docs")
	if r := d.must("browser_upload", fmt.Sprintf(`{"target":%q,"files":["a.txt"]}`, ref)); !strings.Contains(r.Text, "a.txt") {
		t.Error(r.Text)
	}
	for _, f := range []string{"/etc/hostname", filepath.Join(dir, "link.txt"), "../x"} {
		if _, err := d.call("browser_upload", fmt.Sprintf(`{"target":%q,"files":[%q]}`, ref, f)); !fault.Is(err, fault.FileNotAllowed) {
			t.Errorf("%s: %v", f, err)
		}
	}
}

func TestScriptIsRefusedWhereAFilledSecretCouldBeRead(t *testing.T) {
	d := sit(t)
	_, s := d.open(map[string]string{"/": `<title>A</title><input type=password aria-label=Pass value=hunter2-secret><script>console.log('x')</script>`})
	if _, err := d.call("browser_evaluate", `{"expression":"document.querySelector('input').value"}`); !fault.Is(err, fault.SecretField) {
		t.Errorf("%v", err)
	}
	if _, err := d.call("browser_wait", `{"function":"() => document.querySelector('input').value"}`); !fault.Is(err, fault.SecretField) {
		t.Errorf("%v", err)
	}
	_ = s
}

func TestOwnSecretMayBeReadByAScript(t *testing.T) {
	d := sit(t)
	_, s := d.open(map[string]string{"/": `<title>A</title><input type=password aria-label=Pass>`})
	r := d.must("browser_type", fmt.Sprintf(`{"target":%q,"text":"mine"}`, d.ref(s, "Pass")))
	if strings.Contains(r.Text, "mine") {
		t.Error(r.Text)
	}
	if r := d.must("browser_evaluate", `{"expression":"document.querySelector('input').value.length"}`); r.Text != "4" {
		t.Error(r.Text)
	}
}

func TestOwnSecretOpensNoOther(t *testing.T) {
	d := sit(t)
	_, s := d.open(map[string]string{"/": `<title>A</title><input type=password aria-label=Mine><input type=password aria-label=Theirs id=theirs>`})
	d.must("browser_type", fmt.Sprintf(`{"target":%q,"text":"mine"}`, d.ref(s, "Mine")))
	// It is filled while the script runs: the value is not told.
	if r, err := d.call("browser_evaluate", `{"expression":"new Promise(done => { theirs.value = 'hunter2-secret'; done(theirs.value) })"}`); !fault.Is(err, fault.SecretField) || strings.Contains(r.Text, "hunter2") {
		t.Errorf("%v %s", err, r.Text)
	}
	// Filled already: the script does not run.
	if _, err := d.call("browser_evaluate", `{"expression":"document.title = 'ran'"}`); !fault.Is(err, fault.SecretField) {
		t.Errorf("%v", err)
	}
	if r := d.must("browser_snapshot", `{}`); strings.Contains(r.Text, "ran") {
		t.Error(r.Text)
	}
}

func TestAnActionThatAnotherCallClosedTheTabUnderIsNotDone(t *testing.T) {
	d := sit(t)
	_, s := d.open(map[string]string{"/": `<title>A</title><input aria-label=Name>`})
	other := NewThread(d.deps, d.agent)
	id := d.current
	go func() {
		time.Sleep(300 * time.Millisecond)
		_ = other.deps.Tabs.Close(context.Background(), id, other.actor())
	}()
	r, err := d.call("browser_type", fmt.Sprintf(`{"target":%q,"text":%q,"slowly":true,"timeout_ms":20000}`, d.ref(s, "Name"), strings.Repeat("x", 2000)))
	if !fault.Is(err, fault.NoSuchTab) || fault.From(err).Effect != "unknown" {
		t.Errorf("%v %s", err, r.Text)
	}
}

func TestConsoleIsCleanedOfSecrets(t *testing.T) {
	d := sit(t)
	d.open(map[string]string{"/": `<title>A</title><input type=password id=p value="hunter2-secret"><script>console.error('login with '+p.value);fetch('/missing')</script>`})
	time.Sleep(200 * time.Millisecond)
	r := d.must("browser_console", `{}`)
	if strings.Contains(r.Text, "hunter2") || !strings.Contains(r.Text, "login with") || !strings.Contains(r.Text, "HTTP 404") {
		t.Error(r.Text)
	}
}

func TestUnknownArgumentIsRefusedByName(t *testing.T) {
	d := sit(t)
	_, err := d.call("browser_click", `{"target":"e1","colour":"red"}`)
	if !fault.Is(err, fault.BadArguments) || !strings.Contains(err.Error(), "colour") {
		t.Errorf("%v", err)
	}
}
