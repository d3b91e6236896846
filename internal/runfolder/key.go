package runfolder

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// keyed is what a run key is the hash of. Whoever changes it, or Format, gives all runs other keys.
type keyed struct {
	Format  int             `json:"format"`
	Build   Build           `json:"build"`
	Program string          `json:"program"`
	Scene   json.RawMessage `json:"scene"`
	Inputs  []Input         `json:"inputs"`
	Keep    Keep            `json:"keep"`
	Stop    []Condition     `json:"stop"`
	Probes  []Probe         `json:"probes"`
}

// RunKey returns the SHA-256, in hex, of everything that decides what a run folder holds when the run is complete, but
// for clocks: the resolved scene, the contents of the files it reads, the build, the program that plays it, which
// frames are kept, what ends the run early and what is probed. The number of workers, the time between checkpoints,
// reports and contact problems do not count. Of m only those fields need be there. A run of an unknown program has no
// key.
func (m *Manifest) RunKey() (string, error) {
	if m.Program == "" {
		return "", errors.New("a run has no key if the program that plays it is unknown")
	}
	var scene bytes.Buffer
	if err := json.Compact(&scene, m.Scene); err != nil {
		return "", fmt.Errorf("the scene is not JSON: %w", err)
	}
	data, err := json.Marshal(keyed{
		Format, m.Build, m.Program, scene.Bytes(),
		slices.Concat([]Input{}, m.Inputs), m.Keep, slices.Concat([]Condition{}, m.Stop), slices.Concat([]Probe{}, m.Probes),
	})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}
