package pattern

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/toile-sim/toile/r3"
)

// SVG outlines: path, polygon, polyline, rect, circle and ellipse, with the transforms of their groups. The id of an
// element is the name of its outline. Everything else, such as text and what only defines, is passed over.

// ReadSVG reads the closed shapes of an SVG drawing, in its order. Unit is the length of one user unit [m]; 0 takes it
// from width and viewBox, and without them a unit is a CSS pixel, 1/96 inch. What is not a closed shape, and so
// cannot be a panel, comes with a Fault.
func ReadSVG(data []byte, unit float64) ([]Outline, error) {
	r := &svgReader{decoder: xml.NewDecoder(bytes.NewReader(data)), unit: unit, unitGiven: unit > 0}
	err := r.read()
	if err == nil {
		return r.out, nil
	}
	line, _ := r.decoder.InputPos()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		line, err = syntax.Line, errors.New("not valid XML: "+syntax.Msg)
	}
	return nil, &DrawingError{line, err.Error()}
}

type svgReader struct {
	decoder   *xml.Decoder
	unit      float64
	unitGiven bool
	out       []Outline
	arcs      int // of all outlines
}

// passedOver are elements whose shapes are not drawn where they stand.
var passedOver = map[string]bool{
	"defs":           true,
	"symbol":         true,
	"clipPath":       true,
	"mask":           true,
	"pattern":        true,
	"marker":         true,
	"linearGradient": true,
	"radialGradient": true,
	"filter":         true,
	"metadata":       true,
	"style":          true,
	"script":         true,
	"foreignObject":  true,
}

func (r *svgReader) read() error {
	var frames []affine // of the open elements
	for {
		token, err := r.decoder.Token()
		if errors.Is(err, io.EOF) {
			if len(frames) == 0 && r.unit == 0 {
				return errors.New("there is no svg element")
			}
			return nil
		}
		if err != nil {
			return err
		}
		switch e := token.(type) {
		case xml.StartElement:
			frame, skip, err := r.open(e, frames)
			if err != nil {
				return fmt.Errorf("%s: %w", title(e), err)
			}
			if skip {
				if err := r.decoder.Skip(); err != nil {
					return err
				}
				continue
			}
			frames = append(frames, frame)
		case xml.EndElement:
			frames = frames[:len(frames)-1]
		}
	}
}

// open takes in the start of an element and returns the frame of what is in it.
func (r *svgReader) open(e xml.StartElement, frames []affine) (frame affine, skip bool, err error) {
	// the drawing itself, and what is not read
	switch {
	case len(frames) == 0:
		if e.Name.Local != "svg" {
			return affine{}, false, errors.New("an SVG drawing starts with an svg element")
		}
		return r.root(e)
	case len(frames) > mostDepth:
		return affine{}, false, fmt.Errorf("nested more than %d levels deep", mostDepth)
	case passedOver[e.Name.Local]:
		return affine{}, true, nil
	case e.Name.Local == "svg":
		return affine{}, false, errors.New("a drawing inside the drawing is not read; ungroup it")
	}
	// the frame of the element
	own, err := parseTransform(attribute(e, "transform"))
	if err != nil {
		return affine{}, false, err
	}
	frame = frames[len(frames)-1].then(own)
	// its outline, if it has one
	arcs, closed, err := r.shape(e)
	if err != nil || arcs == nil {
		return frame, false, err
	}
	// not too many of them
	if len(r.out) == mostOutlines {
		return frame, false, fmt.Errorf("more than %d outlines", mostOutlines)
	}
	if r.arcs += len(arcs); r.arcs > mostArcs {
		return frame, false, fmt.Errorf("more than %d arcs", mostArcs)
	}
	// in units of the drawing
	for i := range arcs {
		arcs[i].From = frame.apply(arcs[i].From)
		for k := range arcs[i].Via {
			arcs[i].Via[k] = frame.apply(arcs[i].Via[k])
		}
	}
	// tidy, under a name
	name := attribute(e, "id")
	if name == "" {
		name = fmt.Sprintf("outline-%d", len(r.out)+1)
	}
	o := tidy(name, arcs, closed != notClosed)
	if closed == several {
		o.Fault = "has several parts; a panel is one closed curve: break the path apart"
	}
	r.out = append(r.out, o)
	return frame, false, nil
}

