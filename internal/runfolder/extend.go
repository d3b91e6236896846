package runfolder

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Going on with a run whose end is later than it was. Whatever was computed before the end does not depend on when that
// is, so that checkpoints and states carry the identity of a run, which leaves the end out, and a longer run takes over
// the folder of a shorter one by writing run.json anew.

// identity returns the SHA-256, in hex, of all that decides what is computed, and with which program, but for where the
// run ends. Before layout 10 it was the digest of run.json.
func (m *Manifest) identity() (string, error) {
	if m.Format < 10 {
		return m.Digest, nil
	}
	endless := *m
	endless.Digest, endless.Key, endless.Name, endless.Source, endless.Time.Frames = "", "", "", nil, 0
	var err error
	if endless.Scene, err = withoutEnd(m.Scene); err != nil {
		return "", err
	}
	data, err := json.Marshal(&endless)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// withoutEnd returns a scene without time.end, with its members in the order of their names.
func withoutEnd(scene json.RawMessage) (json.RawMessage, error) {
	in := json.NewDecoder(bytes.NewReader(scene))
	in.UseNumber()
	var value any
	if err := in.Decode(&value); err != nil {
		return nil, fmt.Errorf("the scene is not JSON: %w", err)
	}
	if all, ok := value.(map[string]any); ok {
		if time, ok := all["time"].(map[string]any); ok {
			delete(time, "end")
		}
	}
	return json.Marshal(value)
}

// extends tells whether a run of n goes on where one of m ends, and differs in nothing else.
func (n *Manifest) extends(m *Manifest) bool {
	one, err := m.identity()
	if err != nil {
		return false
	}
	other, err := n.identity()
	return err == nil && one == other && n.Time.Frames > m.Time.Frames
}
