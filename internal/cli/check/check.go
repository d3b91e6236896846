// Package check has the command toile check: what is wrong with a scene or a mesh, and what a run would cost.
package check

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/cli/sewn"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/meshio"
)

// checkFlags are the flags of toile check.
type checkFlags struct {
	mesh  cli.MeshFlags
	sets  []string
	fix   bool
	out   string
	merge string
	work  int

	rehearse time.Duration
	sewn     string
}

// Command returns toile check.
func Command(t *cli.Term) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check SCENE|MESH",
		Short: "Say what is wrong with a scene or a mesh, and what a run would cost",
		Long: `Say what is wrong with a scene or a mesh (.obj, .ply, .glb). For a scene without
faults, say what crosses in its first frame and what running it would cost, from a
rehearsal of at most about --rehearse: the scene is played in long steps, with a few as
long as they will be timed in between. Before that, garments are sewn for up to twice
as long, and kept for the run.

With --fix -o OUT, a mesh is repaired as far as that is safe: triangles without area,
triangles that are there twice and vertices that are not used are removed, and
triangles are turned so that neighbours face the same way. Vertices that are near
each other are merged only with --merge.

Exit codes: 0 fit for use, 1 failed, 2 bad usage, or faults were found.`,
		Example: `  toile check scene.yaml
  toile check body.obj --unit mm
  toile check shirt.obj --fix --merge 0.1mm -o shirt-clean.obj`,
		Args: cli.NeedArgs("SCENE or MESH"),
		RunE: func(_ *cobra.Command, args []string) error { return check(t, args[0], &f) },

		ValidArgsFunction: cli.Complete(
			cobra.ShellCompDirectiveFilterFileExt, slices.Concat(cli.SceneEndings, cli.MeshEndings)...,
		),
	}
	// values of a scene, and repairs of a mesh
	cli.AddSets(cmd, &f.sets)
	cmd.Flags().BoolVar(&f.fix, "fix", false, "repair a mesh and write it to --output")
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "`file` for the repaired mesh")
	cmd.Flags().StringVar(&f.merge, "merge", "", "with --fix, merge vertices within this `distance`, such as 0.1mm")
	// what a rehearsal may take, and how meshes are read
	cli.AddRehearse(cmd, &f.rehearse)
	sewn.AddFlag(cmd, &f.sewn)
	cli.AddMeshFlags(cmd, &f.mesh)
	cli.AddWorkers(cmd, &f.work)
	cli.AddJSON(cmd, t)
	return cmd
}

func check(t *cli.Term, path string, f *checkFlags) error {
	if err := cli.CheckWorkers(f.work); err != nil {
		return err
	}
	if strings.EqualFold(filepath.Ext(path), ".bcc") {
		return cli.BadInput(
			fmt.Errorf("%s holds yarns; check a scene that names it: yarns: [{name: NAME, file: %s}]", path, path),
		)
	}
	if !cli.IsMeshFile(path) {
		if f.fix || f.out != "" || f.merge != "" {
			return cli.BadUsage("--fix, --merge and -o are for meshes (.obj, .ply, .glb); %s is a scene", path)
		}
		return checkScene(t, path, f)
	}
	if len(f.sets) > 0 {
		return cli.BadUsage("--set is for scenes; %s is a mesh", path)
	}
	return checkMesh(t, path, f)
}

func checkMesh(t *cli.Term, path string, f *checkFlags) error {
	// flags that need each other
	merge := 0.0
	if f.merge != "" {
		var err error
		if merge, err = cli.ParseLength("--merge", f.merge); err != nil {
			return err
		}
	}
	switch {
	case f.fix && f.out == "":
		return cli.BadUsage("--fix needs -o FILE for the repaired mesh")
	case f.fix && sameFile(path, f.out):
		return cli.BadUsage("-o names the mesh itself; write the repaired one to another file")
	case !f.fix && (f.out != "" || f.merge != ""):
		return cli.BadUsage("-o and --merge need --fix")
	}
	// what is wrong with it
	m, err := f.mesh.Read(path)
	if err != nil {
		return err
	}
	report := inspect(path, m)
	t.Emit(report)
	sayMesh(t, report)
	// repaired, if asked
	if f.fix {
		if report, err = fixMesh(t, m, merge, f.out); err != nil {
			return err
		}
	}
	// what is left decides the exit code
	if !report.Usable {
		return cli.BadInput(errors.New("the mesh cannot be simulated as cloth as it is"))
	}
	return nil
}

