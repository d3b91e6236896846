package lists

// Groups are things that belong together: each of them is in one group, which is named by the lowest in it.
type Groups []int32

// NewGroups returns n groups of one each.
func NewGroups(n int) Groups {
	g := make(Groups, n)
	for i := range g {
		g[i] = int32(i)
	}
	return g
}

// Of returns the group of a thing.
func (g Groups) Of(v int32) int32 {
	for g[v] != v {
		g[v] = g[g[v]]
		v = g[v]
	}
	return v
}

// Join makes the groups of some things one.
func (g Groups) Join(things ...int32) {
	for _, v := range things[1:] {
		a, b := g.Of(things[0]), g.Of(v)
		g[max(a, b)] = min(a, b)
	}
}
