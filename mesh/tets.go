package mesh

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/lists"
	"github.com/toile-sim/toile/r3"
)

// Tets is a solid cut into tetrahedra that meet face to face.
type Tets struct {
	X   []r3.Vec   // vertices at rest [m]
	Tet [][4]int32 // vertices of each tet, so that (x₁−x₀)·((x₂−x₀)×(x₃−x₀)) > 0
}

// TetFault is something wrong with one tet.
type TetFault struct {
	Tet int32
	Msg string
}

func (f *TetFault) Error() string { return fmt.Sprintf("tet %d: %s", f.Tet, f.Msg) }

// tetFaces are the corners of a tet's faces, opposite to corner 0, 1, 2 and 3 and counter-clockwise seen from outside.
var tetFaces = [4][3]int{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}

// tetEdges are the corners of a tet's edges, and the two others.
var tetEdges = [6][4]int{{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}}

// tetFace is one face of one tet.
type tetFace struct {
	v   [3]int32 // vertices, ascending
	tet int32
	k   int32 // the corner opposite to it
	odd bool  // v is an odd permutation of the face seen from outside
}

// faces returns all faces, sorted by vertices and then tet: first by counting those of each smallest vertex, which are
// few.
func (s *Tets) faces() []tetFace {
	// faces of each smallest vertex, and where they begin
	start := make([]int32, len(s.X)+1)
	for _, v := range s.Tet {
		for _, f := range tetFaces {
			start[min(v[f[0]], v[f[1]], v[f[2]])+1]++
		}
	}
	for i := range s.X {
		start[i+1] += start[i]
	}
	// faces, with vertices in ascending order, and whether that turned them over
	next := slices.Clone(start)
	faces := make([]tetFace, 4*len(s.Tet))
	for t, v := range s.Tet {
		for k, f := range tetFaces {
			face := tetFace{v: [3]int32{v[f[0]], v[f[1]], v[f[2]]}, tet: int32(t), k: int32(k)}
			for _, i := range [3]int{0, 1, 0} {
				if face.v[i] > face.v[i+1] {
					face.v[i], face.v[i+1] = face.v[i+1], face.v[i]
					face.odd = !face.odd
				}
			}
			faces[next[face.v[0]]] = face
			next[face.v[0]]++
		}
	}
	// few faces of one vertex, sorted
	for i := range s.X {
		slices.SortFunc(faces[start[i]:start[i+1]], func(p, q tetFace) int {
			return cmp.Or(slices.Compare(p.v[:], q.v[:]), cmp.Compare(p.tet, q.tet))
		})
	}
	return faces
}

// Skin returns the faces that only one tet has, counter-clockwise seen from outside, in the order of their tets.
func (s *Tets) Skin() [][3]int32 {
	tri, _ := s.skin()
	return tri
}

// skin returns the skin and the tet behind each of its triangles.
func (s *Tets) skin() (tri [][3]int32, behind []int32) {
	faces := s.faces()
	outside := make([]bool, 4*len(s.Tet))
	for i := 0; i < len(faces); {
		j := i + 1
		for j < len(faces) && faces[j].v == faces[i].v {
			j++
		}
		if j == i+1 {
			outside[4*faces[i].tet+faces[i].k] = true
		}
		i = j
	}
	for t, v := range s.Tet {
		for k, f := range tetFaces {
			if outside[4*t+k] {
				tri = append(tri, [3]int32{v[f[0]], v[f[1]], v[f[2]]})
				behind = append(behind, int32(t))
			}
		}
	}
	return tri, behind
}

