package tets

// tagIndex finds vertices by the numbers that a file gives them.
type tagIndex struct {
	first int64
	n     int32
	index map[int64]int32 // nil while the numbers follow each other; never ranged over
}

// add gives the next vertex a number, and reports false if another one has it.
func (t *tagIndex) add(tag int64) bool {
	if t.n == 0 {
		t.first = tag
	}
	if t.index == nil && tag != t.first+int64(t.n) {
		t.index = make(map[int64]int32, t.n)
		for i := range t.n {
			t.index[t.first+int64(i)] = i
		}
	}
	if t.index != nil {
		if _, ok := t.index[tag]; ok {
			return false
		}
		t.index[tag] = t.n
	}
	t.n++
	return true
}

func (t *tagIndex) find(tag int64) (int32, bool) {
	if t.index != nil {
		i, ok := t.index[tag]
		return i, ok
	}
	// Unsigned, so that a difference that overflows is too large as well.
	if d := uint64(tag) - uint64(t.first); d < uint64(t.n) {
		return int32(d), true
	}
	return 0, false
}
