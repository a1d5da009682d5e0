package page

import (
	"encoding/json"
	"strings"

	"github.com/chromedp/cdproto/runtime"
)

// deedBinding is how the isolated world tells what the person entered.
const deedBinding = "__batonDeed"

// Deed is what the person did to one field.
type Deed struct {
	Kind   string `json:"kind"` // filled, chose, checked, unchecked, gave files to
	What   string `json:"what"` // the field: textbox "Name"
	Choice string `json:"choice"`
}

// String says it in words.
func (d Deed) String() string {
	if d.Choice != "" {
		return d.Kind + " " + quoteAll([]string{d.Choice}) + " in " + d.What
	}
	return d.Kind + " " + d.What
}

// did takes what a document told of the person's doing.
func (p *Page) did(e runtime.EventBindingCalled) {
	var d Deed
	if len(e.Payload) > 4000 || json.Unmarshal([]byte(e.Payload), &d) != nil || d.What == "" {
		return
	}
	switch d.Kind {
	case "filled", "chose", "checked", "unchecked", "gave files to":
		d.What, d.Choice = p.clean(oneLine(d.What)), p.clean(oneLine(d.Choice))
		p.Deeds.Publish(d)
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