func sayMesh(t *cli.Term, r *meshReport) {
	// vertices, triangles and pieces
	t.Say(
		"%s: %s, %s", t.Paint(cli.Bold, r.File), words.Count(r.Vertices, "vertex"),
		words.Count(r.Triangles, "triangle"),
	)
	pieces := words.Count(r.Components, "piece")
	switch r.Loops {
	case 0:
		pieces += ", closed"
	default:
		pieces += ", " + words.Count(r.Loops, "boundary loop")
	}
	t.Say("  %s; UVs: %s", pieces, r.UV)
	// size and area
	metres := func(x cli.Real) string { return words.Length(float64(x)) }
	size := func(k int) string { return metres(r.Max[k] - r.Min[k]) }
	t.Say(
		"  %s x %s x %s (x, y, z), z from %s to %s, area %.3g m²",
		size(0),
		size(1),
		size(2),
		metres(r.Min[2]),
		metres(r.Max[2]),
		r.Area,
	)
	t.Say("  edges from %s to %s, mean %s", metres(r.Edges[0]), metres(r.Edges[2]), metres(r.Edges[1]))
	// what was found
	for _, note := range r.Notes {
		t.Say("  %s", note)
	}
	for i := range r.Findings {
		sayFinding(t, &r.Findings[i])
	}
	if len(r.Findings) == 0 {
		t.Say("%s", t.Paint(cli.Green, "Nothing wrong."))
	}
}

func sayFinding(t *cli.Term, f *finding) {
	if f.Severity == fault {
		t.Warned = true
		t.Say("%s %s%s", t.Paint(cli.Red, "fault:"), f.Text, f.places())
	} else {
		t.Warn("%s%s", f.Text, f.places())
	}
	if f.Fix != "" {
		t.Say("  %s", t.Paint(cli.Dim, f.Fix))
	}
}

// places counts and names a few of the triangles or vertices of a finding.
func (f *finding) places() string {
	if len(f.Examples) == 0 {
		return ""
	}
	numbers := make([]string, len(f.Examples))
	for i, e := range f.Examples {
		numbers[i] = fmt.Sprint(e)
	}
	more := ""
	if f.Count > len(f.Examples) {
		more = ", ..."
	}
	return fmt.Sprintf(": %s (%s %s%s)", words.Thousands(f.Count), f.Of, strings.Join(numbers, ", "), more)
}

// sceneVerdict is what check says of a scene after all warnings.
func sceneVerdict(t *cli.Term, warned bool) string {
	if t.Warned || warned {
		return t.Paint(cli.Yellow, "it can be run, but maybe not as it is meant")
	}
	return t.Paint(cli.Green, "nothing wrong")
}

// fixedEvent says what --fix did.
type fixedEvent struct {
	Event string   `json:"event"`
	File  string   `json:"file"`
	Did   []string `json:"did"`
}

// fixMesh repairs m, writes it and returns what is still wrong with it.
func fixMesh(t *cli.Term, m *meshio.Mesh, merge float64, out string) (*meshReport, error) {
	// repaired, fit to be written, and written
	did := repair(m, merge)
	if err := m.Validate(); err != nil {
		return nil, cli.BadInput(fmt.Errorf("cannot write the repaired mesh: %w", err))
	}
	if _, err := meshio.FormatOf(out); err != nil {
		return nil, cli.BadInput(err)
	}
	if err := meshio.WriteFile(out, m, meshio.DefaultWriteOptions()); err != nil {
		return nil, err
	}
	// what was done
	t.Emit(fixedEvent{"fixed", out, did})
	if len(did) == 0 {
		t.Say("Nothing that --fix repairs; wrote %s %s.", out, writtenAs(out))
	} else {
		t.Say("Wrote %s %s:", out, writtenAs(out))
		for _, d := range did {
			t.Say("  %s", d)
		}
	}
	// faults that are left
	report := inspect(out, m)
	t.Emit(report)
	for i := range report.Findings {
		if report.Findings[i].Severity == fault {
			t.Say("Still there:")
			sayFinding(t, &report.Findings[i])
		}
	}
	return report, nil
}

// writtenAs says how a repaired mesh was written, so that a scene can read it.
func writtenAs(out string) string {
	up := "Z"
	if format, err := meshio.FormatOf(out); err == nil && format == meshio.GLB {
		up = "Y"
	}
	return "in metres, " + up + " up (a scene needs neither unit nor up for it)"
}

// sameFile reports whether two paths lead to one file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
