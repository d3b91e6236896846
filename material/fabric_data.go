package material

// The figures below are those of the database of [Wang11] (ten fabrics; stretching and bending
// coefficients and densities), read in the form in which they accompany the ARCSim simulator
// [Narain12]: a file for each fabric in the folder materials of the repository wxhaooo/lyra, commit
// 5158f74; the compositions are from the README there. The paper's own supplement was not at hand.
//
// Units and conversions, for every figure:
//
//	density    kg/m², as read
//	stretching N/m, six rows (small strain, then large strain at 0, 22.5, 45, 67.5 and 90 degrees) of
//	           four coefficients. The simulator multiplies them by two before it uses them as k0, k1,
//	           k2, k3 of ½ (k0 G00² + 2 k1 G00 G11 + k2 G11² + k3 G01²) (read in the dde.cpp of a
//	           descendant); so does fabric below.
//	bending    k [N m], three rows (0, 45 and 90 degrees to the warp) at five curvatures 5 1/m apart.
//	           k belongs to the hinge energy k l²/(2a) (θ-θ₀)²/4, so the plate rigidity is B = k/4;
//	           the figure at the smallest curvature is taken.
//
// The rows of the bending table are taken as directions along which the cloth is bent, as strips are
// cut for measuring. The simulator picks the row by the direction of the hinge, which would exchange
// warp and weft: what the measurement meant could not be read. Which of the two axes of a sample was
// the warp of the loom is not said either; warp here is the first axis of the table.
//
// Thickness and damping are not in the database: thickness is an estimate from the density and the
// kind of cloth, damping a choice.

// measuredFabric is one fabric of the database.
type measuredFabric struct {
	name, database, description string
	density                     float64
	thickness                   float64
	stretch                     [6]StretchRow
	bend                        [3][5]float64
}

// wangDoubled is the factor between the figures of the database and the coefficients of StretchRow.
const wangDoubled = 2

// defaultDamping makes waves of 10 Hz lose a fifth of their amplitude in a period, and those of
// 100 Hz most of it.
const defaultDamping = 1e-3

func (f *measuredFabric) fabric() Fabric {
	var rows [6]StretchRow
	for i, row := range f.stretch {
		for j, k := range row {
			rows[i][j] = wangDoubled * k
		}
	}
	table := &StretchTable{Small: rows[0], Large: [5]StretchRow(rows[1:])}
	return Fabric{
		Name:        f.name,
		Description: f.description,
		Density:     f.density,
		Thickness:   f.thickness,
		Membrane:    table.AtRest(),
		Table:       table,
		BendWarp:    f.bend[0][0] / 4,
		BendBias:    f.bend[1][0] / 4,
		BendWeft:    f.bend[2][0] / 4,
		BendTable:   f.bend,
		Damping:     defaultDamping,
		Source: "[Wang11] database, fabric " + f.database + ", read as materials/" + f.database +
			".json in the repository wxhaooo/lyra at 5158f74; stretching figures times 2, " +
			"bending figures k as B = k/4; thickness and damping are estimates",
	}
}

