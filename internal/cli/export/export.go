// Package export has the command toile export, which writes runs for other programs.
package export

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/export"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
)

// exportFlags are the flags of toile export.
type exportFlags struct {
	out, frames, unit, up, inputs string
	bodies                        []string
	obstacles, normals, mesh      bool
	adaptive                      bool
}

// Command returns toile export.
func Command(t *cli.Term) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "Write a run as files of other programs",
		Long: `Write a run as files of other programs. The ending of FILE says the format:

  .obj .ply   one file a frame and body: sheet_####.obj or sheet_%04d.obj says where
              the number of the frame goes; sheet.obj becomes sheet_0000.obj and so on,
              and stays as it is if there is one frame only
  .bcc        yarns alone, one file a frame; a scene can begin with it (yarns: file)
  .glb        one file with an animation: a morph target a frame, up to 2,000 frames and
              1 GB. Always Y-up and in metres
  .usda       one file with time samples, bodies and obstacles
  .pc2 .mdd   point cache of a body, for the mesh it came from; --mesh writes that too
  .parquet    statistics, a row a step, compressed; columns are named as in run --json
  .csv        a copy of the statistics

Vertices are in the order of the mesh file that the scene took the cloth from, with its
UVs. The file is looked for beside the run; --inputs says where else. Where a run has
several bodies, .obj, .ply, .bcc, .pc2 and .mdd get the name of each into their own.

Yarns leave as their control points: curves in .bcc, lines in .glb and .obj, splines with
a width in .usda, points in .pc2 and .mdd, and tubes in .ply.

A cloth that is remeshed leaves with the mesh that the scene gave, carried along;
--adaptive writes the mesh of each frame instead, as .obj or .ply.

Without --up and --unit: .usda and .bcc are Z-up and in metres; .obj, .ply, .pc2 and .mdd
are as the mesh files of the cloths are, and Z-up and in metres for cloths without a file.

A run that is not finished is exported as far as it is. A file that exists is replaced.

` + cli.ExitCodes,
		Example: `  toile export scene.run -o sheet.glb
  toile export scene.run -o cache/sheet.pc2 --mesh --up z
  toile export scene.run -o obj/shirt_%04d.obj --body shirt --frames 10:200:2 --unit cm --up y
  toile export scene.run -o scene.usda --frames 0:100
  toile export scene.run -o stats.parquet`,
		Args: cli.NeedArgs("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error { return exportRun(cmd, t, args[0], &f) },

		ValidArgsFunction: cli.Complete(cobra.ShellCompDirectiveFilterDirs),
	}
	// what to write, and where to
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "the `file` to write; its ending says the format (needed)")
	cmd.Flags().StringVar(
		&f.frames, "frames", "",
		"`frames` to write: FROM:TO or FROM:TO:STEP, each may be left out; a number, first or last",
	)
	cmd.Flags().StringSliceVar(
		&f.bodies, "body", nil, "`names` of the cloths and other bodies to write, with commas (default: all)",
	)
	// unit, axis and what else is written
	cmd.Flags().StringVar(
		&f.unit, "unit", "", "`length` of one unit of the file: m, cm, mm, in, ft or a number of metres",
	)
	cmd.Flags().StringVar(&f.up, "up", "", "`axis` that is up in the file, y or z")
	cmd.Flags().BoolVar(&f.obstacles, "obstacles", false, "write obstacles too (default: in .glb and .usda)")
	cmd.Flags().BoolVar(&f.normals, "normals", false, "write normals (default: in .glb and .usda)")
	// meshes of point caches and of cloths that are remeshed
	cmd.Flags().BoolVar(
		&f.mesh, "mesh", false, "with .pc2 and .mdd, write the mesh of the first frame beside it, as .obj",
	)
	cmd.Flags().BoolVar(
		&f.adaptive, "adaptive", false,
		"with .obj and .ply, write cloths that are remeshed with the mesh of each frame, "+
			"not with the one they came with",
	)
	cmd.Flags().StringVar(
		&f.inputs, "inputs", "",
		"`folder` of the scene, where its mesh files are (default: that of DIR, then the current one)",
	)
	// words that a shell completes
	cli.CompleteFlag(cmd, "unit", "m", "cm", "mm", "in", "ft")
	cli.CompleteFlag(cmd, "up", "y", "z")
	cli.CompleteFlag(cmd, "frames", "first", "last")
	cli.AddJSON(cmd, t)
	return cmd
}

// exportedEvent is the last event of an export.
type exportedEvent struct {
	Event  string  `json:"event"`
	Files  int     `json:"files"`
	Bytes  int64   `json:"bytes"`
	Frames int     `json:"frames"`
	Rows   int     `json:"rows,omitempty"` // of statistics
	Up     string  `json:"up,omitempty"`
	Unit   float64 `json:"unit,omitempty"` // [m]
}

