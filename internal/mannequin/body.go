package mannequin

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// The tapes that the body is calibrated with, in the order of bodyTapes.
const (
	headTape = iota
	neckTape
	chestTape
	waistTape
	hipTape
	upperArmTape
	wristTape
	thighTape
	calfTape
	ankleTape
)

// body is the mannequin in the dressing pose before it becomes a mesh: places, parts and tapes.
type body struct {
	m        Measures
	skeleton skeleton
	field    field
	tapes    []tape
	mark     map[string]r3.Vec

	rise                            float64
	arm, leg                        r3.Vec  // directions of the left ones
	hipZ, waistZ, chestZ            float64 // heights of the tapes
	shoulderZ, neckZ, topZ, crotchZ float64
}

// newBody lays a body out. Places along the trunk are fractions of the length from crotch to top, which are those of
// artists' and tailors' canons: a head is 1/7.5 of the height, the waist three heads below the top.
func newBody(m Measures, vertices int) *body {
	// The union decides where the surface of the shoulders is, so that their height is found by trying.
	rise := 0.0
	for range 3 {
		b := layBody(m, vertices, rise)
		side, point := b.mark["neck"], b.mark["shoulder"]
		rise += side.Z - math.Tan(shoulderSlope)*(point.X-side.X) - point.Z
	}
	return layBody(m, vertices, rise)
}

// shoulderSlope is the slope of the shoulders from the neck to the shoulder point.
const shoulderSlope = 21 * degree

// layBody lays a body out with its shoulders higher by rise [m].
func layBody(m Measures, vertices int, rise float64) *body {
	b := &body{m: m, mark: map[string]r3.Vec{}, rise: rise}
	b.arm = r3.V(math.Cos(armSlope), 0, -math.Sin(armSlope))
	b.leg = r3.V(math.Sin(legSpread), 0, -math.Cos(legSpread))
	b.layOut()
	b.addParts()
	b.addTapes()
	skin := 1.06 * m.Height * (m.Chest + m.Hip) / 2 // about [m²]
	for i := range b.tapes {
		b.tapes[i].chords(math.Sqrt(skin / float64(vertices) * 2 / math.Sqrt(3)))
	}
	b.field.calibrate(b.tapes)
	b.addMarks()
	return b
}

// layOut places the joints.
func (b *body) layOut() {
	m, s := &b.m, &b.skeleton
	ankleZ := 0.043 * m.Height
	b.crotchZ = m.Inseam * math.Cos(legSpread)
	hipZ := b.crotchZ + 0.052*m.Height
	length := (hipZ - ankleZ) / math.Cos(legSpread) // of the leg, from hip to ankle
	drop := length - (hipZ - ankleZ)                // by which standing with straight legs is higher
	trunk := m.Height - m.Inseam
	level := func(part float64) float64 { return m.Inseam + part*trunk - drop }

	b.hipZ, b.waistZ, b.chestZ = level(0.09), level(0.32), level(0.51)
	b.shoulderZ, b.neckZ, b.topZ = level(0.665)+b.rise, level(0.73), level(1)

	both := func(left Joint, at r3.Vec) {
		s.at[left], s.at[left+1] = at, mirrored(at)
	}
	s.at[Pelvis] = r3.V(0, 0, level(0.12))
	s.at[Waist] = r3.V(0, 0.005, level(0.22))
	s.at[Chest] = r3.V(0, 0.005, level(0.38))
	s.at[Neck] = r3.V(0, 0.015, level(0.72))
	s.at[Head] = r3.V(0, 0, level(0.81))

	hip := r3.V(0.054*m.Height, 0, hipZ)
	both(LeftHip, hip.Add(r3.V(0, -0.01*m.Height, 0)))
	both(LeftKnee, hip.AddScaled(0.5*length, b.leg))
	ankle := hip.AddScaled(length, b.leg)
	both(LeftAnkle, ankle)

	// The shoulder point lies on top of the arm's beginning.
	top := r3.V(math.Sin(armSlope), 0, math.Cos(armSlope))
	point := r3.V(m.Shoulder/2, 0.01, b.shoulderZ)
	shoulder := point.AddScaled(-b.armRadius()*1.08, top)
	both(LeftClavicle, r3.V(0.02, 0.005, b.shoulderZ-0.01))
	both(LeftShoulder, shoulder)
	both(LeftElbow, shoulder.AddScaled(0.53*m.Arm, b.arm))
	both(LeftWrist, shoulder.AddScaled(m.Arm, b.arm))
	b.mark["shoulder"] = point

	for _, left := range []bool{true, false} {
		bone, side := LeftAnkle, 1.0
		if !left {
			bone, side = RightAnkle, -1
		}
		for _, y := range []float64{0.03 * m.Height, -0.095 * m.Height} {
			s.soles = append(s.soles, sole{bone, r3.V(side*(ankle.X+0.005), y, 0)})
		}
	}
	s.finish()
}

