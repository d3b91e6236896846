package runfolder

import (
	"fmt"

	"github.com/toile-sim/toile/internal/format/gltf"
)

// A frame is a binary glTF 2.0 file with one node for each body, which any program that reads glTF can open. Numbers
// are float32; glTF is Y-up, so (x, y, z) of the scene is (x, z, -y) in the file, and texture v runs downwards, so v is
// 1-v.
//
// glTF has one UV for each vertex, a cloth may have one for each corner. Where a vertex has several it
// is repeated after all vertices of the cloth, with the same _ID; the first extras.vertices entries of
// every attribute are the cloth's own vertices in their order, and a reader may drop the rest.
//
// The mesh of a cloth that is remeshed differs from frame to frame. Beside it, in a mesh that no node shows and that
// extras.input names, is the one that the cloth was added with, where it is now.

// Names of the quantities at the vertices of a frame.
const (
	AttrStretch = "_STRETCH" // largest principal stretch, 1 at rest
	AttrSpeed   = "_SPEED"   // [m/s]
	AttrSize    = "_SIZE"    // mean rest length of the edges at the vertex [m]
	AttrState   = "_STATE"   // contact: 0 free, 1 sticks, 2 slides
	AttrGap     = "_GAP"     // smallest distance of a contact [m]; NoGap without one
	AttrUID     = "_UID"     // of a cloth that is remeshed: names a vertex for as long as it lives; exact up to 2²⁴
	AttrImpulse = "_IMPULSE" // sum of contact impulses of the last step, friction included, 3 numbers [N s]; their size alone in frames of older versions

	AttrStress = "_STRESS" // of soft bodies: von Mises stress [Pa]
	AttrEnergy = "_ENERGY" // of soft bodies: strain energy a unit of volume at rest [J/m³]
	AttrVolume = "_VOLUME" // of soft bodies: volume over that at rest

	AttrTension = "_TENSION" // of yarns: of the segment that begins there, positive if it is pulled [N]
	AttrForce   = "_FORCE"   // of yarns: size of the force of other yarns [N]
)

// NoGap is the gap of a vertex without a contact [m]. glTF allows neither infinity nor NaN.
const NoGap = 1000

// Frame is the state of a run at one moment, as other programs see it.
type Frame struct {
	Number int
	Time   float64 // [s]
	Step   int     // steps taken so far
	Hash   string  // of the float64 state, in hex
	Bodies []Body  // cloths or yarns first, then other bodies that move by the laws of motion, then obstacles

	shapes string // digest of obstacles.glb, if it has meshes of this frame
}

// ShowInputs puts the meshes that cloths were added with in the place of those that remeshing has made, so that all
// frames of a run have the same triangles.
func (f *Frame) ShowInputs() {
	for i := range f.Bodies {
		if b := &f.Bodies[i]; b.Input != nil {
			b.Mesh, b.Input = b.Input, nil
		}
	}
}

// ReadFrame reads a frame. It fails with a *Damage unless every byte is as it was written. The meshes of
// large obstacles, which are kept apart, are filled in by Folder.Frame.
func ReadFrame(path string) (*Frame, error) {
	data, _, err := readWhole(path, maxFrame)
	if err != nil {
		return nil, err
	}
	return parseFrame(path, data)
}

// encode returns the frame as a sealed .glb file.
func (f *Frame) encode() ([]byte, error) {
	// facts of the frame, with room for the digest
	doc := frameDoc{Scene: new(int), Scenes: make([]gltf.Scene, 1), Asset: frameAsset{
		Extras: assetExtras{Toile: &frameFacts{
			Digest: string(noDigest), Frame: f.Number, Time: f.Time, Step: f.Step, Hash: f.Hash, Obstacles: f.shapes,
		}},
		Asset: gltf.Asset{Version: "2.0", Generator: "Toile"},
	}}
	// about how large it becomes
	var size int
	for i := range f.Bodies {
		if m := f.Bodies[i].Mesh; m != nil && !f.Bodies[i].apart {
			size += len(m.Positions)*(32+4*len(m.Attributes)) + 12*len(m.Triangles)
		}
		if c := f.Bodies[i].Curves; c != nil {
			size += len(c.Points) * (20 + 4*len(c.Attributes))
		}
	}
	// bodies, as nodes and meshes
	b := builder{doc: &doc, Builder: gltf.Builder{Bin: make([]byte, 0, size+size/8), ZeroOffsets: true}}
	for i := range f.Bodies {
		if err := b.body(&f.Bodies[i]); err != nil {
			return nil, fmt.Errorf("%s %q: %w", f.Bodies[i].Kind, f.Bodies[i].Name, err)
		}
	}
	// file with its digest filled in
	data, err := b.glb()
	if err != nil {
		return nil, err
	}
	seal(data)
	return data, nil
}

func parseFrame(file string, data []byte) (*Frame, error) {
	if err := checkSeal(file, data); err != nil {
		return nil, err
	}
	d, err := splitGLB(data)
	if err != nil {
		return nil, damaged(file, "%v", err)
	}
	facts := d.doc.Asset.Extras.Toile
	if facts == nil {
		return nil, damaged(file, "it lacks asset.extras.toile")
	}
	f := &Frame{Number: facts.Frame, Time: facts.Time, Step: facts.Step, Hash: facts.Hash, shapes: facts.Obstacles}
	for i := range d.doc.Nodes {
		b, err := d.body(&d.doc.Nodes[i])
		if err != nil {
			return nil, damaged(file, "node %d: %v", i, err)
		}
		f.Bodies = append(f.Bodies, b)
	}
	return f, nil
}
