package film

import (
	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/r3"
)

// Poses are the poses of one rigid actor, frame by frame, with rotations of unit length in the axes of the file.
// Of the two quaternions of each rotation the one nearer to that before is taken, so that what lies between
// is the shorter way.
type Poses []r3.Pose

// Add appends a pose of the film.
func (p *Poses) Add(pose r3.Pose, fr model.Frame) {
	q := pose.R.Unit()
	if fr.YUp {
		q = r3.Quat{W: q.W, X: q.X, Y: q.Z, Z: 0 - q.Y}
	}
	if n := len(*p); n > 0 && (*p)[n-1].R.Dot(q) < 0 {
		q = r3.Quat{W: -q.W, X: -q.X, Y: -q.Y, Z: -q.Z}
	}
	*p = append(*p, r3.Pose{R: q, T: fr.ToFile(pose.T)})
}

// Still reports whether all poses are the same.
func (p Poses) Still() bool {
	for _, q := range p {
		if q != p[0] {
			return false
		}
	}
	return true
}
