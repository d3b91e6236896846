package mannequin

// The skeleton of the mannequin: 19 joints, each with a bone that hangs on it, and poses as angles of the joints.
//
// All angles are 0 when the body stands straight with its arms hanging and its legs together. A joint turns its bone by
//
//	R = Rx(∓flex) Ry(±side) Rz(±turn)
//
// in axes that are those of the world in that stance (the body faces -y, its left is +x, z is up); signs are such that
// the same numbers on the left and the right side are mirror images, and that a positive angle is the one which anatomy
// names: bending forward (knees: the shin goes back; ankles: toes up), away from the middle (spine, neck and head: to
// the left), and turning outwards (spine, neck and head: to the left).
//
// The body is put on the floor by itself: the lowest point of its soles is at z = 0 up to a smooth minimum, and the
// middle between the ankles stays above the origin. A motion thereby needs to know nothing of lengths, and sitting down
// moves the seat back.

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/portable"
	"github.com/toile-sim/toile/r3"
)

// Joint names a joint of the mannequin, and the bone that hangs on it.
type Joint int

// The joints, parents before children.
const (
	Pelvis Joint = iota
	Waist
	Chest
	Neck
	Head
	LeftClavicle
	RightClavicle
	LeftShoulder
	RightShoulder
	LeftElbow
	RightElbow
	LeftWrist
	RightWrist
	LeftHip
	RightHip
	LeftKnee
	RightKnee
	LeftAnkle
	RightAnkle

	// Joints is the number of joints.
	Joints = int(RightAnkle) + 1
)

// String returns the name of the joint.
func (j Joint) String() string {
	if j < 0 || int(j) >= Joints {
		return fmt.Sprintf("joint %d", int(j))
	}
	return jointTable[j].name
}

// Angles are the angles of a joint [rad].
type Angles struct{ Flex, Side, Turn float64 }

// Pose is how a mannequin holds itself: the angles of its joints, and how far it is from standing above the origin. The
// zero Pose stands straight with hanging arms, which is not quite possible: the arms would be in the hips.
type Pose struct {
	Shift r3.Vec // on top of standing with the feet around the origin [m]
	Angle [Joints]Angles
}

// limits are the least and largest angles [deg].
type limits struct{ flex, side, turn [2]float64 }

type jointInfo struct {
	name   string
	parent Joint
	limits limits
}

// noParent is the parent of the pelvis.
const noParent Joint = -1

// The limits are about what healthy adults reach, less where the skin would fold into itself: elbows, knees and hips of
// flesh are pressed flat when bent further.
var (
	rootLimits     = limits{[2]float64{-90, 90}, [2]float64{-60, 60}, [2]float64{-360, 360}}
	waistLimits    = limits{[2]float64{-25, 60}, [2]float64{-30, 30}, [2]float64{-45, 45}}
	chestLimits    = limits{[2]float64{-20, 45}, [2]float64{-30, 30}, [2]float64{-45, 45}}
	neckLimits     = limits{[2]float64{-40, 40}, [2]float64{-30, 30}, [2]float64{-45, 45}}
	headLimits     = limits{[2]float64{-40, 40}, [2]float64{-25, 25}, [2]float64{-45, 45}}
	clavicleLimits = limits{[2]float64{-25, 25}, [2]float64{-15, 40}, [2]float64{0, 0}}
	shoulderLimits = limits{[2]float64{-60, 135}, [2]float64{-60, 175}, [2]float64{-90, 90}}
	elbowLimits    = limits{[2]float64{0, 125}, [2]float64{0, 0}, [2]float64{-90, 90}}
	wristLimits    = limits{[2]float64{-70, 70}, [2]float64{-80, 80}, [2]float64{0, 0}}
	hipLimits      = limits{[2]float64{-30, 105}, [2]float64{-30, 60}, [2]float64{-45, 50}}
	kneeLimits     = limits{[2]float64{0, 110}, [2]float64{0, 0}, [2]float64{-30, 30}}
	ankleLimits    = limits{[2]float64{-50, 30}, [2]float64{-35, 35}, [2]float64{-30, 30}}
)

