package view

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// film writes a run of a waving sheet over a ball that turns, without computing anything.
type film struct {
	t      testing.TB
	w      *runfolder.Writer
	side   int // vertices along a side of the sheet
	frame  int // the next one
	step   int
	sheet  *meshio.Mesh
	marker *meshio.Mesh
}

const filmSubsteps = 4

// newFilm begins a run of so many frames; nothing is written yet but its manifest.
func newFilm(t testing.TB, dir, name string, total, side int) *film {
	t.Helper()
	m := runfolder.Manifest{
		Name: name, Start: "00", Build: runfolder.ThisBuild(),
		Time:    runfolder.Timing{FPS: 50, Frames: total, Substeps: filmSubsteps, Step: 0.005},
		Options: json.RawMessage(`{"world":{"Contact":{"Tolerance":1e-8}}}`),
		Scene:   json.RawMessage(`{"toile":1,"name":"film"}`),
	}
	w, err := runfolder.Begin(dir, m, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Resume(nil); err != nil {
		t.Fatal(err)
	}
	f := &film{t: t, w: w, side: side, sheet: sheet(side)}
	f.marker = &meshio.Mesh{
		Name: "ball", Positions: []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}},
		Normals:   []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}},
		Triangles: [][3]int32{{0, 1, 2}, {1, 3, 2}},
	}
	t.Cleanup(func() { _ = w.Close() })
	return f
}

func sheet(side int) *meshio.Mesh {
	n := side * side
	m := &meshio.Mesh{Name: "sheet", Positions: make([]r3.Vec, n), Normals: make([]r3.Vec, n), UV: make([]r3.Vec2, n)}
	for _, name := range []string{
		runfolder.AttrGap, runfolder.AttrImpulse, runfolder.AttrSize, runfolder.AttrSpeed, runfolder.AttrState, runfolder.AttrStretch,
	} {
		m.Attributes = append(m.Attributes, meshio.Attribute{Name: name, Width: 1, Data: make([]float32, n)})
		if name == runfolder.AttrImpulse {
			m.Attributes[1] = meshio.Attribute{Name: name, Width: 3, Data: make([]float32, 3*n)}
		}
	}
	for j := range side - 1 {
		for i := range side - 1 {
			a := int32(j*side + i)
			b, c, d := a+1, a+int32(side), a+int32(side)+1
			m.Triangles = append(m.Triangles, [3]int32{a, b, d}, [3]int32{a, d, c})
		}
	}
	return m
}

// next writes the next frames.
func (f *film) next(frames int) {
	f.t.Helper()
	for range frames {
		for range filmSubsteps {
			if f.frame == 0 {
				break
			}
			f.step++
			s := engine.Stats{
				Step:      f.step,
				Time:      0.005 * float64(f.step),
				H:         0.005,
				Residual:  math.Abs(math.Sin(float64(f.step))),
				Contacts:  f.step % 3,
				WorstGap:  1e-4 * float64(f.step%7),
				Converged: true,
				Loss:      engine.Loss{Known: true, Spin: 2, SpinLost: 0.01, EnergyLost: 0.5, Damped: 0.25},
				Ahead:     engine.Ahead{Known: f.step%4 == 0, Mean: 1e-6 * float64(f.step), Worst: 1e-5 * float64(f.step)},
			}
			f.w.AddStats(f.frame, &s)
		}
		if err := f.w.WriteFrame(f.picture(f.frame)); err != nil {
			f.t.Fatal(err)
		}
		f.frame++
	}
}

// picture is frame n.
func (f *film) picture(n int) *runfolder.Frame {
	t := float64(n) / 50
	m := f.sheet
	for v := range m.Positions {
		x, y := float64(v%f.side)/float64(f.side-1), float64(v/f.side)/float64(f.side-1)
		m.Positions[v] = r3.V(x, y, 0.1*math.Sin(6*x+t))
		m.Normals[v] = r3.V(-0.6*math.Cos(6*x+t), 0, 1).Unit()
		m.UV[v] = r3.Vec2{X: x, Y: y}
		for a := range m.Attributes {
			if m.Attributes[a].Width == 1 {
				m.Attributes[a].Data[v] = float32(x + float64(a) + t)
			}
		}
		m.Attributes[0].Data[v] = runfolder.NoGap
		if v < 5 {
			m.Attributes[0].Data[v] = 0.25
			copy(m.Attributes[1].Data[3*v:], []float32{0.3, 0, 0.4}) // its size is 0.5
		}
	}
	return &runfolder.Frame{
		Number: n, Time: t, Step: f.step, Hash: fmt.Sprintf("%032x", n), Bodies: []runfolder.Body{
			runfolder.BodyOf(runfolder.KindCloth, m),
			{
				Name: "ball",
				Kind: runfolder.KindSphere,
				Mesh: f.marker,
				Pose: r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), t), T: r3.V(0, 0, -1)},
			},
			{
				Name: "wall",
				Kind: runfolder.KindBox,
				Mesh: f.marker,
				Pose: r3.Pose{R: r3.Rotation(r3.V(1, 0, 0), 1), T: r3.V(3, 0, 0)},
			},
			{Name: "mist", Kind: runfolder.KindField, Pose: r3.Still()},
		},
	}
}

