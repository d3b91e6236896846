package runfolder

import (
	"encoding/json"
	"fmt"
)

// encode returns run.json with its digest, and sets m's.
func (m *Manifest) encode() ([]byte, error) {
	m.Digest, m.Format = string(noDigest), Format
	if m.Inputs == nil {
		m.Inputs = []Input{} // [] in JSON, not null
	}
	if err := m.validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", ManifestName, err)
	}
	m.Key = ""
	if m.Program != "" {
		key, err := m.RunKey()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", ManifestName, err)
		}
		m.Key = key
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ManifestName, err)
	}
	data = append(data, '\n')
	m.Digest = seal(data)
	return data, nil
}

func parseManifest(file string, data []byte) (*Manifest, error) {
	if err := checkSeal(file, data); err != nil {
		return nil, err
	}
	m := new(Manifest)
	if err := json.Unmarshal(data, m); err != nil {
		return nil, damaged(file, "%v", err)
	}
	if m.Format < oldestFormat || m.Format > Format {
		return nil, fmt.Errorf(
			"%s: the folder has layout %d and this program reads layouts %d to %d; use the version of Toile that wrote it (%s)",
			file,
			m.Format,
			oldestFormat,
			Format,
			m.Build.Version,
		)
	}
	if err := m.validate(); err != nil {
		return nil, damaged(file, "%v", err)
	}
	return m, nil
}
