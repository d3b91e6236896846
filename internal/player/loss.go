package player

import (
	"math"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
)

// lossy is a simulation that says what its steps take by themselves from each of its bodies.
type lossy interface {
	// lossColumns names the columns of that.
	lossColumns() []string
	// appendLosses appends the numbers of the last step for them to dst.
	appendLosses(dst []float64) []float64
}

// mostLossy is how many bodies have columns of their own for what steps take from them, the first ones.
const mostLossy = 16

func (p *worldSim) lossColumns() (columns []string) {
	for _, of := range p.losses() {
		columns = append(columns, runfolder.LossColumns(p.job.World.SurfaceName(of.Surface))...)
	}
	return columns
}

// losses returns what the last step took from bodies that have columns of their own.
func (p *worldSim) losses() []engine.BodyLoss {
	p.lost = p.job.World.Losses(p.lost[:0])
	return p.lost[:min(len(p.lost), mostLossy)]
}

func (p *worldSim) appendLosses(dst []float64) []float64 {
	for _, of := range p.losses() {
		if of.Known {
			dst = append(dst, of.Spin, of.SpinLost, of.EnergyLost, of.Damped)
		} else {
			dst = append(dst, math.NaN(), math.NaN(), math.NaN(), math.NaN())
		}
	}
	return dst
}
