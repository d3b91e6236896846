package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/scene"
)

func newSchemaCommand(t *term) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the scene file, for editors",
		Long: `Print the JSON Schema of the scene file. Editors that know YAML schemas complete
keys and mark faults with it; a scene names it in its first line:

  # yaml-language-server: $schema=scene.schema.json`,
		Example: "  toile schema > scene.schema.json",
		Args:    needArgs(),
		RunE: func(*cobra.Command, []string) error {
			t.print(strings.TrimSuffix(string(scene.Schema()), "\n"))
			return nil
		},
	}
}
