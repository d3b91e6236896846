package scenefile

// placed remembers where a value and its keys are in the file, for faults found later.
type placed struct {
	at   place
	keys map[string]place // of values, by key; never ranged over
}

func (p *placed) setPlace(q placed) { *p = q }

// key returns the place of the value of a key, or of the whole if the key is not given.
func (p *placed) key(name string) place {
	if at, ok := p.keys[name]; ok {
		return at
	}
	return p.at
}

// given reports whether a key is in the file.
func (p *placed) given(name string) bool {
	_, ok := p.keys[name]
	return ok
}

// Fault returns a fault at the value of a key, or at the whole if the key is not given.
func (p *placed) Fault(key, format string, args ...any) *Fault {
	return faultAt(p.key(key), format, args...)
}

// Given reports whether a key is in the file.
func (p *placed) Given(key string) bool { return p.given(key) }

type placer interface{ setPlace(placed) }
