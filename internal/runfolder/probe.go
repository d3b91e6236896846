package runfolder

import (
	"fmt"
	"strconv"
	"strings"
)

// Probe is a vector that the statistics of a run tell of beside their own columns, in three columns more: the position
// of a vertex or of the mean of all vertices of a body, the net force on one body by another, or that on a pin.
type Probe struct {
	Kind   ProbeKind
	A, B   string // names of bodies; B for forces alone
	Vertex int    // number of a vertex or of a pin, from 0
}

// ProbeKind is what a probe tells of.
type ProbeKind string

const (
	ProbeVertex   ProbeKind = "vertex"
	ProbeCentroid ProbeKind = "centroid"
	ProbeForce    ProbeKind = "force"
	ProbePin      ProbeKind = "pin"
)

// ParseProbe reads "vertex BODY NUMBER", "centroid BODY", "force BODY BODY" or "pin BODY NUMBER".
func ParseProbe(text string) (Probe, error) {
	words := strings.Fields(text)
	fault := func(what string) (Probe, error) {
		return Probe{}, fmt.Errorf("%q: %s; write vertex BODY NUMBER, centroid BODY, force BODY BODY or pin BODY NUMBER", text, what)
	}
	// texts that are no probes
	if len(words) == 0 || strings.ContainsAny(text, `,"`+"`\\\n[]") {
		return fault("this is no probe")
	}
	// kind, which tells the number of words
	p := Probe{Kind: ProbeKind(words[0])}
	need := map[ProbeKind]int{ProbeVertex: 3, ProbeCentroid: 2, ProbeForce: 3, ProbePin: 3}[p.Kind]
	switch {
	case need == 0:
		return fault(fmt.Sprintf("there is no probe %q", words[0]))
	case len(words) != need:
		return fault(fmt.Sprintf("a probe %s has %d words", words[0], need))
	}
	// body, and its vertex or the second body
	p.A = words[1]
	switch p.Kind {
	case ProbeVertex, ProbePin:
		n, err := strconv.Atoi(words[2])
		if err != nil || n < 0 {
			return fault(fmt.Sprintf("%q is not the number of a %s", words[2], p.Kind))
		}
		p.Vertex = n
	case ProbeForce:
		p.B = words[2]
	}
	return p, nil
}

// ProbeOf returns the probe that a column of the statistics, with or without its unit, is of; false if it is one of no
// probe.
func ProbeOf(column string) (Probe, bool) {
	bare, _ := SplitHeader(column)
	for _, axis := range axes {
		if text, ok := strings.CutSuffix(bare, " "+axis); ok {
			p, err := ParseProbe(text)
			return p, err == nil
		}
	}
	return Probe{}, false
}

var axes = [3]string{"x", "y", "z"}

// String writes p as ParseProbe reads it.
func (p Probe) String() string {
	switch p.Kind {
	case ProbeVertex, ProbePin:
		return fmt.Sprintf("%s %s %d", p.Kind, p.A, p.Vertex)
	case ProbeForce:
		return fmt.Sprintf("%s %s %s", p.Kind, p.A, p.B)
	}
	return fmt.Sprintf("%s %s", p.Kind, p.A)
}

// MarshalText is for run.json.
func (p Probe) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (p *Probe) UnmarshalText(text []byte) (err error) {
	*p, err = ParseProbe(string(text))
	return err
}

// columns are those that p adds to the statistics.
func (p Probe) columns() []string {
	unit := " [m]"
	if p.Kind == ProbeForce || p.Kind == ProbePin {
		unit = " [N]"
	}
	out := make([]string, len(axes))
	for i, axis := range axes {
		out[i] = p.String() + " " + axis + unit
	}
	return out
}
