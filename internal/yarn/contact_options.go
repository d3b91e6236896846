package yarn

import "time"

// ContactMode says how contact forces are computed.
type ContactMode int

const (
	// ContactSets computes the exact force of every contact set in every step.
	ContactSets ContactMode = iota
	// ContactLinear uses corotated linear models of contact sets, renewed when a set has deformed ([Kaldor10],
	// section 4).
	ContactLinear
	// ContactPairs computes exact forces on all pairs of segments that the schedule finds near. It knows no contact
	// sets and so no stiction.
	ContactPairs
	// ContactHierarchy computes exact forces on pairs found by a hierarchy of boxes that is traversed anew in every
	// step, without stiction. It is the reference that [Kaldor10] measures against.
	ContactHierarchy
)

// ContactOptions are the constants of contact between yarns.
type ContactOptions struct {
	Radius      float64 // of the yarn [m]
	Stiffness   float64 // k of the energy k ∫∫ f ds ds' [N/m]
	DampNormal  float64 // damping of approach, for each touching pair of lengths [N s/m³]
	DampTangent float64 // damping of sliding [N s/m³]
	Friction    float64 // Coulomb's coefficient; 0 for none
	Density     float64 // mass of the yarn by length [kg/m]; friction is damped by it
	Tolerance   float64 // of the linear models: metric (6) of [Kaldor10] above which one is renewed; 0 renews always
	Points      int     // quadrature points of a segment, from 2 to 64; 0 means 11
	Mode        ContactMode
}

// ContactStats tells what the last step of contact did.
type ContactStats struct {
	Sets      int     // contact sets
	Updates   int     // linear models built
	Tracked   int     // pairs of segments in the schedule
	Examined  int     // pairs whose bound on their distance was renewed
	Processed int     // pairs whose distance was computed
	Closest   float64 // least distance of centre lines over the diameter, of linear models when built; at most 1
	Force     float64 // sum over contacts of the force between their two yarns [N]
	Time      ContactTimes
}

// ContactTimes are durations of the phases of a step of contact.
type ContactTimes struct {
	Spline   time.Duration // quadrature points
	Schedule time.Duration // finding what is near
	Sets     time.Duration // merging and indexing contact sets
	Force    time.Duration // forces, models and springs
	Gather   time.Duration // from contacts to control points
}
