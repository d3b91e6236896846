package view

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Limits of a request. A browser's own headers take about 1 kB.
const (
	maxHeader = 16 << 10 // [byte]
	maxTarget = 4 << 10  // address with its query [byte]

	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	writeTimeout  = time.Minute
	idleTimeout   = 2 * time.Minute
	farewell      = time.Second // for answers under way at the end
)

// guard refuses requests that are not from a person at this machine, or that ask for more than reading.
func (s *Server) guard(r *http.Request) error {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return faulty(http.StatusMethodNotAllowed, "The viewer only answers GET and HEAD.")
	}
	if len(r.RequestURI) > maxTarget {
		return faulty(
			http.StatusRequestURITooLong,
			"The address is longer than %d bytes; ask for fewer things at once.",
			maxTarget,
		)
	}
	if r.ContentLength != 0 {
		return faulty(http.StatusRequestEntityTooLarge, "A request has no body here; send none.")
	}
	if !s.knownHost(r) {
		return faulty(
			http.StatusForbidden,
			"The viewer does not answer to this name; open the address that it printed.",
		)
	}
	return sameOrigin(r)
}

// knownHost reports whether the request names this server as localhost, by the address that it arrived at, or by a name
// from the options. Any other name may be somebody else's, pointed here to get around the rule of one origin. The port
// is not compared: a tunnel may have another one at its other end, and a name is needed for such tricks, not a port.
func (s *Server) knownHost(r *http.Request) bool {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(r.Host, "["), "]")
	} else if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return false
	}
	if strings.EqualFold(host, "localhost") ||
		slices.ContainsFunc(s.opt.Names, func(n string) bool { return strings.EqualFold(n, host) }) {
		return true
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	if addr.IsLoopback() {
		return true
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return ok && local.AddrPort().Addr().Unmap().WithZone("") == addr.Unmap()
}

// sameOrigin refuses what the page of another site asks for. Only a link to the page itself may be anywhere, for the
// one in a report.
func sameOrigin(r *http.Request) error {
	elsewhere := faulty(
		http.StatusForbidden,
		"This request comes from the page of another site; the viewer answers its own page only.",
	)
	for _, origin := range r.Header.Values("Origin") {
		if !strings.EqualFold(origin, "http://"+r.Host) {
			return elsewhere
		}
	}
	sites := r.Header.Values("Sec-Fetch-Site")
	if len(sites) == 0 || len(sites) == 1 && (sites[0] == "same-origin" || sites[0] == "none") {
		return nil
	}
	if r.URL.EscapedPath() == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
		r.Header.Get("Sec-Fetch-Dest") == "document" {
		return nil
	}
	return elsewhere
}
