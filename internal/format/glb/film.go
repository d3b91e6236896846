package glb

// A film as binary glTF 2.0 [Khronos21].
//
// An actor that deforms is a mesh with one morph target for each frame but the first, which is the mesh itself. A
// target holds differences of positions, and of normals where there are any. The animation gives target i the
// weight 1 at the time of frame i and 0 at those of the others; between frames weights change linearly, and
// so do positions. Times count from the first frame. All meshes share the times and the weights, F (F - 1) numbers for
// F frames. A rigid actor is a node with animated translation and rotation, if it moves.
//
// The document comes before the data in the file and holds their bounds: the data go to a temporary file first.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/format/film"
	"github.com/toile-sim/toile/internal/format/gltf"
	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/r3"
)

// filmDocument adds to a glTF document what the reader does not look at.
type filmDocument struct {
	*document
	Animations []gltf.Animation `json:"animations,omitempty"`
}

// WriteFilm writes a film as binary glTF, Y-up and in metres. Beside path it needs room for the data
// once more.
func WriteFilm(path string, f *film.Film, shoot film.Shoot) error {
	// whether the film can be written
	if err := f.Validate(); err != nil {
		return err
	}
	f = f.WithPoints()
	fr := model.Frame{YUp: true, Unit: 1}
	if err := f.Fits(fr); err != nil {
		return err
	}
	return disk.WriteFile(path, func(w io.Writer) error {
		// data goes to a file beside it first, as the head comes before it and needs its size
		data, err := film.NewSpool(path, "data")
		if err != nil {
			return err
		}
		defer data.Remove()
		g := &filmWriter{film: f, data: data, frame: fr, poses: make([]film.Poses, len(f.Actors))}
		if err := g.write(shoot); err != nil {
			return err
		}
		// head, then data
		head, err := appendHead(nil, filmDocument{&g.doc, g.animations()}, g.offset)
		if err != nil {
			return err
		}
		out := bufio.NewWriterSize(w, 1<<18)
		if _, err := out.Write(head); err != nil {
			return err
		}
		if err := data.CopyTo(out); err != nil {
			return err
		}
		return out.Flush()
	})
}

// FilmSize returns about how many bytes WriteFilm would write.
func FilmSize(f *film.Film) float64 {
	f = f.WithPoints()
	frames := float64(len(f.Frames))
	size := 4 * frames * frames
	for i := range f.Actors {
		m := f.Actors[i].Mesh
		n := float64(len(m.Positions))
		size += 60*n + 12*float64(len(m.Triangles))
		if f.Actors[i].Rigid {
			continue
		}
		size += 12 * n * frames
		if len(m.Normals) > 0 {
			size += 12 * n * frames
		}
	}
	return size
}

// filmWriter writes a film.
type filmWriter struct {
	builder // bin holds what is not in data yet
	film    *film.Film
	frame   model.Frame
	data    *film.Spool
	offset  int64 // bytes in data
	split   []vertices
	base    [][]float32 // by deforming actor: positions of the first frame as in the file
	poses   []film.Poses
	anim    gltf.Animation
}

// flush moves bin to the file.
func (g *filmWriter) flush() error {
	g.offset += int64(len(g.Bin))
	_, err := g.data.Write(g.Bin)
	g.Bin = g.Bin[:0]
	return err
}

func (g *filmWriter) write(shoot film.Shoot) error {
	if err := g.meshes(); err != nil {
		return err
	}
	times := g.times()
	g.weights(times)
	g.doc.Buffers = []gltf.Buffer{{}}
	if err := g.flush(); err != nil {
		return err
	}
	if err := g.shots(shoot); err != nil {
		return err
	}
	if err := g.moves(times); err != nil {
		return err
	}
	g.doc.Buffers[0].ByteLength = int(g.offset)
	g.doc.Accessors, g.doc.BufferViews = g.Accessors, g.BufferViews
	return nil
}

