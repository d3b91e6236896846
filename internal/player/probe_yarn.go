package player

import (
	"errors"
	"fmt"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/r3"
)

func (p *yarnPlay) probe(want runfolder.Probe) (func() r3.Vec, error) {
	// forces of pairs are not known
	if want.Kind == runfolder.ProbeForce {
		return nil, errors.New("there are no forces between pairs in a scene of yarns; there are those on pins: pin BODY NUMBER")
	}
	// pieces: pins, centroids and control points
	var names []string
	for _, piece := range p.built.Pieces {
		if piece.Name != want.A {
			names = append(names, piece.Name)
			continue
		}
		if want.Kind == runfolder.ProbePin {
			return p.pinProbe(&piece, want.Vertex)
		}
		points := func() []r3.Vec { return p.built.World.Positions()[piece.First:piece.End] }
		if want.Kind == runfolder.ProbeCentroid {
			return func() r3.Vec { return centroid(points()) }, nil
		}
		if n := piece.End - piece.First; want.Vertex >= n {
			return nil, fmt.Errorf("%s has control points 0 to %d", want.A, n-1)
		}
		return func() r3.Vec { return points()[want.Vertex] }, nil
	}
	// balls: centroids
	for i, ball := range p.built.Balls {
		if ball.Name != want.A {
			names = append(names, ball.Name)
			continue
		}
		if want.Kind != runfolder.ProbeCentroid {
			return nil, fmt.Errorf("%s is a ball; write centroid %s", want.A, want.A)
		}
		return func() r3.Vec { return p.built.World.ObstaclePose(len(p.built.Obstacles) + i).T }, nil
	}
	return nil, unknownBody(want.A, names)
}

// pinProbe returns what gives the net force of yarns on one of their pins in the last step [N].
func (p *yarnPlay) pinProbe(piece *build.Piece, pin int) (func() r3.Vec, error) {
	if pin >= len(piece.Pins) {
		return nil, fmt.Errorf("%s has %s; they are numbered from 0", piece.Name, words.Count(len(piece.Pins), "pin"))
	}
	points := piece.Pins[pin]
	if len(points) == 0 {
		return nil, fmt.Errorf("pin %d of %s has no points of its own; earlier pins hold all of them", pin, piece.Name)
	}
	return func() r3.Vec {
		var sum r3.Vec
		for _, i := range points {
			sum = sum.Add(p.built.World.Reaction(i))
		}
		return sum
	}, nil
}