var measuredFabrics = [...]measuredFabric{
	{
		name: "cotton-interlock", database: "gray-interlock",
		description: "T-shirt knit, 60 % cotton, 40 % polyester",
		density:     0.187, thickness: 0.8e-3,
		stretch: [6]StretchRow{
			{16.593832, -14.695990, 34.477123, 36.860302},
			{46.364765, 53.694656, 261.013855, -29.691301},
			{49.285110, 87.596100, 206.373993, 22.768457},
			{123.989220, 105.181770, 365.966217, 44.217571},
			{139.686325, 73.592560, 413.553162, -174.43853},
			{127.443810, 85.848587, 405.872833, 32.238411},
		},
		bend: [3][5]float64{
			{23.191698e-6, 32.932217e-6, 34.406498e-6, 39.014420e-6, 23.382786e-6},
			{24.749964e-6, 18.651314e-6, 16.370552e-6, 25.095791e-6, 8.860165e-6},
			{14.267624e-6, 7.052906e-6, 14.515154e-6, 24.665127e-6, 19.383726e-6},
		},
	},
	{
		name: "ponte-roma-knit", database: "camel-ponte-roma",
		description: "jacket double knit, 60 % polyester, 40 % rayon",
		density:     0.284, thickness: 0.9e-3,
		stretch: [6]StretchRow{
			{31.146198, -12.802702, 44.028667, 31.896357},
			{78.707756, 26.754574, 268.680725, 27.743423},
			{67.368431, 77.767944, 182.273407, -14.661531},
			{113.367035, 54.802021, 175.126572, 44.657330},
			{144.294830, 111.404854, 138.422150, -29.861851},
			{143.933365, 49.654823, 191.777588, 39.491055},
		},
		bend: [3][5]float64{
			{36.348366e-6, 49.585537e-6, 45.744080e-6, 47.413387e-6, 20.726685e-6},
			{33.013252e-6, 29.744385e-6, 35.103642e-6, 34.041019e-6, 14.439938e-6},
			{37.157593e-6, 34.107452e-6, 33.229435e-6, 34.685535e-6, 10.439938e-6},
		},
	},
	{
		name: "denim", database: "11oz-black-denim",
		description: "11 oz jeans denim, 99 % cotton, 1 % spandex",
		density:     0.324, thickness: 0.8e-3,
		stretch: [6]StretchRow{
			{205.352005, 10.234077, 1013.88629, 53.387184},
			{232.027634, 40.646339, 1052.84289, 64.980499},
			{224.592209, 40.384563, 1054.43444, 67.184807},
			{225.951050, 62.095657, 1059.59741, 83.992020},
			{226.039566, 40.502792, 1058.27771, 75.118423},
			{225.767487, 40.917892, 1051.55712, 71.810631},
		},
		bend: [3][5]float64{
			{64.196457e-6, 60.286175e-6, 60.943428e-6, 62.433697e-6, 19.824701e-6},
			{73.384567e-6, 59.671982e-6, 61.080757e-6, 68.242569e-6, 36.033474e-6},
			{96.951576e-6, 107.848228e-6, 113.060738e-6, 120.569740e-6, 79.781021e-6},
		},
	},
	{
		name: "polyester-jacket", database: "tango-red-jet-set",
		description: "light jacket cloth, 100 % polyester",
		density:     0.113, thickness: 0.3e-3,
		stretch: [6]StretchRow{
			{43.067627, 54.373299, 171.424835, 14.314700},
			{75.151695, 82.195221, 236.163773, -7.230383},
			{57.548206, 89.637825, 224.553848, 3.932043},
			{107.244377, 124.801788, 364.583557, 41.386868},
			{178.734039, 178.488907, 371.764618, -30.898058},
			{227.028687, -21.865427, 404.867188, 62.636021},
		},
		bend: [3][5]float64{
			{14.293814e-6, 8.949391e-6, 30.011126e-6, 36.081490e-6, 18.363136e-6},
			{21.951700e-6, 22.446325e-6, 18.408735e-6, 19.598495e-6, 12.071854e-6},
			{20.345654e-6, 22.696880e-6, 15.698071e-6, 13.466827e-6, 7.556618e-6},
		},
	},
	{
		name: "polyester-blanket", database: "pink-ribbon-brown",
		description: "blanket, 100 % polyester",
		density:     0.228, thickness: 2e-3,
		stretch: [6]StretchRow{
			{151.503906, 106.028160, 244.830673, 30.250183},
			{164.124344, 33.689709, 268.195221, 30.074625},
			{152.584641, 107.251373, 210.614838, -62.760571},
			{209.604172, 175.223465, 220.198120, 129.643188},
			{98.879021, 107.085518, 326.209442, 44.475986},
			{96.805817, 54.626881, 359.792633, 30.340616},
		},
		bend: [3][5]float64{
			{117.070122e-6, 202.682922e-6, 298.615936e-6, 244.588867e-6, 238.437820e-6},
			{87.509773e-6, 36.396919e-6, 103.628098e-6, 91.630119e-6, 97.175949e-6},
			{59.774277e-6, 59.260632e-6, 64.199661e-6, 55.017326e-6, 59.221714e-6},
		},
	},
	{
		name: "polyester-tablecloth", database: "white-dots-on-blk",
		description: "tablecloth, 100 % polyester",
		density:     0.128, thickness: 0.3e-3,
		stretch: [6]StretchRow{
			{2002.08618, 0.345588, 2027.48559, 19.189022},
			{2107.22753, 36.371597, 2171.73339, 16.904713},
			{2107.29882, 57.936157, 2153.30712, 24.392872},
			{2107.73291, 28.389059, 2132.72607, 101.462021},
			{2106.93750, 70.149529, 2121.87353, 38.054455},
			{2107.30786, 61.216290, 2150.47680, 37.668823},
		},
		bend: [3][5]float64{
			{51.713814e-6, 36.506981e-6, 66.360748e-6, 52.729267e-6, 15.221714e-6},
			{40.659470e-6, 10.401686e-6, 20.847820e-6, 30.993469e-6, 12.726685e-6},
			{31.282822e-6, 22.910311e-6, 26.350384e-6, 30.637762e-6, 16.726685e-6},
		},
	},
	{
		name: "cotton-polyester-pants", database: "royal-target",
		description: "trouser cloth, 65 % cotton, 35 % polyester",
		density:     0.220, thickness: 0.5e-3,
		stretch: [6]StretchRow{
			{2016.55456, 9.170511, 2034.97644, 104.759674},
			{2109.51684, 38.604588, 2173.93969, 19.129177},
			{2109.78002, 60.165310, 2155.51367, 27.817890},
			{2110.33349, 30.987429, 2135.07910, 121.482445},
			{2109.16015, 72.393326, 2124.13525, 40.810982},
			{2109.52612, 63.424015, 2152.73852, 39.885654},
		},
		bend: [3][5]float64{
			{125.409805e-6, 167.284561e-6, 215.412750e-6, 215.090790e-6, 223.861038e-6},
			{107.997696e-6, 120.583267e-6, 144.141678e-6, 140.606689e-6, 153.048309e-6},
			{125.409805e-6, 167.284561e-6, 215.412750e-6, 215.090790e-6, 227.861038e-6},
		},
	},
	{
		name: "rib-knit", database: "ivory-rib-knit",
		description: "underwear rib knit, 95 % cotton, 5 % spandex",
		density:     0.276, thickness: 1e-3,
		stretch: [6]StretchRow{
			{42.871021, -0.234556, 65.166023, 83.175644},
			{52.422512, 7.219094, 245.337158, -31.129513},
			{29.482058, -5.146112, 127.130753, 13.068157},
			{91.209549, 4.940307, 109.746452, 27.609430},
			{48.973385, -0.967226, 147.696823, -49.282963},
			{105.649139, 0.416488, 254.593491, 3.472504},
		},
		bend: [3][5]float64{
			{46.237591e-6, 63.086697e-6, 83.192772e-6, 97.574425e-6, 80.726685e-6},
			{30.015930e-6, 30.097424e-6, 30.172081e-6, 30.648300e-6, 24.726685e-6},
			{32.243889e-6, 37.341282e-6, 38.817448e-6, 39.812527e-6, 30.437820e-6},
		},
	},
	{
		name: "sweater-knit", database: "navy-sparkle-sweat",
		description: "sweater knit, 96 % polyester, 4 % spandex",
		density:     0.224, thickness: 1e-3,
		stretch: [6]StretchRow{
			{12.486332, -19.875324, 3.272434, 17.616289},
			{32.172089, 56.012760, 283.466370, -2.438436},
			{48.565407, 94.126335, 180.101227, 4.439080},
			{77.093796, 2.958664, 91.251160, 6.107700},
			{126.205986, 84.471718, 305.131531, 38.495132},
			{92.343170, 117.527084, 243.264908, 47.338436},
		},
		bend: [3][5]float64{
			{59.469658e-6, 37.500004e-6, 35.787308e-6, 35.737106e-6, 21.033506e-6},
			{40.072277e-6, 37.446949e-6, 35.206612e-6, 24.871773e-6, 9.033506e-6},
			{45.625023e-6, 39.520981e-6, 30.734119e-6, 23.301662e-6, 13.033506e-6},
		},
	},
	{
		name: "swimsuit-knit", database: "white-swim-solid",
		description: "swimsuit knit, 87 % nylon, 13 % spandex",
		density:     0.204, thickness: 0.6e-3,
		stretch: [6]StretchRow{
			{47.971176, 6.834521, 104.615456, 60.773663},
			{40.369045, 23.092957, 169.666290, -24.681890},
			{40.291599, 48.142597, 138.261612, 9.002558},
			{51.393467, -32.966949, 79.881721, 35.973194},
			{51.500938, 1.868910, 63.693932, -37.540417},
			{68.621185, 40.131950, 124.468513, 36.199604},
		},
		bend: [3][5]float64{
			{60.237942e-6, 56.357208e-6, 69.698593e-6, 55.305969e-6, 34.705532e-6},
			{58.803211e-6, 63.121964e-6, 61.379181e-6, 47.971302e-6, 19.383726e-6},
			{51.018833e-6, 50.741455e-6, 50.570576e-6, 50.006001e-6, 24.556618e-6},
		},
	},
}

