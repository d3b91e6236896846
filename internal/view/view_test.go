package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// TestFrameArraysAreThoseOfTheFrame compares what a page gets with what package cache reads, bit for bit: both are the
// float32 of the file, in the scene's axes.
func TestFrameArraysAreThoseOfTheFrame(t *testing.T) {
	dir := t.TempDir()
	f := newFilm(t, dir, "film", 3, 5)
	f.next(3)
	s := newSite(t, dir, Options{})
	got := s.frame("/api/frames/2?fields=topology,position,normal,_STRETCH,_GAP,contacts")
	folder, err := runfolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	want, err := folder.Frame(2)
	if err != nil {
		t.Fatal(err)
	}
	if got.Frame != 2 || got.Time != want.Time || got.Step != want.Step || got.Hash != want.Hash ||
		len(got.Bodies) != 4 {
		t.Errorf("head %+v", got.frameHead)
	}
	sheet := want.Bodies[0].Mesh
	equal := func(what string, a []float32, b []r3.Vec) {
		t.Helper()
		if len(a) != 3*len(b) {
			t.Fatalf("%s: %d numbers for %d vectors", what, len(a), len(b))
		}
		for i, v := range b {
			if a[3*i] != float32(v.X) || a[3*i+1] != float32(v.Y) || a[3*i+2] != float32(v.Z) {
				t.Fatalf("%s %d: %v, want %v", what, i, a[3*i:3*i+3], v)
			}
		}
	}
	equal("position", got.floats("sheet", "position"), sheet.Positions)
	equal("normal", got.floats("sheet", "normal"), sheet.Normals)
	for i := range want.Bodies[1:3] {
		o := &want.Bodies[1+i]
		var pos, normals []r3.Vec
		for k := range o.Mesh.Positions {
			pos, normals = append(
				pos,
				o.Pose.Apply(o.Mesh.Positions[k]),
			), append(
				normals,
				o.Pose.R.Rotate(o.Mesh.Normals[k]),
			)
		}
		equal(o.Name, got.floats(o.Name, "position"), pos)
		equal(o.Name, got.floats(o.Name, "normal"), normals)
	}
	for _, name := range []string{runfolder.AttrStretch, runfolder.AttrGap} {
		if a := got.floats("sheet", name); fmt.Sprint(a) != fmt.Sprint(attribute(sheet, name)) {
			t.Errorf("%s: %v", name, a)
		}
		if got.floats("ball", name) != nil {
			t.Errorf("the ball has %s", name)
		}
	}
	if a := got.Bodies[0].Arrays["topology"]; a.Count != len(sheet.Triangles) || a.Components != 3 || a.Type != "u32" {
		t.Errorf("topology %+v", a)
	}
	if mist := got.Bodies[3]; len(mist.Arrays) != 0 || mist.Topology != "" || mist.Shape != string(runfolder.KindField) ||
		mist.Kind != "obstacle" {
		t.Errorf("what cannot be shown is %+v", mist)
	}
	arrows := got.floats("sheet", "contactImpulse")
	if len(arrows) != 15 || got.Bodies[0].Direction != "recorded" {
		t.Fatalf("contacts %v of direction %q", arrows, got.Bodies[0].Direction)
	}
	if !slices.Equal(arrows[:3], []float32{0.3, 0, 0.4}) {
		t.Errorf("an impulse of (0.3, 0, 0.4) N s is %v", arrows[:3])
	}
}

