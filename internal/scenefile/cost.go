package scenefile

import "math"

// Cost is what running a scene takes, as far as it can be told without running it.
type Cost struct {
	Cloths    int   `json:"cloths"`
	Rigids    int   `json:"rigids"`
	Solids    int   `json:"solids"`
	Vertices  int   `json:"vertices"`  // of cloths and solids
	Triangles int   `json:"triangles"` // of cloths
	Tets      int   `json:"tets"`
	Loops     int   `json:"loops,omitempty"`    // of knitted pieces
	Points    int   `json:"points,omitempty"`   // control points of yarns
	Segments  int   `json:"segments,omitempty"` // between them
	Obstacles int   `json:"obstacles"`
	Contacts  int   `json:"contacts"` // guess of how many there are at once, at most
	Frames    int   `json:"frames"`   // stored, with the one at the start
	Steps     int   `json:"steps"`    // if none has to be halved
	Dressing  int   `json:"dressing"` // steps before the first frame, while garments are sewn and go to their first pose
	Memory    int64 `json:"memory"`   // guess [byte]
	Disk      int64 `json:"disk"`     // guess of all frames [byte]
}

// Guesses of what a vertex takes [byte].
const (
	// memoryPerVertex is positions, elements and a matrix of about 13 blocks a row; 5,800 were measured
	// on sheets of 1,681 and 2,601 vertices with conjugate gradients.
	memoryPerVertex = 8_000
	// memoryAtLeast is what a program takes before there is a vertex.
	memoryAtLeast = 20 << 20
	// diskPerVertex is position, normal, pattern point and seven numbers in single precision, and two
	// triangles.
	diskPerVertex = 15*4 + 2*3*4
	// diskPerRigid is that of a ball or a rod with 2,000 triangles; a box has less.
	diskPerRigid = 50_000
	// memoryPerPoint is that of a control point of yarn with its contacts; diskPerPoint position, two numbers and a
	// line in single precision.
	memoryPerPoint = 6_000
	diskPerPoint   = 5*4 + 2*4
	// memoryPerContact is the contact, what is solved for it, the same of the step before, and candidates.
	memoryPerContact = 1_500
	// memoryPerObstacleVertex is where it is now and next, two triangles, and a tree and a field over them.
	memoryPerObstacleVertex = 700
)

// contactsPerVertex is a guess of how many contacts a vertex has when a cloth lies on something: one with
// an obstacle. With itself, a cloth in folds has some more.
const (
	contactsPerVertex     = 1.0
	selfContactsPerVertex = 0.5
	// contactsPerRigid is that of a cube in a heap.
	contactsPerRigid = 12
)

// Cost estimates what running the scene takes.
func (s *Scene) Cost() Cost {
	c := Cost{
		Cloths: len(s.Cloths), Rigids: len(s.Rigids), Solids: len(s.Solids), Frames: s.Time.Frames() + 1,
	}
	// vertices, triangles and tets; pieces of yarn count themselves
	for i := range s.Cloths {
		shape := &s.Cloths[i].Shape
		c.Vertices += int(shape.vertices())
		c.Triangles += shape.triangles()
	}
	for i := range s.Solids {
		c.Vertices += len(s.Solids[i].Shape.tets.X)
		c.Tets += len(s.Solids[i].Shape.tets.Tet)
	}
	for i := range s.Yarns {
		s.Yarns[i].count(&c)
	}
	// steps before the first frame
	c.Dressing = s.dressingSteps()
	c.Obstacles = len(s.Obstacles)
	// contacts at once, as far as can be guessed
	rate, walls := 0.0, 0
	if c.Obstacles > 0 {
		rate += contactsPerVertex
	}
	if s.Contact.Self {
		rate += selfContactsPerVertex
	}
	for i := range s.Obstacles {
		walls += s.Obstacles[i].Shape.vertices()
	}
	c.Contacts = int(rate*float64(c.Vertices)) + contactsPerRigid*c.Rigids
	// steps, memory and disk
	c.Steps = s.Time.Frames() * s.Time.StepsPerFrame()
	c.Memory = memoryAtLeast + int64(c.Vertices)*memoryPerVertex + int64(c.Points)*memoryPerPoint +
		int64(c.Contacts)*memoryPerContact + int64(walls)*memoryPerObstacleVertex
	c.Disk = (int64(c.Vertices)*diskPerVertex + int64(c.Rigids)*diskPerRigid + int64(c.Points)*diskPerPoint) *
		int64(c.Frames)
	return c
}

// count adds the yarns of a piece.
func (p *YarnPiece) count(c *Cost) {
	curves, err := p.Laid()
	if err != nil {
		return // building it says why
	}
	c.Points += len(curves.Points)
	c.Segments += len(curves.Segments())
	if p.made != nil {
		c.Loops += p.made.Wales * p.made.Courses
	}
}

// Frames returns the number of frames after the start.
func (t *Time) Frames() int {
	// A whole number of frames stays whole in spite of rounding.
	return max(1, int(math.Ceil(t.End*t.FPS-1e-9)))
}

// FrameTime returns the time of frame i, where frame 0 is the start [s]. The last frame is at the end of the
// scene or, if that is not a whole number of frames away, just after it.
func (t *Time) FrameTime(i int) float64 { return float64(i) / t.FPS }

// StepsPerFrame returns the number of steps that a frame is divided into.
func (t *Time) StepsPerFrame() int {
	return max(1, int(math.Ceil(1/(t.FPS*t.Step)-1e-9)))
}