// site is a server on a real socket.
type site struct {
	t      testing.TB
	server *Server
	addr   string
	client *http.Client
}

func newSite(t testing.TB, dir string, opt Options) *site {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, server: New(dir, opt), addr: l.Addr().String(), client: &http.Client{Transport: &http.Transport{}}}
	s.server.live.every = 0
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.server.Serve(ctx, l) }()
	t.Cleanup(func() {
		s.client.CloseIdleConnections()
		cancel()
		if err := <-done; err != nil {
			t.Errorf("serving ended with %v", err)
		}
	})
	return s
}

// get asks for an address and returns status, header and body.
func (s *site) get(address string) (int, http.Header, []byte) {
	s.t.Helper()
	r, err := s.client.Get("http://" + s.addr + address)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return r.StatusCode, r.Header, body
}

// facts asks for /api/run.
func (s *site) facts() runFacts {
	s.t.Helper()
	var f runFacts
	s.decode("/api/run", &f)
	return f
}

// decode asks for JSON.
func (s *site) decode(address string, value any) {
	s.t.Helper()
	status, _, body := s.get(address)
	if status != 200 {
		s.t.Fatalf("%s: status %d, %s", address, status, body)
	}
	if err := json.Unmarshal(body, value); err != nil {
		s.t.Fatalf("%s: %v in %s", address, err, body)
	}
}

// fails asks for an address that must answer with an error in words.
func (s *site) fails(address string, want int) string {
	s.t.Helper()
	status, _, body := s.get(address)
	var e struct{ Error string }
	if err := json.Unmarshal(body, &e); err != nil || status != want || len(e.Error) < 10 {
		s.t.Fatalf("%s: status %d, want %d; %s", address, status, want, body)
	}
	return e.Error
}

// shown is a frame as a page reads it.
type shown struct {
	frameHead
	data []byte
}

func (s *site) frame(address string) shown {
	s.t.Helper()
	status, _, body := s.get(address)
	if status != 200 {
		s.t.Fatalf("%s: status %d, %s", address, status, body)
	}
	return readShown(s.t, body)
}

func readShown(t testing.TB, body []byte) shown {
	t.Helper()
	le := binary.LittleEndian
	if len(body) < 16 || string(body[:4]) != "TOIL" || le.Uint32(body[4:]) != 1 || le.Uint32(body[12:]) != 0 {
		t.Fatalf("bad start: %q", body[:min(16, len(body))])
	}
	n := int(le.Uint32(body[8:]))
	if n%8 != 0 {
		t.Fatalf("the head has %d bytes", n)
	}
	out := shown{data: body}
	if err := json.Unmarshal(body[16:16+n], &out.frameHead); err != nil {
		t.Fatal(err)
	}
	for _, b := range out.Bodies {
		for name, a := range b.Arrays {
			if a.Offset%8 != 0 || a.Offset < 16+n || a.Offset+4*a.Count*a.Components > len(body) {
				t.Fatalf(
					"%s of %s lies at %d for %d x %d in %d bytes",
					name,
					b.Name,
					a.Offset,
					a.Count,
					a.Components,
					len(body),
				)
			}
		}
	}
	return out
}

// floats returns an array of a body, nil if it is not there.
func (s *shown) floats(body, name string) []float32 {
	for _, b := range s.Bodies {
		a, ok := b.Arrays[name]
		if b.Name != body || !ok {
			continue
		}
		out := make([]float32, a.Count*a.Components)
		for i := range out {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(s.data[a.Offset+4*i:]))
		}
		return out
	}
	return nil
}

func framePath(dir string, n int) string {
	return filepath.Join(dir, "frames", fmt.Sprintf("%06d.glb", n))
}
