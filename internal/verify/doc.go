// Package verify has what analytic verifications are made of: scenes whose answer is known in closed form or follows
// from a conservation law. Each has an id, which tests, reports, commit messages and the names of files use; the
// equation stands beside the code, and the tolerance comes from the step and the order of the scheme.
//
// The cases are in packages by what they verify, which the package all lists; what families share is in setup. Tests
// and the command line run the same cases.
package verify
