package store

import (
	"testing"
	"time"
)

func TestPlacesVisitedOftenAndLatelyComeFirst(t *testing.T) {
	s := open(t, t.TempDir())
	today := 20_000
	add := func(url, title string, day, times int) {
		t.Helper()
		for range times {
			if err := s.AddVisit(t.Context(), Visit{Profile: "shared", URL: url, Title: title, Day: day, Last: time.Unix(int64(day)*86400, 0)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	add("https://old.example/", "Old", today-300, 40)
	add("https://daily.example/a_b", "Daily", today-1, 3)
	add("https://daily.example/a_b", "", today, 3)
	add("https://once.example/", "Once", today, 1)
	got, err := s.Places(t.Context(), nil, today, 10)
	if err != nil || len(got) != 3 || got[0].URL != "https://daily.example/a_b" || got[2].Title != "Old" && got[1].Title != "Old" {
		t.Fatalf("places are %+v, %v", got, err)
	}
	if got, _ := s.Places(t.Context(), []string{"A_B", "daily"}, today, 10); len(got) != 1 {
		t.Errorf("its words gave %+v", got)
	}
	if got, _ := s.Places(t.Context(), []string{"a%b"}, today, 10); len(got) != 0 {
		t.Errorf("a percent sign stood for anything: %+v", got)
	}
	if got, _ := s.Visits(t.Context(), VisitQuery{Limit: 10}); len(got) != 4 || got[3].Count != 40 {
		t.Errorf("visits are %+v", got)
	}
	if err := s.SaveIcon(t.Context(), "shared", "once.example", "data:image/png;base64,AA"); err != nil {
		t.Fatal(err)
	}
	if err := s.ClearVisits(t.Context(), time.Unix(int64(today)*86400, 0)); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.Visits(t.Context(), VisitQuery{Limit: 10}); len(got) != 2 {
		t.Errorf("left are %+v", got)
	}
	if icon, _ := s.Icon(t.Context(), "shared", "once.example"); icon != "" {
		t.Error("the icon of a forgotten site stayed")
	}
}

func TestTheHistoryIsBounded(t *testing.T) {
	s := open(t, t.TempDir())
	if _, err := s.db.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 20010)
		INSERT INTO visit (profile, url, day, last) SELECT 'shared', 'https://a.example/' || i, 1, i FROM n`); err != nil {
		t.Fatal(err)
	}
	if err := s.AddVisit(t.Context(), Visit{Profile: "shared", URL: "https://new.example/", Day: 2, Last: time.UnixMilli(90_000)}); err != nil {
		t.Fatal(err)
	}
	var n, oldest int
	if err := s.db.QueryRow(`SELECT count(*), min(last) FROM visit`).Scan(&n, &oldest); err != nil || n != visitsKept || oldest != 12 {
		t.Errorf("%d rows from %d on (%v)", n, oldest, err)
	}
}

func TestDownloadsAndZoomsAreKept(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	d := Download{Profile: "shared", Name: "a.txt", URL: "https://a.example/a", Whole: true, State: "going on", Began: time.UnixMilli(5)}
	var err error
	if d.ID, err = s.AddDownload(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	d.State, d.Path, d.Received, d.Total = "finished", "/x/a.txt", 7, 7
	if err := s.SaveDownload(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	for _, z := range []Zoom{{"shared", "a.example", 1.5}, {"shared", "b.example", 0.5}, {"shared", "b.example", 1}} {
		if err := s.SaveZoom(t.Context(), z); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	s = open(t, dir)
	if got, err := s.Downloads(t.Context()); err != nil || len(got) != 1 || got[0] != d {
		t.Errorf("downloads are %+v, %v; want %+v", got, err, d)
	}
	if got, err := s.Zooms(t.Context()); err != nil || len(got) != 1 || got[0] != (Zoom{"shared", "a.example", 1.5}) {
		t.Errorf("zooms are %+v, %v", got, err)
	}
	if err := s.DropDownload(t.Context(), d.ID); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.Downloads(t.Context()); len(got) != 0 {
		t.Errorf("left are %+v", got)
	}
}
