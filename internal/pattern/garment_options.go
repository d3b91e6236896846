package pattern

import (
	"errors"
	"fmt"
)

// GarmentOptions say how a garment of the library is cut. Start from DefaultGarmentOptions.
type GarmentOptions struct {
	// Ease scales how much wider than the body the garment is, 0 to 6: 1 is usual for its kind, 0 is skin tight.
	Ease float64
	// Length scales the length, 0.5 to 2: of the trunk of a tunic or tank top, of a skirt, of the legs of trousers, of
	// the cape of a hood, of a shawl. What would reach the floor ends above it.
	Length float64
	// Sleeve scales the length of the sleeves of a tunic, 0.5 to 3.5: 1 is two thirds of the way to the elbow.
	Sleeve float64
	// Neck scales the width of the neckline of a tunic or tank top, 0.6 to 1.3.
	Neck float64
	// Strap moves the straps of a tank top from where they lie beside the neck, 0, to the ends of the shoulders, 1.
	Strap float64
	// Flare scales how much wider the hem of a skirt is than its hip, 0 to 3, and how deep the folds of a pleated one
	// are.
	Flare float64
	// Layer counts garments from the body outwards, 1 to 6. A garment is wider and hangs further out the higher its
	// layer is.
	Layer int
	// LayerGap is the distance between two layers as they hang [m], 2 to 50 mm.
	LayerGap float64
	// Clearance is the least distance from the body as a garment hangs [m], 6 to 100 mm.
	Clearance float64
}

// DefaultGarmentOptions returns the usual cut, next to the body.
func DefaultGarmentOptions() GarmentOptions {
	return GarmentOptions{Ease: 1, Length: 1, Sleeve: 1, Neck: 1, Flare: 1, Layer: 1, LayerGap: 0.012, Clearance: 0.012}
}

// Validate lists everything that is wrong with the options.
func (o GarmentOptions) Validate() error {
	var faults []error
	for _, f := range []struct {
		name         string
		x, low, high float64
		unit         string
	}{
		{"ease", o.Ease, 0, 6, ""},
		{"length", o.Length, 0.5, 2, ""},
		{"sleeve", o.Sleeve, 0.5, 3.5, ""},
		{"neck", o.Neck, 0.6, 1.3, ""},
		{"strap", o.Strap, 0, 1, ""},
		{"flare", o.Flare, 0, 3, ""},
		{"layer", float64(o.Layer), 1, 6, ""},
		{"layer gap", o.LayerGap * 1000, 2, 50, " mm"},
		{"clearance", o.Clearance * 1000, 6, 100, " mm"},
	} {
		if !(f.x >= f.low*(1-1e-9) && f.x <= f.high*(1+1e-9)) {
			faults = append(
				faults,
				fmt.Errorf("%s is %.4g%s; it must be from %g to %g%s", f.name, f.x, f.unit, f.low, f.high, f.unit),
			)
		}
	}
	return errors.Join(faults...)
}
