package draw

import (
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// grid returns a surface of n x n cells, two triangles each, with a point for each (u, v) in the unit
// square, seen from the front where u is right and v up.
func grid(n int, at func(u, v float64) r3.Vec) Surface {
	var s Surface
	for j := range n + 1 {
		for i := range n + 1 {
			s.Positions = append(s.Positions, at(float64(i)/float64(n), float64(j)/float64(n)))
		}
	}
	id := func(i, j int) int32 { return int32(j*(n+1) + i) }
	for j := range n {
		for i := range n {
			s.Triangles = append(s.Triangles,
				[3]int32{id(i, j), id(i+1, j), id(i+1, j+1)}, [3]int32{id(i, j), id(i+1, j+1), id(i, j+1)})
		}
	}
	return s
}

// curtain is a square that hangs from its two upper corners in folds.
func curtain(n int) Surface {
	s := grid(n, func(u, v float64) r3.Vec {
		down := 1 - v
		sag := 0.22 * math.Sin(math.Pi*u) * (1 - 0.55*down)
		fold := down*0.05*math.Cos(6*math.Pi*u+1.5*down) + 0.05*math.Sin(math.Pi*u)*math.Sin(5*down)
		return r3.V((u-0.5)*(0.80+0.05*down), -fold+0.12*down*down, 1-down*0.95-sag)
	})
	s.Marks = []int32{int32(n * (n + 1)), int32(n*(n+1) + n)}
	return s
}

// tablecloth is a square on a ball, with its skirt nearly flat for t = 0 and hanging for t = 1.
func tablecloth(n int, radius, t float64) Surface {
	return grid(n, func(u, v float64) r3.Vec {
		x, y := 2*u-1, 2*v-1
		r, a := math.Hypot(x, y)*0.5, math.Atan2(y, x)
		bent := radius / max(t, 1e-3)
		on := min(r, 1.4*radius)
		angle := on / bent
		out, z := bent*math.Sin(angle), radius-bent*(1-math.Cos(angle))
		out += (r - on) * math.Cos(angle)
		z -= (r - on) * math.Sin(angle)
		out *= 1 + 0.4*t*smoothstep(0.2, 0.5, r)*(1+math.Cos(8*a))
		return r3.V(out*math.Cos(a), out*math.Sin(a), z+0.004)
	})
}

// ball is a sphere about the origin.
func ball(radius float64) Surface {
	return grid(48, func(u, v float64) r3.Vec {
		a, b := 2*math.Pi*u, math.Pi*(v-0.5)
		return r3.V(math.Cos(a)*math.Cos(b), math.Sin(a)*math.Cos(b), math.Sin(b)).Scale(radius)
	})
}

// cantilever is a plot of what was measured over what was expected.
func cantilever() Plot {
	expected, measured := Series{Name: "Euler–Bernoulli"}, Series{Name: "measured", Style: Points}
	for i := range 61 {
		x := float64(i) / 60
		y := 0.8 * x * x * (3 - x) / 2
		expected.X, expected.Y = append(expected.X, x), append(expected.Y, y)
		if i%4 == 0 {
			measured.X, measured.Y = append(measured.X, x), append(measured.Y, y*(1+0.02*math.Sin(9*x)))
		}
	}
	return Plot{
		Title: "A strip bends under its weight", X: "position along the strip [m]", Y: "deflection [mm]",
		Series: []Series{Tolerance(expected, "±3 %", 0.03, 0), expected, measured},
	}
}

// convergence is a logarithmic plot with a curve for each colour.
func convergence() Plot {
	p := Plot{Title: "Error against step", X: "step [s]", Y: "largest error [m]", LogX: true, LogY: true}
	for k := range 6 {
		s := Series{Name: fmt.Sprintf("order %d", k+1), Style: []Style{Line, Points, Dashed}[k%3]}
		for i := range 8 {
			h := 0.1 * math.Pow(2, -float64(i))
			s.X, s.Y = append(s.X, h), append(s.Y, float64(k+1)*math.Pow(h, float64(k+1)/2))
		}
		p.Series = append(p.Series, s)
	}
	return p
}

var pictures = flag.String("pictures", "", "write pictures to look at into this directory")

// Pictures to look at: go test ./internal/draw -run Pictures -pictures DIR.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("no -pictures directory")
	}
	file := func(name string, write func(io.Writer) error) {
		f, err := os.Create(filepath.Join(*pictures, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := write(f); err != nil {
			t.Error(err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	save := func(name string, img *image.RGBA) {
		file(name, func(w io.Writer) error { return png.Encode(w, img) })
	}
	opt := DefaultOptions()
	opt.Axes = true
	s := curtain(70)
	box := Bounds([]Surface{s})
	box.Min.Z -= 0.05
	opt.Ground = GroundUnder(box)
	save("curtain.png", Render([]Surface{s}, Fit(box, r3.Vec{}, 16.0/9), opt))
	s = curtain(24)
	s.Edges = true
	save("edges.png", Render([]Surface{s}, Fit(box, r3.V(-1, 1.5, 0.5), 16.0/9), opt))

	all := []Surface{tablecloth(90, 0.2, 1), ball(0.197)}
	for _, p := range all[0].Positions {
		all[0].Scalar = append(all[0].Scalar, 0.2-p.Z)
	}
	scale := ScaleOf(all, "drop", "m")
	opt.Scale = &scale
	box = Bounds(all)
	opt.Ground = GroundUnder(box)
	save("scalar.png", Render(all, Fit(box, r3.Vec{}, 16.0/9), opt))
	all[0].Scalar = nil
	save("tablecloth.png", Render(all, Fit(box, r3.Vec{}, 16.0/9), opt))

	var cells []*image.RGBA
	var captions []string
	opt.Width, opt.Height, opt.Axes = 480, 360, false
	box = r3.Box{Min: r3.V(-0.55, -0.55, -0.3), Max: r3.V(0.55, 0.55, 0.22)}
	opt.Ground = GroundUnder(box)
	for i := range 6 {
		k := float64(i) / 5
		cells = append(
			cells,
			Render([]Surface{tablecloth(70, 0.2, 0.02+0.98*k), ball(0.197)}, Fit(box, r3.Vec{}, 4.0/3), opt),
		)
		captions = append(captions, fmt.Sprintf("t = %.2f s", 0.4*k))
	}
	save("sheet.png", Sheet(cells, captions, 3, "A square drapes over a ball"))
	file("plot.png", func(w io.Writer) error { return cantilever().PNG(w, 800, 500) })
	file("log.png", func(w io.Writer) error { return convergence().PNG(w, 800, 500) })
	for name, p := range gallery() {
		file("plot-"+name+".png", func(w io.Writer) error { return p.PNG(w, 960, 600) })
	}
}
