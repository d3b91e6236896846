package pattern

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/r3"
)

// affine is the map x ↦ (a x + c y + e, b x + d y + f).
type affine struct{ a, b, c, d, e, f float64 }

func (m affine) apply(p r3.Vec2) r3.Vec2 {
	return r3.Vec2{X: m.a*p.X + m.c*p.Y + m.e, Y: m.b*p.X + m.d*p.Y + m.f}
}

// then returns the map "first n, then m".
func (m affine) then(n affine) affine {
	return affine{
		m.a*n.a + m.c*n.b, m.b*n.a + m.d*n.b,
		m.a*n.c + m.c*n.d, m.b*n.c + m.d*n.d,
		m.a*n.e + m.c*n.f + m.e, m.b*n.e + m.d*n.f + m.f,
	}
}

// parseTransform reads a transform attribute.
func parseTransform(text string) (affine, error) {
	m := affine{a: 1, d: 1}
	for range mostDepth {
		text = strings.TrimLeft(text, " \t\r\n,")
		if text == "" {
			return m, nil
		}
		name, rest, ok := strings.Cut(text, "(")
		args, rest, ok2 := strings.Cut(rest, ")")
		n, err := parseNumbers(args)
		if !ok || !ok2 || err != nil {
			return m, fmt.Errorf("transform %q cannot be read", clipped(text))
		}
		t, err := oneTransform(strings.TrimSpace(name), n)
		if err != nil {
			return m, err
		}
		m, text = m.then(t), rest
	}
	return m, errors.New("too many transforms")
}

func oneTransform(name string, n []float64) (affine, error) {
	arg := func(i int, other float64) float64 {
		if i < len(n) {
			return n[i]
		}
		return other
	}
	switch {
	case name == "matrix" && len(n) == 6:
		return affine{n[0], n[1], n[2], n[3], n[4], n[5]}, nil
	case name == "translate" && (len(n) == 1 || len(n) == 2):
		return affine{1, 0, 0, 1, n[0], arg(1, 0)}, nil
	case name == "scale" && (len(n) == 1 || len(n) == 2):
		return affine{n[0], 0, 0, arg(1, n[0]), 0, 0}, nil
	case name == "rotate" && (len(n) == 1 || len(n) == 3):
		s, c := math.Sincos(n[0] * math.Pi / 180)
		x, y := arg(1, 0), arg(2, 0)
		return affine{1, 0, 0, 1, x, y}.then(affine{c, s, -s, c, 0, 0}).then(affine{1, 0, 0, 1, -x, -y}), nil
	case name == "skewX" && len(n) == 1:
		return affine{1, 0, math.Tan(n[0] * math.Pi / 180), 1, 0, 0}, nil
	case name == "skewY" && len(n) == 1:
		return affine{1, math.Tan(n[0] * math.Pi / 180), 0, 1, 0, 0}, nil
	}
	return affine{}, fmt.Errorf("transform %q with %d numbers is not known", clipped(name), len(n))
}

// scanner reads numbers that may stand without anything between them, as in "1-2.5.5".
type scanner struct {
	text string
	at   int
}

func (p *scanner) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n,", p.text[p.at]) >= 0 {
		p.at++
	}
}

// number reads the next number; false if there is none.
func (p *scanner) number() (float64, bool) {
	p.space()
	i := p.at
	digits := func() bool {
		start := i
		for i < len(p.text) && p.text[i] >= '0' && p.text[i] <= '9' {
			i++
		}
		return i > start
	}
	if i < len(p.text) && (p.text[i] == '+' || p.text[i] == '-') {
		i++
	}
	some := digits()
	if i < len(p.text) && p.text[i] == '.' {
		i++
		some = digits() || some
	}
	if !some {
		return 0, false
	}
	if end := i; i < len(p.text) && (p.text[i] == 'e' || p.text[i] == 'E') {
		i++
		if i < len(p.text) && (p.text[i] == '+' || p.text[i] == '-') {
			i++
		}
		if !digits() { // as in "3em"
			i = end
		}
	}
	v, err := strconv.ParseFloat(p.text[p.at:i], 64)
	if err != nil {
		return 0, false
	}
	p.at = i
	return v, true
}

