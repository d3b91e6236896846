package detect

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// begin takes the skins of a step.
func (s *scene) begin(skins []contact.Skin) {
	// nothing is known to be tangled yet
	s.paired, s.tangled, s.knots = s.paired[:0], s.tangled[:0], 0
	s.off = s.off[:0]
	// the features of the last step stay if those of the skins are alike
	known := s.moving.surface != nil && slices.EqualFunc(s.skins, skins, alike)
	s.skins = append(s.skins[:0], skins...)
	if s.clear = false; !known {
		s.join()
		s.cleared.none = false
	}
	// greatest thickness and radius of all; obstacles are made for one thickness
	s.findMost()
	s.findRoundest()
	if s.madeFor != s.Thickness {
		s.obstacleOf, s.madeFor = s.obstacleOf[:0], s.Thickness
	}
	s.obstacleOf = slices.Grow(s.obstacleOf, len(skins))[:len(skins)]
	// obstacles, made anew where they no longer fit their skins
	s.obstacles = s.obstacles[:0]
	for i := range s.skins {
		skin, o := &s.skins[i], s.obstacleOf[i]
		if !skin.Prescribed() {
			s.obstacleOf[i] = nil
			continue
		}
		if o == nil || !o.fits(skin) {
			o = newObstacle(skin, int32(i), s.Thickness)
			s.obstacleOf[i] = o
		}
		s.obstacles = append(s.obstacles, o)
		o.begin(skin, s.Team, len(s.skinOf))
	}
	s.beginSmooth(known)
}

// join makes one surface of all moving skins.
func (s *scene) join() {
	var all features
	s.origin = s.origin[:0]
	count := int32(0)
	// pairs are asked about only if some may not touch
	s.carried, s.keepPair = false, nil
	if s.Joined != nil || s.TiedTo != nil {
		s.keepPair = s.mayTouch
	}
	// features of moving skins, and where each skin begins
	for i := range s.skins {
		skin := &s.skins[i]
		s.origin = append(s.origin, origin{
			surface: skin.Surface, vertex: skin.First,
			tri: int32(len(all.tri)), free: int32(len(all.edges)), edge: math.MaxInt32,
		})
		if skin.Prescribed() {
			continue
		}
		all.add(skin)
		count = max(count, skin.First+int32(skin.Points))
		s.carried = s.carried || len(skin.Carriers.By) > 0
		if !skin.TouchesItself() {
			s.keepPair = s.mayTouch
		}
	}
	// one surface, with nothing known about insides yet
	joined := connect(int(count), all)
	s.moving = side{surface: &joined, led: contact.None}
	s.dots = all.dots
	s.outward = s.outward[:0]
	s.listPoints(int(count))
	s.measureRest()
	// room for boxes; the tree is built anew
	s.boxes, s.edgeBoxes = make([]r3.Box, len(joined.prim)), make([]r3.Box, len(joined.edge))
	s.tree = nil
	// where points were beside meshes no longer holds
	for _, o := range s.obstacles {
		o.inside, o.clearance = nil, nil
	}
}

// add appends the features of a skin.
func (f *features) add(s *contact.Skin) {
	for _, v := range s.Tri {
		f.tri = append(f.tri, [3]int32{v[0] + s.First, v[1] + s.First, v[2] + s.First})
	}
	for _, v := range s.Edges {
		f.edges = append(f.edges, [2]int32{v[0] + s.First, v[1] + s.First})
	}
	for _, v := range s.Dots {
		f.dots = append(f.dots, v+s.First)
	}
}

// listPoints finds the points that features have, and whose they are.
func (s *scene) listPoints(count int) {
	s.skinOf, s.points = make([]int32, count), s.points[:0]
	for p := range s.skinOf {
		s.skinOf[p] = contact.None
	}
	used := make([]bool, count)
	for _, v := range s.moving.prim {
		used[v[0]], used[v[1]], used[v[2]] = true, true, true
	}
	for i := range s.skins {
		skin := &s.skins[i]
		if skin.Prescribed() {
			continue
		}
		for p := skin.First; p < skin.First+int32(skin.Points); p++ {
			s.skinOf[p] = int32(i)
			if used[p] {
				s.points = append(s.points, p)
			}
		}
	}
}

// measureRest asks skins for the lengths of their edges at rest. Nothing is reached along those of rigid skins.
func (s *scene) measureRest() {
	s.rest = rests{s.moving.surface, make([]float64, len(s.moving.edge)), math.Inf(1)}
	for i, v := range s.moving.prim[:s.moving.extended] {
		skin := &s.skins[s.skinOf[v[0]]]
		o := &s.origin[s.skinOf[v[0]]]
		index := i - int(o.tri)
		if i >= s.moving.faces {
			index = len(skin.Tri) + i - s.moving.faces - int(o.free)
		}
		for k := range 3 {
			if s.moving.own[i]>>(3+k)&1 == 0 {
				continue
			}
			e := s.moving.primEdge[i][k]
			o.edge = min(o.edge, e)
			length := math.Inf(1)
			switch {
			case skin.Rest != nil:
				length = skin.Rest.RestLength(index, k)
			case skin.TouchesItself():
				panic("contact: a skin that may touch itself needs rest lengths")
			}
			s.rest.length[e], s.rest.shortest = length, min(s.rest.shortest, length)
		}
	}
}

// findMost finds the greatest thickness of all.
func (s *scene) findMost() {
	s.most = s.Thickness
	if s.VertexThickness == nil {
		return
	}
	for _, b := range s.points {
		s.most = max(s.most, s.VertexThickness[b])
	}
}

// alike tells whether two skins have the same features of the same points.
func alike(s, o contact.Skin) bool {
	return s.Prescribed() == o.Prescribed() && s.Surface == o.Surface && s.First == o.First &&
		s.Points == o.Points && s.Rigid == o.Rigid && s.NoSelfContact == o.NoSelfContact && s.Radius == o.Radius &&
		s.Smooth == o.Smooth &&
		(len(s.Carriers.By) > 0) == (len(o.Carriers.By) > 0) && s.Rest == o.Rest && sameSlice(s.Tri, o.Tri) &&
		sameSlice(s.Edges, o.Edges) && sameSlice(s.Dots, o.Dots)
}