// SkinFirst returns the same solid with the vertices of its skin before all others, both in the order that they had.
// Vertex i of it was vertex from[i]; the first skin vertices are on the skin.
func (s *Tets) SkinFirst() (sorted *Tets, from []int32, skin int) {
	// vertices on the skin
	onSkin := make([]bool, len(s.X))
	for _, t := range s.Skin() {
		for _, v := range t {
			onSkin[v] = true
		}
	}
	// old number of each vertex: skin, then inside
	from = make([]int32, 0, len(s.X))
	for _, wanted := range [2]bool{true, false} {
		for v := range s.X {
			if onSkin[v] == wanted {
				from = append(from, int32(v))
			}
		}
		if wanted {
			skin = len(from)
		}
	}
	// vertices and tets in the new order
	sorted = &Tets{X: make([]r3.Vec, len(s.X)), Tet: make([][4]int32, len(s.Tet))}
	to := make([]int32, len(s.X))
	for i, v := range from {
		to[v] = int32(i)
		sorted.X[i] = s.X[v]
	}
	for t, v := range s.Tet {
		sorted.Tet[t] = [4]int32{to[v[0]], to[v[1]], to[v[2]], to[v[3]]}
	}
	return sorted, from, skin
}

// TetVolume returns the volume of tet t [m³], negative if it is inside out.
func (s *Tets) TetVolume(t int32) float64 {
	v := &s.Tet[t]
	a := s.X[v[0]]
	return s.X[v[1]].Sub(a).Dot(s.X[v[2]].Sub(a).Cross(s.X[v[3]].Sub(a))) / 6
}

// Volume returns the volume of all tets [m³].
func (s *Tets) Volume() float64 {
	sum := 0.0
	for t := range s.Tet {
		sum += s.TetVolume(int32(t))
	}
	return sum
}

// Dihedral returns the smallest and the largest angle between two faces of a tet [rad]: those of the regular one are
// 1.231, and both ends of the range from 0 to π make elasticity stiff and inexact. It returns +Inf and -Inf if there
// are no tets.
func (s *Tets) Dihedral() (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, v := range s.Tet {
		for _, e := range tetEdges {
			a := s.X[v[e[0]]]
			axis := s.X[v[e[1]]].Sub(a)
			p, q := axis.Cross(s.X[v[e[2]]].Sub(a)), axis.Cross(s.X[v[e[3]]].Sub(a))
			angle := math.Atan2(p.Cross(q).Norm(), p.Dot(q))
			least, most = min(least, angle), max(most, angle)
		}
	}
	return least, most
}

// Validate checks every promise of the type, and that the skin is a closed surface on which every vertex has one ring
// of triangles. It does not look for tets that overlap without sharing a face.
func (s *Tets) Validate() error {
	if len(s.Tet) == 0 {
		return errors.New("a solid without tets")
	}
	if len(s.X) > math.MaxInt32 || len(s.Tet) > math.MaxInt32/4 {
		return errors.New("the solid is too large")
	}
	var faults faultList
	s.checkTets(&faults)
	if faults.faults == nil {
		s.checkFaces(&faults)
	}
	if faults.faults == nil {
		s.checkSkin(&faults)
	}
	return faults.err()
}

func (l *faultList) addTet(t int32, format string, args ...any) {
	l.put(&TetFault{Tet: t, Msg: fmt.Sprintf(format, args...)})
}

func (s *Tets) checkTets(faults *faultList) {
	// places of vertices
	for i, x := range s.X {
		if !x.Finite() {
			faults.put(fmt.Errorf("vertex %d is at %v, which is not finite", i, x))
		}
	}
	// tets: vertices that exist
	used := make([]bool, len(s.X))
	for i, v := range s.Tet {
		t := int32(i)
		if min(v[0], v[1], v[2], v[3]) < 0 || int(max(v[0], v[1], v[2], v[3])) >= len(s.X) {
			faults.addTet(t, "vertices %v, but there are %d", v, len(s.X))
			continue
		}
		// longest edge, which flat tets are measured by
		longest := 0.0
		repeats := false
		for _, e := range tetEdges {
			longest = max(longest, s.X[v[e[0]]].Sub(s.X[v[e[1]]]).Norm())
			repeats = repeats || v[e[0]] == v[e[1]]
		}
		for _, k := range v {
			used[k] = true
		}
		// four vertices, a volume, and the right way around
		switch volume := s.TetVolume(t); {
		case repeats:
			faults.addTet(t, "vertices %v repeat", v)
		case !(math.Abs(6*volume) > flat*longest*longest*longest):
			faults.addTet(t, "vertices %v lie in a plane", v)
		case volume < 0:
			faults.addTet(t, "vertices %v are inside out, its volume is %g m³; swap two of them", v, volume)
		}
	}
	// vertices without tets
	for i := range used {
		if !used[i] {
			faults.put(fmt.Errorf("vertex %d is in no tet", i))
		}
	}
}