func exportRun(cmd *cobra.Command, t *cli.Term, dir string, f *exportFlags) error {
	// options and the run
	opt, err := f.options(cmd)
	if err != nil {
		return err
	}
	folder, err := cli.OpenRun(dir)
	if err != nil {
		return err
	}
	// Ctrl-C and a counter of frames
	ctx, stop := cli.UntilInterrupt(cmd.Context(), func() {})
	defer stop()
	var work *cli.Counter
	opt.Progress = func(_, total int) {
		if work == nil {
			work = cli.NewCounter(t, "writing frame", total)
		}
		work.Next()
	}
	// write it
	began := time.Now()
	result, err := export.Run(ctx, folder, f.out, opt)
	if work != nil {
		work.Close()
	}
	if err != nil {
		return exportError(err, f.out)
	}
	// what was written
	for _, note := range result.Notes {
		t.Note("%s", note)
	}
	event := exportedEvent{
		Event:  "done",
		Files:  len(result.Files),
		Frames: len(result.Frames),
		Rows:   result.Rows,
		Up:     strings.ToLower(result.Up),
		Unit:   result.Unit,
	}
	for _, file := range result.Files {
		event.Bytes += file.Bytes
		t.Wrote(file.Path)
	}
	t.Emit(event)
	t.Say("Wrote %s, in %s.", exported(result, event.Bytes), words.Duration(time.Since(began)))
	return nil
}

// exported says what was written.
func exported(r *export.Result, bytes int64) string {
	var names []string
	const most = 4
	for i, file := range r.Files {
		switch {
		case len(r.Files) <= most || i < 2:
			names = append(names, file.Path)
		case i == len(r.Files)-1:
			names = append(names, "... "+file.Path)
		}
	}
	text := strings.Join(names, ", ")
	if n := len(r.Files); n > most {
		text = fmt.Sprintf("%s: %s", words.Count(n, "file"), text)
	}
	text += ", " + words.Bytes(float64(bytes))
	if len(r.Frames) == 0 {
		return text + ", " + words.Count(r.Rows, "row")
	}
	return fmt.Sprintf("%s, %s, %s-up, in %s", text, words.Count(len(r.Frames), "frame"), r.Up, unitName(r.Unit))
}

// unitName writes a unit of length [m] by its name, if it has one.
func unitName(unit float64) string {
	for _, name := range []string{"m", "cm", "mm", "in", "ft"} {
		if cli.LengthUnits[name] == unit {
			return name
		}
	}
	return "units of " + words.Length(unit)
}

// exportError tells faults of the command line and of the run from others.
func exportError(err error, out string) error {
	var bad *export.Usage
	var damage *runfolder.Damage
	var path *fs.PathError
	switch {
	case errors.As(err, &bad):
		return cli.BadUsage("-o %s: %s", out, strings.TrimPrefix(bad.Error(), out+": "))
	case errors.Is(err, export.ErrInterrupted), errors.Is(err, context.Canceled):
		return cli.Interrupted(errors.New("stopped; what was not complete is not there"))
	case errors.As(err, &damage):
		return cli.BadInput(fmt.Errorf("%w; leave the frame out with --frames, or run the scene again", damage))
	case errors.As(err, &path):
		return err
	}
	return cli.BadInput(err)
}

func (f *exportFlags) options(cmd *cobra.Command) (export.Options, error) {
	opt := export.DefaultOptions()
	// what the user named wrongly
	if f.out == "" {
		return opt, cli.BadUsage(
			"-o FILE is missing; its ending says the format: %s", strings.Join(export.Endings, " "),
		)
	}
	opt.Bodies, opt.Mesh, opt.Inputs, opt.Adaptive = f.bodies, f.mesh, f.inputs, f.adaptive
	if f.inputs != "" && !cli.IsFolder(f.inputs) {
		return opt, cli.BadUsage("--inputs %s: there is no such folder", f.inputs)
	}
	// where a flag is not given, the format decides
	choice := func(flag string, value bool) export.Choice {
		switch {
		case !cmd.Flags().Changed(flag):
			return export.ByFormat
		case value:
			return export.Yes
		}
		return export.No
	}
	opt.Obstacles, opt.Normals = choice("obstacles", f.obstacles), choice("normals", f.normals)
	// unit and axis of the file; the unit stays open if only the axis is given
	if f.unit != "" || f.up != "" {
		flags := cli.MeshFlags{Unit: f.unit, Up: f.up}
		if f.unit == "" {
			flags.Unit = "m"
		}
		read, err := flags.Options()
		if err != nil {
			return opt, err
		}
		opt.Up = read.Up
		if f.unit != "" {
			opt.Unit = read.Unit
		}
	}
	// frames
	var err error
	opt.Frames, err = exportFrames(f.frames)
	return opt, err
}

// exportFrames reads the flag --frames.
func exportFrames(text string) (export.Range, error) {
	r := export.AllFrames()
	bad := cli.BadUsage("--frames %s: write FROM:TO or FROM:TO:STEP, such as 10:200:2, a number, first or last", text)
	if text == "" {
		return r, nil
	}
	// Ranges may also be written as for toile render: 10-200/2.
	words := strings.Split(strings.NewReplacer("-", ":", "/", ":").Replace(text), ":")
	if strings.HasPrefix(text, "-") {
		return r, bad
	}
	if len(words) == 1 {
		words = append(words, text)
	}
	ends := []*int{&r.From, &r.To, &r.Step}
	if len(words) > len(ends) {
		return r, bad
	}
	for i, word := range words {
		switch {
		case word == "":
		case word == "first" && i < 2:
			*ends[i] = export.First
		case word == "last" && i < 2:
			*ends[i] = export.Last
		default:
			n, err := strconv.Atoi(word)
			if err != nil || n < 0 || i == 2 && n == 0 {
				return r, bad
			}
			*ends[i] = n
		}
	}
	return r, nil
}