func (b *body) armRadius() float64 { return b.m.UpperArm / (2 * math.Pi) }

// mirrored returns x on the other side of the body.
func mirrored(x r3.Vec) r3.Vec { return r3.V(-x.X, x.Y, x.Z) }

// perGirth is the radius of a circle over its circumference, and shared what the union adds where two parts end at the
// same place.
const (
	perGirth = 1 / (2 * math.Pi)
	shared   = limbBlend * math.Ln2
)

// addParts builds the body of parts.
func (b *body) addParts() {
	b.addTrunk()
	b.addArms()
	b.addLegs()
	h := b.m.Height
	x0 := b.mark["shoulder"].X
	b.field.armX = [2]float64{x0 + 0.01*h, x0 + 0.1*h}
	b.field.crotch, b.field.size = b.crotchZ, h
	b.field.legZ = [2]float64{b.crotchZ - 0.02*h, b.crotchZ - 0.14*h}
	for i := range b.field.parts {
		b.field.parts[i].prepare()
	}
}

// add adds a part, and its mirror image if it has one.
func (b *body) add(p part) {
	if p.q == 0 {
		p.q = 1
	}
	p.r0, p.s0 = p.r, p.s
	b.field.parts = append(b.field.parts, p)
	if p.withMirror {
		p.bone++
		p.a, p.b, p.flat = mirrored(p.a), mirrored(p.b), mirrored(p.flat)
		b.field.parts = append(b.field.parts, p)
	}
}

// addTrunk adds head, neck, chest, waist and pelvis.
func (b *body) addTrunk() {
	m, h := &b.m, b.m.Height
	y, x := r3.V(0, 1, 0), r3.V(1, 0, 0)
	head, neck := m.Head*perGirth, m.Neck*perGirth
	chest, waist, hip := m.Chest*perGirth, m.Waist*perGirth, m.Hip*perGirth
	jaw := max(b.topZ-1.64*head, b.neckTapeZ()+0.7*head+0.022) // clear of the tape around the neck
	b.add(
		part{
			bone:  Head,
			a:     r3.V(0, -0.014, min(jaw, b.topZ-1.1*head)),
			b:     r3.V(0, 0.006, b.topZ-head*1.02),
			r:     head * 0.7,
			s:     head,
			flat:  x,
			q:     0.84,
			scale: [2]int{headTape, headTape},
		},
	)
	b.add(
		part{
			bone:  Neck,
			a:     r3.V(0, 0.018, b.neckZ-0.03),
			b:     r3.V(0, -0.002, b.neckZ+0.07*h),
			r:     neck,
			s:     neck * 0.92,
			scale: [2]int{neckTape, neckTape},
		},
	)
	b.add(
		part{
			bone:  Chest,
			a:     r3.V(0, 0.006, b.chestZ+0.012*h),
			b:     r3.V(0, 0.002, b.waistZ+0.03*h),
			r:     chest * 1.1,
			s:     waist * 1.02,
			flat:  y,
			q:     0.74,
			scale: [2]int{chestTape, waistTape},
		},
	)
	b.add(
		part{
			bone:  Waist,
			a:     r3.V(0, 0.002, b.waistZ+0.01*h),
			b:     r3.V(0, 0.006, b.hipZ+0.06*h),
			r:     waist * 1.05,
			s:     hip,
			flat:  y,
			q:     0.78,
			scale: [2]int{waistTape, waistTape},
		},
	)
	b.add(
		part{
			bone:  Pelvis,
			a:     r3.V(-0.038*h, 0.012, b.hipZ+0.01*h),
			b:     r3.V(0.038*h, 0.012, b.hipZ+0.01*h),
			r:     hip * 0.66,
			s:     hip * 0.66,
			flat:  r3.V(0, 0, 1),
			q:     0.8,
			scale: [2]int{hipTape, hipTape},
		},
	)
}