// checkFaces looks for faces of more than two tets, and for two tets on the same side of one.
func (s *Tets) checkFaces(faults *faultList) {
	faces := s.faces()
	for i := 0; i < len(faces); {
		j := i + 1
		for j < len(faces) && faces[j].v == faces[i].v {
			j++
		}
		f := &faces[i]
		switch {
		case j-i > 2:
			faults.addTet(faces[i+2].tet, "is the third at face %v (also %d and %d)", f.v, f.tet, faces[i+1].tet)
		case j-i == 2 && f.odd == faces[i+1].odd:
			faults.addTet(faces[i+1].tet, "is on the same side of face %v as tet %d", f.v, f.tet)
		}
		i = j
	}
}

// checkSkin looks for edges and vertices at which the skin touches itself.
func (s *Tets) checkSkin(faults *faultList) {
	for _, p := range s.pinches() {
		if p.a == p.b {
			faults.addTet(p.behind, "the skin touches itself at vertex %d", p.a)
		} else {
			faults.addTet(p.behind, "the skin touches itself at edge %d-%d, which has %d triangles", p.a, p.b, p.tris)
		}
	}
}

// pinch is an edge with more than two triangles of the skin, or a vertex, with a = b, that has more than one ring of
// them.
type pinch struct {
	a, b   int32
	behind int32 // a tet there
	tris   int   // at the edge
}

// pinches returns the edges at which the skin touches itself or, if there are none, the vertices.
func (s *Tets) pinches() []pinch {
	tri, behind := s.skin()
	surface := &Mesh{Verts: len(s.X), Tri: tri}
	sides := surface.sides()
	var pinches []pinch
	for i := 0; i < len(sides); {
		j := i + 1
		for j < len(sides) && sides[j].a == sides[i].a && sides[j].b == sides[i].b {
			j++
		}
		if j-i != 2 {
			pinches = append(pinches, pinch{sides[i].a, sides[i].b, behind[sides[i].tri], j - i})
		}
		i = j
	}
	if pinches != nil {
		return pinches
	}
	if err := surface.connect(); err != nil {
		panic("mesh: the skin of tets that meet face to face: " + err.Error())
	}
	for _, c := range surface.pinched() {
		v := tri[c.tri][c.k]
		pinches = append(pinches, pinch{a: v, b: v, behind: behind[c.tri]})
	}
	return pinches
}

// DropPinched leaves out tets until the skin touches itself nowhere, and the vertices that no tet has then. Of the tets
// at an edge or a vertex where it does, those stay that hang together by faces and have the largest volume; all go if
// that is all of them. It returns how many tets are gone.
func (s *Tets) DropPinched() int {
	before := len(s.Tet)
	// until there are no pinches
	for {
		pinches := s.pinches()
		if len(pinches) == 0 {
			break
		}
		at := make(map[int32][]int32) // tets by vertex, of those in pinches
		for _, p := range pinches {
			at[p.a] = nil
		}
		for t, v := range s.Tet {
			for _, k := range v {
				if list, ok := at[k]; ok {
					at[k] = append(list, int32(t))
				}
			}
		}
		// tets that have to go
		gone := make([]bool, len(s.Tet))
		for _, p := range pinches {
			s.loosen(p, at[p.a], gone)
		}
		kept := s.Tet[:0]
		for t, v := range s.Tet {
			if !gone[t] {
				kept = append(kept, v)
			}
		}
		s.Tet = kept
	}
	s.dropUnused()
	return before - len(s.Tet)
}