var jointTable = [Joints]jointInfo{
	Pelvis:        {"pelvis", noParent, rootLimits},
	Waist:         {"waist", Pelvis, waistLimits},
	Chest:         {"chest", Waist, chestLimits},
	Neck:          {"neck", Chest, neckLimits},
	Head:          {"head", Neck, headLimits},
	LeftClavicle:  {"left-clavicle", Chest, clavicleLimits},
	RightClavicle: {"right-clavicle", Chest, clavicleLimits},
	LeftShoulder:  {"left-shoulder", LeftClavicle, shoulderLimits},
	RightShoulder: {"right-shoulder", RightClavicle, shoulderLimits},
	LeftElbow:     {"left-elbow", LeftShoulder, elbowLimits},
	RightElbow:    {"right-elbow", RightShoulder, elbowLimits},
	LeftWrist:     {"left-wrist", LeftElbow, wristLimits},
	RightWrist:    {"right-wrist", RightElbow, wristLimits},
	LeftHip:       {"left-hip", Pelvis, hipLimits},
	RightHip:      {"right-hip", Pelvis, hipLimits},
	LeftKnee:      {"left-knee", LeftHip, kneeLimits},
	RightKnee:     {"right-knee", RightHip, kneeLimits},
	LeftAnkle:     {"left-ankle", LeftKnee, ankleLimits},
	RightAnkle:    {"right-ankle", RightKnee, ankleLimits},
}

// limitSlack is by how much an angle may be beyond a limit that it was computed to be at [rad].
const limitSlack = 1e-9

// Validate lists all angles that are beyond what the joint can do.
func (p *Pose) Validate() error {
	// shift
	var faults []error
	if !p.Shift.Finite() {
		faults = append(faults, errors.New("the shift is not finite"))
	}
	// each angle of each joint
	for j, a := range p.Angle {
		info := &jointTable[j]
		for _, k := range []struct {
			name   string
			angle  float64
			range_ [2]float64
		}{{"flex", a.Flex, info.limits.flex}, {"side", a.Side, info.limits.side}, {"turn", a.Turn, info.limits.turn}} {
			lo, hi := k.range_[0]*degree, k.range_[1]*degree
			if !(k.angle >= lo-limitSlack && k.angle <= hi+limitSlack) {
				faults = append(
					faults,
					fmt.Errorf(
						"%s: %s of %.4g degrees is beyond its limits, %g to %g degrees",
						info.name,
						k.name,
						k.angle/degree,
						k.range_[0],
						k.range_[1],
					),
				)
			}
		}
	}
	return errors.Join(faults...)
}

const degree = math.Pi / 180

// armSlope is the angle of the arms below the horizontal in the dressing pose, and legSpread that of each leg to the
// vertical [rad].
const (
	armSlope  = 20 * degree
	legSpread = 12 * degree
)

// set gives the joint of the left side and its partner on the right the same angles, mirrored. Angles are in degrees.
func (p *Pose) set(left Joint, flex, side, turn float64) {
	a := Angles{flex * degree, side * degree, turn * degree}
	p.Angle[left], p.Angle[left+1] = a, a
}

// one sets the angles of a single joint, in degrees.
func (p *Pose) one(j Joint, flex, side, turn float64) {
	p.Angle[j] = Angles{flex * degree, side * degree, turn * degree}
}

// DressingPose returns the pose in which garments are put on: arms to the sides and 20 degrees below the horizontal
// with palms down, legs 12 degrees out.
func DressingPose() Pose {
	var p Pose
	p.Angle[LeftShoulder].Side = math.Pi/2 - armSlope
	p.Angle[LeftHip].Side = legSpread
	p.Angle[LeftAnkle].Side = -legSpread
	for _, j := range []Joint{LeftShoulder, LeftHip, LeftAnkle} {
		p.Angle[j+1] = p.Angle[j]
	}
	return p
}

// StandingPose returns an easy stance: arms hanging a little away from the sides, feet a hand apart.
func StandingPose() Pose {
	var p Pose
	p.set(LeftShoulder, 2, 17, 0)
	p.set(LeftElbow, 12, 0, 0)
	p.set(LeftHip, 0, 4, 0)
	p.set(LeftAnkle, 0, -4, 0)
	return p
}

// SittingPose returns the pose on a chair, with the hands beside the thighs.
func SittingPose() Pose {
	p := StandingPose()
	p.one(Pelvis, -8, 0, 0)
	p.one(Waist, 8, 0, 0)
	p.set(LeftHip, 82, 10, 0)
	p.set(LeftKnee, 90, 0, 0)
	p.set(LeftAnkle, 0, -10, 0)
	p.set(LeftShoulder, 25, 18, 0)
	p.set(LeftElbow, 45, 0, 0)
	return p
}

// Lerp returns the pose a fraction t of the way from p to q, angle by angle.
func (p *Pose) Lerp(q *Pose, t float64) Pose {
	var r Pose
	r.Shift = p.Shift.Lerp(q.Shift, t)
	for j := range r.Angle {
		a, b := p.Angle[j], q.Angle[j]
		r.Angle[j] = Angles{a.Flex + t*(b.Flex-a.Flex), a.Side + t*(b.Side-a.Side), a.Turn + t*(b.Turn-a.Turn)}
	}
	return r
}