// flag reads a 0 or 1, which needs nothing behind it.
func (p *scanner) flag() (bool, bool) {
	p.space()
	if p.at < len(p.text) && (p.text[p.at] == '0' || p.text[p.at] == '1') {
		p.at++
		return p.text[p.at-1] == '1', true
	}
	return false, false
}

func parseNumbers(text string) ([]float64, error) {
	p := scanner{text: text}
	var out []float64
	for {
		v, ok := p.number()
		if !ok {
			break
		}
		out = append(out, v)
	}
	if p.space(); p.at < len(text) {
		return nil, fmt.Errorf("%q is not a number", clipped(text[p.at:]))
	}
	return out, nil
}

func parsePoints(text string, closed bool) ([]Arc, closing, error) {
	n, err := parseNumbers(text)
	if err != nil || len(n)%2 != 0 {
		return nil, 0, errors.New("points must be pairs of numbers")
	}
	var arcs []Arc
	for i := 0; i+1 < len(n); i += 2 {
		arcs = append(arcs, Arc{From: r3.Vec2{X: n[i], Y: n[i+1]}})
	}
	if last := len(arcs) - 1; last > 0 && arcs[last].From == arcs[0].From {
		arcs, closed = arcs[:last], true
	}
	if closed {
		return arcs, isClosed, nil
	}
	return arcs, notClosed, nil
}

// closing says how a shape ends.
type closing int

const (
	notClosed closing = iota
	isClosed
	several
)

// pen draws a path.
type pen struct {
	arcs    []Arc
	at      r3.Vec2
	start   r3.Vec2
	control r3.Vec2 // the last control point, for S and T
	before  byte    // the command before, in upper case
	parts   int
	open    bool    // the current part has arcs
	closed  bool    // the first part is closed by Z
	end     r3.Vec2 // of the first part
}

// numbersOf is how many numbers a command takes.
var numbersOf = map[byte]int{'M': 2, 'L': 2, 'H': 1, 'V': 1, 'C': 6, 'S': 4, 'Q': 4, 'T': 2, 'A': 7, 'Z': 0}

// parsePath reads the d attribute of a path. Only its first part is kept; closing says if there are more.
func parsePath(text string) ([]Arc, closing, error) {
	p := scanner{text: text}
	var w pen
	for {
		// a command
		p.space()
		if p.at == len(text) {
			break
		}
		letter := text[p.at]
		command := letter &^ 0x20
		count, known := numbersOf[command]
		if !known {
			return nil, 0, fmt.Errorf("path has %q where a command such as M, L, C or Z must be", clipped(text[p.at:]))
		}
		if w.before == 0 && command != 'M' {
			return nil, 0, errors.New("path must start with M")
		}
		p.at++
		// its numbers, as often as they come
		for first := true; ; first = false {
			var n [7]float64
			got, err := p.arguments(command, n[:count])
			if err != nil {
				return nil, 0, err
			}
			if got < count {
				// numbers that do not make a whole command
				if first || got > 0 {
					return nil, 0, fmt.Errorf("path command %c needs %d numbers", letter, count)
				}
				break
			}
			if w.draw(command, letter != command, n, first); count == 0 {
				break
			}
			if len(w.arcs) > mostArcs {
				return nil, 0, fmt.Errorf("more than %d arcs", mostArcs)
			}
		}
	}
	return w.finish()
}

// arguments reads the numbers of a command and returns how many there are.
func (p *scanner) arguments(command byte, n []float64) (int, error) {
	for i := range n {
		if command == 'A' && (i == 3 || i == 4) {
			f, ok := p.flag()
			if !ok {
				return i, errors.New("path command A needs flags that are 0 or 1")
			}
			if f {
				n[i] = 1
			}
			continue
		}
		v, ok := p.number()
		if !ok {
			return i, nil
		}
		n[i] = v
	}
	return len(n), nil
}