// TestImpulsesWithoutDirection puts the sizes that frames of older versions have along the normal, and says so.
func TestImpulsesWithoutDirection(t *testing.T) {
	dir := t.TempDir()
	f := newFilm(t, dir, "film", 3, 5)
	n := len(f.sheet.Positions)
	sizes := make([]float32, n)
	f.sheet.Attributes[1] = meshio.Attribute{Name: runfolder.AttrImpulse, Width: 1, Data: sizes}
	for v := range n {
		f.sheet.Positions[v], f.sheet.Normals[v] = r3.V(float64(v), 0, 0), r3.V(0, 0, 1)
		sizes[v] = 0.5
	}
	if err := f.w.WriteFrame(
		&runfolder.Frame{Bodies: []runfolder.Body{runfolder.BodyOf(runfolder.KindCloth, f.sheet)}, Hash: "0"},
	); err != nil {
		t.Fatal(err)
	}
	got := newSite(t, dir, Options{}).frame("/api/frames/0?fields=contacts")
	if a := got.floats(
		"sheet",
		"contactImpulse",
	); len(a) != 3*n || !slices.Equal(a[:3], []float32{0, 0, 0.5}) ||
		got.Bodies[0].Direction != "normal" {
		t.Errorf("impulses %v of direction %q", a, got.Bodies[0].Direction)
	}
}

func attribute(m *meshio.Mesh, name string) []float32 {
	for i := range m.Attributes {
		if m.Attributes[i].Name == name {
			return m.Attributes[i].Data
		}
	}
	return nil
}

// TestPartsAreSentOnce leaves out what the page says it has: triangles that are the same and obstacles that stand
// still.
func TestPartsAreSentOnce(t *testing.T) {
	dir := t.TempDir()
	newFilm(t, dir, "film", 3, 5).next(3)
	s := newSite(t, dir, Options{})
	first := s.frame("/api/frames/0?fields=topology,position")
	second := s.frame("/api/frames/1?fields=topology,position")
	for i, b := range first.Bodies {
		c := second.Bodies[i]
		if b.Topology != c.Topology {
			t.Errorf("%s: the same triangles are %s and %s", b.Name, b.Topology, c.Topology)
		}
		if moved := b.Name == "ball"; b.Kind == "obstacle" && (b.Geometry != c.Geometry) != moved {
			t.Errorf("%s: geometry %q, then %q", b.Name, b.Geometry, c.Geometry)
		}
	}
	if first.Bodies[0].Topology == first.Bodies[1].Topology {
		t.Error("sheet and ball have one name for their triangles")
	}
	wall := first.Bodies[2]
	rest := s.frame("/api/frames/1?fields=topology,position&have=" + wall.Geometry + "," + first.Bodies[0].Topology)
	if rest.floats("wall", "position") != nil || rest.floats("ball", "position") == nil ||
		rest.floats("sheet", "position") == nil {
		t.Errorf("with the wall at hand: %+v", rest.Bodies)
	}
	if _, ok := rest.Bodies[0].Arrays["topology"]; ok {
		t.Error("triangles were sent again")
	}
	if none := s.frame("/api/frames/1"); len(none.Bodies[0].Arrays) != 0 {
		t.Errorf("nothing asked for gives %v", none.Bodies[0].Arrays)
	}
}

