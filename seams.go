package toile

// WidestStitch returns the largest distance between two vertices of a cloth that its seams join [m], and which pair
// that is; zero and -1 without seams.
func (w *World) WidestStitch(id ClothID) (gap float64, pair int) {
	pair = -1
	seams := w.cloths[id].Spec.Seams
	if seams == nil {
		return 0, pair
	}
	x := w.Positions(id)
	for i, p := range seams.Pairs {
		if d := x[p[0]].Sub(x[p[1]]).Norm(); pair < 0 || d > gap {
			gap, pair = d, i
		}
	}
	return gap, pair
}
