package material

import (
	"errors"
	"fmt"
	"math"
)

// Isotropic is a solid that is equally stiff in all directions.
type Isotropic struct {
	Young   float64 // modulus E: tension over strain of a rod [Pa]
	Poisson float64 // ratio ν, between -1 and ½: how much thinner the rod gets, over how much longer
}

// Lame returns the constants of Lamé [Pa]: μ = E/(2(1+ν)) and λ = E ν/((1+ν)(1-2ν)).
func (m Isotropic) Lame() (mu, lambda float64) {
	mu = m.Young / (2 * (1 + m.Poisson))
	return mu, 2 * mu * m.Poisson / (1 - 2*m.Poisson)
}

// FromLame returns the solid with the constants μ and λ of Lamé [Pa].
func FromLame(mu, lambda float64) Isotropic {
	return Isotropic{Young: mu * (3*lambda + 2*mu) / (lambda + mu), Poisson: lambda / (2 * (lambda + mu))}
}

// Validate lists what is wrong with the constants.
func (m Isotropic) Validate() error {
	var faults []error
	if !(m.Young > 0) || math.IsInf(m.Young, 1) {
		faults = append(faults, fmt.Errorf("modulus of Young is %g Pa: write a positive number", m.Young))
	}
	if !(m.Poisson > -1 && m.Poisson < 0.5) {
		faults = append(
			faults,
			fmt.Errorf("ratio of Poisson is %g: write a number above -1 and below 0.5", m.Poisson),
		)
	}
	return errors.Join(faults...)
}
