package runfolder

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

func TestObstacleRoundTrip(t *testing.T) {
	want := testFrame(1)
	got := throughBytes(t, want)
	if !reflect.DeepEqual(got.Bodies[2:], want.Bodies[2:]) {
		t.Errorf("wrote %+v\nread %+v", want.Bodies, got.Bodies)
	}
}

// The general glTF reader applies the pose of a node; it must find the obstacle where we put it.
func TestObstacleIsWhereItsPoseSays(t *testing.T) {
	f := testFrame(0)
	f.Bodies = f.Bodies[2:3]
	data, err := f.encode()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "frame.glb")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := meshio.ReadFile(path, meshio.DefaultReadOptions())
	if err != nil {
		t.Fatal(err)
	}
	o := &f.Bodies[0]
	for i, x := range o.Mesh.Positions {
		// Single precision of numbers about 1.
		if d := m.Positions[i].Sub(o.Pose.Apply(x)).Norm(); d > 1e-6 {
			t.Errorf("vertex %d is at %v, want %v", i, m.Positions[i], o.Pose.Apply(x))
		}
	}
}

// obstacleWorld has a cloth, a ball that moves, a slanted plane and a mesh of so many bands.
func obstacleWorld(t *testing.T, bands int) *engine.World {
	t.Helper()
	w, err := engine.New(engine.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	mesh, pos := shape.Grid(1, 1, 2, 2)
	fabric, err := material.LookupFabric("cotton")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cloths.Add(w, body.DefaultCloth("sheet", mesh, pos, fabric)); err != nil {
		t.Fatal(err)
	}
	normal := r3.V(0, 0.6, 0.8)
	x, tri := shape.Sphere{Radius: 0.1}.Mesh(bands)
	for _, o := range []engine.Obstacle{
		{Name: "ball", Shape: shape.Sphere{Radius: 0.2}, Place: r3.Translation(r3.V(0, 0, -0.5))},
		{Name: "floor", Shape: shape.Plane{Point: r3.V(50, 0, 0), Normal: normal}, Place: r3.Translation(r3.V(0, 0, -3))},
		{Name: "stone", Positions: x, Tri: tri, Place: r3.Translation(r3.V(0, 2, -0.5))},
	} {
		if _, err := w.AddObstacle(o); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// Triangles of analytic shapes lie on them, look outwards, and a plane is shown where the scene is.
func TestRecorderShowsShapes(t *testing.T) {
	f := NewRecorder(obstacleWorld(t, 8)).Frame(0)
	if len(f.Bodies) != 4 {
		t.Fatalf("%d bodies", len(f.Bodies))
	}
	ball, floor, stone := &f.Bodies[1], &f.Bodies[2], &f.Bodies[3]
	if ball.Kind != KindSphere || floor.Kind != KindPlane || stone.Kind != KindMesh {
		t.Errorf("kinds %s, %s, %s", ball.Kind, floor.Kind, stone.Kind)
	}
	for i, x := range ball.Mesh.Positions {
		if math.Abs(x.Norm()-0.2) > 1e-12 || ball.Mesh.Normals[i].Dot(x.Unit()) < 0.99 {
			t.Fatalf("vertex %d of the ball is at %v with normal %v", i, x, ball.Mesh.Normals[i])
		}
	}
	center := r3.Vec{}
	for i, x := range floor.Mesh.Positions {
		world := floor.Pose.Apply(x)
		if d := world.Sub(r3.V(50, 0, -3)).Dot(r3.V(0, 0.6, 0.8)); math.Abs(d) > 1e-12 {
			t.Errorf("vertex %d of the plane is %g m off it", i, d)
		}
		center = center.AddScaled(1/float64(len(floor.Mesh.Positions)), world)
	}
	if center.Norm() > 4 {
		t.Errorf("the plane is shown around %v, far from the scene", center)
	}
}

// A box has sharp edges, a sphere has none.
func TestCreased(t *testing.T) {
	x, tri := shape.Box{Half: r3.V(1, 2, 3)}.Mesh()
	m := creased(x, tri)
	if len(m.Positions) != 24 {
		t.Errorf("a box has %d corners, want 4 for each of 6 sides", len(m.Positions))
	}
	for c, tr := range m.Triangles {
		for k, v := range tr {
			n := m.Positions[tr[1]].Sub(m.Positions[tr[0]]).Cross(m.Positions[tr[2]].Sub(m.Positions[tr[0]])).Unit()
			if m.Normals[v].Sub(n).Norm() > 1e-12 || m.Positions[v] != x[tri[c][k]] {
				t.Errorf("triangle %d corner %d: normal %v, want %v", c, k, m.Normals[v], n)
			}
		}
	}
	x, tri = shape.Sphere{Radius: 1}.Mesh(12)
	if m := creased(x, tri); len(m.Positions) != len(x) {
		t.Errorf("a sphere of %d vertices got %d", len(x), len(m.Positions))
	}
}

// A rigid mesh is written once; frames stay small and are filled in by the folder.
func TestRigidBodiesAreKeptApart(t *testing.T) {
	dir := t.TempDir()
	r := NewRecorder(obstacleWorld(t, 120))
	w, err := Begin(dir, testManifest(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Resume(nil); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteShapes(r.Bodies()); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteFrame(r.Frame(0)); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(w.FramePath(0)); err != nil || info.Size() > 10_000 {
		t.Error("the frame has the mesh in it", info.Size(), err)
	}
	folder, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, err := folder.Frame(0)
	if err != nil {
		t.Fatal(err)
	}
	if stone := f.Bodies[3]; stone.Mesh == nil ||
		!slices.Equal(stone.Mesh.Triangles, r.Bodies()[3].Mesh.Triangles) {
		t.Error("the mesh that is kept apart was not filled in")
	}
	before, err := os.ReadFile(w.ObstaclesPath())
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func() error{
		"cut":     func() error { return os.WriteFile(w.ObstaclesPath(), before[:len(before)-4], 0o600) },
		"missing": func() error { return os.Remove(w.ObstaclesPath()) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		fresh, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		var d *Damage
		if _, err = fresh.Frame(0); !errors.As(err, &d) || !strings.HasSuffix(d.File, ObstaclesName) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Going on with the run mends it, with the same bytes.
	if err := w.WriteShapes(r.Bodies()); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(w.ObstaclesPath()); err != nil || !slices.Equal(before, after) {
		t.Error("the file was written again with other bytes", err)
	}
}

// What a frame says of contacts: nothing touches at the start, and glTF has no infinity.
func TestFrameWithoutContacts(t *testing.T) {
	f := NewRecorder(obstacleWorld(t, 8)).Frame(0)
	for _, a := range f.Bodies[0].Mesh.Attributes {
		want := map[string]float32{AttrGap: NoGap, AttrState: 0, AttrImpulse: 0}
		if x, ok := want[a.Name]; ok && slices.ContainsFunc(a.Data, func(y float32) bool { return y != x }) {
			t.Errorf("%s is %v, want %v", a.Name, a.Data, x)
		}
	}
}

// A sheet that slides down an incline is pushed along the normal and, by friction, uphill: its impulses lean by the
// angle of friction, in the frame and in its file, which older versions wrote with their sizes alone.
func TestImpulsesOfAFrameLean(t *testing.T) {
	const mu = 0.3
	opt := engine.DefaultOptions()
	opt.Contact.Friction = mu
	w, err := engine.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	fabric, err := material.LookupFabric("cotton")
	if err != nil {
		t.Fatal(err)
	}
	normal, uphill := r3.V(0.6, 0, 0.8), r3.V(-0.8, 0, 0.6) // tan 36.9° is 0.75, so it slides
	mesh, pos := shape.Grid(0.2, 0.2, 2, 2)
	for i, p := range pos {
		pos[i] = uphill.Scale(p.X).Add(r3.V(0, p.Y, 0)).AddScaled(0.0011, normal)
	}
	if _, err := cloths.Add(w, body.DefaultCloth("sheet", mesh, pos, fabric)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddObstacle(
		engine.Obstacle{Name: "incline", Shape: shape.Plane{Normal: normal}, Place: r3.Still()},
	); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := w.Step(0.002); err != nil {
			t.Fatal(err)
		}
	}
	f := throughBytes(t, NewRecorder(w).Frame(0))
	m := f.Bodies[0].Mesh
	at := slices.IndexFunc(m.Attributes, func(a meshio.Attribute) bool { return a.Name == AttrImpulse })
	a := &m.Attributes[at]
	if a.Width != 3 || len(a.Data) != 3*len(m.Positions) {
		t.Fatalf("%d numbers for a vertex, %d in all", a.Width, len(a.Data))
	}
	for v := range m.Positions {
		j := r3.V(float64(a.Data[3*v]), float64(a.Data[3*v+1]), float64(a.Data[3*v+2]))
		// Contacts of one vertex with one plane share a normal; float32 has seven digits, and the solver's residual is
		// far below the weight of a vertex.
		if n := j.Dot(normal); !(n > 0) || math.Abs(j.Dot(uphill)/n-mu) > 1e-4 || math.Abs(j.Y) > 1e-4*n {
			t.Errorf("vertex %d: impulse %v", v, j)
		}
	}
	m.Attributes[at] = meshio.Attribute{Name: AttrImpulse, Width: 1, Data: make([]float32, len(m.Positions))}
	if old := throughBytes(t, f).Bodies[0].Mesh.Attributes[at]; old.Width != 1 || len(old.Data) != len(m.Positions) {
		t.Errorf("sizes alone are read as %d numbers for a vertex", old.Width)
	}
}
