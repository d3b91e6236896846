package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/cli/root"
)

// manual is what shells and man know of the programs.
type manual struct {
	files []file // toile-run.1, _toile and the like
}

// manual writes pages and completions: those of toile from its commands, and those of the farm by the farm, whose
// modules this one is without.
func (o *order) manual(ctx context.Context, stage string) (*manual, error) {
	m := &manual{}
	t := cli.NewTerm(io.Discard, io.Discard)
	source := "Toile " + o.commit.version
	m.pages(root.New(t), &doc.GenManHeader{Section: "1", Date: &o.commit.date, Source: source, Manual: "Toile"})
	if err := m.complete(root.New(t)); err != nil {
		return nil, err
	}
	if !o.farm {
		return m, nil
	}

	// farm/cmd/toile-farm/pages.go
	dir := filepath.Join(stage, "pages")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	cmd := exec(ctx, filepath.Join(o.root, "farm"), "go", "run", "-tags", "pages", "./cmd/toile-farm", dir)
	cmd.Env = append(cmd.Environ(), fmt.Sprint("SOURCE_DATE_EPOCH=", o.commit.date.Unix()), "PAGES_SOURCE="+source)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("pages of the farm: %w\n%s", err, out)
	}
	files, err := readFolder(dir)
	m.files = append(m.files, files...)
	return m, err
}

// pages adds a page for a command and each command below it.
func (m *manual) pages(c *cobra.Command, h *doc.GenManHeader) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
			m.pages(sub, h)
		}
	}
	c.DisableAutoGenTag = true
	c.Long = blocks(c.Long)
	header := *h
	var out bytes.Buffer
	if err := doc.GenMan(c, &header, &out); err != nil {
		panic(err) // a buffer takes everything
	}
	m.files = append(m.files, file{strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1", 0o644, out.Bytes()})
}

// blocks makes lines that are indented blocks of code, as Markdown has them: with four spaces, after an empty line.
func blocks(text string) string {
	var out strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		indented := strings.HasPrefix(line, "  ")
		if indented && !inside {
			out.WriteString("\n")
		}
		if inside = indented; indented {
			out.WriteString("  ")
		}
		out.WriteString(line)
	}
	return out.String()
}

// complete adds the completion of a program for each shell, by the name that the shell wants.
func (m *manual) complete(c *cobra.Command) error {
	for name, write := range map[string]func(io.Writer) error{
		"%s.bash": func(w io.Writer) error { return c.GenBashCompletionV2(w, true) },
		"_%s":     c.GenZshCompletion,
		"%s.fish": func(w io.Writer) error { return c.GenFishCompletion(w, true) },
		"%s.ps1":  c.GenPowerShellCompletionWithDesc,
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			return err
		}
		m.files = append(m.files, file{fmt.Sprintf(name, c.Name()), 0o644, out.Bytes()})
	}
	return nil
}

// under returns the files with an ending that are about some programs, in a folder; without an ending, all completions.
func (m *manual) under(dir, ending string, programs []*program) (out []file) {
	for _, f := range m.files {
		isPage := strings.HasSuffix(f.name, ".1")
		for _, p := range programs {
			if isPage == (ending == ".1") && belongs(f.name, p.name) {
				out = append(out, file{dir + "/" + f.name, f.mode, f.data})
			}
		}
	}
	sortFiles(out)
	return out
}

// belongs reports whether a page or a completion is about a program. The farm's names begin as toile's do.
func belongs(name, program string) bool {
	isFarm := strings.HasPrefix(strings.TrimPrefix(name, "_"), "toile-farm")
	return isFarm == (program == "toile-farm")
}