// shape returns the arcs of a shape, or nil for other elements.
func (r *svgReader) shape(e xml.StartElement) ([]Arc, closing, error) {
	switch e.Name.Local {
	case "path":
		return parsePath(attribute(e, "d"))
	case "polygon", "polyline":
		return parsePoints(attribute(e, "points"), e.Name.Local == "polygon")
	case "rect":
		n, err := r.lengths(e, "x", "y", "width", "height", "rx", "ry")
		if err != nil {
			return nil, 0, err
		}
		if n[4] != 0 || n[5] != 0 {
			return nil, 0, errors.New("a rect with round corners is not read; make it a path")
		}
		x, y, w, h := n[0], n[1], n[2], n[3]
		if !(w > 0 && h > 0) {
			return nil, 0, nil // not drawn
		}
		return []Arc{
			{From: r3.Vec2{X: x, Y: y}},
			{From: r3.Vec2{X: x + w, Y: y}},
			{From: r3.Vec2{X: x + w, Y: y + h}},
			{From: r3.Vec2{X: x, Y: y + h}},
		}, isClosed, nil
	case "circle", "ellipse":
		n, err := r.lengths(e, "cx", "cy", "r", "rx", "ry")
		if err != nil {
			return nil, 0, err
		}
		a, b := n[3], n[4]
		if e.Name.Local == "circle" {
			a, b = n[2], n[2]
		}
		if !(a > 0 && b > 0) {
			return nil, 0, nil
		}
		return circularArc(r3.Vec2{X: n[0], Y: n[1]}, r3.Vec2{X: a}, r3.Vec2{Y: b}, 0, 2*math.Pi), isClosed, nil
	}
	return nil, 0, nil
}

// root takes the unit of length from the svg element: its frame turns user units, y down, into metres, y up.
func (r *svgReader) root(e xml.StartElement) (affine, bool, error) {
	const pixel = 0.0254 / 96
	box, err := parseNumbers(attribute(e, "viewBox"))
	if err != nil || len(box) != 0 && len(box) != 4 {
		return affine{}, false, errors.New("viewBox must be four numbers")
	}
	if !r.unitGiven {
		r.unit = pixel
		if len(box) == 4 {
			if r.unit, err = unitOf(e, box); err != nil {
				return affine{}, false, err
			}
		}
	}
	return affine{a: r.unit, d: -r.unit}, false, nil
}

// unitOf returns the length of a user unit when there is a viewBox: the drawing is fitted into width and height.
func unitOf(e xml.StartElement, box []float64) (float64, error) {
	const pixel = 0.0254 / 96
	unit := math.Inf(1)
	for k, name := range []string{"width", "height"} {
		text := attribute(e, name)
		if text == "" || strings.HasSuffix(text, "%") {
			continue
		}
		l, err := parseLength(text)
		if err != nil {
			return 0, fmt.Errorf("%s %w", name, err)
		}
		if !(box[2+k] > 0 && l > 0) {
			return 0, fmt.Errorf("%s and viewBox must be positive", name)
		}
		unit = min(unit, l*pixel/box[2+k])
	}
	if math.IsInf(unit, 1) {
		return pixel, nil
	}
	return unit, nil
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}

func title(e xml.StartElement) string {
	if id := attribute(e, "id"); id != "" {
		return fmt.Sprintf("%s %q", e.Name.Local, id)
	}
	return e.Name.Local
}

// lengths reads attributes that are lengths in user units; one that is missing is 0.
func (r *svgReader) lengths(e xml.StartElement, names ...string) ([]float64, error) {
	out := make([]float64, len(names))
	for i, name := range names {
		if text := attribute(e, name); text != "" {
			l, err := parseLength(text)
			if err != nil {
				return nil, fmt.Errorf("%s %w", name, err)
			}
			out[i] = l
		}
	}
	return out, nil
}

// cssUnits are lengths in CSS pixels.
var cssUnits = map[string]float64{
	"": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "Q": 96 / 101.6, "pt": 96.0 / 72, "pc": 16,
}

// parseLength reads a number with a CSS unit as pixels.
func parseLength(text string) (float64, error) {
	p := scanner{text: text}
	v, ok := p.number()
	unit := strings.TrimSpace(p.text[p.at:])
	factor, known := cssUnits[unit]
	if !ok || !known {
		return 0, fmt.Errorf("%q is not a length; write a number and mm, cm, in, pt or px", clipped(text))
	}
	return v * factor, nil
}