// rotation returns how a joint turns its bone, in the axes of its parent.
func (j Joint) rotation(a Angles) r3.Quat {
	flex, side, turn := a.Flex, a.Side, a.Turn
	right := j >= LeftClavicle && (j-LeftClavicle)%2 == 1
	switch {
	case j < LeftClavicle, j == LeftKnee, j == RightKnee:
	default:
		flex = -flex
	}
	if j >= LeftClavicle && !right {
		side = -side
	}
	if right {
		turn = -turn
	}
	qx := r3.Rotation(r3.V(1, 0, 0), flex)
	qy := r3.Rotation(r3.V(0, 1, 0), side)
	qz := r3.Rotation(r3.V(0, 0, 1), turn)
	return qx.Mul(qy).Mul(qz)
}

// skeleton is where the joints are in the dressing pose, which the mesh is made in, and what follows from it.
type skeleton struct {
	at     [Joints]r3.Vec  // joints in the dressing pose
	bind   [Joints]r3.Quat // turns of the bones in the dressing pose, against the straight stance
	offset [Joints]r3.Vec  // from the parent joint, in the axes of the parent's bone
	soles  []sole
	middle r3.Vec // between the ankles in the dressing pose
}

// sole is a point of a foot that may be on the floor, in the dressing pose.
type sole struct {
	bone Joint
	at   r3.Vec
}

func (s *skeleton) finish() {
	dressing := DressingPose()
	for j := range Joint(Joints) {
		q := j.rotation(dressing.Angle[j])
		p := jointTable[j].parent
		if p == noParent {
			s.bind[j], s.offset[j] = q, s.at[j]
			continue
		}
		s.bind[j] = s.bind[p].Mul(q)
		s.offset[j] = s.bind[p].Conj().Rotate(s.at[j].Sub(s.at[p]))
	}
	s.middle = s.at[LeftAnkle].Add(s.at[RightAnkle]).Scale(0.5)
}

// floorSoftness is the length scale of the smooth minimum over the soles [m]. A foot that stands on one point sinks
// into the floor by its product with the logarithm of the number of soles, 4 mm; feet that stand flat do not.
const floorSoftness = 3e-3

// pose returns the motions of the bones from the dressing pose to p.
func (s *skeleton) pose(p *Pose, out *[Joints]r3.Pose) {
	var turn [Joints]r3.Quat
	var at [Joints]r3.Vec
	for j := range Joint(Joints) {
		q := j.rotation(p.Angle[j])
		parent := jointTable[j].parent
		if parent == noParent {
			turn[j] = q
		} else {
			turn[j] = turn[parent].Mul(q)
			at[j] = at[parent].Add(turn[parent].Rotate(s.offset[j]))
		}
		r := turn[j].Mul(s.bind[j].Conj())
		out[j] = r3.Pose{R: r, T: at[j].Sub(r.Rotate(s.at[j]))}
	}
	shift := s.floor(out)
	middle := at[LeftAnkle].Add(at[RightAnkle]).Scale(0.5)
	shift.X, shift.Y = s.middle.X-middle.X, s.middle.Y-middle.Y
	shift = shift.Add(p.Shift)
	for j := range out {
		out[j].T = out[j].T.Add(shift)
	}
}

// floor returns how far the body must rise for its soles to be on the floor.
func (s *skeleton) floor(bones *[Joints]r3.Pose) r3.Vec {
	lowest := math.Inf(1)
	var z [16]float64
	for i, k := range s.soles {
		z[i] = bones[k.bone].Apply(k.at).Z
		lowest = min(lowest, z[i])
	}
	sum := 0.0
	for _, h := range z[:len(s.soles)] {
		sum += portable.Exp((lowest - h) / floorSoftness)
	}
	// The smooth minimum is below the lowest by up to log n: for feet that stand flat all soles count, and the body is
	// not to hover.
	smooth := lowest - floorSoftness*(math.Log(sum)-math.Log(float64(len(s.soles))))
	return r3.V(0, 0, -smooth)
}

// within reports whether Validate finds nothing, without allocating.
func (p *Pose) within() bool {
	if !p.Shift.Finite() {
		return false
	}
	in := func(x float64, r [2]float64) bool { return x >= r[0]*degree-limitSlack && x <= r[1]*degree+limitSlack }
	for j, a := range p.Angle {
		l := &jointTable[j].limits
		if !in(a.Flex, l.flex) || !in(a.Side, l.side) || !in(a.Turn, l.turn) {
			return false
		}
	}
	return true
}
