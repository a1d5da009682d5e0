package page

import (
	"strings"
	"testing"
)

func TestLandmarksTellHeadingsAndFiguresWithTheirPlaces(t *testing.T) {
	text := "Plain words here. The budget is 731 million crowns. More 😀 words.\n\n## Next part\n\nUser 3, 4 hours ago.\n\nIn 2027 it ends."
	got := landmarks(text, 1000)
	if len(got) != 3 {
		t.Fatalf("%+v", got)
	}
	for i, want := range []string{"The budget is 731 million crowns.", "## Next part", "In 2027 it ends."} {
		if got[i].Text != want {
			t.Errorf("%+v, want %q", got[i], want)
		}
	}
	if at := strings.Index(text, "##"); got[1].Offset != 1000+at-2 { // the emoji is 4 bytes and 2 units
		t.Errorf("the heading is said to be at %d", got[1].Offset)
	}
}
