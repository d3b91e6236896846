package runfolder

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Manifest says what was run, with what and by which build: enough to repeat it. Two runs with equal
// manifests give the same bits.
type Manifest struct {
	// Digest is the SHA-256 of run.json, in hex; Begin and Open fill it in.
	Digest string `json:"digest"`
	// Format is the version of the folder's layout; Begin and Open fill it in.
	Format int `json:"format"`
	// Key is the RunKey; Begin fills it in. Empty without Program.
	Key string `json:"key,omitempty"`
	// Name is what the scene calls itself.
	Name string `json:"name"`
	// Time says how the run is cut into frames and steps.
	Time Timing `json:"time"`
	// Start is the hash of the state that the run starts from, in hex.
	Start string `json:"start"`
	// Build is the program that ran it, and Program its SHA-256, see the function of that name; empty: unknown.
	Build   Build  `json:"build"`
	Program string `json:"program,omitempty"`
	// Source is the scene file. It is a record only: Scene says what the file means, so that a run
	// can be continued after a comment in the file was changed.
	Source *Input `json:"source,omitempty"`
	// Inputs are the other files read.
	Inputs []Input `json:"inputs"`
	// Keep says which frames stay.
	Keep Keep `json:"keep,omitempty"`
	// Stop are conditions of which any ends the run early.
	Stop []Condition `json:"stop,omitempty"`
	// Probes are what the statistics tell of beside their own columns.
	Probes []Probe `json:"probes,omitempty"`
	// Options are settings that bear on the result and are not in the scene, as JSON; may be empty.
	Options json.RawMessage `json:"options,omitempty"`
	// Scene is the resolved scene: every default filled in, as JSON.
	Scene json.RawMessage `json:"scene"`
}

// Timing cuts a run into frames, and frames into steps.
type Timing struct {
	FPS      float64 `json:"fps"`      // frames a second [1/s]
	Frames   int     `json:"frames"`   // number of frames, with frame 0, the start
	Substeps int     `json:"substeps"` // steps from one frame to the next
	Step     float64 `json:"step"`     // their size [s]
}

// Last reports whether c is the end of the run.
func (t *Timing) Last(c *Checkpoint) bool { return c.Frame == t.Frames-1 && c.Substep == 0 }

// Input is a file that the scene reads.
type Input struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// Limits of what one run may be cut into.
const (
	MaxFrames   = 10_000_000
	MaxSubsteps = 100_000_000
)

// validate says what no run has: whoever reads a manifest may rely on the rest.
func (m *Manifest) validate() error {
	// times: so many whole steps make a frame
	t := &m.Time
	if !(t.FPS > 0) || !(t.Step > 0) || t.FPS > math.MaxFloat64 || t.Step > math.MaxFloat64 {
		return fmt.Errorf("time: %g frames a second in steps of %g s", t.FPS, t.Step)
	}
	if t.Frames < 1 || t.Frames > MaxFrames || t.Substeps < 1 || t.Substeps > MaxSubsteps {
		return fmt.Errorf("time: %d frames of %d steps; there may be %d of %d", t.Frames, t.Substeps, MaxFrames, MaxSubsteps)
	}
	if frame := t.Step * float64(t.Substeps) * t.FPS; !(math.Abs(frame-1) < 1e-9) {
		return fmt.Errorf("time: %d steps of %g s do not make a frame at %g a second", t.Substeps, t.Step, t.FPS)
	}
	// inputs have paths, and all hashes are hexadecimal
	sums := []string{m.Key, m.Start, m.Program}
	inputs := m.Inputs
	if m.Source != nil {
		inputs = append(inputs[:len(inputs):len(inputs)], *m.Source)
	}
	for _, in := range inputs {
		if in.Path == "" {
			return errors.New("inputs: one has no path")
		}
		sums = append(sums, in.SHA256)
	}
	for _, s := range sums {
		if _, err := hex.DecodeString(s); err != nil {
			return fmt.Errorf("%.80q is not a hash in hexadecimal digits", s)
		}
	}
	return nil
}

