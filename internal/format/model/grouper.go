package model

// Grouper collects named groups in order of appearance, and refuses when their members together
// outnumber the vertices by more than MaxGroupShare.
type Grouper struct {
	Groups  []Group
	byName  map[string]int
	members int // with repetitions since they were last settled
	limit   int
}

// NewGrouper returns one without groups, for so many vertices.
func NewGrouper(vertices int) *Grouper {
	return &Grouper{byName: map[string]int{}, limit: MaxGroupShare * vertices}
}

// Add puts vertices into the named group and reports whether there was room.
func (g *Grouper) Add(name string, vertices []int32) bool {
	if len(vertices) == 0 {
		return true
	}
	// Faces that alternate between two groups repeat their vertices. Settling at twice the limit
	// leaves room for as many again, so that it stays rare.
	if g.members += len(vertices); g.members > 2*g.limit && !g.Settle() {
		return false
	}
	k, ok := g.byName[name]
	if !ok {
		k = len(g.Groups)
		g.byName[name] = k
		g.Groups = append(g.Groups, Group{Name: name})
	}
	g.Groups[k].Vertices = append(g.Groups[k].Vertices, vertices...)
	return true
}

// Settle sorts each group, takes out repetitions and reports whether the rest is within the limit.
func (g *Grouper) Settle() bool {
	g.members = 0
	for i := range g.Groups {
		g.Groups[i].Vertices = SortedSet(g.Groups[i].Vertices)
		g.members += len(g.Groups[i].Vertices)
	}
	return g.members <= g.limit
}
