package view

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

const (
	maxParts = 32
	maxHave  = 64
)

// frameNumber reads the number of /api/frames/12; it has no zeros in front.
func frameNumber(path string) (int, bool) {
	text, ok := strings.CutPrefix(path, "/api/frames/")
	if !ok || len(text) > 9 {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == text
}

// frame answers with parts of a frame.
func (s *Server) frame(w http.ResponseWriter, r *http.Request, n int) error {
	q, err := query(r, "fields", "have", "run")
	if err != nil {
		return err
	}
	var ask request
	if ask.parts, err = listed(q, "fields", maxParts); err != nil {
		return err
	}
	if ask.have, err = listed(q, "have", maxHave); err != nil {
		return err
	}
	slices.Sort(ask.parts)
	slices.Sort(ask.have)
	for _, p := range ask.parts {
		if p != partTopology && p != partPosition && p != partNormal && p != partContacts && fieldOf(p) == nil {
			return faulty(http.StatusBadRequest, "fields=%s: there is no such thing; write %s.", p, partWords())
		}
	}
	current, f, err := s.find(n, q["run"])
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-cache")
	if q["run"] == current.id {
		w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	tag := fmt.Sprintf(
		`"%d-%.24s-%s"`,
		layoutVersion,
		f.Digest,
		partID([]byte(strings.Join(ask.parts, ",")), []byte{0}, []byte(strings.Join(ask.have, ","))),
	)
	if fresh(w, r, tag) {
		return nil
	}
	for _, p := range ask.parts {
		if fieldOf(p) != nil {
			s.frames.measure(current.id, p, f)
		}
	}
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	*buf = pack((*buf)[:0], f, &ask)
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(*buf)))
	_, _ = w.Write(*buf) // whoever asked is gone
	return nil
}

// buffers are what answers are put together in.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// find returns frame n of the run with the given id, or of any run if that is empty.
func (s *Server) find(n int, id string) (*run, *shownFrame, error) {
	current, err := s.live.look()
	if err != nil {
		return nil, nil, s.live.absent(err)
	}
	if id != "" && id != current.id {
		return nil, nil, faulty(http.StatusGone, "The folder holds another run now; load the page again.")
	}
	if !current.has(n) {
		return nil, nil, absentFrame(current, n)
	}
	f, err := s.frames.get(current, n)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, faulty(
			http.StatusNotFound,
			"Frame %d is not there any more; the run was resumed or its files were removed.",
			n,
		)
	}
	if err != nil {
		return nil, nil, faulty(http.StatusInternalServerError, "Frame %d cannot be shown: %s.", n, s.live.plain(err))
	}
	return current, f, nil
}

func absentFrame(r *run, n int) error {
	if len(r.frames) == 0 {
		return faulty(http.StatusNotFound, "The run has no frame yet.")
	}
	first, last := r.frames[0], r.frames[len(r.frames)-1]
	if n > first && n < last {
		return faulty(http.StatusNotFound, "Frame %d is missing in the folder.", n)
	}
	return faulty(http.StatusNotFound, "There is no frame %d; the run has frames %d to %d so far.", n, first, last)
}