// addArms adds shoulders, arms and hands.
func (b *body) addArms() {
	// shoulder
	m, s, h := &b.m, &b.skeleton, b.m.Height
	point := b.mark["shoulder"]
	shoulder := s.at[LeftShoulder]
	arm := b.armRadius()
	b.add(
		part{
			bone:       LeftClavicle,
			a:          r3.V(0.026*h, 0.012, b.neckZ-0.05),
			b:          r3.V(shoulder.X-0.01, 0.01, point.Z-arm*1.0),
			r:          0.028 * h,
			s:          arm * 0.95,
			scale:      [2]int{-1, -1},
			withMirror: true,
		},
	)
	// upper arm
	wrist := m.Wrist * perGirth
	b.add(
		part{
			bone:       LeftShoulder,
			a:          shoulder,
			b:          s.at[LeftElbow],
			r:          arm * 1.02,
			s:          arm*0.86 - shared,
			scale:      [2]int{upperArmTape, upperArmTape},
			withMirror: true,
		},
	)
	// forearm, thickest below the elbow
	thick := s.at[LeftElbow].Lerp(s.at[LeftWrist], 0.22)
	b.add(
		part{
			bone:       LeftElbow,
			a:          s.at[LeftElbow],
			b:          thick,
			r:          arm*0.84 - shared,
			s:          arm*0.86 - shared,
			scale:      [2]int{upperArmTape, upperArmTape},
			withMirror: true,
		},
	)
	b.add(
		part{
			bone:       LeftElbow,
			a:          thick,
			b:          s.at[LeftWrist],
			r:          arm*0.86 - shared,
			s:          wrist,
			scale:      [2]int{upperArmTape, wristTape},
			withMirror: true,
		},
	)
	// hand, flat
	down := r3.V(math.Sin(armSlope), 0, math.Cos(armSlope))
	b.add(
		part{
			bone:       LeftWrist,
			a:          s.at[LeftWrist].AddScaled(0.032*h, b.arm),
			b:          s.at[LeftWrist].AddScaled(0.082*h, b.arm),
			r:          wrist * 1.4,
			s:          wrist * 1.05,
			flat:       down,
			q:          0.5,
			scale:      [2]int{wristTape, wristTape},
			withMirror: true,
		},
	)
}

// addLegs adds legs and feet.
func (b *body) addLegs() {
	// girths as radii, and joints
	m, s, h := &b.m, &b.skeleton, b.m.Height
	thigh, calf, ankle := m.Thigh*perGirth, m.Calf*perGirth, m.Ankle*perGirth
	knee, foot := s.at[LeftKnee], s.at[LeftAnkle]
	lower := foot.Sub(knee).Norm()
	// thigh
	b.add(
		part{
			bone:       LeftHip,
			a:          s.at[LeftHip].AddScaled(0.058*h, b.leg).Add(r3.V(0, 0.01*h, 0)),
			b:          knee,
			r:          thigh * 0.95,
			s:          calf*0.97 - shared,
			scale:      [2]int{thighTape, calfTape},
			withMirror: true,
		},
	)
	// lower leg, thickest at the calf
	calfAt := knee.AddScaled(0.28*lower, b.leg).Add(r3.V(0, 0.006*h, 0))
	b.add(
		part{
			bone:       LeftKnee,
			a:          knee,
			b:          calfAt,
			r:          calf*0.94 - shared,
			s:          calf - shared,
			scale:      [2]int{calfTape, calfTape},
			withMirror: true,
		},
	)
	b.add(
		part{
			bone:       LeftKnee,
			a:          calfAt,
			b:          foot.AddScaled(-0.02*h, b.leg).Add(r3.V(0, 0.004*h, 0)),
			r:          calf - shared,
			s:          ankle,
			scale:      [2]int{calfTape, ankleTape},
			withMirror: true,
		},
	)
	// foot
	heel := r3.V(foot.X, 0.012*h, 0.0233*h)
	toe := r3.V(foot.X+0.012*h, -0.088*h, 0.0146*h)
	b.add(part{bone: LeftAnkle, a: heel, b: toe, r: 0.0225 * h, s: 0.0145 * h, scale: [2]int{-1, -1}, withMirror: true})
}

