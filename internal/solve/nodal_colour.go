package solve

// colouring splits the relaxations of a problem into colours. A relaxation writes the velocities of its blocks and
// reads those of their neighbours, and the impulses on its blocks.
type colouring struct {
	tasks       []int32 // by colour; a block that no contact solves, or ^c for contact c
	colourStart []int32 // tasks of colour k are colourStart[k] to colourStart[k+1]
	base        int32   // of the running colour
	partlyTasks []int32 // contacts of blocks prescribed in part, which run after all colours, one after another

	blockColour   []int32 // of blocks that no contact solves; -1: none yet
	contactColour []int32
	taken         []int32 // by colour: the last task, plus one, that may not have it
	serialNumber  int32
}

// colour gives every relaxation, in the order of its first block, the first colour that none of its neighbours has.
func (k *colouring) colour(s *system) {
	n, contacts := s.a.N, s.set.Len()
	k.blockColour, k.contactColour = resized(k.blockColour, n), resized(k.contactColour, contacts)
	for i := range k.blockColour {
		k.blockColour[i] = -1
	}
	for c := range k.contactColour {
		k.contactColour[c] = -1
	}
	clear(k.taken)
	k.serialNumber = 0
	k.partlyTasks = k.partlyTasks[:0]
	for c := range s.set.Contacts {
		if s.measure.scale[c] > 0 && s.touchesPartial(c) {
			k.partlyTasks = append(k.partlyTasks, int32(c))
		}
	}
	for i := range int32(n) {
		touching := s.contactsOf(i)
		if !s.isFixed(i) && !s.solvedByContact(i) {
			k.serialNumber++
			k.forbid(s, i)
			k.blockColour[i] = k.first()
		}
		for _, c := range touching {
			if k.contactColour[c] < 0 && s.measure.scale[c] > 0 && !s.touchesPartial(int(c)) {
				k.serialNumber++
				for _, t := range s.set.Row(int(c)) {
					k.forbid(s, t.Block)
				}
				k.contactColour[c] = k.first()
			}
		}
	}
	k.collect()
}

// forbid marks the colours of the tasks that write to block i or its neighbours.
func (k *colouring) forbid(s *system, i int32) {
	if s.isFixed(i) {
		return
	}
	for _, j := range s.a.Col[s.a.Start[i]:s.a.Start[i+1]] {
		if s.isFixed(j) {
			continue
		}
		if c := k.blockColour[j]; c >= 0 {
			k.taken[c] = k.serialNumber
		}
		for _, t := range s.contactsOf(j) {
			if c := k.contactColour[t]; c >= 0 {
				k.taken[c] = k.serialNumber
			}
		}
	}
}

func (k *colouring) first() int32 {
	for c, by := range k.taken {
		if by != k.serialNumber {
			return int32(c)
		}
	}
	k.taken = append(k.taken, 0)
	return int32(len(k.taken) - 1)
}

func (k *colouring) collect() {
	k.colourStart = resized(k.colourStart, len(k.taken)+1)
	clear(k.colourStart)
	count := func(c int32) {
		if c >= 0 {
			k.colourStart[c]++
		}
	}
	for _, c := range k.blockColour {
		count(c)
	}
	for _, c := range k.contactColour {
		count(c)
	}
	sum := int32(0)
	for c := range k.colourStart {
		sum, k.colourStart[c] = sum+k.colourStart[c], sum
	}
	k.tasks = resized(k.tasks, int(sum))
	place := func(c int32, task int32) {
		if c >= 0 {
			k.tasks[k.colourStart[c]] = task
			k.colourStart[c]++
		}
	}
	for i, c := range k.blockColour {
		place(c, int32(i))
	}
	for i, c := range k.contactColour {
		place(c, ^int32(i))
	}
	copy(k.colourStart[1:], k.colourStart[:len(k.colourStart)-1])
	k.colourStart[0] = 0
}
