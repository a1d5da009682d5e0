package agenttools

import (
	"strings"
	"testing"
)

func TestATitleThatAloneChangesIsTold(t *testing.T) {
	d := sit(t)
	d.open(map[string]string{"/": `<title>Inbox</title><button onclick="document.title='Inbox (1)'">Fetch</button><button>Rest</button>`})
	if r := d.must("browser_click", `{"target":{"role":"button","name":"Fetch"}}`); !strings.Contains(r.Text, `its title is now "Inbox (1)"`) {
		t.Errorf("the agent is told %q", r.Text)
	}
	if r := d.must("browser_click", `{"target":{"role":"button","name":"Rest"}}`); !strings.Contains(r.Text, "Nothing that shows has changed.") {
		t.Errorf("the agent is told %q", r.Text)
	}
}
