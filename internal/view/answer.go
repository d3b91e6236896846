package view

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// policy keeps the page from loading or sending anything elsewhere, and from being framed.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
	"font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// setHeaders sets what every answer carries, errors too.
func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// fault is an answer that says what is wrong.
type fault struct {
	status int
	text   string
}

func (f *fault) Error() string { return f.text }

// faulty returns a fault with a sentence that says what and what to do.
func faulty(status int, format string, args ...any) error {
	return &fault{status, fmt.Sprintf(format, args...)}
}

// answerError answers with an error in words.
func answerError(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	var f *fault
	if errors.As(err, &f) {
		status = f.status
	}
	if status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", "GET, HEAD")
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Del("ETag")
	answerJSON(w, status, struct {
		Error string `json:"error"`
	}{err.Error()})
}

// answerJSON answers with a value. What has no place in JSON is a mistake of this package.
func answerJSON(w http.ResponseWriter, status int, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(data)+1))
	w.WriteHeader(status)
	_, _ = w.Write(append(data, '\n')) // whoever asked is gone
}

// query reads the parameters of a request, which may only be those named, once each.
func query(r *http.Request, names ...string) (map[string]string, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, faulty(http.StatusBadRequest, "The query cannot be read: %v.", err)
	}
	known := "it takes none"
	if len(names) > 0 {
		known = "it takes " + strings.Join(names, ", ")
	}
	out := map[string]string{}
	for name, vs := range values {
		if !slices.Contains(names, name) {
			return nil, faulty(http.StatusBadRequest, "%s has no parameter %q; %s.", r.URL.Path, name, known)
		}
		if len(vs) != 1 {
			return nil, faulty(http.StatusBadRequest, "%s is given %d times; write it once.", name, len(vs))
		}
		out[name] = vs[0]
	}
	return out, nil
}

// number reads a parameter that is a whole number from low to high, or returns other if it is not given.
func number(q map[string]string, name string, other, low, high int) (int, error) {
	text, ok := q[name]
	if !ok {
		return other, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, faulty(http.StatusBadRequest, "%s=%s: write a whole number from %d to %d.", name, text, low, high)
	}
	return n, nil
}

// listed reads a parameter that is a list with commas, without repetitions, of at most the given length.
func listed(q map[string]string, name string, most int) ([]string, error) {
	if q[name] == "" {
		return nil, nil
	}
	words := strings.Split(q[name], ",")
	if len(words) > most {
		return nil, faulty(
			http.StatusBadRequest,
			"%s lists %d things; at most %d are answered at once.",
			name,
			len(words),
			most,
		)
	}
	var out []string
	for _, w := range words {
		if w == "" {
			return nil, faulty(http.StatusBadRequest, "%s has an empty place between commas; leave it out.", name)
		}
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out, nil
}

// fresh sets the tag of an answer and reports whether the browser has it already; then it has been told so.
func fresh(w http.ResponseWriter, r *http.Request, tag string) bool {
	w.Header().Set("ETag", tag)
	for _, held := range strings.Split(r.Header.Get("If-None-Match"), ",") {
		if strings.TrimPrefix(strings.TrimSpace(held), "W/") == tag {
			w.WriteHeader(http.StatusNotModified)
			return true
		}
	}
	return false
}
