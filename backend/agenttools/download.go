package agenttools

import (
	"fmt"
	"strconv"

	"baton/backend/page"
)

// downloads tells of the page's downloads that no result has told of yet, and
// of those that ended since: as lines, and in data.
func downloads(p *page.Page, data map[string]any) []string {
	if p == nil {
		return nil
	}
	list := p.Downloads()
	if len(list) == 0 {
		return nil
	}
	lines := make([]string, len(list))
	rows := make([]map[string]any, len(list))
	for i, d := range list {
		rows[i] = map[string]any{"name": d.Name, "state": d.State, "path": d.Path, "bytes": d.Received}
		if d.Total > 0 {
			rows[i]["total"] = d.Total
		}
		name := strconv.Quote(d.Name)
		switch d.State {
		case page.DownloadDone:
			lines[i] = fmt.Sprintf("Downloaded %s, %d bytes, to %s", name, d.Received, strconv.Quote(d.Path))
		case page.DownloadFailed:
			lines[i] = fmt.Sprintf("The download of %s was broken off after %d bytes; nothing was kept", name, d.Received)
		default:
			size := fmt.Sprintf("%d bytes so far", d.Received)
			if d.Total > 0 {
				size = fmt.Sprintf("%d of %d bytes so far", d.Received, d.Total)
			}
			lines[i] = fmt.Sprintf("The download of %s is going on, %s; it will be in %s. A later snapshot tells when it is there.", name, size, strconv.Quote(d.Path))
		}
	}
	data["downloads"] = rows
	return lines
}
