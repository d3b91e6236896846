// Package all lists the verifications of all families, and the families.
package all

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/cloth"
	"github.com/toile-sim/toile/internal/verify/contact"
	"github.com/toile-sim/toile/internal/verify/friction"
	"github.com/toile-sim/toile/internal/verify/garment"
	"github.com/toile-sim/toile/internal/verify/rigid"
	"github.com/toile-sim/toile/internal/verify/scheme"
	"github.com/toile-sim/toile/internal/verify/solid"
	"github.com/toile-sim/toile/internal/verify/solver"
	"github.com/toile-sim/toile/internal/verify/space"
	"github.com/toile-sim/toile/internal/verify/yarn"
)

// Family is the cases of one kind of physics.
type Family struct {
	Name  string // of its package
	Title string
	Cases []verify.Case
}

// Families returns all of them.
func Families() []Family {
	return []Family{
		{"cloth", "Cloth: stretch, bending, drape, air, and meshes that change", cloth.Cases()},
		{"friction", "Friction of cloth: slopes, cylinders, stacks of cards", friction.Cases()},
		{"contact", "Contact: what is found, when it is met, and that nothing gets through", contact.Cases()},
		{"solver", "Solvers of contact problems, alone and against each other", solver.Cases()},
		{"rigid", "Rigid bodies: motion, joints, stacks, grips", rigid.Cases()},
		{"solid", "Soft bodies: laws, beams, pressure and slip", solid.Cases()},
		{"yarn", "Yarns and knits", yarn.Cases()},
		{"garment", "Garments: sewn around a body and worn", garment.Cases()},
		{"space", "Room between parts of a body that overlap", space.Cases()},
		{"scheme", "Every step of scenes of all kinds: residuals, orders, crossings", scheme.Cases()},
	}
}

// order is that of the table of verifications: of [Li18], of [Larionov21], of closed forms, of [Otaduy09] and garments,
// of [Minor18]. What it does not name comes last, by family.
const order = `
A1 A2 A3 A4 A5 A5b A6 A6b A6c A7 A8 A9 A10 A11 A17 A12 A18 L2 L2b L2c L3 L4 L6 L7 L1 L1b L21 L8 L19 L20
L5 L9 L10 L11 L12 L14 L15 L22 L23 L24 L25 O13 O14 O15 O16 O25 C14 O20 O19 O18 L13 O8 O23 J1 J2 J3 J4
L16 L17 L26 L27 L28 K12 K17 K31 K32 K33 K34 K18 C4 K20 K21 K22 K10 K30 knits K6 K7 K8 K9 K11 K15 K14
K16 K28 K23 K24 K25 K27 K29 K13 K1 K2 K3 K4 K19 C1 C2 C3 C5 C6 C7 C9 C10 C10b C11 C12 C39 C12b C13 C31
C15 C15b C16 C17 C18 C19 C30 C24 C32 C33 C45 C46 C47 C34 C35 C36 C38 C37 C20 C21 C22 C23 C25 C26 C27
C29 storm O1 O2 O3 O4 O5 O6 O7 O9 O10 O11 O12 O21 O22 O24 pinch A13 A15 A16 W1 W2 M1 M2 M3 M4 M5 M6
`

// All returns every case, in the order of the table of verifications.
func All() []verify.Case {
	var cases []verify.Case
	for _, f := range Families() {
		cases = append(cases, f.Cases...)
	}
	place := map[string]int{}
	for i, id := range strings.Fields(order) {
		place[id] = i - len(order)
	}
	slices.SortStableFunc(cases, func(a, b verify.Case) int { return place[a.ID] - place[b.ID] })
	return cases
}

// Find returns the cases with the given ids, which may be in lower case; all of them for no ids.
func Find(ids ...string) ([]verify.Case, error) {
	cases := All()
	if len(ids) == 0 {
		return cases, nil
	}
	var found []verify.Case
	for _, id := range ids {
		i := slices.IndexFunc(cases, func(c verify.Case) bool { return strings.EqualFold(c.ID, id) })
		if i < 0 {
			var known []string
			for _, c := range cases {
				known = append(known, c.ID)
			}
			return nil, fmt.Errorf("there is no verification %q; there are %s", id, strings.Join(known, ", "))
		}
		found = append(found, cases[i])
	}
	return found, nil
}
