package meshio

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toile-sim/toile/r3"
)

// maxVertices is the largest vertex count, so that every index, and every count of three
// times as many triangle corners, fits an int32.
const maxVertices = 1 << 28

// maxGroupShare bounds the members of all groups together to this many for each vertex. Without
// it a few bytes of a hostile file could name every vertex thousands of times.
const maxGroupShare = 64

// colour is the one attribute that every format knows.
const colour = "COLOR_0"

// Validate lists what would keep m from being written. Degenerate triangles, unused vertices and
// the like are not faults here.
func (m *Mesh) Validate() error {
	var faults []string
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	n := len(m.Positions)
	if n == 0 {
		add("no vertices")
	}
	if n > maxVertices {
		add("%d vertices, more than %d", n, maxVertices)
	}
	if i := firstNotFinite(m.Positions); i >= 0 {
		add("vertex %d is at %v, not a finite position", i, m.Positions[i])
	}
	if len(m.Triangles) == 0 {
		add("no triangles")
	}
	if i := firstOutside(m.Triangles, 0, n); i >= 0 {
		add("triangle %d has vertices %v, but there are %d", i, m.Triangles[i], n)
	}
	m.uvFaults(add)
	if len(m.Normals) != 0 && len(m.Normals) != n {
		add("%d normals for %d vertices", len(m.Normals), n)
	}
	if i := firstNotFinite(m.Normals); i >= 0 {
		add("normal %d is %v, not finite", i, m.Normals[i])
	}
	attributeFaults(m.Attributes, n, add)
	m.groupFaults(add)
	if !utf8.ValidString(m.Name) {
		add("the name %q is not UTF-8", m.Name)
	}
	for _, k := range sortedKeys(m.Extra) {
		if k == "" || !utf8.ValidString(k) || !utf8.ValidString(m.Extra[k]) {
			add("extra %q=%q is not named or not UTF-8", k, m.Extra[k])
		}
	}
	return joinFaults("mesh", faults)
}

func (m *Mesh) uvFaults(add func(string, ...any)) {
	for i, p := range m.UV {
		if !p.Finite() {
			add("UV %d is %v, not finite", i, p)
			break
		}
	}
	if len(m.CornerUV) == 0 {
		if len(m.UV) != 0 && len(m.UV) != len(m.Positions) {
			add("%d UVs for %d vertices and no CornerUV", len(m.UV), len(m.Positions))
		}
		return
	}
	if len(m.CornerUV) != len(m.Triangles) {
		add("CornerUV has %d triangles instead of %d", len(m.CornerUV), len(m.Triangles))
	}
	if i := firstOutside(m.CornerUV, -1, len(m.UV)); i >= 0 {
		add("triangle %d has UVs %v, but there are %d", i, m.CornerUV[i], len(m.UV))
	}
}

// attributeFaults tells what is wrong with attributes of n vertices.
func attributeFaults(attributes []Attribute, n int, add func(string, ...any)) {
	seen := map[string]bool{}
	for _, a := range attributes {
		switch {
		case a.Name == "" || !utf8.ValidString(a.Name):
			add("attribute %q has no name or none in UTF-8", a.Name)
		case a.Name == idAttribute:
			add("attribute %s is reserved for the vertex index", a.Name)
		case seen[a.Name]:
			add("attribute %s is there twice", a.Name)
		}
		seen[a.Name] = true
		if a.Width < 1 || a.Width > 4 || a.Name == colour && a.Width < 3 {
			add("attribute %s has width %d", a.Name, a.Width)
			continue
		}
		if len(a.Data) != a.Width*n {
			add("attribute %s has %d numbers instead of %d", a.Name, len(a.Data), a.Width*n)
		}
		for i, x := range a.Data {
			if !finite32(x) {
				add("attribute %s is %v at vertex %d, not finite", a.Name, x, i/a.Width)
				break
			}
		}
	}
}

func (m *Mesh) groupFaults(add func(string, ...any)) {
	seen := map[string]bool{}
	members := 0
	for _, g := range m.Groups {
		switch {
		case g.Name == "" || !utf8.ValidString(g.Name):
			add("group %q has no name or none in UTF-8", g.Name)
		case seen[g.Name]:
			add("group %s is there twice", g.Name)
		}
		seen[g.Name] = true
		members += len(g.Vertices)
		last := int32(-1)
		for _, v := range g.Vertices {
			if v <= last || int(v) >= len(m.Positions) {
				add(
					"group %s has vertex %d after %d of %d; members must ascend and exist",
					g.Name,
					v,
					last,
					len(m.Positions),
				)
				break
			}
			last = v
		}
	}
	if members > maxGroupShare*len(m.Positions) {
		add("the groups have %d members, more than %d for each vertex", members, maxGroupShare)
	}
}

// firstNotFinite returns the index of the first vector that is not finite, or -1.
func firstNotFinite(vs []r3.Vec) int {
	return slices.IndexFunc(vs, func(v r3.Vec) bool { return !v.Finite() })
}

// firstOutside returns the index of the first triple with a member outside [low, high), or -1.
func firstOutside(ts [][3]int32, low int32, high int) int {
	return slices.IndexFunc(ts, func(t [3]int32) bool {
		return min(t[0], t[1], t[2]) < low || int(max(t[0], t[1], t[2])) >= high
	})
}

// fitsSingle says which number of m, turned and scaled to fr, single precision cannot hold.
func fitsSingle(m *Mesh, fr frame) error {
	for i, p := range m.Positions {
		if fr.toFile(p).MaxAbs() > math.MaxFloat32 {
			return fmt.Errorf("meshio: mesh: vertex %d at %v is too far away for single precision", i, p)
		}
	}
	for i, n := range m.Normals {
		if n.MaxAbs() > math.MaxFloat32 {
			return fmt.Errorf("meshio: mesh: normal %d is %v, too long for single precision", i, n)
		}
	}
	for i, p := range m.UV {
		if max(math.Abs(p.X), math.Abs(p.Y)) > math.MaxFloat32 {
			return fmt.Errorf("meshio: mesh: UV %d is %v, too large for single precision", i, p)
		}
	}
	return nil
}

func finite32(x float32) bool { return x-x == 0 }

func finite64(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// clean returns s as valid UTF-8.
func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// escape writes s as one word: white space, control characters, the percent sign and the bytes of
// more become %XX. The empty string becomes a lone percent sign.
func escape(s, more string) string {
	if s == "" {
		return "%"
	}
	var b strings.Builder
	for _, r := range s {
		if r <= ' ' || r == '%' || r == 0x7f || strings.ContainsRune(more, r) {
			fmt.Fprintf(&b, "%%%02X", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unescape undoes escape and leaves percent signs alone that escape cannot have written.
func unescape(s string) string {
	if s == "%" {
		return ""
	}
	if !strings.Contains(s, "%") {
		return clean(s)
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && hexDigit(s[i+1]) >= 0 && hexDigit(s[i+2]) >= 0 {
			b = append(b, byte(hexDigit(s[i+1])<<4|hexDigit(s[i+2])))
			i += 2
		} else {
			b = append(b, s[i])
		}
	}
	return clean(string(b))
}

func hexDigit(c byte) int { return strings.IndexByte("0123456789ABCDEF", c) }