// KeepLargest leaves out all tets but those of the piece with the largest volume, and returns how many are gone. Tets
// with a common vertex are of one piece.
func (s *Tets) KeepLargest() int {
	pieces := lists.NewGroups(len(s.X))
	for _, t := range s.Tet {
		pieces.Join(t[:]...)
	}
	volume := make([]float64, len(s.X))
	best := int32(0)
	for t, v := range s.Tet {
		piece := pieces.Of(v[0])
		volume[piece] += s.TetVolume(int32(t))
		if volume[piece] > volume[best] {
			best = piece
		}
	}
	before := len(s.Tet)
	s.Tet = slices.DeleteFunc(s.Tet, func(v [4]int32) bool { return pieces.Of(v[0]) != best })
	s.dropUnused()
	return before - len(s.Tet)
}

// loosen marks the tets to go at a pinch. The list has all tets at p.a.
func (s *Tets) loosen(p pinch, list []int32, gone []bool) {
	var around []int32
	for _, t := range list {
		if gone[t] {
			return // something has changed here; the next round sees what is left
		}
		if slices.Contains(s.Tet[t][:], p.b) {
			around = append(around, t)
		}
	}
	best, most, groups := 0, 0.0, 0
	group := make([]int, len(around)) // from 1
	for i := range around {
		if group[i] > 0 {
			continue
		}
		groups++
		volume := 0.0
		group[i] = groups
		for stack := []int{i}; len(stack) > 0; {
			j := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			volume += s.TetVolume(around[j])
			for k := range around {
				if group[k] == 0 && s.shareFace(around[j], around[k]) {
					group[k] = groups
					stack = append(stack, k)
				}
			}
		}
		if volume > most {
			best, most = groups, volume
		}
	}
	for i, t := range around {
		gone[t] = groups == 1 || group[i] != best
	}
}

func (s *Tets) shareFace(t, u int32) bool {
	common := 0
	for _, v := range s.Tet[t] {
		if slices.Contains(s.Tet[u][:], v) {
			common++
		}
	}
	return common == 3
}

// dropUnused leaves out vertices that no tet has.
func (s *Tets) dropUnused() {
	to := make([]int32, len(s.X))
	for _, v := range s.Tet {
		for _, k := range v {
			to[k] = 1
		}
	}
	x := s.X[:0]
	for i := range to {
		if to[i] == 1 {
			to[i] = int32(len(x))
			x = append(x, s.X[i])
		}
	}
	s.X = x
	for t, v := range s.Tet {
		s.Tet[t] = [4]int32{to[v[0]], to[v[1]], to[v[2]], to[v[3]]}
	}
}

type corner struct{ tri, k int32 }

// pinched returns a corner at each vertex of a closed surface that has more than one ring of triangles.
func (m *Mesh) pinched() []corner {
	// how many triangles each vertex has
	count := make([]int32, m.Verts)
	for _, t := range m.Tri {
		for _, v := range t {
			count[v]++
		}
	}
	var pinched []corner
	// ring around each vertex, once
	for t := range m.Tri {
		for k, v := range m.Tri[t] {
			if count[v] == 0 {
				continue
			}
			first := corner{int32(t), int32(k)}
			at, ring := first, int32(0)
			for ring == 0 || at != first {
				ring++
				// Across the side that starts at v; over there it ends at v.
				n, opposite := m.Neighbor(at.tri, (at.k+2)%3)
				at = corner{n, (opposite + 2) % 3}
			}
			// triangles outside the ring
			if ring != count[v] {
				pinched = append(pinched, first)
			}
			count[v] = 0
		}
	}
	return pinched
}
