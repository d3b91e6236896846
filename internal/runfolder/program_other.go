//go:build !unix

package runfolder

import "os"

// fileIdentity returns what no other file of this machine has; here that is unknown.
func fileIdentity(*os.File) string { return "" }