// meshes writes the actors at the first frame.
func (g *filmWriter) meshes() error {
	// one scene, and one material for all actors
	zero, matte := 0, 0.0
	g.doc.Asset = gltf.Asset{Version: "2.0", Generator: "Toile"}
	g.doc.Scene, g.doc.Scenes = &zero, []gltf.Scene{{}}
	g.doc.Materials = []gltf.Material{{PBR: &gltf.PBR{Metallic: &matte}, DoubleSided: true}}
	for i := range g.film.Actors {
		a := &g.film.Actors[i]
		// vertices, split at the seams of UVs
		m := &model.Mesh{
			Positions: a.Mesh.Positions,
			Triangles: a.Mesh.Triangles,
			UV:        a.Mesh.UV,
			CornerUV:  a.Mesh.CornerUV,
			Normals:   a.Mesh.Normals,
		}
		s := split(m)
		if len(s.of) > maxVertices {
			return fmt.Errorf(
				"meshio: film: %q has %d vertices after splitting at UV seams, more than the %d of a GLB file",
				a.Mesh.Name,
				len(s.of),
				maxVertices,
			)
		}
		attributes, err := g.attributes(m, &s, g.frame)
		if err != nil {
			return err
		}
		// triangles, or lines of curves
		primitive := gltf.Primitive{Attributes: attributes, Material: &zero}
		if a.Curves != nil {
			lines := gltf.Lines
			primitive.Indices, primitive.Mode = g.lines(a.Curves), &lines
		} else {
			indices := g.indices(&s)
			primitive.Indices = &indices
		}
		mesh := gltf.Mesh{Name: a.Mesh.Name, Primitives: []gltf.Primitive{primitive}}
		// first frame, which morph targets are differences from
		var base []float32
		if !a.Rigid {
			base = g.firstPositions(m, &s)
			if mesh.Extras, err = g.targetNames(); err != nil {
				return err
			}
		}
		// node of the actor
		g.split, g.base = append(g.split, s), append(g.base, base)
		at := i
		g.doc.Meshes = append(g.doc.Meshes, mesh)
		g.doc.Nodes = append(g.doc.Nodes, gltf.Node{Name: a.Mesh.Name, Mesh: &at})
		g.doc.Scenes[0].Nodes = append(g.doc.Scenes[0].Nodes, i)
	}
	return nil
}

// lines writes the segments of curves and returns their accessor.
func (g *filmWriter) lines(c *model.Curves) *int {
	start, segments := len(g.Bin), c.Segments()
	for _, s := range segments {
		g.Uint(uint32(s[0]))
		g.Uint(uint32(s[1]))
	}
	at := g.Accessor(start, 2*len(segments), 1, gltf.Uint, gltf.ElementBuffer)
	return &at
}

// firstPositions returns the positions as they are in the file.
func (g *filmWriter) firstPositions(m *model.Mesh, s *vertices) []float32 {
	out := make([]float32, 0, 3*len(s.of))
	for _, v := range s.of {
		p := g.frame.ToFile(m.Positions[v])
		out = append(out, float32(p.X), float32(p.Y), float32(p.Z))
	}
	return out
}

// targetNames returns the extras that name morph targets after their frames, as programs have come to expect.
func (g *filmWriter) targetNames() (json.RawMessage, error) {
	var names struct {
		TargetNames []string `json:"targetNames,omitempty"`
	}
	for _, n := range g.film.Frames[1:] {
		names.TargetNames = append(names.TargetNames, fmt.Sprintf("frame %d", n))
	}
	if len(names.TargetNames) == 0 {
		return nil, nil
	}
	return json.Marshal(names)
}

// times writes the times of the frames and returns their accessor; -1 if there is only one frame.
func (g *filmWriter) times() int {
	frames := g.film.Frames
	if len(frames) == 1 {
		return -1
	}
	start := len(g.Bin)
	at := func(n int) float64 { return float64(n-frames[0]) / g.film.FPS }
	for _, n := range frames {
		g.float(at(n))
	}
	k := g.Accessor(start, len(frames), 1, gltf.Float, 0)
	g.Accessors[k].Min = []float64{0}
	g.Accessors[k].Max = []float64{float64(float32(at(frames[len(frames)-1])))}
	return k
}

// weights writes the weights of the morph targets and the channels of the meshes that have them.
func (g *filmWriter) weights(times int) {
	frames := len(g.film.Frames)
	sampler := -1
	for i := range g.film.Actors {
		if g.film.Actors[i].Rigid || frames == 1 {
			continue
		}
		if sampler < 0 {
			start := len(g.Bin)
			for f := range frames {
				for target := 1; target < frames; target++ {
					weight := 0.0
					if target == f {
						weight = 1
					}
					g.float(weight)
				}
			}
			sampler = g.sampler(times, g.Accessor(start, frames*(frames-1), 1, gltf.Float, 0))
		}
		g.channel(sampler, i, "weights")
	}
}

func (g *filmWriter) sampler(input, output int) int {
	g.anim.Samplers = append(g.anim.Samplers, gltf.Sampler{Input: input, Output: output})
	return len(g.anim.Samplers) - 1
}

func (g *filmWriter) channel(sampler, node int, path string) {
	c := gltf.Channel{Sampler: sampler}
	c.Target.Node, c.Target.Path = node, path
	g.anim.Channels = append(g.anim.Channels, c)
}

