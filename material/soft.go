package material

// Soft is a material to make soft bodies of.
type Soft struct {
	Name        string
	Description string
	Isotropic
	Density float64 // [kg/m³]
	Source  string  // where its figures are from
}

// keepsVolume is the ratio of Poisson of materials that nearly keep their volume. In truth it is just below ½, with
// which tets of four corners would be far too stiff.
const keepsVolume = 0.4

// softMaterials are the presets, sorted. Of [Bonavia25] and [Isogai22] the abstracts were read; the other figures are
// as they are commonly quoted from these works, which were not at hand. Ratios of Poisson above a third are our choice.
var softMaterials = []Soft{
	{
		Name: "fat", Description: "fat tissue, ex vivo, at small strain",
		Isotropic: Isotropic{Young: 3.25e3, Poisson: keepsVolume}, Density: 900,
		Source: "[Samani07], normal breast fat, 3.25 kPa; density [Fidanza53]",
	},
	{
		Name: "foam", Description: "open cells of polyurethane, as in cushions",
		Isotropic: Isotropic{Young: 28e3, Poisson: 1.0 / 3}, Density: 30,
		Source: "[Gibson82], E = Es (ρ/ρs)² and ν = 1/3, with Es = 45 MPa and ρs = 1200 kg/m³; the density is a choice",
	},
	{
		Name: "gelatine", Description: "a jelly of 20 parts of water to one of gelatine",
		Isotropic: Isotropic{Young: 4.34e3, Poisson: keepsVolume}, Density: 1010,
		Source: "[Bonavia25], instantaneous stiffness at 20:1, 4.34 kPa; the density is an estimate",
	},
	{
		Name: "muscle", Description: "gluteal muscle under a light load, across its fibres",
		Isotropic: Isotropic{Young: 62.2e3, Poisson: keepsVolume}, Density: 1060,
		Source: "[Isogai22], 62.2 kPa at a load of 5 N; density [Mendez60]",
	},
	{
		Name: "rubber", Description: "vulcanized natural rubber, unfilled",
		Isotropic: Isotropic{Young: 2 * (1 + keepsVolume) * 0.39e6, Poisson: keepsVolume}, Density: 930,
		Source: "[Treloar44], shear modulus 0.39 MPa; the density is an estimate",
	},
}

// Softs returns the names of the presets, sorted.
func Softs() []string {
	var names []string
	for i := range softMaterials {
		names = append(names, softMaterials[i].Name)
	}
	return names
}

// LookupSoft returns the preset of that name, one of those that Softs lists: fat, foam, gelatine, muscle and rubber.
func LookupSoft(name string) (Soft, error) {
	for i := range softMaterials {
		if softMaterials[i].Name == name {
			return softMaterials[i], nil
		}
	}
	return Soft{}, unknownPreset("soft material", name, Softs())
}
