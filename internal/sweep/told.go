package sweep

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
)

// checkTold reports which outcomes and conditions the statistics of a run cannot tell of. The scene is built for that,
// once for all runs that have the same bodies.
func (s *Sweep) checkTold(index int, of *scenefile.Scene) error {
	if len(s.file.Outcomes) == 0 && len(s.stop) == 0 {
		return nil
	}
	bodies, err := s.bodies(of)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.checked[bodies] {
		return nil
	}
	job, err := player.FromScene(of, 1)
	if err != nil {
		return err
	}
	defer func() { _ = job.Close() }() // read only
	var faults scenefile.Faults
	for i := range s.file.Outcomes {
		o := &s.file.Outcomes[i]
		if err := job.CheckColumn(o.column()); err != nil {
			faults = append(faults, o.Fault(o.way(), "run %d: outcome %s: %v", index, o.label(), err))
		}
	}
	for _, c := range s.stop {
		if err := job.CheckColumn(c.Column); err != nil {
			faults = append(faults, s.file.Fault("stop", "run %d: stop: %v", index, err))
		}
	}
	if len(faults) > 0 {
		return faults
	}
	if s.checked == nil {
		s.checked = map[string]bool{}
	}
	s.checked[bodies] = true
	return nil
}

// bodies returns what scenes share whose statistics have the same columns: names of bodies and, where vertices or pins
// are probed by their numbers, all that may bear on how many there are.
func (s *Sweep) bodies(of *scenefile.Scene) (string, error) {
	numbered := slices.ContainsFunc(s.probes, func(p runfolder.Probe) bool {
		return p.Kind == runfolder.ProbeVertex || p.Kind == runfolder.ProbePin
	})
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(of.Resolved(), &all); err != nil {
		return "", err
	}
	var out bytes.Buffer
	for _, kind := range []string{"cloths", "rigids", "solids", "yarns", "obstacles"} {
		var list []map[string]json.RawMessage
		if all[kind] == nil {
			continue
		}
		if err := json.Unmarshal(all[kind], &list); err != nil {
			return "", err
		}
		for _, b := range list {
			if !numbered {
				b = map[string]json.RawMessage{"name": b["name"]}
			}
			delete(b, "material")
			delete(b, "place")
			text, err := json.Marshal(b) // in the order of names
			if err != nil {
				return "", err
			}
			out.WriteString(kind)
			out.Write(text)
		}
	}
	return out.String(), nil
}
