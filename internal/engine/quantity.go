package engine

import "math"

// Quantity names a number of a world that a track can drive.
type Quantity struct {
	kind quantityKind
	a, b int // what it belongs to
}

type quantityKind int

const (
	gravityAlong quantityKind = iota
	windAlong
	airDensity
	frictionDefault
	frictionBetween
	contactThickness
	handleLimit
	handleStiffness
	handleHold
	pressForce
	loadAlong
	clothDamping
	clothDrag
	stretchFactor
	bendFactor
)

// quantityRules say how quantities are called and what values they may have.
var quantityRules = [...]struct {
	name  string
	least float64
	above bool // the least value itself is not allowed
}{
	gravityAlong:     {"gravity", math.Inf(-1), true},
	windAlong:        {"wind", math.Inf(-1), true},
	airDensity:       {"density of the air", 0, false},
	frictionDefault:  {"friction", 0, false},
	frictionBetween:  {"friction of a pair", 0, false},
	contactThickness: {"contact thickness", 0, true},
	handleLimit:      {"force of a handle", 0, false},
	handleStiffness:  {"stiffness of a handle", 0, true},
	handleHold:       {"hold of a handle", 0, false},
	pressForce:       {"force of a press", math.Inf(-1), true},
	loadAlong:        {"load", math.Inf(-1), true},
	clothDamping:     {"damping", 0, false},
	clothDrag:        {"drag", 0, false},
	stretchFactor:    {"factor of stretch stiffness", 0, true},
	bendFactor:       {"factor of bending stiffness", 0, true},
}

// GravityAlong is a component of the acceleration of free fall [m/s²]; axis 0, 1, 2 is X, Y, Z.
func GravityAlong(axis int) Quantity { return Quantity{gravityAlong, axis, 0} }

// WindAlong is a component of the velocity of the air [m/s].
func WindAlong(axis int) Quantity { return Quantity{windAlong, axis, 0} }

// AirDensity is the density of the air [kg/m³].
func AirDensity() Quantity { return Quantity{kind: airDensity} }

// DefaultFriction is the coefficient of friction of pairs that have none of their own.
func DefaultFriction() Quantity { return Quantity{kind: frictionDefault} }

// FrictionBetween is the coefficient of friction of two surfaces, or of one with itself.
func FrictionBetween(a, b SurfaceID) Quantity {
	return Quantity{frictionBetween, int(min(a, b)), int(max(a, b))}
}

// ContactThickness is the distance that surfaces keep from each other [m]. Where it grows, surfaces are brought apart
// as gently as those that start too near (ContactOptions.PushSpeed), and lag behind a faster growth.
func ContactThickness() Quantity { return Quantity{kind: contactThickness} }

// HandleLimit is the largest force of a weak handle [N].
func HandleLimit(id HandleID) Quantity { return Quantity{handleLimit, int(id), 0} }

// HandleStiffness is the spring of a weak handle [N/m].
func HandleStiffness(id HandleID) Quantity { return Quantity{handleStiffness, int(id), 0} }

// HandleHold is whether a handle holds its vertices: from 0.5 on it does, below it lets them go. When it takes hold
// again it takes the vertices where they are.
func HandleHold(id HandleID) Quantity { return Quantity{handleHold, int(id), 0} }

// PressForce is the force that drives a press [N].
func PressForce(id ObstacleID) Quantity { return Quantity{pressForce, int(id), 0} }

// LoadAlong is a component of the force of a load [N].
func LoadAlong(id LoadID, axis int) Quantity { return Quantity{loadAlong, int(id), axis} }

// ClothDamping is the damping of a cloth's fabric [s].
func ClothDamping(id ClothID) Quantity { return Quantity{clothDamping, int(id), 0} }

// ClothDrag is the coefficient of the air drag on a cloth's faces.
func ClothDrag(id ClothID) Quantity { return Quantity{clothDrag, int(id), 0} }

// StretchFactor multiplies the stiffness of a cloth in its plane; 1 is that of its fabric.
func StretchFactor(id ClothID) Quantity { return Quantity{stretchFactor, int(id), 0} }

// BendFactor multiplies the stiffness of a cloth against bending; 1 is that of its fabric.
func BendFactor(id ClothID) Quantity { return Quantity{bendFactor, int(id), 0} }

// drive is a number on a track.
type drive struct {
	Quantity
	track Track
}
