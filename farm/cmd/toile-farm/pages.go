//go:build pages

package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra/doc"
)

// init makes a program that writes pages for man and completions into a folder, in place of toile-farm: tools/release builds
// it so. The date is SOURCE_DATE_EPOCH.
func init() {
	root := newRoot()
	root.DisableAutoGenTag = true
	for _, c := range root.Commands() {
		c.DisableAutoGenTag = true
	}
	dir := os.Args[1]
	header := &doc.GenManHeader{Section: "1", Source: os.Getenv("PAGES_SOURCE"), Manual: "Toile"}
	for _, err := range []error{
		doc.GenManTree(root, header, dir),
		root.GenBashCompletionFileV2(filepath.Join(dir, "toile-farm.bash"), true),
		root.GenZshCompletionFile(filepath.Join(dir, "_toile-farm")),
		root.GenFishCompletionFile(filepath.Join(dir, "toile-farm.fish"), true),
		root.GenPowerShellCompletionFileWithDesc(filepath.Join(dir, "toile-farm.ps1")),
	} {
		if err != nil {
			panic(err)
		}
	}
	os.Exit(0)
}
