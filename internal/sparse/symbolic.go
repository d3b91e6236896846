// Symbolic Cholesky factor: elimination tree [Liu90], supernodes with relaxed amalgamation
// [AshcraftGrimes89], and the plan of a multifrontal factorization [DuffReid83].
//
// Columns are renumbered by nested dissection and then by a postorder of the elimination tree. A
// supernode is a run of columns with (nearly) the same rows below it; its front is a dense matrix
// over its own columns and those rows:
//
//	front = [ panel | ]   panel:  m x k blocks, becomes L
//	        [       | U ]  U: (m-k) x (m-k) blocks, what is handed to the parent supernode
//
// Subtrees that hold a fair share of the work are tasks, which run at the same time; the supernodes
// above them ("top") are done one after the other, each with a parallel loop inside. The choice
// depends on the pattern only.
//
// Inside a task the U of children are dead once their parent's front is assembled. In postorder
// they lie on top of a stack; parents and children use two stacks in turn, so that a new U never
// buries the ones that are about to go.

package sparse

import (
	"slices"

	"github.com/toile-sim/toile/internal/lanes"
)

// supernode is a run of columns of the factor with common rows.
type supernode struct {
	first, last int32   // columns first to last-1
	rows        []int32 // columns of ancestors that the front touches, ascending
	inParent    []int32 // place of each of rows in the parent's front
	children    []int32 // supernodes
	parent      int32   // -1 for a root
	entries     int     // its blocks of A are entries to next supernode's entries
	panel       int     // offset of the panel in the factor's values
	stack       int     // 0, 1: stack of the task that holds U; 2: memory that lasts, for task roots and top
	update      int     // offset of U there
	zeros       int     // blocks of the panel that amalgamation added
}

func (s *supernode) k() int { return int(s.last - s.first) }
func (s *supernode) m() int { return s.k() + len(s.rows) }

// work estimates the operations of a front, in block products.
func (s *supernode) work() float64 {
	k, m := float64(s.k()), float64(s.m())
	return k * (m*m - m*k + k*k/3 + 10)
}

// task is a subtree: supernodes first to last, in postorder, with its private memory.
type task struct {
	first, last int32
	stacks      [2]int // sizes
	scratch     int    // size
}

// symbolic is all that a factorization needs to know of the pattern.
type symbolic struct {
	order  []int32 // node of column j
	supers []supernode
	source []int32 // blocks of A in the order of the supernodes' entries: position in A.Val
	target []int32 // and offset in the panel of the supernode
	tasks  []task
	top    []int32 // supernodes above the tasks, ascending
	parts  []Part
	// sizes
	panels, shared, topScratch int
}

// leafNodes is the size of sets that nested dissection leaves alone.
const leafNodes = 4

func analyse(a *BSR) *symbolic {
	s := &symbolic{order: nestedDissection(a, leafNodes)}
	s.postorder(a)
	s.findSupernodes(a)
	s.link()
	s.mapEntries(a)
	s.plan()
	s.findParts()
	return s
}

// parents returns the elimination tree of a under the current order; roots have parent -1.
func (s *symbolic) parents(a *BSR) (parent, place []int32) {
	// where nodes are in the order
	n := a.N
	place = make([]int32, n)
	for j, v := range s.order {
		place[v] = int32(j)
	}
	// from each coupling up to the root so far, by short cuts
	parent = make([]int32, n)
	ancestor := make([]int32, n)
	for i := range int32(n) {
		parent[i], ancestor[i] = -1, -1
		v := s.order[i]
		for _, w := range a.Col[a.Start[v]:a.Start[v+1]] {
			for j := place[w]; j < i && j >= 0; {
				next := ancestor[j]
				ancestor[j] = i
				// a root so far has found its parent
				if next < 0 {
					parent[j] = i
					break
				}
				if next == i {
					break
				}
				j = next
			}
		}
	}
	return parent, place
}

// postorder renumbers the columns so that each subtree is a run that ends with its root.
func (s *symbolic) postorder(a *BSR) {
	// lists of children, in ascending order
	parent, _ := s.parents(a)
	n := int32(a.N)
	child, sibling := make([]int32, n), make([]int32, n)
	for i := range child {
		child[i] = -1
	}
	roots := int32(-1)
	for j := n - 1; j >= 0; j-- {
		list := &roots
		if parent[j] >= 0 {
			list = &child[parent[j]]
		}
		sibling[j] = *list
		*list = j
	}
	// depth first, a node after its children
	order := make([]int32, 0, n)
	var stack []int32
	for r := roots; r >= 0; r = sibling[r] {
		stack = append(stack, r)
		for len(stack) > 0 {
			j := stack[len(stack)-1]
			if c := child[j]; c >= 0 {
				child[j] = sibling[c]
				stack = append(stack, c)
				continue
			}
			stack = stack[:len(stack)-1]
			order = append(order, s.order[j])
		}
	}
	s.order = order
}

// findSupernodes computes the rows of each column of L and gathers columns into supernodes.
func (s *symbolic) findSupernodes(a *BSR) {
	parent, place := s.parents(a)
	n := int32(a.N)
	children := make([][]int32, n)
	for j, p := range parent {
		if p >= 0 {
			children[p] = append(children[p], int32(j))
		}
	}
	rows := make([][]int32, n) // of the columns whose parent is still to come
	seen := make([]int32, n)
	for j := range n {
		var list []int32
		add := func(i int32) {
			if i > j && seen[i] != j+1 {
				seen[i] = j + 1
				list = append(list, i)
			}
		}
		v := s.order[j]
		for _, w := range a.Col[a.Start[v]:a.Start[v+1]] {
			add(place[w])
		}
		for _, c := range children[j] {
			for _, i := range rows[c] {
				add(i)
			}
		}
		slices.Sort(list)
		rows[j] = list
		joins := j > 0 && parent[j-1] == j && len(rows[j-1]) == len(list)+1
		for _, c := range children[j] {
			rows[c] = nil
		}
		if joins {
			last := &s.supers[len(s.supers)-1]
			last.last, last.rows = j+1, list
			continue
		}
		s.amalgamate()
		s.supers = append(s.supers, supernode{first: j, last: j + 1, rows: list})
	}
	s.amalgamate()
}

