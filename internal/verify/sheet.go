package verify

import (
	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/remesh"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// sheetFabric is an isotropic sheet given by the numbers that closed forms use.
type sheetFabric struct {
	density float64 // [kg/m²]
	stretch float64 // [N/m]
	shear   float64 // [N/m]; 0 means half of stretch, as for an isotropic sheet without Poisson effect
	bend    float64 // plate rigidity [N m]
	poisson float64 // of bending

	membrane body.MembraneModel
	remesh   *remesh.Options // nil: the mesh stays
}

// sheet returns a world with one sheet.
func sheet(t *trial, opt engine.Options, m *mesh.Mesh, x []r3.Vec, f sheetFabric) (*engine.World, engine.ClothID) {
	return clampedSheet(t, opt, m, x, f, nil)
}

func clampedSheet(
	t *trial,
	opt engine.Options,
	m *mesh.Mesh,
	x []r3.Vec,
	f sheetFabric,
	clamps []body.Clamp,
) (*engine.World, engine.ClothID) {
	opt.Workers = t.Workers
	w := t.world(opt)
	if t.Spoil != nil && t.Spoil.Fabric != nil {
		t.Spoil.Fabric(&f.stretch, &f.bend, &f.density)
	}
	c := body.DefaultCloth("sheet", m, x, f.fabric())
	c.Clamps, c.Membrane, c.Remesh = clamps, f.membrane, f.remesh
	id, err := cloths.Add(w, c)
	t.must(err)
	return w, id
}

func (f sheetFabric) fabric() material.Fabric {
	shear := f.shear
	if shear == 0 {
		shear = f.stretch / 2
	}
	return material.Fabric{
		Name: "sheet", Source: "closed form", Density: f.density, Thickness: 1e-3,
		Membrane: material.NewStretch(f.stretch, f.stretch, shear, 0),
		BendWarp: f.bend, BendWeft: f.bend, BendBias: f.bend, BendPoisson: f.poisson,
	}
}
