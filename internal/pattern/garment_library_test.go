package pattern

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/r3"
)

// mannequins are made once for each size.
var mannequins = map[string]func() *mannequin.Mannequin{
	"S": sync.OnceValue(func() *mannequin.Mannequin { return newMannequin("S") }),
	"M": sync.OnceValue(func() *mannequin.Mannequin { return newMannequin("M") }),
	"L": sync.OnceValue(func() *mannequin.Mannequin { return newMannequin("L") }),
}

func newMannequin(size string) *mannequin.Mannequin {
	m, err := mannequin.MeasuresOf(size)
	if err != nil {
		panic(err)
	}
	b, err := mannequin.NewMannequin(m, 3000)
	if err != nil {
		panic(err)
	}
	return b
}

func dressingPositions(b *mannequin.Mannequin) []r3.Vec {
	pose := mannequin.DressingPose()
	x := make([]r3.Vec, b.Vertices())
	b.Skin(&pose, x)
	return x
}

// soup is triangles in space with a tree of their boxes.
type soup struct {
	x   []r3.Vec
	tri [][3]int32
}

func (s *soup) corners(i int32) [3]r3.Vec {
	t := s.tri[i]
	return [3]r3.Vec{s.x[t[0]], s.x[t[1]], s.x[t[2]]}
}

func (s *soup) boxes() []r3.Box {
	out := make([]r3.Box, len(s.tri))
	for i := range out {
		c := s.corners(int32(i))
		out[i] = r3.BoxOf(c[:])
	}
	return out
}

// apart returns the number of pairs of triangles that cross and the distance of the surfaces, or within if it is
// larger.
func apart(a, b *soup, within float64) (crossings int, distance float64) {
	tree := geom.NewTree(b.boxes())
	distance = within
	var near []int32
	for i, box := range a.boxes() {
		near = tree.Overlapping(
			r3.Box{Min: box.Min.Sub(r3.V(within, within, within)), Max: box.Max.Add(r3.V(within, within, within))},
			near[:0],
		)
		p := a.corners(int32(i))
		for _, j := range near {
			q := b.corners(j)
			if geom.Triangles(p, q) {
				crossings++
				distance = 0
			}
			distance = min(distance, math.Sqrt(between(p, q)))
		}
	}
	return crossings, distance
}

// between returns the squared distance of two triangles that do not cross.
func between(p, q [3]r3.Vec) float64 {
	d := math.Inf(1)
	for k := range 3 {
		_, _, a := geom.PointTriangle(p[k], q[0], q[1], q[2])
		_, _, b := geom.PointTriangle(q[k], p[0], p[1], p[2])
		d = min(d, a, b)
		for l := range 3 {
			_, _, e := geom.EdgeEdge(p[k], p[(k+1)%3], q[l], q[(l+1)%3])
			d = min(d, e)
		}
	}
	return d
}

// Every garment of every size hangs clear of the body and of itself, can be meshed from coarse to fine, and its seams
// join what is near to each other.
func TestGarmentsHangClear(t *testing.T) {
	for _, size := range mannequin.Sizes() {
		b := mannequins[size]()
		body := &soup{dressingPositions(b), b.Tri}
		for _, kind := range Garments() {
			for _, layer := range []int{1, 3, 6} {
				if size != "M" && (layer > 1 || testing.Short()) || layer > 1 && testing.Short() {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%d", size, kind, layer), func(t *testing.T) {
					o := DefaultGarmentOptions()
					o.Layer = layer
					p, err := GarmentOf(kind, b, o)
					if err != nil {
						t.Fatal(err)
					}
					checkGarment(t, p, body)
				})
			}
		}
	}
}

