package agenttools

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"baton/backend/access"
	"baton/backend/card"
	"baton/backend/fault"
)

// far gives real files in a folder that no agent was given.
func far(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		put(t, filepath.Join(dir, name), text)
	}
	return dir
}

func TestAFileOutsideTheFoldersNeedsThePerson(t *testing.T) {
	g := guard(t, access.Rule{Mode: access.Full})
	g.deps.Cards = &shared.cards
	withFiles(g.desk, map[string]string{"in.html": "inside"})
	dir := far(t, map[string]string{"out.html": `<title>Out</title><link rel=stylesheet href=s/x.css><p>outside words`, "s/x.css": "p{color:red}", "two.html": "two"})
	out := filepath.Join(dir, "out.html")

	// Nobody is there: it ends at once, as ever.
	if _, err := g.call("browser_open", `{"path":`+quote(out)+`}`); !fault.Is(err, fault.FileNotAllowed) {
		t.Fatalf("with nobody there: %v", err)
	}
	defer shared.cards.Attend()()
	g.begin(t.Context(), "browser_open", `{"path":`+quote(out)+`,"assets":["s/x.css"]}`)
	c := g.shown()
	if c.Kind != card.File || c.Agent != t.Name() || !slices.Equal(c.Action.Files, []string{out, filepath.Join(dir, "s/x.css")}) {
		t.Fatalf("the card is %+v", c)
	}
	if err := shared.cards.Answer(c.ID, true); err != nil {
		t.Fatal(err)
	}
	if a := g.ended(); a.err != nil || !strings.Contains(a.res.Text, "outside words") {
		t.Fatalf("%v %v", a.res.Text, a.err)
	}
	if got := g.words(g.must("browser_evaluate", `{"expression":"getComputedStyle(document.querySelector('p')).color"}`).Data["value"]); got != "rgb(255, 0, 0)" {
		t.Errorf("its asset is not there: %s", got)
	}

	// The leave was for that once, and for that file.
	for _, path := range []string{out, filepath.Join(dir, "two.html")} {
		g.begin(t.Context(), "browser_navigate", `{"path":`+quote(path)+`}`)
		if err := shared.cards.Answer(g.shown().ID, false); err != nil {
			t.Fatal(err)
		}
		g.refused(fault.ApprovalDeclined)
	}
	// What is not there is asked for like the rest: the answer tells nothing.
	g.begin(t.Context(), "browser_open", `{"path":`+quote(filepath.Join(dir, "none.html"))+`}`)
	if err := shared.cards.Answer(g.shown().ID, false); err != nil {
		t.Fatal(err)
	}
	g.refused(fault.ApprovalDeclined)
	g.must("browser_open", `{"path":"in.html"}`)
}

func TestAnUploadFromElsewhereNeedsThePerson(t *testing.T) {
	g := guard(t, access.Rule{Mode: access.Full})
	g.deps.Cards = &shared.cards
	dir := far(t, map[string]string{"note.txt": "hello", "other.txt": "other"})
	note := filepath.Join(dir, "note.txt")
	_, s := g.open(map[string]string{"/": `<title>A</title><label>Docs <input type=file></label>`})
	args := fmt.Sprintf(`{"target":%q,"files":[%s]}`, g.ref(s, "Docs"), quote(note))
	defer shared.cards.Attend()()
	g.begin(t.Context(), "browser_upload", args)
	c := g.shown()
	if c.Kind != card.File || !slices.Equal(c.Action.Files, []string{note}) || c.Tab == "" {
		t.Fatalf("the card is %+v", c)
	}
	if err := shared.cards.Answer(c.ID, true); err != nil {
		t.Fatal(err)
	}
	if a := g.ended(); a.err != nil || !strings.Contains(a.res.Text, "note.txt") {
		t.Fatalf("%v %v", a.res.Text, a.err)
	}

	// What was shown is what is taken: a link put in its place is another file.
	g.begin(t.Context(), "browser_upload", args)
	c = g.shown()
	if err := os.Remove(note); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "other.txt"), note); err != nil {
		t.Fatal(err)
	}
	if err := shared.cards.Answer(c.ID, true); err != nil {
		t.Fatal(err)
	}
	g.refused(fault.FileNotAllowed)
}
