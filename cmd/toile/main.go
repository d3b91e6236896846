// Command toile simulates cloth from the command line. A subcommand is a file of its own.
package main

import "os"

func main() { os.Exit(execute(os.Args[1:], os.Stdout, os.Stderr)) }
