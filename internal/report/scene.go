package report

import (
	"bytes"
	"encoding/json"
	"slices"
)

// idleForYarns are the parts of a scene that play no part for yarns, which refuse them as keys.
var idleForYarns = []string{"integrator", "air", "contact", "dressing"}

// sceneText lays a resolved scene out in lines, without what plays no part in it.
func sceneText(raw []byte) string {
	var parts struct{ Yarns []json.RawMessage }
	if json.Unmarshal(raw, &parts) != nil || len(parts.Yarns) == 0 {
		return indent(raw)
	}
	kept, err := without(raw, idleForYarns)
	if err != nil {
		return indent(raw)
	}
	return indent(kept)
}

// without returns a JSON object without some of its members, the others in their order.
func without(raw []byte, names []string) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	var members [][]byte
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		if text, _ := name.(string); slices.Contains(names, text) {
			continue
		}
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		members = append(members, slices.Concat(key, []byte(":"), value))
	}
	return slices.Concat([]byte("{"), bytes.Join(members, []byte(",")), []byte("}")), nil
}