func (g *filmWriter) animations() []gltf.Animation {
	if len(g.anim.Channels) == 0 {
		return nil
	}
	g.anim.Name = g.film.Name
	return []gltf.Animation{g.anim}
}

// shots writes the morph targets of all frames, all in one buffer view, and collects poses.
func (g *filmWriter) shots(shoot film.Shoot) error {
	// all targets go into one buffer view
	start := g.offset
	view := len(g.BufferViews)
	for i := range g.film.Frames {
		shots, err := shoot(i)
		if err != nil {
			return err
		}
		if err := g.film.Check(i, shots, g.frame); err != nil {
			return err
		}
		// poses of rigid actors, targets of the others
		for k := range shots {
			if g.film.Actors[k].Rigid {
				g.poses[k].Add(shots[k].Pose, g.frame)
			} else if i > 0 {
				if err := g.target(k, &shots[k], view, start); err != nil {
					return err
				}
			}
		}
	}
	// view over all that was written
	if g.offset > start {
		buffer, offset := 0, int(start)
		g.BufferViews = append(g.BufferViews, gltf.BufferView{
			Buffer:     &buffer,
			ByteOffset: &offset,
			ByteLength: int(g.offset - start),
			ByteStride: 12,
			Target:     gltf.ArrayBuffer,
		})
	}
	return nil
}

// target writes the morph target of actor k, into the buffer view that begins at start.
func (g *filmWriter) target(k int, shot *film.Shot, view int, start int64) error {
	// accessors of the target
	of, base := g.split[k].of, g.base[k]
	target := map[string]int{}
	add := func(name string) *gltf.Accessor {
		target[name] = len(g.Accessors)
		g.Accessors = append(g.Accessors, gltf.Accessor{
			BufferView:    &view,
			ByteOffset:    int(g.offset - start),
			ComponentType: gltf.Float,
			Count:         len(of),
			Type:          gltf.Types[3],
		})
		return &g.Accessors[len(g.Accessors)-1]
	}
	// differences of positions, with their bounds
	a := add("POSITION")
	var low, high [3]float32
	for i, v := range of {
		p := g.frame.ToFile(shot.Positions[v])
		for c, x := range [3]float64{p.X, p.Y, p.Z} {
			d := float32(float64(float32(x)) - float64(base[3*i+c]))
			if !model.Finite32(d) {
				return fmt.Errorf(
					"meshio: film: vertex %d of %q goes too far for single precision, to %v",
					v,
					g.film.Actors[k].Mesh.Name,
					shot.Positions[v],
				)
			}
			if i == 0 {
				low[c], high[c] = d, d
			}
			low[c], high[c] = min(low[c], d), max(high[c], d)
			g.Float(d)
		}
	}
	for c := range 3 {
		a.Min, a.Max = append(a.Min, float64(low[c])), append(a.Max, float64(high[c]))
	}
	if err := g.flush(); err != nil {
		return err
	}
	// differences of normals
	if first := g.film.Actors[k].Mesh.Normals; len(first) > 0 {
		add("NORMAL")
		for _, v := range of {
			g.vec(g.frame.TurnToFile(model.UnitNormal(shot.Normals[v]).Sub(model.UnitNormal(first[v]))))
		}
		if err := g.flush(); err != nil {
			return err
		}
	}
	// name of each accessor, for the JSON
	text, err := json.Marshal(target)
	if err != nil {
		return err
	}
	p := &g.doc.Meshes[k].Primitives[0]
	p.Targets = append(p.Targets, text)
	return nil
}

// moves sets the poses of rigid actors and writes those of the ones that move.
func (g *filmWriter) moves(times int) error {
	begin := int(g.offset)
	for k, ps := range g.poses {
		// deforming actors have no poses
		if len(ps) == 0 {
			continue
		}
		// pose at the first frame
		node := &g.doc.Nodes[k]
		if t := ps[0].T; t != (r3.Vec{}) {
			node.Translation = []float64{t.X, t.Y, t.Z}
		}
		if q := ps[0].R; q != r3.NoRotation() {
			node.Rotation = []float64{q.X, q.Y, q.Z, q.W}
		}
		// translations over time
		if ps.Still() {
			continue
		}
		start := len(g.Bin)
		for _, p := range ps {
			g.vec(p.T)
		}
		g.channel(g.sampler(times, g.Accessor(begin+start, len(ps), 3, gltf.Float, 0)), k, "translation")
		// rotations over time
		start = len(g.Bin)
		for _, p := range ps {
			g.float(p.R.X)
			g.float(p.R.Y)
			g.float(p.R.Z)
			g.float(p.R.W)
		}
		g.channel(g.sampler(times, g.Accessor(begin+start, len(ps), 4, gltf.Float, 0)), k, "rotation")
	}
	return g.flush()
}
