package about

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/sweep"
)

// SchemaCommand returns toile schema.
func SchemaCommand(t *cli.Term) *cobra.Command {
	var ofSweep bool
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the scene file, for editors",
		Long: `Print the JSON Schema of the scene file. Editors that know YAML schemas complete
keys and mark faults with it; a scene names it in its first line:

  # yaml-language-server: $schema=scene.schema.json`,
		Example: `  toile schema > scene.schema.json
  toile schema --sweep > sweep.schema.json`,
		Args: cli.NeedArgs(),
		RunE: func(*cobra.Command, []string) error {
			schema := scenefile.Schema()
			if ofSweep {
				schema = sweep.Schema()
			}
			t.Print(strings.TrimSuffix(string(schema), "\n"))
			return nil
		},
	}
	cmd.Flags().BoolVar(&ofSweep, "sweep", false, "that of sweep files")
	return cmd
}
