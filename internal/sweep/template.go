package sweep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/toile-sim/toile/internal/words"
)

// Jobs for farms that exist already. A task plays one run, or a few; the last job makes table and report.
//
// The template follows Open Job Description 2023-09: a file of JSON, which is YAML too, with the folder of the sweep as
// an input, so that farms that copy inputs copy the scene and its files as well.

// openTemplate is a job template of Open Job Description.
type openTemplate struct {
	Version    string          `json:"specificationVersion"`
	Name       string          `json:"name"`
	Parameters []openParameter `json:"parameterDefinitions"`
	Steps      []openStep      `json:"steps"`
}

type openParameter struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Object      string `json:"objectType,omitempty"`
	Flow        string `json:"dataFlow,omitempty"`
	Description string `json:"description"`
	Default     string `json:"default,omitempty"`
}

type openStep struct {
	Name         string       `json:"name"`
	Dependencies []openNeed   `json:"dependencies,omitempty"`
	Host         openHost     `json:"hostRequirements"`
	Space        *openSpace   `json:"parameterSpace,omitempty"`
	Script       openActionOf `json:"script"`
}

type openNeed struct {
	On string `json:"dependsOn"`
}

type openHost struct {
	Amounts []openAmount `json:"amounts"`
}

type openAmount struct {
	Name string `json:"name"`
	Min  int    `json:"min"`
}

type openSpace struct {
	Tasks []openTask `json:"taskParameterDefinitions"`
}

type openTask struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Range string `json:"range"`
}

type openActionOf struct {
	Actions struct {
		Run openAction `json:"onRun"`
	} `json:"actions"`
}

type openAction struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Cancel  struct {
		Mode   string `json:"mode"`
		Period int    `json:"notifyPeriodInSeconds"`
	} `json:"cancelation"`
}

// Limits of the specification.
const (
	openJobName = 128 // characters
	openNotify  = 120 // seconds from SIGTERM to SIGKILL
)

// WriteOpenJD writes an Open Job Description template whose tasks play one run each. at is where the template will be:
// if the sweep file is below that folder, the template knows where.
func (s *Sweep) WriteOpenJD(w io.Writer, at string) error {
	// what all steps have in common
	step := func(name string, space *openSpace, args ...string) openStep {
		st := openStep{Name: name, Space: space}
		st.Host.Amounts = []openAmount{{"amount.worker.vcpu", max(1, s.Workers)}}
		run := &st.Script.Actions.Run
		run.Command = "{{Param.Toile}}"
		run.Args = append([]string{"sweep", "{{Param.Folder}}/{{Param.Sweep}}", "--output", "{{Param.Output}}"}, args...)
		run.Cancel.Mode, run.Cancel.Period = "NOTIFY_THEN_TERMINATE", openNotify
		return st
	}
	// runs, each a task, and then the table
	runs := step("Runs", &openSpace{[]openTask{{"Run", "INT", fmt.Sprintf("0-%d", s.Count()-1)}}},
		"--jobs", "1", "--workers", fmt.Sprint(s.Workers), "--only", "{{Task.Param.Run}}")
	table := step("Table", nil, "--collect")
	table.Dependencies = []openNeed{{"Runs"}}
	// the folder of the sweep, if it is beside the template
	folder := ""
	if here, err := filepath.Abs(s.dir); err == nil {
		if rel, err := filepath.Rel(at, here); err == nil && filepath.IsLocal(rel) {
			folder = filepath.ToSlash(rel)
		}
	}
	// parameters and steps
	t := openTemplate{
		Version: "jobtemplate-2023-09", Name: openName(s.Name()),
		Parameters: []openParameter{
			{"Folder", "PATH", "DIRECTORY", "IN", "folder of the sweep file, with the scene and what it reads", folder},
			{"Sweep", "STRING", "", "", "sweep file in that folder", filepath.Base(s.Path)},
			{"Output", "PATH", "DIRECTORY", "INOUT", "folder of the sweep, which all machines see", "out"},
			{"Toile", "STRING", "", "", "the program; the same build on all machines", "toile"},
		},
		Steps: []openStep{runs, table},
	}
	// as JSON
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(t); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// openName makes a name one that a job can have, without anything that would be filled in.
func openName(name string) string {
	clean := []rune(strings.NewReplacer("{{", "(", "}}", ")").Replace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, name)))
	return string(clean[:min(len(clean), openJobName)])
}

// slurmArray is how many tasks an array has at most: the size that Slurm allows unless it is told otherwise is 1001.
const slurmArray = 1000

// WriteSlurm writes a script for sbatch: an array of jobs that play the runs into dir and, when it is submitted with
// the command in its first lines, a job that makes table and report when all have ended.
func (s *Sweep) WriteSlurm(w io.Writer, program, dir string) error {
	// runs of a task, so that there are not too many tasks
	n := s.Count()
	each := (n + slurmArray - 1) / slurmArray
	tasks := (n + each - 1) / each
	// the command, and which runs it plays
	call := fmt.Sprintf("%s sweep %s --output %s", words.ShellWord(program), words.ShellWord(s.Path), words.ShellWord(dir))
	only := `"$SLURM_ARRAY_TASK_ID"`
	if each > 1 {
		only = `"$first-$last"`
	}
	// what Slurm must know
	var b strings.Builder
	fmt.Fprintf(&b, `#!/bin/sh
#SBATCH --job-name=%s
#SBATCH --array=0-%d
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=%d
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
# %d runs, %d for each task. Submit it, and what collects the results, with
#   job=$(sbatch --parsable THIS_FILE)
#   sbatch --dependency=afterany:$job --wrap=%s
`, slurmName(s.Name()), tasks-1, max(1, s.Workers), n, each, words.ShellWord(call+" --collect"))
	// runs of this task, where there are several
	if each > 1 {
		fmt.Fprintf(&b, `first=$((SLURM_ARRAY_TASK_ID * %d))
last=$((first + %d))
if [ "$last" -gt %d ]; then last=%d; fi
`, each, each-1, n-1, n-1)
	}
	fmt.Fprintf(&b, "exec %s --jobs 1 --workers %d --only %s\n", call, s.Workers, only)
	_, err := io.WriteString(w, b.String())
	return err
}

// slurmName makes a name one word.
func slurmName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, name)
}
