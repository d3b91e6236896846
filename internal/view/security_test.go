package view

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// raw sends bytes to a server as they are and returns its first answer; nil if it closed the connection without one.
func raw(t *testing.T, addr, request, method string) (*http.Response, []byte) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	go func() { _, _ = io.WriteString(c, request) }() // the server may hang up before it has read all
	r, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	if err != nil {
		return nil, nil
	}
	body, _ := io.ReadAll(r.Body)
	_ = r.Body.Close()
	return r, body
}

// negative is a request that must not get what it asks for. ADDR stands for the address of the server.
type negative struct {
	name    string
	request string
	status  []int // any of these; 0 means that the connection is closed
}

// plain is a request with the right host and otherwise only what is given.
func plainRequest(line string, headers ...string) string {
	return line + " HTTP/1.1\r\nHost: ADDR\r\nConnection: close\r\n" + strings.Join(
		append(headers, ""),
		"\r\n",
	) + "\r\n"
}

func hostRequest(host string) string {
	return "GET /api/run HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"
}

func negatives() []negative {
	var out []negative
	add := func(name, request string, status ...int) { out = append(out, negative{name, request, status}) }

	// Paths that leave the folder, or name files in it.
	for _, path := range []string{
		"/../run.json", "/../../secret.txt", "/..", "/../", "/./run.json", "//run.json", "/run.json", "/stats.csv", "/.lock",
		"/frames/000000.glb", "/api/frames/000000.glb", "/api/frames/../run.json", "/api/frames/0/../../run", "/api/frames/../../../../../../etc/passwd",
		"/%2e%2e/run.json", "/%2e%2e%2frun.json", "/..%2f..%2fsecret.txt", "/..%5c..%5csecret.txt", `/..\..\secret.txt`, "/%252e%252e/secret.txt",
		"/api/frames/%30", "/api/%72un", "/index.html%00.png", "/index.html/", "/index.html/../../secret.txt", "/dist/index.html", "/....//secret.txt",
		"/api", "/api/", "/api/run/", "/api//run", "/API/RUN", "/api/frames", "/api/frames/", "/api/frames/00", "/api/frames/-1", "/api/frames/+1", "/api/frames/1e0", "/api/frames/0x0",
		"/api/frames/99999999999999999999", "/api/frames/0;x", "/api/run;x=1", "/~root", "/C:/secret.txt", "/proc/self/environ", "/debug/pprof/", "/favicon.ico/..",
	} {
		add("path "+path, plainRequest("GET "+path), 404, 400)
	}
	add("path file:", plainRequest("GET file:///etc/passwd"), 400, 403, 404)
	add("path with a NUL", plainRequest("GET /index.html\x00"), 400, 404)
	add("path without a slash", plainRequest("GET run.json"), 400, 404)

	// Names of hosts that somebody else may have pointed here.
	for _, host := range []string{
		"evil.example", "evil.example:80", "localhost.evil.example", "localhost.", "127.0.0.1.evil.example", "127.0.0.1.nip.io", "127.1", "2130706433", "0x7f000001", "0177.0.0.1",
		"192.168.0.1", "10.0.0.1:7070", "[fe80::1]", "[::]", "0.0.0.0", "localhost:port", "localhost:99999", "localhost@evil.example", "evil.example#localhost", "localhost,evil.example", "", "user:pass@localhost",
	} {
		add("host "+host, hostRequest(host), 403, 400)
	}
	add("no host", "GET /api/run HTTP/1.1\r\nConnection: close\r\n\r\n", 400)
	add("no host in HTTP/1.0", "GET /api/run HTTP/1.0\r\n\r\n", 403)
	add("two hosts", "GET /api/run HTTP/1.1\r\nHost: ADDR\r\nHost: evil.example\r\nConnection: close\r\n\r\n", 400)
	add(
		"a host in the address",
		"GET http://evil.example/api/run HTTP/1.1\r\nHost: ADDR\r\nConnection: close\r\n\r\n",
		403,
	)
	add(
		"a forwarded host",
		"GET /api/run HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: localhost\r\nConnection: close\r\n\r\n",
		403,
	)

	// Pages of other sites.
	for _, origin := range []string{
		"http://evil.example", "https://ADDR", "null", "http://localhost", "http://localhost:1", "http://ADDR.evil.example", "http://ADDR/", "file://", "ADDR", "http://evil.example http://ADDR",
	} {
		add("origin "+origin, plainRequest("GET /api/run", "Origin: "+origin), 403)
	}
	add("two origins", plainRequest("GET /api/run", "Origin: http://ADDR", "Origin: http://evil.example"), 403)
	add(
		"cross-site",
		plainRequest("GET /api/run", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"),
		403,
	)
	add("same-site", plainRequest("GET /api/run", "Sec-Fetch-Site: same-site"), 403)
	add(
		"cross-site frame",
		plainRequest("GET /", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"),
		403,
	)
	add(
		"cross-site link into the facts",
		plainRequest(
			"GET /api/run",
			"Sec-Fetch-Site: cross-site",
			"Sec-Fetch-Mode: navigate",
			"Sec-Fetch-Dest: document",
		),
		403,
	)
	add(
		"cross-site image of a frame",
		plainRequest("GET /api/frames/0?fields=position", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: image"),
		403,
	)
	add("two sites", plainRequest("GET /api/run", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"), 403)
	add("an unknown site", plainRequest("GET /api/run", "Sec-Fetch-Site: SAME-ORIGIN"), 403)

	// Anything but reading.
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get", "FOO"} {
		add("method "+method, plainRequest(method+" /api/run", "Content-Length: 0"), 405, 400)
	}
	add("method CONNECT", "CONNECT ADDR HTTP/1.1\r\nHost: ADDR\r\n\r\n", 405, 400)
	add("OPTIONS *", plainRequest("OPTIONS *"), 405)
	add("GET *", plainRequest("GET *"), 400, 404)
	add(
		"preflight",
		plainRequest("OPTIONS /api/run", "Origin: http://evil.example", "Access-Control-Request-Method: GET"),
		405,
	)
	add("method override", plainRequest("POST /api/run", "X-HTTP-Method-Override: GET", "Content-Length: 0"), 405)
	add("a body", plainRequest("GET /api/run", "Content-Length: 5")+"hello", 413)
	add("a body in chunks", plainRequest("GET /api/run", "Transfer-Encoding: chunked")+"5\r\nhello\r\n0\r\n\r\n", 413)
	add(
		"smuggling",
		plainRequest(
			"GET /api/run",
			"Content-Length: 5",
			"Transfer-Encoding: chunked",
		)+"0\r\n\r\nGET /run.json HTTP/1.1\r\n\r\n",
		400,
		413,
	)
	add("two lengths", plainRequest("GET /api/run", "Content-Length: 5", "Content-Length: 6")+"hello", 400)

	// Too much, or not HTTP.
	add("a long address", plainRequest("GET /api/run?"+strings.Repeat("x", 5000)), 414)
	add("a very long address", plainRequest("GET /"+strings.Repeat("x", 100_000)), 414, 431, 0)
	add("large headers", plainRequest("GET /api/run", "X-Fill: "+strings.Repeat("x", 100_000)), 431, 0)
	add(
		"many headers",
		plainRequest(
			"GET /api/run",
			strings.Split(strings.TrimSuffix(strings.Repeat("X-A: b\r\n", 10_000), "\r\n"), "\r\n")...),
		431,
		0,
	)
	add("a header with a line break", plainRequest("GET /api/run", "X-A: b\rOrigin: x"), 400, 200)
	add("a bad header", plainRequest("GET /api/run", "no colon"), 400)
	add("no HTTP", "hello\r\n\r\n", 400)
	add("HTTP/9.9", "GET /api/run HTTP/9.9\r\nHost: ADDR\r\n\r\n", 400, 505)
	add("TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, 0)
	add("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, 405, 505)

	// Queries.
	for _, target := range []string{
		"/api/run?x=1", "/api/frames/0?fields=../run.json", "/api/frames/0?fields=_ID", "/api/frames/0?fields=position&fields=normal", "/api/frames/0?field=position", "/api/frames/0?fields=,",
		"/api/frames/0?fields=" + strings.Repeat("position,", 40) + "x", "/api/frames/0?have=" + strings.Repeat("a,", 70) + "a", "/api/frames/0?fields=%ZZ", "/api/frames/0?fields=position;normal", "/api/stats?columns=../../secret",
		"/api/stats?columns=" + strings.Repeat("residual,", 70) + "x", "/api/stats?max=-5", "/api/stats?max=1e9", "/api/stats?from=99999999999999999999", "/api/worst?column=residual&count=99999999", "/api/frames/at?step=1&time=2",
	} {
		add("query "+target[:min(len(target), 60)], plainRequest("GET "+target), 400)
	}
	add("another run", plainRequest("GET /api/frames/0?run=../../x"), 410)
	return out
}

// TestStrangersGetNothing sends what must be refused to a real server, byte by byte as an attacker would.
func TestStrangersGetNothing(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "film.run")
	newFilm(t, dir, "film", 3, 4).next(3)
	const secret = "the secret of the house"
	for _, path := range []string{filepath.Join(parent, "secret.txt"), filepath.Join(dir, "secret.txt"), filepath.Join(parent, "run.json")} {
		if err := os.WriteFile(path, []byte(secret), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := newSite(t, dir, Options{})
	manifest, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	leaks := []string{secret, string(manifest), "root:", "glTF", "step,frame,time", "TOIL", `"scene"`, "doctype"}
	cases := negatives()
	if len(cases) < 40 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		request := strings.ReplaceAll(c.request, "ADDR", s.addr)
		method, _, _ := strings.Cut(request, " ")
		r, body := raw(t, s.addr, request, method)
		status := 0
		if r != nil {
			status = r.StatusCode
		}
		ok := false
		for _, want := range c.status {
			ok = ok || status == want
		}
		if !ok {
			t.Errorf("%s: status %d, want %v; %.200s", c.name, status, c.status, body)
		}
		if r == nil || status == 200 {
			continue
		}
		for _, leak := range leaks {
			if strings.Contains(string(body), leak) {
				t.Errorf("%s: the answer has %q in it: %.200s", c.name, leak, body)
			}
		}
		checkHeaders(t, c.name, r, body)
	}
	// After all that it is still there, and whole.
	if f := s.facts(); f.Count != 3 {
		t.Errorf("%d frames", f.Count)
	}
}

// checkHeaders checks what every answer of the handler must have. Requests that are not HTTP are answered before it.
func checkHeaders(t *testing.T, name string, r *http.Response, body []byte) {
	t.Helper()
	for key := range r.Header {
		if strings.HasPrefix(key, "Access-Control-") || key == "Location" || key == "Set-Cookie" || key == "Server" {
			t.Errorf("%s: header %s", name, key)
		}
	}
	if r.Header.Get("Content-Security-Policy") == "" {
		if r.StatusCode != 400 && r.StatusCode != 431 && r.StatusCode != 505 && r.StatusCode != 501 {
			t.Errorf("%s: status %d without a policy", name, r.StatusCode)
		}
		return
	}
	for key, want := range map[string]string{
		"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
	} {
		if got := r.Header.Get(key); got != want {
			t.Errorf("%s: %s is %q", name, key, got)
		}
	}
	if r.StatusCode == 405 && r.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("%s: Allow is %q", name, r.Header.Get("Allow"))
	}
	var e struct{ Error string }
	if r.StatusCode >= 400 && len(body) > 0 &&
		(json.Unmarshal(body, &e) != nil || e.Error == "" || r.Header.Get("Cache-Control") != "no-store") {
		t.Errorf("%s: the error is %q", name, body)
	}
}

// TestOwnersGetThePage sends what must be answered: the page under its names, from its own page, by a link, by a
// tunnel.
func TestOwnersGetThePage(t *testing.T) {
	dir := t.TempDir()
	newFilm(t, dir, "film", 3, 4).next(3)
	s := newSite(t, dir, Options{Names: []string{"studio.lan"}})
	_, port, err := net.SplitHostPort(s.addr)
	if err != nil {
		t.Fatal(err)
	}
	requests := map[string]string{
		"localhost":    hostRequest("localhost:" + port),
		"LOCALHOST":    hostRequest("LocalHost:" + port),
		"IPv6":         hostRequest("[::1]:" + port),
		"IPv4":         hostRequest("127.0.0.1:" + port),
		"no port":      hostRequest("localhost"),
		"tunnel":       hostRequest("localhost:8080"),
		"a given name": hostRequest("studio.lan:" + port),
		"typed": plainRequest(
			"GET /",
			"Sec-Fetch-Site: none",
			"Sec-Fetch-Mode: navigate",
			"Sec-Fetch-Dest: document",
		),
		"link": plainRequest(
			"GET /",
			"Sec-Fetch-Site: cross-site",
			"Sec-Fetch-Mode: navigate",
			"Sec-Fetch-Dest: document",
		),
		"page":  plainRequest("GET /api/run", "Sec-Fetch-Site: same-origin", "Origin: http://ADDR"),
		"index": plainRequest("GET /index.html"),
		"HEAD":  plainRequest("HEAD /api/run"),
		"frame": plainRequest("GET /api/frames/0?fields=position"),
	}
	for name, request := range requests {
		request = strings.ReplaceAll(request, "ADDR", s.addr)
		method, _, _ := strings.Cut(request, " ")
		r, body := raw(t, s.addr, request, method)
		if r == nil || r.StatusCode != 200 {
			t.Errorf("%s: %v, %s", name, r, body)
			continue
		}
		checkHeaders(t, name, r, body)
	}
	for address, f := range s.server.page {
		status, header, body := s.get(address)
		if status != 200 || header.Get("Content-Type") != f.kind || len(body) != len(f.data) ||
			f.kind == "application/octet-stream" {
			t.Errorf("%s: status %d, %s, %d bytes", address, status, header.Get("Content-Type"), len(body))
		}
	}
}

// TestBoundAddress serves at an address of this machine that is not loopback: it is answered to under that address.
func TestBoundAddress(t *testing.T) {
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Skip(err)
	}
	for _, a := range addrs {
		ip, ok := a.(*net.IPNet)
		if !ok || ip.IP.IsLoopback() || ip.IP.To4() == nil {
			continue
		}
		l, err := net.Listen("tcp", net.JoinHostPort(ip.IP.String(), "0"))
		if err != nil {
			continue
		}
		addr := l.Addr().String()
		go func() { _ = http.Serve(l, New(t.TempDir(), Options{})) }()
		for host, want := range map[string]int{addr: 200, "localhost": 200, "10.99.99.99": 403, "evil.example": 403} {
			if r, _ := raw(t, addr, hostRequest(host), "GET"); r == nil || r.StatusCode != want {
				t.Errorf("host %s at %s: %v", host, addr, r)
			}
		}
		_ = l.Close()
		return
	}
	t.Skip("this machine has no address but loopback")
}

// TestSlowRequestsEnd opens a connection that never says what it wants.
func TestSlowRequestsEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a timeout")
	}
	s := newSite(t, t.TempDir(), Options{})
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := fmt.Fprintf(c, "GET /api/run HTTP/1.1\r\nHost: "); err != nil {
		t.Fatal(err)
	}
	_ = c.SetReadDeadline(time.Now().Add(headerTimeout + 5*time.Second))
	if _, err := io.ReadAll(c); err != nil {
		t.Errorf("the server still waits: %v", err)
	}
}
