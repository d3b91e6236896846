// Package yarn simulates knitted cloth as what it is: yarns in contact, loop by loop.
//
// A yarn is an inextensible rod with isotropic bending, twist and a rest shape that need not be straight
// ([Bergou08], [Bergou10]); its centre line is the Catmull-Rom spline through its control points, and yarns that come
// closer than twice their radius repel each other ([Kaldor08], [Kaldor10]). World.Step is the explicit step of figure 4
// of [Kaldor10].
//
// Everything is in SI units.
package yarn
