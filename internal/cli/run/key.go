package run

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/player"
)

// KeyCommand returns toile key.
func KeyCommand(t *cli.Term) *cobra.Command {
	var (
		f     Flags
		lines bool
	)
	cmd := &cobra.Command{
		Use:   "key SCENE...",
		Short: "Say the keys that runs of scenes have",
		Long: `Say the keys that runs of scenes have, without running them: a line for each, with the
key and the scene. A key is the SHA-256 of everything that decides what a complete run
folder holds: the resolved scene, the files it reads, this very program (its SHA-256),
which frames are kept, conditions and probes. toile sweep and farms take a finished run
for another one only if their keys are equal. It is in run.json, too.

With --lines, standard input has a line for each run, a JSON list of arguments as of
toile run: ["run", "ramp.yaml", "--set", "friction=0.3"]. Those that do not bear on the
result may be there.

` + cli.ExitCodes,
		Example: `  toile key scene.yaml
  toile key scene.yaml --set time.end='2 s' --keep last
  toile key --json --lines < runs.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			// scenes are arguments or lines, not both
			switch {
			case lines && len(args) > 0:
				return fmt.Errorf("%q is one argument too many; with --lines, scenes are in the lines", args[0])
			case !lines && len(args) == 0:
				return fmt.Errorf("SCENE is missing")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if lines {
				return keysOfLines(t, cmd.InOrStdin())
			}
			// scenes with the same flags
			asked := make([]askedKey, len(args))
			for i, path := range args {
				asked[i] = askedKey{path: path, flags: &f}
			}
			return sayKeys(t, asked)
		},

		ValidArgsFunction: cli.Complete(cobra.ShellCompDirectiveFilterFileExt, cli.SceneEndings...),
	}
	// values of the scene, and rules of the run
	cli.AddSets(cmd, &f.sets)
	f.rules.add(cmd)
	cmd.Flags().BoolVar(&lines, "lines", false, "read arguments of toile run from standard input, a JSON list a line")
	cli.AddJSON(cmd, t)
	return cmd
}

// keyEvent is the key of a run.
type keyEvent struct {
	Event string `json:"event"`
	Scene string `json:"scene"`
	Key   string `json:"key"`
}

// askedKey is a run whose key is asked for.
type askedKey struct {
	path  string
	flags *Flags
	where string // in the input, for errors
}

// maxLine is the longest line of arguments [byte].
const maxLine = 4 << 20

// keysOfLines says the keys of runs whose arguments are the lines of in.
func keysOfLines(t *cli.Term, in io.Reader) error {
	var asked []askedKey
	input := bufio.NewScanner(in)
	input.Buffer(nil, maxLine)
	for input.Scan() {
		a, err := parseLine(t, input.Bytes())
		if err != nil {
			return cli.BadInput(fmt.Errorf("line %d: %w", len(asked)+1, err))
		}
		a.where = fmt.Sprintf("line %d: ", len(asked)+1)
		asked = append(asked, a)
	}
	if err := input.Err(); err != nil {
		return cli.BadInput(fmt.Errorf("line %d: %w", len(asked)+1, err))
	}
	return sayKeys(t, asked)
}

// parseLine reads the arguments of a run.
func parseLine(t *cli.Term, line []byte) (askedKey, error) {
	var args []string
	if err := json.Unmarshal(line, &args); err != nil {
		return askedKey{}, fmt.Errorf("it is no JSON list of arguments: %w", err)
	}
	if len(args) == 0 || args[0] != "run" {
		return askedKey{}, fmt.Errorf(`the arguments must begin with "run"`)
	}
	// The flag --json of a line is not that of this command.
	var f Flags
	cmd := runCommand(&cli.Term{}, &f)
	err := cmd.ParseFlags(args[1:])
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	if err != nil {
		return askedKey{}, err
	}
	return askedKey{path: cmd.Flags().Arg(0), flags: &f}, nil
}

// sayKeys says the keys of runs in their order. Scenes are read by all cores.
func sayKeys(t *cli.Term, asked []askedKey) error {
	keys, errs := make([]string, len(asked)), make([]error, len(asked))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(asked)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(asked); i = int(next.Add(1)) - 1 {
				keys[i], errs[i] = asked[i].key()
			}
		})
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil && asked[i].where != "" {
			return cli.BadInput(fmt.Errorf("%s%w", asked[i].where, err))
		}
		if err != nil {
			return err
		}
	}
	for i, key := range keys {
		t.Emit(keyEvent{"key", asked[i].path, key})
		t.Say("%s  %s", key, asked[i].path)
	}
	return nil
}

// key returns the key of a run.
func (a *askedKey) key() (string, error) {
	s, err := cli.LoadScene(a.path, a.flags.sets)
	if err != nil {
		return "", err
	}
	var rules player.Job
	if err := a.flags.rules.apply(&rules); err != nil {
		return "", err
	}
	return player.SceneKey(s, rules.Keep, rules.Stop, rules.Probes)
}
