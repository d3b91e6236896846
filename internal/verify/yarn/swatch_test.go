package yarn

import (
	"context"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/knit"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/r3"
)

// A swatch as it is laid has the spacings that it is laid with, and lies flat. Bent to the front around its wales it
// turns by the length of yarn between its middle and the last period over the radius; the other two edges do not turn.
func TestSwatchMeasures(t *testing.T) {
	const n = 16
	tr := verify.NewTrial(context.Background(), verify.Options{Workers: 1})
	o := swatchOptions{swatchPattern: swatchPatterns[0], wales: n, courses: n, material: swatchYarn()}
	flat := knitSwatch(tr, o, nil)
	d := 2 * o.material.Radius
	wale, course := flat.spacing()
	if math.Abs(wale/(knit.WaleSpacing*d)-1) > 1e-3 || math.Abs(course/(knit.CourseSpacing*d)-1) > 1e-3 {
		t.Errorf("wales %.4f D and courses %.4f D apart", wale/d, course/d)
	}
	const radius = 0.1
	at := flat.fabric.Points()
	middle := n / 2 * knit.WaleSpacing * d
	for i, p := range at {
		sin, cos := math.Sincos((p.X - middle) / radius)
		at[i] = r3.V((radius-p.Z)*sin, p.Y, radius-(radius-p.Z)*cos)
	}
	bent := knitSwatch(tr, o, at)
	for e := range topEdge + 1 {
		if turn := flat.curl(e); math.Abs(turn) > 0.02 {
			t.Errorf("the %v edge turns by %.3f as it is laid", e, turn)
		}
		want := 0.0
		if e == leftEdge || e == rightEdge {
			want = (n/2 - 0.5 - 0.5*swatchPeriod) * knit.WaleSpacing * d / radius
		}
		if turn := bent.curl(e); math.Abs(turn-want) > 0.03*want+0.02 {
			t.Errorf("the %v edge turns by %.3f, not by %.3f", e, turn, want)
		}
	}
}

// A stretch curve is read between its points, and not beyond its end.
func TestStretchCurve(t *testing.T) {
	c := stretchCurve{strain: []float64{0, 0.1, 0.3}, force: []float64{0, 1, 2}}
	if s := c.at(1.5); math.Abs(s-0.2) > 1e-12 {
		t.Errorf("strain %g at 1.5", s)
	}
	if s := c.at(3); !math.IsNaN(s) {
		t.Errorf("strain %g at a force that is not reached", s)
	}
}
