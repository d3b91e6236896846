package view

import (
	"strings"

	"github.com/toile-sim/toile/internal/runfolder"
)

// The parts of a frame that can be asked for beside the quantities at its vertices.
const (
	partTopology = "topology"
	partPosition = "position"
	partNormal   = "normal"
	partContacts = "contacts"
)

// partWords lists what can be asked of a frame.
func partWords() string {
	words := []string{partTopology, partPosition, partNormal, partContacts}
	for i := range fields {
		words = append(words, fields[i].Name)
	}
	return strings.Join(words, ", ")
}

// fieldFacts describes a quantity at the vertices of bodies, or at the points of yarns.
type fieldFacts struct {
	Name    string      `json:"name"`
	Label   string      `json:"label"`
	Unit    string      `json:"unit"`
	Kind    string      `json:"kind"`              // scalar or state
	Classes []string    `json:"classes,omitempty"` // of a state: what 0, 1, ... mean
	None    *float64    `json:"none,omitempty"`    // the value that means that there is none
	Range   *[2]float32 `json:"range"`             // in the frames looked at so far
	Top     float32     `json:"top"`               // where colours end: 99 of 100 values are not above it
}

var noGap = float64(runfolder.NoGap)

// fields are the quantities in the order in which they are told of.
var fields = []fieldFacts{
	{Name: runfolder.AttrStretch, Label: "stretch", Kind: "scalar"},
	{Name: runfolder.AttrSpeed, Label: "speed", Unit: "m/s", Kind: "scalar"},
	{Name: runfolder.AttrState, Label: "contact", Kind: "state", Classes: []string{"free", "sticks", "slides"}},
	{Name: runfolder.AttrGap, Label: "gap", Unit: "m", Kind: "scalar", None: &noGap},
	{Name: runfolder.AttrImpulse, Label: "impulse", Unit: "N s", Kind: "scalar"},
	{Name: runfolder.AttrSize, Label: "size of triangles", Unit: "m", Kind: "scalar"},
	{Name: runfolder.AttrStress, Label: "stress", Unit: "Pa", Kind: "scalar"},
	{Name: runfolder.AttrEnergy, Label: "strain energy", Unit: "J/m³", Kind: "scalar"},
	{Name: runfolder.AttrVolume, Label: "volume", Kind: "scalar"},
	{Name: runfolder.AttrTension, Label: "tension", Unit: "N", Kind: "scalar"},
	{Name: runfolder.AttrForce, Label: "contact force", Unit: "N", Kind: "scalar"},
}

func fieldOf(name string) *fieldFacts {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}
