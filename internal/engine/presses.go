package engine

// PressTravel returns how far a press has gone along its axis [m]; 0 for other obstacles.
func (w *World) PressTravel(id ObstacleID) float64 {
	if p, ok := w.obstacles[id].on.(*press); ok {
		return p.travel
	}
	return 0
}