// estimatedFabrics are presets whose figures were not read anywhere: sensible members of a range,
// for which no more is claimed.
func estimatedFabrics() []Fabric {
	// what all of them share
	const unread = "no measurement was read; an estimate"
	const ranges = "cloth: stretch 50 to 5,000 N/m, bending B 1e-6 to 1e-4 N m, density 0.1 to 0.4 kg/m²"
	isotropic := func(stiffness, poisson float64) Stretch {
		return NewStretch(stiffness, stiffness, stiffness/(2*(1+poisson)), poisson)
	}
	// paper, as a plate
	const paperYoung, paperThickness, paperPoisson = 3e9, 0.1e-3, 0.2 // [Pa], [m]
	paperBend := paperYoung * paperThickness * paperThickness * paperThickness / (12 * (1 - paperPoisson*paperPoisson))
	return []Fabric{
		{
			Name: "default", Description: "a middling cloth, the same in all directions",
			Density: 0.2, Thickness: 0.5e-3, Membrane: isotropic(400, 0.2),
			BendWarp: 1e-5, BendWeft: 1e-5, BendBias: 1e-5,
			Damping: defaultDamping, Source: unread, Estimate: true, Range: ranges,
		},
		{
			Name:        "cotton",
			Description: "plain woven cotton of medium weight",
			Density:     0.15,
			Thickness:   0.4e-3,
			Membrane:    NewStretch(2000, 1500, 60, 0.1),
			BendWarp:    1e-5,
			BendWeft:    0.7e-5,
			BendBias:    0.6e-5,
			Damping:     defaultDamping,
			Source:      unread,
			Estimate:    true,
			Range: ranges + "; stretch and shear near the woven fabrics of [Wang11] " +
				"(polyester-tablecloth, cotton-polyester-pants)",
		},
		{
			Name: "silk", Description: "light dress silk",
			Density: 0.07, Thickness: 0.2e-3, Membrane: NewStretch(1500, 1000, 20, 0.1),
			BendWarp: 2e-6, BendWeft: 1.5e-6, BendBias: 1.2e-6,
			Damping: defaultDamping, Source: unread, Estimate: true,
			Range: "dress silks: density 0.04 to 0.12 kg/m², bending B 5e-7 to 5e-6 N m, stretch 500 to 5,000 N/m",
		},
		{
			Name: "wool", Description: "worsted suiting",
			Density: 0.22, Thickness: 0.5e-3, Membrane: NewStretch(1200, 800, 40, 0.1),
			BendWarp: 1e-5, BendWeft: 0.8e-5, BendBias: 0.7e-5,
			Damping: defaultDamping, Source: unread, Estimate: true,
			Range: "suitings: density 0.15 to 0.35 kg/m², bending B 5e-6 to 2e-5 N m, stretch 500 to 3,000 N/m",
		},
		{
			Name:        "paper",
			Description: "office paper, 0.1 mm",
			Density:     0.08,
			Thickness:   paperThickness,
			Membrane:    isotropic(paperYoung*paperThickness, paperPoisson),
			BendWarp:    paperBend,
			BendWeft:    paperBend,
			BendBias:    paperBend,
			BendPoisson: paperPoisson,
			Damping:     0.1 * defaultDamping,
			Source:      unread + ": a plate of Young's modulus 3 GPa and Poisson ratio 0.2",
			Estimate:    true,
			Range: "Young's modulus 2 to 8 GPa at 0.08 to 0.12 mm, so stretch 2e5 to 1e6 N/m " +
				"and bending B 1e-4 to 1e-3 N m",
		},
	}
}
