package scenefile

import "github.com/toile-sim/toile/internal/mannequin"

// GarmentShape is a garment of the wardrobe.
type GarmentShape struct {
	Kind   string  `json:"kind" need:"yes" one:"tunic tank-top skirt pleated-skirt trousers hood shawl" doc:"what it is"`
	On     string  `json:"on" need:"yes" pattern:"name" doc:"what wears it: an obstacle that is a mannequin, or a soft body of flesh"`
	Size   float64 `json:"size" dim:"length" range:"[1e-3,0.2]" doc:"side of its triangles"`
	Ease   float64 `json:"ease" range:"[0,6]" doc:"how much wider than the body it is: 1 is usual for its kind, 0 skin tight"`
	Length float64 `json:"length" range:"[0.5,2]" doc:"its length, as a multiple of the usual one"`
	Sleeve float64 `json:"sleeve" range:"[0.5,3.5]" doc:"length of the sleeves of a tunic, as a multiple of the usual one"`
	Neck   float64 `json:"neck" range:"[0.6,1.3]" doc:"width of the neckline of a tunic or tank top, as a multiple of the usual one"`
	Strap  float64 `json:"strap" range:"[0,1]" doc:"where the straps of a tank top lie: 0 beside the neck, 1 at the ends of the shoulders"`
	Flare  float64 `json:"flare" range:"[0,3]" doc:"how much a skirt widens towards its hem, as a multiple of the usual"`

	placed
}

// DressingRules say how garments are sewn.
type DressingRules struct {
	Close float64 `json:"close" dim:"time" range:"[0.01,100]" doc:"time in which threads shorten from where panels hang to nothing"`
	Step  float64 `json:"step" dim:"time" range:"[1e-5,0.1]" doc:"longest time step while sewing; one on the way to the first pose is twice as long"`
	Pull  float64 `json:"pull" dim:"stiffness" range:"(0,1e4]" doc:"force of the threads on each metre of a seam, at most"`
}

// MannequinShape is a body of given measures that moves.
type MannequinShape struct {
	Size     string        `json:"size" one:"S M L" doc:"size that measures which are not given are of"`
	Measures *BodyMeasures `json:"measures,omitempty" doc:"single measures, instead of those of the size"`
	Motion   string        `json:"motion" one:"dressing stand twist walk slow-dance fast-dance nod shake-head raise-arm arm-through-chest sit" doc:"what it does, from t = 0 on"`
	Tempo    float64       `json:"tempo" range:"[0.01,10]" doc:"how fast the motion is; 2 is twice as fast"`
	Depth    float64       `json:"depth" dim:"length" range:"[0,0.05]" doc:"how deep the forearm goes into the chest with motion: arm-through-chest"`
	Lead     float64       `json:"lead" dim:"time" range:"[0,1e3]" doc:"time before t = 0 in which it goes from the dressing pose to the first pose of its motion"`
	Hold     float64       `json:"hold" dim:"time" range:"[0,1e3]" doc:"time before t = 0 in which it waits in the first pose"`
	Vertices int           `json:"vertices" range:"[2000,100000]" doc:"about how many vertices it has"`

	placed
	made *mannequin.Film // once it is asked for
}

// BodyMeasures are measures of a body; those that are not given are those of its size.
type BodyMeasures struct {
	Height   float64 `json:"height,omitempty" dim:"length" doc:"from the floor to the top of the head"`
	Head     float64 `json:"head,omitempty" dim:"length" doc:"around the head above the eyes"`
	Neck     float64 `json:"neck,omitempty" dim:"length" doc:"around the neck"`
	Shoulder float64 `json:"shoulder,omitempty" dim:"length" doc:"width from shoulder point to shoulder point"`
	Chest    float64 `json:"chest,omitempty" dim:"length" doc:"around the chest below the armpits"`
	Waist    float64 `json:"waist,omitempty" dim:"length" doc:"around the waist"`
	Hip      float64 `json:"hip,omitempty" dim:"length" doc:"around the seat"`
	Arm      float64 `json:"arm,omitempty" dim:"length" doc:"from the shoulder point to the wrist"`
	UpperArm float64 `json:"upper-arm,omitempty" dim:"length" doc:"around the upper arm"`
	Wrist    float64 `json:"wrist,omitempty" dim:"length" doc:"around the wrist"`
	Thigh    float64 `json:"thigh,omitempty" dim:"length" doc:"around the thigh below the crotch"`
	Calf     float64 `json:"calf,omitempty" dim:"length" doc:"around the calf"`
	Ankle    float64 `json:"ankle,omitempty" dim:"length" doc:"around the ankle"`
	Inseam   float64 `json:"inseam,omitempty" dim:"length" doc:"from the crotch to the floor"`

	placed
}

// PatternShape is a garment of panels from a drawing.
type PatternShape struct {
	File  string  `json:"file" need:"yes" doc:"a drawing (.svg, .dxf) in the folder of the scene: a closed outline for each panel"`
	Seams string  `json:"seams,omitempty" doc:"a file (.yaml) in the folder of the scene that says which outlines are panels, where they hang and how they are sewn; without it every outline is a panel, flat as drawn"`
	Size  float64 `json:"size" dim:"length" range:"[1e-4,1]" doc:"side of its triangles"`
	Unit  float64 `json:"unit,omitempty" dim:"length" range:"[1e-6,1e3]" doc:"length of one unit of the drawing, by default what the drawing says"`

	placed
}
