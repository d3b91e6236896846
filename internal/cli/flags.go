package cli

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// NeedArgs returns a check of the number of arguments that names what is missing.
func NeedArgs(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return fmt.Errorf("%s is missing", names[len(args)])
		case len(args) > len(names):
			return fmt.Errorf(
				"%q is one argument too many; there is only %s",
				args[len(names)],
				strings.Join(names, " "),
			)
		}
		return nil
	}
}

// AddJSON gives a command the flag --json.
func AddJSON(cmd *cobra.Command, t *Term) {
	cmd.Flags().BoolVar(&t.JSON, "json", false, "one JSON object a line on standard output, for programs")
}

// AddWorkers gives a command the flag --workers.
func AddWorkers(cmd *cobra.Command, workers *int) {
	cmd.Flags().IntVarP(workers, "workers", "w", 0, "`cores` to use; 0 means all. Results do not depend on it")
}

// CheckWorkers refuses a number of workers that is none.
func CheckWorkers(n int) error {
	if n < 0 {
		return BadUsage("--workers %d: write 0 for all cores, or how many", n)
	}
	return nil
}

// WorkersUsed returns how many cores a number of workers stands for.
func WorkersUsed(n int) int {
	if n == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// AddSets gives a command the flag --set.
func AddSets(cmd *cobra.Command, sets *[]string) {
	cmd.Flags().StringArrayVarP(
		sets, "set", "s", nil, "replace a value of the scene: `path=value`, as in time.end='2 s'; may be repeated",
	)
}

// AddRehearse adds the flag for how long a rehearsal may take.
func AddRehearse(cmd *cobra.Command, may *time.Duration) {
	cmd.Flags().DurationVar(
		may, "rehearse", 10*time.Second,
		"`time` for playing a scene to find out what a run takes, about; sewing has twice as long",
	)
}

// SceneEndings and meshEndings are what the names of files end with.
var (
	SceneEndings = []string{"yaml", "yml", "json"}
	MeshEndings  = []string{"obj", "ply", "glb"}
)

// Complete returns what a shell completes arguments with: words or endings of file names, as the directive
// says.
func Complete(directive cobra.ShellCompDirective, words ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return words, directive
	}
}

// CompleteFlag lets a shell complete a flag with the given words.
func CompleteFlag(cmd *cobra.Command, flag string, words ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, Complete(cobra.ShellCompDirectiveNoFileComp, words...)); err != nil {
		panic(err) // there is no such flag
	}
}
