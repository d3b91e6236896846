// Package referee decides, slowly and surely, what fast code must agree with, and makes up the problems for both:
// moving pairs of features, by exact arithmetic; the contact of one node, by an enumeration of all its solutions; rods
// that hang, by the equations of Kirchhoff.
//
// It imports none of the packages that it judges, so that their tests and the verifications can both use it.
package referee
