package setup

import (
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/remesh"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// SheetFabric is an isotropic sheet given by the numbers that closed forms use.
type SheetFabric struct {
	Density float64 // [kg/m²]
	Stretch float64 // [N/m]
	Shear   float64 // [N/m]; 0 means half of stretch, as for an isotropic sheet without Poisson effect
	Bend    float64 // plate rigidity [N m]
	Poisson float64 // of bending

	Membrane body.MembraneModel
	Remesh   *remesh.Options // nil: the mesh stays
}

// Sheet returns a world with one sheet.
func Sheet(
	t *verify.Trial, opt engine.Options, m *mesh.Mesh, x []r3.Vec, f SheetFabric,
) (*engine.World, engine.ClothID) {
	return ClampedSheet(t, opt, m, x, f, nil)
}

func ClampedSheet(
	t *verify.Trial,
	opt engine.Options,
	m *mesh.Mesh,
	x []r3.Vec,
	f SheetFabric,
	clamps []body.Clamp,
) (*engine.World, engine.ClothID) {
	opt.Workers = t.Workers
	w := t.World(opt)
	if t.Spoil != nil && t.Spoil.Fabric != nil {
		t.Spoil.Fabric(&f.Stretch, &f.Bend, &f.Density)
	}
	c := body.DefaultCloth("sheet", m, x, f.Fabric())
	c.Clamps, c.Membrane, c.Remesh = clamps, f.Membrane, f.Remesh
	id, err := cloths.Add(w, c)
	t.Must(err)
	return w, id
}

func (f SheetFabric) Fabric() material.Fabric {
	shear := f.Shear
	if shear == 0 {
		shear = f.Stretch / 2
	}
	return material.Fabric{
		Name: "sheet", Source: "closed form", Density: f.Density, Thickness: 1e-3,
		Membrane: material.NewStretch(f.Stretch, f.Stretch, shear, 0),
		BendWarp: f.Bend, BendWeft: f.Bend, BendBias: f.Bend, BendPoisson: f.Poisson,
	}
}

// StressFabric is a light cotton: 500 N/m, 1e-5 N m, 150 g/m².
func StressFabric() material.Fabric {
	return SheetFabric{Density: 0.15, Stretch: 500, Bend: 1e-5}.Fabric()
}

// Flared returns a skirt around the Z axis below z = 0: a cone whose radius grows by slope for every metre of its slant
// height. It is flat at rest, a part of a ring with a seam.
func Flared(radius, height, slope float64, around, along int) (*mesh.Mesh, []r3.Vec) {
	// rings of vertices around the axis, and the flat pattern beside them
	var pos []r3.Vec
	var material []r3.Vec2
	for j := range along + 1 {
		s := height * float64(j) / float64(along)
		for i := range around + 1 {
			angle := 2 * math.Pi * float64(i) / float64(around)
			sin, cos := math.Sincos(angle)
			if r := radius + slope*s; i < around {
				pos = append(pos, r3.V(r*cos, r*sin, -s*math.Sqrt(1-slope*slope)))
			}
			sin, cos = math.Sincos(slope * angle)
			material = append(material, r3.Vec2{X: (radius/slope + s) * cos, Y: (radius/slope + s) * sin})
		}
	}
	// triangles, around each ring; those of the pattern end at the seam
	var tri, corner [][3]int32
	n := int32(around)
	for j := range int32(along) {
		for i := range n {
			a, b, p := j*n+i, j*n+(i+1)%n, j*(n+1)+i
			tri = append(tri, [3]int32{a, a + n, b + n}, [3]int32{a, b + n, b})
			corner = append(corner, [3]int32{p, p + n + 1, p + n + 2}, [3]int32{p, p + n + 2, p + 1})
		}
	}
	// the mesh
	m, err := mesh.New(len(pos), tri, material, corner)
	if err != nil {
		panic("verify: a skirt that is no mesh: " + err.Error())
	}
	return m, pos
}