// TestLiveRun follows a run from before its folder exists to its end.
func TestLiveRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "later.run")
	s := newSite(t, dir, Options{})
	if f := s.facts(); f.State != Running || f.Count != 0 || f.Last != -1 || f.Bounds != nil ||
		!strings.Contains(f.Message, "Waiting") ||
		f.Folder != "later.run" {
		t.Errorf("without a folder: %+v", f)
	}
	s.fails("/api/frames/0", 404)
	s.fails("/api/stats", 404)
	s.fails("/api/frames/at?time=1", 404)

	film := newFilm(t, dir, "film", 5, 4)
	if f := s.facts(); f.State != Running || f.Count != 0 || f.Name != "film" || f.Total != 5 {
		t.Errorf("without a frame: %+v", f)
	}
	s.fails("/api/frames/0", 404)
	film.next(1)
	if f := s.facts(); f.State != Running || f.Count != 1 || f.Steps != 0 || f.Bounds == nil || len(f.Fields) != 6 ||
		len(f.Bodies) != 4 {
		t.Errorf("with a frame: %+v", f)
	}
	film.next(2)
	if f := s.facts(); f.Count != 3 || f.Steps != 8 || f.Hash != fmt.Sprintf("%032x", 2) || f.Time != 0.04 ||
		*f.Ahead != (aheadFacts{6e-6, 8e-5}) || f.Loss.Energy != 4 || f.Loss.Damped != 2 {
		t.Errorf("with three: %+v", f)
	}
	if text := s.fails("/api/frames/3", 404); !strings.Contains(text, "frames 0 to 2") {
		t.Error(text)
	}
	s.server.live.grown = s.server.live.grown.Add(-2 * askEvery) // as if it had been quiet
	if f := s.facts(); f.State != Running {
		t.Errorf("a run that takes its time is %s", f.State)
	}
	if err := film.w.Close(); err != nil {
		t.Fatal(err)
	}
	s.server.live.asked = s.server.live.asked.Add(-2 * askEvery)
	if f := s.facts(); f.State != Stopped || !strings.Contains(f.Message, "frame 2 of 4") {
		t.Errorf("a run whose process is gone is %s: %s", f.State, f.Message)
	}
	film = newFilm(t, dir, "film", 5, 4)
	film.next(5)
	if f := s.facts(); f.State != Finished || f.Count != 5 || f.Message != "" || f.Tolerance != 1e-8 ||
		f.Interval != 0.02 ||
		f.End != 0.08 {
		t.Errorf("at the end: %+v", f)
	}
}

// TestRunIsReplaced sees that the folder holds another run, and does not mix the two.
func TestRunIsReplaced(t *testing.T) {
	dir := t.TempDir()
	film := newFilm(t, dir, "one", 4, 4)
	film.next(4)
	s := newSite(t, dir, Options{})
	one := s.facts()
	s.frame("/api/frames/3?fields=position&run=" + one.ID)
	_ = film.w.Close()
	newFilm(t, dir, "two", 9, 6).next(2)
	two := s.facts()
	if two.ID == one.ID || two.Name != "two" || two.Count != 2 || two.Bodies[0].Vertices != 36 || two.Steps != 4 {
		t.Errorf("the new run is %+v", two)
	}
	if text := s.fails(
		"/api/frames/0?fields=position&run="+one.ID,
		410,
	); !strings.Contains(
		text,
		"load the page again",
	) {
		t.Error(text)
	}
	if got := s.frame("/api/frames/1?fields=position&run=" + two.ID); len(got.floats("sheet", "position")) != 3*36 {
		t.Error("a frame of the first run was shown for one of the second")
	}
	s.fails("/api/frames/3", 404)
}