// neckTapeZ is where the neck is measured.
func (b *body) neckTapeZ() float64 { return b.neckZ + 0.022*b.m.Height }

// addTapes places the tapes.
func (b *body) addTapes() {
	// around head and trunk, level; around limbs, across them
	m, s := &b.m, &b.skeleton
	up := r3.V(0, 0, 1)
	b.tapes = []tape{
		headTape:  {name: "head", at: r3.V(0, 0, b.topZ-1.1*m.Head/(2*math.Pi)), normal: up, want: m.Head},
		neckTape:  {name: "neck", at: r3.V(0, 0.01, b.neckTapeZ()), normal: up, want: m.Neck},
		chestTape: {name: "chest", at: r3.V(0, 0, b.chestZ), normal: up, want: m.Chest},
		waistTape: {name: "waist", at: r3.V(0, 0, b.waistZ), normal: up, want: m.Waist},
		hipTape:   {name: "hip", at: r3.V(0, 0, b.hipZ), normal: up, want: m.Hip},
		upperArmTape: {
			name:   "upper-arm",
			at:     s.at[LeftShoulder].Lerp(s.at[LeftElbow], 0.5),
			normal: b.arm,
			want:   m.UpperArm,
		},
		wristTape: {
			name:   "wrist",
			at:     s.at[LeftWrist].AddScaled(-0.006*m.Height, b.arm),
			normal: b.arm,
			want:   m.Wrist,
		},
		thighTape: {
			name: "thigh",
			at: s.at[LeftHip].AddScaled(
				(b.skeleton.at[LeftHip].Z-b.crotchZ)/math.Cos(legSpread)+0.045*m.Height,
				b.leg,
			),
			normal: b.leg,
			want:   m.Thigh,
		},
		calfTape:  {name: "calf", at: s.at[LeftKnee].Lerp(s.at[LeftAnkle], 0.27), normal: b.leg, want: m.Calf},
		ankleTape: {name: "ankle", at: s.at[LeftKnee].Lerp(s.at[LeftAnkle], 0.93), normal: b.leg, want: m.Ankle},
	}
}

// addMarks finds the landmarks on the surface.
func (b *body) addMarks() {
	s, f := &b.skeleton, &b.field
	side := func(x r3.Vec) r3.Vec { return x.AddScaled(f.exit(x, r3.V(1, 0, 0), 0.6), r3.V(1, 0, 0)) }
	b.mark["top"] = r3.V(0, 0, b.topZ)
	b.mark["chest"] = side(b.tapes[chestTape].at)
	b.mark["waist"] = side(b.tapes[waistTape].at)
	b.mark["hip"] = side(b.tapes[hipTape].at)
	b.mark["elbow"] = s.at[LeftElbow]
	b.mark["wrist"] = s.at[LeftWrist]
	b.mark["knee"] = s.at[LeftKnee]
	b.mark["ankle"] = s.at[LeftAnkle]
	up := r3.V(0, 0, 1)
	crotch := r3.V(0, 0.008, b.hipZ)
	b.mark["crotch"] = crotch.AddScaled(-f.exit(crotch, up.Neg(), 0.6), up)
	x := b.mark["shoulder"].X
	point := r3.V(x, 0.01, b.shoulderZ-0.06)
	b.mark["shoulder"] = point.AddScaled(f.exit(point, up, 0.6), up)
	b.mark["neck"] = side(r3.V(0, 0.012, b.neckZ))
	b.mark["armpit"] = b.armpit()
}

// armpit returns the highest point between arm and trunk, seen from the front.
func (b *body) armpit() r3.Vec {
	var best r3.Vec
	for x := b.mark["chest"].X - 0.05; x < b.mark["chest"].X+0.15; x += 0.002 {
		// Up from a point under the arm until the body begins.
		p := r3.V(x, 0.008, b.waistZ)
		for range 200 {
			v, _ := b.field.value(p)
			if v < 1e-4 {
				break
			}
			p.Z += max(v*0.7, 1e-4)
		}
		if v, _ := b.field.value(r3.V(x, 0.008, b.waistZ)); v > 0 && p.Z > best.Z {
			best = p
		}
	}
	return best
}
