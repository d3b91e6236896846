// Command toile simulates cloth from the command line. The commands below it are in internal/cli.
package main

import (
	"os"

	"github.com/toile-sim/toile/internal/cli/root"
)

func main() { os.Exit(root.Execute(os.Args[1:], os.Stdout, os.Stderr)) }