// maxDifferences is how many differences are listed before the rest is only counted.
const maxDifferences = 8

// Differences says in words where m and n differ, in lines like "scene.gravity[2]: -9.81 there, -1.62
// here", where inM is "there" and inN "here". Nil means that a run of m can be continued as one of n.
func (m *Manifest) Differences(n *Manifest, inM, inN string) []string {
	d := differences{there: inM, here: inN}
	d.json("scene", decode(m.Scene), decode(n.Scene))
	d.json("options", decode(m.Options), decode(n.Options))
	d.inputs(m.Inputs, n.Inputs)
	d.json("keep", m.Keep.String(), n.Keep.String())
	d.json("stop", reencode(m.Stop), reencode(n.Stop))
	d.json("probes", reencode(m.Probes), reencode(n.Probes))
	d.json("time", reencode(m.Time), reencode(n.Time))
	d.json("build", reencode(m.Build), reencode(n.Build))
	d.json("format", reencode(m.Format), reencode(n.Format))
	if len(d.lines) == 0 && m.Start != n.Start {
		d.add("start: the state at the beginning has hash %s %s, %s %s", m.Start, inM, n.Start, inN)
	}
	if d.more > 0 {
		d.lines = append(d.lines, fmt.Sprintf("and %d more", d.more))
	}
	return d.lines
}

type differences struct {
	there, here string
	lines       []string
	more        int
}

func (d *differences) add(format string, args ...any) {
	if len(d.lines) == maxDifferences {
		d.more++
		return
	}
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

func (d *differences) inputs(there, here []Input) {
	sums := make(map[string]string, len(there))
	for _, in := range there {
		sums[in.Path] = in.SHA256
	}
	for _, in := range here {
		sum, ok := sums[in.Path]
		if !ok {
			d.add("inputs: %s is read %s but not %s", in.Path, d.here, d.there)
		} else if sum != in.SHA256 {
			d.add("inputs: %s has other contents %s than %s", in.Path, d.here, d.there)
		}
		delete(sums, in.Path)
	}
	for _, in := range there {
		if _, left := sums[in.Path]; left {
			d.add("inputs: %s is read %s but not %s", in.Path, d.there, d.here)
		}
	}
}

// json compares two decoded JSON values, member by member.
func (d *differences) json(path string, there, here any) {
	switch a := there.(type) {
	case map[string]any:
		if b, ok := here.(map[string]any); ok {
			for _, k := range unionOfKeys(a, b) {
				d.json(path+"."+k, a[k], b[k])
			}
			return
		}
	case []any:
		if b, ok := here.([]any); ok {
			if len(a) != len(b) {
				d.add("%s: %d entries %s, %d %s", path, len(a), d.there, len(b), d.here)
				return
			}
			for i := range a {
				d.json(fmt.Sprintf("%s[%d]", path, i), a[i], b[i])
			}
			return
		}
	}
	if x, y := brief(there), brief(here); x != y {
		d.add("%s: %s %s, %s %s", path, x, d.there, y, d.here)
	}
}

func unionOfKeys(a, b map[string]any) []string {
	keys := make([]string, 0, len(a))
	for k := range a {
		keys = append(keys, k)
	}
	for k := range b {
		if _, both := a[k]; !both {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// brief writes a decoded JSON value on one line. It is exact for everything but composites, which
// are only compared with values of another kind.
func brief(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case map[string]any:
		return fmt.Sprintf("an object of %d members", len(v))
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	case string:
		return fmt.Sprintf("%q", v)
	}
	return fmt.Sprint(v)
}

// decode parses JSON, keeping numbers as they are written. What cannot be parsed stays text.
func decode(raw []byte) any {
	if len(raw) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return string(raw)
	}
	return v
}

func reencode(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain structs of numbers and strings
	}
	return decode(raw)
}