// amalgamate merges the last supernode, which is complete, with the ones before it as long as they
// are its children and the zeros that this stores are few: larger fronts run faster.
func (s *symbolic) amalgamate() {
	for len(s.supers) > 1 {
		p, c := &s.supers[len(s.supers)-1], &s.supers[len(s.supers)-2]
		if len(c.rows) == 0 || c.rows[0] >= p.last {
			return
		}
		k := c.k() + p.k()
		zeros := c.zeros + p.zeros + c.k()*(p.m()-len(c.rows))
		blocks := k*(k+1)/2 + k*len(p.rows)
		limit := 0.05
		switch {
		case k <= 4:
			limit = 0.5
		case k <= 12:
			limit = 0.2
		}
		if float64(zeros) > limit*float64(blocks) {
			return
		}
		c.last, c.rows, c.zeros = p.last, p.rows, zeros
		s.supers = s.supers[:len(s.supers)-1]
	}
}

// link fills in parents, children and the places of rows in the parent's front.
func (s *symbolic) link() {
	owner := make([]int32, len(s.order))
	for i := range s.supers {
		for j := s.supers[i].first; j < s.supers[i].last; j++ {
			owner[j] = int32(i)
		}
	}
	for i := range s.supers {
		c := &s.supers[i]
		c.parent = -1
		if len(c.rows) == 0 {
			continue
		}
		c.parent = owner[c.rows[0]]
		p := &s.supers[c.parent]
		p.children = append(p.children, int32(i))
		c.inParent = make([]int32, len(c.rows))
		for r, row := range c.rows {
			c.inParent[r] = p.local(row)
		}
	}
}

// local returns the place of a column in the front.
func (s *supernode) local(column int32) int32 {
	if column < s.last {
		return column - s.first
	}
	at, _ := slices.BinarySearch(s.rows, column)
	return int32(s.k() + at)
}

// mapEntries lists which block of A goes where, and lays out the panels.
func (s *symbolic) mapEntries(a *BSR) {
	place := make([]int32, a.N)
	for j, v := range s.order {
		place[v] = int32(j)
	}
	lower := (len(a.Col) + a.N) / 2
	s.source, s.target = make([]int32, 0, lower), make([]int32, 0, lower)
	for i := range s.supers {
		p := &s.supers[i]
		p.entries, p.panel = len(s.source), s.panels
		s.panels += 9 * p.m() * p.k()
		for j := p.first; j < p.last; j++ {
			v := s.order[j]
			for at := a.Start[v]; at < a.Start[v+1]; at++ {
				if row := place[a.Col[at]]; row >= j {
					s.source = append(s.source, at)
					s.target = append(s.target, 9*p.local(row)*int32(p.k())+3*(j-p.first))
				}
			}
		}
	}
}

// taskShare is the part of all work that a task may have at most, if its tree can be split.
const taskShare = 1.0 / 16

// plan chooses the tasks and lays out the memory of the updates.
func (s *symbolic) plan() {
	n := len(s.supers)
	work := make([]float64, n) // of the subtree
	size := make([]int32, n)   // supernodes in the subtree
	total := 0.0
	for i := range s.supers {
		work[i] += s.supers[i].work()
		size[i]++
		total += s.supers[i].work()
		if p := s.supers[i].parent; p >= 0 {
			work[p] += work[i]
			size[p] += size[i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		if work[i] > taskShare*total && len(s.supers[i].children) > 0 {
			s.top = append(s.top, int32(i))
			s.lasting(i)
			s.topScratch = max(s.topScratch, s.supers[i].scratch())
			continue
		}
		// The supernodes of the subtree come right before its root.
		t := task{first: int32(i) - size[i] + 1, last: int32(i) + 1}
		s.stack(&t)
		s.tasks = append(s.tasks, t)
		i = int(t.first)
	}
	slices.Reverse(s.top)
	slices.Reverse(s.tasks)
}

func (s *symbolic) lasting(i int) {
	p := &s.supers[i]
	p.stack, p.update = 2, s.shared
	s.shared += 9 * len(p.rows) * len(p.rows)
}

// stack lays out the updates of a task.
func (s *symbolic) stack(t *task) {
	depth := make([]int, t.last-t.first)
	for i := t.last - 2; i >= t.first; i-- {
		depth[i-t.first] = depth[s.supers[i].parent-t.first] + 1
	}
	var top [2]int
	for i := t.first; i < t.last; i++ {
		p := &s.supers[i]
		t.scratch = max(t.scratch, p.scratch())
		if i == t.last-1 {
			s.lasting(int(i))
			return
		}
		p.stack = depth[i-t.first] & 1
		p.update = top[p.stack]
		top[p.stack] += 9 * len(p.rows) * len(p.rows)
		t.stacks[p.stack] = max(t.stacks[p.stack], top[p.stack])
		for _, c := range p.children {
			rows := len(s.supers[c].rows)
			top[1-p.stack] -= 9 * rows * rows
		}
	}
}

// scratch returns the size of its X, or L, by columns.
func (s *supernode) scratch() int { return 3*s.k()*columnLength(s.m()) + lanes.Width }

// columnLength returns how long a column of so many blocks is, with what products read beyond its end.
func columnLength(m int) int { return 3*m + lanes.Width }
