package bench

import "testing"

// Scenes of the paper can be read with what is set in them. Those with a mannequin take too long here.
func TestPaperScenesAreRead(t *testing.T) {
	for i := range paperScenes {
		p := &paperScenes[i]
		if p.file == "" || p.file == "straps.yaml" {
			continue
		}
		if _, err := p.load(p.friction + "=0.3"); err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
	}
}
