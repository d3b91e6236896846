package scenefile

import "github.com/toile-sim/toile/internal/engine"

// painted decodes a number that is a map.
func (d *decoder) painted(n *node, s *Scalar, f *field, what string) {
	if !f.maps {
		d.faults.add(n.at, "%s cannot be a map%s", what, insteadOfMap[what])
		return
	}
	*s = Scalar{Over: &Painted{}}
	outer := d.number
	d.number = f
	d.mapping(n, valueOf(s.Over), what)
	d.number = outer
}

// insteadOfMap says where maps of what cannot be one belong.
var insteadOfMap = map[string]string{
	"mu":        "; write it as the friction of the cloth: friction: {map: grip.png, from: 0.1, to: 0.8}",
	"default":   "; write it as the friction of the cloth: friction: {map: grip.png, from: 0.1, to: 0.8}",
	"friction":  "; write it as the friction of the cloth: friction: {map: grip.png, from: 0.1, to: 0.8}",
	"thickness": "; write it as the thickness of the cloth",
}

func (p *Painted) check(*decoder) { p.source = sourceOf(p.Map, p.Channel) }

func (s *Scalar) setDefaults() { s.Between = engine.Linear.String() }

func (s *Scalar) check(d *decoder) {
	for i := 1; i < len(s.Keys); i++ {
		switch a, b := s.Keys[i-1].At, s.Keys[i].At; {
		case b < a:
			d.faults.add(s.Keys[i].key("at"), "at must not be before the key before it: %g s is before %g s", b, a)
		case i > 1 && b == s.Keys[i-2].At:
			d.faults.add(s.Keys[i].key("at"), "at is the third key at %g s; two of them make a jump", b)
		}
	}
}

// changing decodes a number, or a mapping with keys whose values are such numbers.
func (d *decoder) changing(n *node, s *Scalar, f *field, what string) {
	// plain numbers
	if n.kind != mappingNode {
		if n.kind == listNode {
			d.faults.add(
				n.at,
				"%s must be a number, or {keys: [{at: 0 s, value: 1}, {at: 1 s, value: 2}]}, not a list",
				what,
			)
			return
		}
		*s = Scalar{}
		d.scalar(n, valueOf(&s.Value), f, what)
		return
	}
	// painted numbers, and those that cannot change over time
	switch {
	case n.get("map") != nil:
		d.painted(n, s, f, what)
		return
	case f.still:
		d.faults.add(
			n.at,
			"%s must be a number, or a map such as {map: paint.png, from: 1, to: 2}; it does not change over time",
			what,
		)
		return
	}
	// keys, whose values obey the rules of the number itself
	outer := d.number
	d.number = f
	d.mapping(n, valueOf(s), what)
	d.number = outer
	if len(s.Keys) > 0 {
		s.Value = 0
	}
}

// byComponent turns a mapping whose keys have vectors as values into one mapping for each component. What is not such a
// mapping, or is faulty, is left as it is.
func byComponent(n *node, size int) *node {
	keys := n.get("keys")
	if n.kind != mappingNode || keys == nil || keys.kind != listNode {
		return n
	}
	list := &node{kind: listNode, at: n.at}
	for axis := range size {
		moments := &node{kind: listNode, at: keys.at}
		for _, k := range keys.items {
			v := k.get("value")
			if k.kind != mappingNode || v == nil || v.kind != listNode || len(v.items) != size {
				return n
			}
			moments.items = append(moments.items, k.with("value", v.items[axis]))
		}
		list.items = append(list.items, n.with("keys", moments))
	}
	return list
}