// draw carries out a command. In the first part only are arcs kept.
func (w *pen) draw(command byte, relative bool, n [7]float64, first bool) {
	// a small letter counts from where the pen is
	origin := r3.Vec2{}
	if relative {
		origin = w.at
	}
	point := func(i int) r3.Vec2 { return origin.Add(r3.Vec2{X: n[i], Y: n[i+1]}) }
	to := w.at
	// moves, lines, curves and arcs
	switch command {
	case 'M':
		to = point(0)
		if first {
			w.move(to)
			return
		}
		w.add(to)
	case 'L':
		to = point(0)
		w.add(to)
	case 'H':
		to.X = origin.X + n[0]
		w.add(to)
	case 'V':
		to.Y = origin.Y + n[0]
		w.add(to)
	case 'C':
		to = point(4)
		w.control = point(2)
		w.add(to, point(0), w.control)
	case 'S':
		to = point(2)
		c := w.reflected('C', 'S')
		w.control = point(0)
		w.add(to, c, w.control)
	case 'Q':
		to = point(2)
		w.control = point(0)
		w.add(to, w.control)
	case 'T':
		to = point(0)
		w.control = w.reflected('Q', 'T')
		w.add(to, w.control)
	case 'A':
		to = point(5)
		w.elliptic(to, n[0], n[1], n[2]*math.Pi/180, n[3] != 0, n[4] != 0)
	case 'Z':
		to = w.start
		if w.open && w.at != to {
			w.add(to)
		}
		w.closed = w.closed || w.parts == 1
		w.open = false
	}
	// what the next command goes on from
	w.at, w.before = to, command
}

// reflected returns the mirror image of the last control point if the command before was one of two.
func (w *pen) reflected(a, b byte) r3.Vec2 {
	if w.before == a || w.before == b {
		return w.at.Scale(2).Sub(w.control)
	}
	return w.at
}

func (w *pen) move(to r3.Vec2) { w.at, w.start, w.before, w.open = to, to, 'M', false }

func (w *pen) add(to r3.Vec2, via ...r3.Vec2) {
	if !w.open {
		w.open = true
		w.parts++
		w.start = w.at
	}
	if w.parts == 1 {
		w.arcs, w.end = append(w.arcs, Arc{w.at, via}), to
	}
	w.at = to
}

func (w *pen) finish() ([]Arc, closing, error) {
	if w.parts == 0 {
		return nil, 0, nil
	}
	switch {
	case !w.closed && w.end != w.arcs[0].From:
		return append(w.arcs, Arc{From: w.end}), notClosed, nil // the open end
	case w.parts > 1:
		return w.arcs, several, nil
	}
	return w.arcs, isClosed, nil
}

// elliptic draws an elliptical arc given by its ends, after the implementation notes of the SVG standard [SVG11] F.6.
func (w *pen) elliptic(to r3.Vec2, rx, ry, angle float64, large, sweep bool) {
	rx, ry = math.Abs(rx), math.Abs(ry)
	if rx == 0 || ry == 0 || to == w.at {
		w.add(to)
		return
	}
	s, c := math.Sincos(angle)
	h := w.at.Sub(to).Scale(0.5)
	x, y := (c*h.X+s*h.Y)/rx, (c*h.Y-s*h.X)/ry // on the unit circle
	if l := math.Hypot(x, y); l > 1 {          // radii too small are made larger
		rx, ry, x, y = rx*l, ry*l, x/l, y/l
	}
	k := math.Sqrt(max(0, 1/max(x*x+y*y, math.SmallestNonzeroFloat64)-1))
	if large == sweep {
		k = -k
	}
	cx, cy := k*y, -k*x
	from := math.Atan2(y-cy, x-cx)
	turn := math.Mod(math.Atan2(-y-cy, -x-cx)-from, 2*math.Pi)
	if sweep && turn < 0 {
		turn += 2 * math.Pi
	} else if !sweep && turn > 0 {
		turn -= 2 * math.Pi
	}
	a, b := r3.Vec2{X: c * rx, Y: s * rx}, r3.Vec2{X: -s * ry, Y: c * ry}
	center := w.at.Add(to).Scale(0.5).Add(a.Scale(cx)).Add(b.Scale(cy))
	arcs := circularArc(center, a, b, from, turn)
	for i, arc := range arcs {
		next := to
		if i+1 < len(arcs) {
			next = arcs[i+1].From
		}
		w.add(next, arc.Via...)
	}
}
