package app

import (
	"net"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestTheAddressBarKnowsServersAndWords(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	for text, search := range map[string]bool{"node.js": true, "how to": true, "example.com": false, "localhost:3000": false, "javascript:alert(1)": false, "/": false, "": false} {
		var r ReadResult
		c.must("address.read", TextArgs{Text: text}, &r)
		if r.Search != search {
			t.Errorf("%q is a search: %v", text, r.Search)
		}
	}
	if runtime.GOOS != "linux" {
		return
	}
	var web net.Listener
	for port := 18200; web == nil && port < 18400; port++ {
		web, _ = net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
	}
	s := &http.Server{Handler: http.NotFoundHandler()}
	go s.Serve(web)
	defer s.Close()
	var r ServersResult
	c.must("address.servers", nil, &r)
	_, own, _ := net.SplitHostPort(h.address)
	mine, _ := strconv.Atoi(own)
	if !slices.Contains(r.Ports, web.Addr().(*net.TCPAddr).Port) || slices.Contains(r.Ports, mine) {
		t.Errorf("the servers are %v", r.Ports)
	}
}

func TestASourceOpensInATabOfItsOwn(t *testing.T) {
	h, c, page := watchFields(t)
	c.must("tabs.navigate", NavigateArgs{Tab: page, URL: "view-source:" + h.pages + "/fields.html"}, nil)
	list := c.settled("a source", func(list []Tab) bool {
		return slices.ContainsFunc(list, func(t Tab) bool { return strings.HasPrefix(t.URL, "view-source:http") && t.Private })
	})
	source := list[len(list)-1]
	if list[0].URL != h.pages+"/fields.html" {
		t.Errorf("the page went to %s", list[0].URL)
	}
	if !slices.ContainsFunc(c.heard(EventView), func(data string) bool { return strings.Contains(data, `"`+source.ID+`"`) }) {
		t.Error("the source is not shown")
	}
	var r TabResult
	c.must("tabs.open", OpenArgs{URL: "view-source:" + h.pages + "/echo.html"}, &r)
	c.settled("another source", func(list []Tab) bool {
		return slices.ContainsFunc(list, func(t Tab) bool { return t.ID == r.Tab && strings.HasSuffix(t.URL, "/echo.html") && t.Private })
	})
}
