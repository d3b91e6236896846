package scenefile

import (
	"maps"
	"slices"
)

// checkMotion checks that a motion with this name exists.
func (s *Scene) checkMotion(d *decoder, name string, at place) {
	if name == "" || s.Motions == nil && s.given("motions") { // in the latter case they are faulty as a whole
		return
	}
	if _, ok := s.Motions[name]; ok {
		return
	}
	motions := slices.Sorted(maps.Keys(s.Motions))
	hint := suggestion(name, motions)
	if len(motions) == 0 {
		hint = "; this scene has no motions: write one under the key motions"
	}
	d.faults.add(at, "unknown motion %s%s", shown(name), hint)
}

// faultyLists tells whether some list of bodies or obstacles is faulty as a whole.
func (s *Scene) faultyLists() bool {
	return s.Cloths == nil && s.given("cloths") || s.Rigids == nil && s.given("rigids") ||
		s.Solids == nil && s.given("solids") || s.Yarns == nil && s.given("yarns") || s.Obstacles == nil && s.given("obstacles")
}

// bodyNames lists cloths, rigid and soft bodies and pieces of yarn by name.
func (s *Scene) bodyNames() []string {
	var names []string
	for i := range s.Cloths {
		names = append(names, s.Cloths[i].Name)
	}
	for i := range s.Rigids {
		names = append(names, s.Rigids[i].Name)
	}
	for i := range s.Solids {
		names = append(names, s.Solids[i].Name)
	}
	return append(names, s.YarnNames()...)
}

func (s *Scene) YarnNames() []string {
	var names []string
	for i := range s.Yarns {
		names = append(names, s.Yarns[i].Name)
	}
	return names
}
