package toile

// PressTravel returns how far a press has gone along its axis [m]; 0 for other obstacles.
func (w *World) PressTravel(id ObstacleID) float64 {
	if w.obstacles[id].rides == alone {
		return 0
	}
	return w.press(id).travel
}

func (w *World) press(id ObstacleID) *press { return w.others[w.obstacles[id].rides].Body.(*press) }
