package contact

import (
	"math/rand/v2"
	"slices"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// The changes of C27.

// copied returns a scene whose cloths and obstacles can be written to, but for their meshes.
func (s staged) copied() staged {
	s.cloths, s.obstacles = slices.Clone(s.cloths), slices.Clone(s.obstacles)
	for k := range s.cloths {
		c := &s.cloths[k]
		c.Positions, c.Velocities = slices.Clone(c.Positions), slices.Clone(c.Velocities)
	}
	return s
}

// eachVertex changes positions and velocities.
func (s staged) eachVertex(position, velocity func(r3.Vec) r3.Vec) {
	for _, c := range s.cloths {
		for i := range c.Positions {
			c.Positions[i], c.Velocities[i] = position(c.Positions[i]), velocity(c.Velocities[i])
		}
	}
}

// setMesh gives a cloth other triangles or another pattern.
func setMesh(t *verify.Trial, c *body.ClothSpec, tri [][3]int32, material []r3.Vec2) {
	m, err := mesh.New(c.Mesh.Verts, tri, material, nil)
	t.Must(err)
	c.Mesh = m
}

// inPlace is the way back of changes of space.
func inPlace(back func(r3.Vec) r3.Vec) func(x [][]r3.Vec, k, i int) r3.Vec {
	return func(x [][]r3.Vec, k, i int) r3.Vec { return back(x[k][i]) }
}

func moving(name string, p r3.Pose) change {
	return change{name, func(s staged) staged { return s.moved(p) }, inPlace(p.Inverse().Apply)}
}

// moved moves everything like one rigid thing.
func (s staged) moved(p r3.Pose) staged {
	s = s.copied()
	s.opt.Gravity = p.R.Rotate(s.opt.Gravity)
	s.eachVertex(p.Apply, p.R.Rotate)
	for k := range s.obstacles {
		s.obstacles[k].Place = p.Mul(s.obstacles[k].Place)
	}
	return s
}

// mirroring reflects everything in the plane x = 0. The pattern is too, and triangles are wound the other way.
func mirroring(t *verify.Trial) change {
	flip := func(x r3.Vec) r3.Vec { return r3.V(-x.X, x.Y, x.Z) }
	return change{"mirrored", func(s staged) staged {
		s = s.copied()
		s.opt.Gravity = flip(s.opt.Gravity)
		s.eachVertex(flip, flip)
		for k := range s.cloths {
			c := &s.cloths[k]
			tri, material := slices.Clone(c.Mesh.Tri), slices.Clone(c.Mesh.Material)
			for i, v := range tri {
				tri[i] = [3]int32{v[0], v[2], v[1]}
			}
			for i := range material {
				material[i].X = -material[i].X
			}
			setMesh(t, c, tri, material)
		}
		for k := range s.obstacles { // balls and planes are mirror images of themselves
			p := &s.obstacles[k].Place
			p.R.Y, p.R.Z, p.T = -p.R.Y, -p.R.Z, flip(p.T)
		}
		return s
	}, inPlace(flip)}
}

// renumbering shuffles vertices, triangles and their corners.
func renumbering(t *verify.Trial) change {
	var places [][]int // new numbers of vertices, by cloth
	return change{"renumbered", func(s staged) staged {
		s, places = s.copied(), nil
		rng := rand.New(rand.NewPCG(27, 27))
		for k := range s.cloths {
			c := &s.cloths[k]
			place := rng.Perm(c.Mesh.Verts)
			places = append(places, place)
			tri, material := slices.Clone(c.Mesh.Tri), slices.Clone(c.Mesh.Material)
			x, v := slices.Clone(c.Positions), slices.Clone(c.Velocities)
			for i, j := range place {
				material[j], c.Positions[j], c.Velocities[j] = c.Mesh.Material[i], x[i], v[i]
			}
			rng.Shuffle(len(tri), func(i, j int) { tri[i], tri[j] = tri[j], tri[i] })
			for i, v := range tri {
				first := rng.IntN(3)
				for corner := range v {
					tri[i][corner] = int32(place[v[(first+corner)%3]])
				}
			}
			setMesh(t, c, tri, material)
		}
		return s
	}, func(x [][]r3.Vec, k, i int) r3.Vec { return x[k][places[k][i]] }}
}

// units says how many of them one metre, second and kilogram are.
type units struct{ length, time, mass float64 }

func counting(t *verify.Trial, name string, u units) change {
	back := func(x r3.Vec) r3.Vec { return x.Scale(1 / u.length) }
	return change{name, func(s staged) staged { return counted(t, s, u) }, inPlace(back)}
}

// counted has every number in other units, the tolerances among them.
func counted(t *verify.Trial, s staged, u units) staged {
	// gravity, lengths and tolerances
	s = s.copied()
	speed := u.length / u.time
	o := &s.opt
	o.Gravity = o.Gravity.Scale(speed / u.time)
	o.Contact.Thickness *= u.length
	for _, v := range []*float64{
		&o.Newton.Tolerance, &o.Linear.Tolerance, &o.Contact.Tolerance, &o.Contact.PushSpeed, &o.Contact.UntangleSpeed,
	} {
		*v *= speed
	}
	// step, places and velocities
	s.h *= u.time
	s.eachVertex(
		func(x r3.Vec) r3.Vec { return x.Scale(u.length) }, func(v r3.Vec) r3.Vec { return v.Scale(speed) },
	)
	// cloths and their fabrics
	for k := range s.cloths {
		c := &s.cloths[k]
		material := slices.Clone(c.Mesh.Material)
		for i, p := range material {
			material[i] = r3.Vec2{X: p.X * u.length, Y: p.Y * u.length}
		}
		setMesh(t, c, c.Mesh.Tri, material)
		c.Fabric = countedFabric(c.Fabric, u)
	}
	// obstacles
	for k := range s.obstacles {
		o := &s.obstacles[k]
		o.Place.T = o.Place.T.Scale(u.length)
		if ball, ok := o.Shape.(shape.Sphere); ok {
			o.Shape = shape.Sphere{Radius: ball.Radius * u.length}
		}
	}
	return s
}

func countedFabric(f material.Fabric, u units) material.Fabric {
	tension := u.mass / (u.time * u.time) // [N/m]
	moment := tension * u.length * u.length
	f.Density *= u.mass / (u.length * u.length)
	f.Thickness *= u.length
	warp, weft, shear, poisson := f.Membrane.Engineering()
	f.Membrane = material.NewStretch(tension*warp, tension*weft, tension*shear, poisson)
	f.BendWarp, f.BendWeft, f.BendBias = moment*f.BendWarp, moment*f.BendWeft, moment*f.BendBias
	f.Damping *= u.time
	return f
}

// boosting has cloths and obstacles move along with v.
func boosting(name string, v r3.Vec) change {
	var gone r3.Vec
	return change{name, func(s staged) staged {
		s = s.copied()
		s.eachVertex(func(x r3.Vec) r3.Vec { return x }, v.Add)
		end := s.h * float64(s.steps)
		gone = v.Scale(end)
		for k := range s.obstacles {
			s.obstacles[k].Path = &engine.Path{Keys: []engine.Key{{}, {At: 2 * end, Translate: v.Scale(2 * end)}}}
		}
		return s
	}, inPlace(func(x r3.Vec) r3.Vec { return x.Sub(gone) })}
}