// TestFramesComeAndGo removes frames as resuming from a checkpoint does, and as people do.
func TestFramesComeAndGo(t *testing.T) {
	dir := t.TempDir()
	film := newFilm(t, dir, "film", 20, 4)
	film.next(8)
	s := newSite(t, dir, Options{})
	if f := s.facts(); f.Count != 8 {
		t.Fatalf("%d frames", f.Count)
	}
	for n := 5; n < 8; n++ {
		if err := os.Remove(framePath(dir, n)); err != nil {
			t.Fatal(err)
		}
	}
	if f := s.facts(); f.Count != 5 || f.Last != 4 {
		t.Errorf("after cutting back: %d frames, the last %d", f.Count, f.Last)
	}
	if err := os.Remove(framePath(dir, 2)); err != nil {
		t.Fatal(err)
	}
	s = newSite(t, dir, Options{})
	if f := s.facts(); f.Count != 5 || f.Missing != 1 {
		t.Errorf("with a gap: %d frames, %d missing", f.Count, f.Missing)
	}
	if text := s.fails("/api/frames/2", 404); !strings.Contains(text, "missing") {
		t.Error(text)
	}
	var at struct{ Frame int }
	if s.decode("/api/frames/at?time=0.04", &at); at.Frame != 1 {
		t.Errorf("nearest to the gap is %d", at.Frame)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if f := s.facts(); f.State != Running || f.Count != 0 {
		t.Errorf("after the folder went: %+v", f)
	}
}

// TestDamageIsOneRequestsError damages frames in many ways; the others stay.
func TestDamageIsOneRequestsError(t *testing.T) {
	dir := t.TempDir()
	newFilm(t, dir, "film", 12, 6).next(12)
	whole, err := os.ReadFile(framePath(dir, 3))
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-5] ^= 1
	lying := bytes.Clone(whole)
	copy(lying[8:], []byte{255, 255, 255, 255})
	write := func(n int, data []byte) {
		if err := os.WriteFile(framePath(dir, n), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(1, whole[:len(whole)/2])
	write(2, nil)
	write(3, flipped)
	write(4, []byte("glTF"))
	write(5, lying)
	write(6, whole) // a good one under another name
	write(7, bytes.Repeat([]byte{'x'}, 9000))
	s := newSite(t, dir, Options{})
	for n := 1; n <= 7; n++ {
		text := s.fails(fmt.Sprintf("/api/frames/%d?fields=position", n), 500)
		if !strings.Contains(text, "damaged") || strings.Contains(text, dir) {
			t.Errorf("frame %d: %s", n, text)
		}
	}
	for _, n := range []int{0, 8, 11} {
		s.frame(fmt.Sprintf("/api/frames/%d?fields=position", n))
	}
	if f := s.facts(); f.Count != 12 || f.State != Finished {
		t.Errorf("%+v", f)
	}
	write(11, whole[:100]) // the newest, which the facts are told from
	if f := newSite(t, dir, Options{}).facts(); f.Count != 12 || f.Bounds == nil {
		t.Errorf("with the newest damaged: %+v", f)
	}
	if err := os.WriteFile(filepath.Join(dir, "run.json"), []byte(`{"digest": "no"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if f := s.facts(); f.State != Failed || !strings.Contains(f.Message, "damaged") ||
		strings.Contains(f.Message, dir) {
		t.Errorf("with a damaged run.json: %+v", f)
	}
	s.fails("/api/frames/0", 500)
	s.fails("/api/stats", 500)
}

// TestBrowserKeepsFrames looks at the headers that let a browser ask only once.
func TestBrowserKeepsFrames(t *testing.T) {
	dir := t.TempDir()
	newFilm(t, dir, "film", 3, 4).next(3)
	s := newSite(t, dir, Options{})
	id := s.facts().ID
	ask := func(address, tag string) *http.Response {
		r, err := http.NewRequest("GET", "http://"+s.addr+address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if tag != "" {
			r.Header.Set("If-None-Match", tag)
		}
		resp, err := s.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp
	}
	named := ask("/api/frames/1?fields=position&run="+id, "")
	if c := named.Header.Get("Cache-Control"); !strings.Contains(c, "immutable") || !strings.Contains(c, "private") {
		t.Errorf("a frame of a named run may be kept: %q", c)
	}
	if c := ask("/api/frames/1?fields=position", "").Header.Get("Cache-Control"); c != "no-cache" {
		t.Errorf("a frame of whatever run is there: %q", c)
	}
	tag := named.Header.Get("ETag")
	if tag == "" || ask("/api/frames/1?fields=normal", "").Header.Get("ETag") == tag ||
		ask("/api/frames/2?fields=position", "").Header.Get("ETag") == tag {
		t.Errorf("tag %q", tag)
	}
	if resp := ask("/api/frames/1?fields=position&run="+id, `"other", W/`+tag); resp.StatusCode != 304 {
		t.Errorf("asked again: %d", resp.StatusCode)
	}
	page := ask("/", "")
	if again := ask("/index.html", page.Header.Get("ETag")); page.StatusCode != 200 || again.StatusCode != 304 {
		t.Errorf("the page: %d, again %d", page.StatusCode, again.StatusCode)
	}
	if c := ask("/api/run", "").Header.Get("Cache-Control"); c != "no-store" {
		t.Errorf("facts: %q", c)
	}
	head, err := s.client.Head("http://" + s.addr + "/api/frames/1?fields=position")
	if err != nil || head.ContentLength < 16*12 || head.StatusCode != 200 {
		t.Errorf("HEAD: %v, %v", head, err)
	}
	_ = head.Body.Close()
}

// TestMemoryIsBounded asks for more frames than are kept, many at a time, while the run grows.
func TestMemoryIsBounded(t *testing.T) {
	dir := t.TempDir()
	film := newFilm(t, dir, "film", 40, 10)
	film.next(20)
	s := newSite(t, dir, Options{})
	var wait sync.WaitGroup
	for worker := range 8 {
		wait.Go(func() {
			for i := range 30 {
				n := (i*7 + worker) % 20
				status, _, body := s.get(fmt.Sprintf("/api/frames/%d?fields=position,_SPEED", n))
				if status != 200 || readShown(t, body).Frame != n {
					t.Errorf("frame %d: status %d", n, status)
				}
				s.get("/api/run")
				s.get("/api/stats?columns=residual")
			}
		})
	}
	film.next(20)
	wait.Wait()
	c := s.server.frames
	if len(c.loading) != 0 || c.order.Len() != len(c.entries) {
		t.Errorf("%d still loading, %d in order, %d kept", len(c.loading), c.order.Len(), len(c.entries))
	}
	c = newFrameCache()
	for n := range 100 {
		c.keep(frameKey{"x", n}, &shownFrame{RawFrame: &runfolder.RawFrame{Size: frameBudget / 10}})
		if c.used > frameBudget {
			t.Fatalf("%d bytes kept of %d", c.used, frameBudget)
		}
	}
	if _, ok := c.entries[frameKey{"x", 99}]; !ok || len(c.entries) != 10 {
		t.Errorf("%d kept, the latest %v", len(c.entries), ok)
	}
	c.keep(frameKey{"x", 100}, &shownFrame{RawFrame: &runfolder.RawFrame{Size: 5 * frameBudget}})
	if len(c.entries) != 1 || c.used != 5*frameBudget {
		t.Errorf("a frame over the budget leaves %d, %d bytes", len(c.entries), c.used)
	}
}

// TestStatusOfTheSameProcess tells what the folder cannot.
func TestStatusOfTheSameProcess(t *testing.T) {
	dir := t.TempDir()
	newFilm(t, dir, "film", 9, 4).next(2)
	s := newSite(t, dir, Options{Status: func() Status { return Status{Failed, "It broke."} }})
	if f := s.facts(); f.State != Failed || f.Message != "It broke." || f.Count != 2 {
		t.Errorf("%+v", f)
	}
}

// TestFieldsAreDescribed checks ranges: no gap is none, and a state has its classes.
func TestFieldsAreDescribed(t *testing.T) {
	dir := t.TempDir()
	newFilm(t, dir, "film", 3, 5).next(3)
	f := newSite(t, dir, Options{}).facts()
	ranges := map[string][2]float32{}
	for _, field := range f.Fields {
		ranges[field.Name] = *field.Range
	}
	if ranges[runfolder.AttrGap] != [2]float32{0.25, 0.25} || ranges[runfolder.AttrState] != [2]float32{0, 2} ||
		ranges[runfolder.AttrImpulse] != [2]float32{0.5, 0.5} {
		t.Errorf("ranges %v", ranges)
	}
	if r := ranges[runfolder.AttrStretch]; r != [2]float32{5, 6.04} {
		t.Errorf("stretch from %v", r)
	}
	if !json.Valid([]byte(f.Scene)) || !strings.Contains(f.Scene, "\n") {
		t.Errorf("scene %q", f.Scene)
	}
	if b := f.Bounds; b.Min[0] != 0 || b.Max[1] != 1 || !(b.Max[2] > 0.09 && b.Max[2] < 0.11) {
		t.Errorf("bounds %v", b)
	}
}