func checkGarment(t *testing.T, p *Pattern, body *soup) {
	t.Helper()
	for _, edge := range []float64{0.04, 0.03, 0.02, 0.015, 0.01} {
		if edge != 0.04 && edge != 0.015 && testing.Short() {
			continue
		}
		g, err := p.Make(edge)
		if err != nil {
			t.Fatalf("at %g m: %v", edge, err)
		}
		least := slices.Min(g.MinAngle) * 180 / math.Pi
		if least < 20 {
			t.Errorf("at %g m: least angle %.1f degrees", edge, least)
		}
		if edge != 0.015 {
			continue
		}
		flat := &soup{g.Positions, g.Flat.Tri}
		crossings, distance := apart(flat, body, 0.03)
		if crossings > 0 || distance < 0.005 {
			t.Errorf("%d crossings with the body, %g m from it", crossings, distance)
		}
		if n := selfCrossings(flat); n > 0 {
			t.Errorf("%d crossings of panels with each other", n)
		}
		var long []float64
		for _, s := range g.Stitches {
			long = append(long, g.Positions[s[0]].Sub(g.Positions[s[1]]).Norm())
		}
		slices.Sort(long)
		median, most := 0.0, 0.0
		if n := len(long); n > 0 {
			median, most = long[n/2], long[n-1]
		}
		t.Logf(
			"%d triangles, %d vertices, %d sewn, least angle %.0f deg, %d stitches of %.0f mm (median) to %.0f mm, %.1f mm from the body",
			len(g.Flat.Tri),
			g.Flat.Verts,
			g.Sewn.Verts,
			least,
			len(long),
			1000*median,
			1000*most,
			1000*distance,
		)
	}
}

func selfCrossings(s *soup) int {
	n := 0
	tree := geom.NewTree(s.boxes())
	var near []int32
	for i, box := range s.boxes() {
		near = tree.Overlapping(box, near[:0])
		for _, j := range near {
			if int(j) > i && geom.MeshTriangles(s.x, s.tri[i], s.tri[j]) {
				n++
			}
		}
	}
	return n
}

func TestGarmentOptions(t *testing.T) {
	if err := DefaultGarmentOptions().Validate(); err != nil {
		t.Error(err)
	}
	_, err := GarmentOf(
		"skirt",
		nil,
		GarmentOptions{Ease: math.NaN(), Length: 3, Sleeve: 1, Neck: 1, Layer: 7, LayerGap: 1, Clearance: 0.012},
	)
	if err == nil {
		t.Fatal("no fault was found")
	}
	for _, want := range []string{"ease is NaN", "length is 3; it must be from 0.5 to 2", "layer is 7", "layer gap is 1000 mm; it must be from 2 to 50 mm"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if _, err := GarmentOf(
		"kilt",
		nil,
		DefaultGarmentOptions(),
	); err == nil ||
		!strings.Contains(err.Error(), "tank-top") {
		t.Errorf("an unknown kind: %v", err)
	}
}

// The sides of every seam are as long as each other, to rounding, for all cuts.
func TestGarmentsOfAllCuts(t *testing.T) {
	b := mannequins["M"]()
	for _, kind := range Garments() {
		for _, change := range []func(*GarmentOptions){
			func(o *GarmentOptions) { o.Ease = 0 },
			func(o *GarmentOptions) { o.Ease = 6 },
			func(o *GarmentOptions) { o.Length = 0.5 },
			func(o *GarmentOptions) { o.Length = 2 },
			func(o *GarmentOptions) { o.Sleeve = 0.5 },
			func(o *GarmentOptions) { o.Sleeve = 3.5 },
			func(o *GarmentOptions) { o.Neck = 0.6 },
			func(o *GarmentOptions) { o.Neck = 1.3 },
			func(o *GarmentOptions) { o.Strap = 1 },
			func(o *GarmentOptions) { o.Flare = 0 },
			func(o *GarmentOptions) { o.Flare = 3 },
			func(o *GarmentOptions) { o.Clearance = 0.006 },
		} {
			if testing.Short() && kind != "tunic" {
				continue
			}
			o := DefaultGarmentOptions()
			change(&o)
			p, err := GarmentOf(kind, b, o)
			if err != nil {
				t.Fatal(err)
			}
			for i := range p.Seams {
				p.Seams[i].Ease = 0
			}
			if _, err := p.Make(0.03); err != nil {
				t.Errorf("%s, %+v: %v", kind, o, err)
			}
		}
	}
}

func ExampleGarmentOf() {
	measures, err := mannequin.MeasuresOf("M")
	if err != nil {
		fmt.Println(err)
		return
	}
	body, err := mannequin.NewMannequin(measures, mannequin.MinVertices)
	if err != nil {
		fmt.Println(err)
		return
	}
	skirt, err := GarmentOf("skirt", body, DefaultGarmentOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range skirt.Seams {
		fmt.Println(s.Name, s.A, s.B)
	}
	// Output:
	// side-left [front.side-left front.hip-left] [back.hip-left back.side-left]
	// side-right [front.hip-right front.side-right] [back.side-right back.hip-right]
}
