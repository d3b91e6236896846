package mannequin

import "math"

// standing returns the standing pose after changes.
func standing(change func(*Pose)) Pose {
	p := StandingPose()
	change(&p)
	return p
}

// swing returns keys of a motion that repeats, at equal times over a period [s]; the first comes again at the end.
func swing(period float64, poses ...Pose) *spline {
	var keys []key
	for i, p := range poses {
		keys = append(keys, key{t: period * float64(i) / float64(len(poses)), pose: p})
	}
	return newSpline(true, append(keys, key{t: period, pose: poses[0]})...)
}

// sampled returns a motion that repeats through n poses of a function of the phase, 0 to 2π.
func sampled(period float64, n int, at func(phase float64) Pose) *spline {
	var poses []Pose
	for i := range n {
		poses = append(poses, at(2*math.Pi*float64(i)/float64(n)))
	}
	return swing(period, poses...)
}

// twist turns the shoulders by 60 degrees to each side against the feet, once in 4 s.
func twist() *spline {
	return sampled(4, 16, func(phase float64) Pose {
		return standing(func(p *Pose) {
			a := math.Sin(phase)
			p.one(Waist, 0, 0, 30*a)
			p.one(Chest, 0, 0, 30*a)
			p.set(LeftShoulder, 4, 24, 0)
			p.set(LeftElbow, 15, 0, 0)
		})
	})
}

// walk walks on the spot, two steps in 1.2 s.
func walk() *spline {
	return sampled(1.2, 16, func(phase float64) Pose {
		return standing(func(p *Pose) {
			sin, cos := math.Sincos(phase)
			leg := func(hip Joint, sin, cos float64) {
				// The knee bends while the leg swings forward.
				lift := max(0, cos)
				lift *= lift
				p.one(hip, 4+22*sin+8*lift, 2, 0)
				p.one(hip+2, 6+48*lift, 0, 0)
				p.one(hip+4, 3-6*sin+6*lift, -2, 0)
			}
			leg(LeftHip, sin, cos)
			leg(RightHip, -sin, -cos)
			p.one(LeftShoulder, 2-22*sin, 16, 0)
			p.one(RightShoulder, 2+22*sin, 16, 0)
			p.one(LeftElbow, 20-10*sin, 0, 0)
			p.one(RightElbow, 20+10*sin, 0, 0)
			p.one(Pelvis, 0, 0, -5*sin)
			p.one(Waist, 2, 2*cos, 4*sin)
			p.one(Chest, 2, -2*cos, 7*sin)
			p.one(Head, -3, 0, -4*sin)
		})
	})
}

// slowDance sways and lifts the arms by turns, once in 4.8 s.
func slowDance() *spline {
	return sampled(4.8, 16, func(phase float64) Pose { return dance(phase, 0.7) })
}

// fastDance is wider and takes 1.6 s.
func fastDance() *spline {
	return sampled(1.6, 16, func(phase float64) Pose { return dance(phase, 1) })
}

func dance(phase, size float64) Pose {
	return standing(func(p *Pose) {
		sin, cos := math.Sincos(phase)
		beat := size * (1 - math.Cos(2*phase)) / 2
		a, c := size*sin, size*(1-cos)/2
		p.one(Pelvis, 0, 5*a, 8*a)
		p.one(Waist, 3*c, -8*a, 14*a)
		p.one(Chest, 4*c, -4*a, 14*a)
		p.one(Neck, 0, 4*a, -6*a)
		p.one(Head, 4*beat, 4*a, -10*a)
		p.one(LeftClavicle, 0, 8*max(0, a)*max(0, a), 0)
		p.one(RightClavicle, 0, 8*max(0, -a)*max(0, -a), 0)
		p.one(LeftShoulder, 12+8*a, 48+26*a, 0)
		p.one(RightShoulder, 12-8*a, 48-26*a, 0)
		p.one(LeftElbow, 40+25*a, 0, 0)
		p.one(RightElbow, 40-25*a, 0, 0)
		bend := 14 * beat
		p.one(LeftHip, bend+3, 8-6*a, 0)
		p.one(RightHip, bend+3, 8+6*a, 0)
		p.set(LeftKnee, 2*bend+6, 0, 0)
		p.one(LeftAnkle, bend+3, -8+a, 0)
		p.one(RightAnkle, bend+3, -8-a, 0)
	})
}

// nod bows the head, once in 2 s.
func nod() *spline {
	return sampled(2, 8, func(phase float64) Pose {
		return standing(func(p *Pose) {
			a := math.Sin(phase)
			p.one(Neck, 10*a, 0, 0)
			p.one(Head, 18*a, 0, 0)
		})
	})
}

// shakeHead turns the head by 50 degrees to each side, once in 2.4 s.
func shakeHead() *spline {
	return sampled(2.4, 12, func(phase float64) Pose {
		return standing(func(p *Pose) {
			a := math.Sin(phase)
			p.one(Neck, 0, 0, 20*a)
			p.one(Head, 0, 0, 30*a)
		})
	})
}

// raiseArm lifts the left arm sideways above the head and lowers it, in 5 s.
func raiseArm() *spline {
	up := standing(func(p *Pose) {
		p.one(LeftClavicle, 0, 24, 0)
		p.one(LeftShoulder, 5, 140, 0)
		p.one(LeftElbow, 8, 0, 0)
	})
	return newSpline(
		false,
		key{pose: StandingPose()},
		key{2, up, true},
		key{3, up, true},
		key{t: 5, pose: StandingPose()},
	)
}

// sit goes from standing to sitting in 2 s and stays.
func sit() *spline {
	half := standing(func(p *Pose) {
		p.one(Pelvis, 18, 0, 0)
		p.one(Waist, 10, 0, 0)
		p.one(Head, -15, 0, 0)
		p.set(LeftHip, 66, 8, 0)
		p.set(LeftKnee, 62, 0, 0)
		p.set(LeftAnkle, 15, -8, 0)
		p.set(LeftShoulder, 30, 18, 0)
		p.set(LeftElbow, 30, 0, 0)
	})
	return newSpline(false, key{pose: StandingPose()}, key{t: 1.2, pose: half}, key{t: 2.2, pose: SittingPose()})
}
