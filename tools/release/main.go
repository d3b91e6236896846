// Command release makes everything of a release of Toile from the commit that is checked out: archives, Debian
// packages, an image, notices, lists of what is inside, and sums. docs/releasing.md says how a release is made.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// order is what a release is made from and what goes into it.
type order struct {
	root   string // of the repository
	out    string // folder for what is made
	commit *commit
	only   []system
	farm   bool   // make toile-farm, too
	key    string // file of the key that signs; empty: no signature
	owner  string // whom Debian's packages name as their maintainer
}

// run reads the command line and makes a release.
func run(ctx context.Context, args []string) error {
	o := &order{root: "../..", key: os.Getenv("TOILE_SIGNING_KEY"), owner: os.Getenv("TOILE_MAINTAINER")}
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.StringVar(&o.out, "o", "../../out/release", "`folder` for what is made; what is in it is removed")
	flags.BoolVar(&o.farm, "farm", true, "make toile-farm, too")
	only := flags.String("only", "", "make these `systems` alone, such as linux/amd64,windows/arm64")
	if err := flags.Parse(args); err != nil {
		return err
	}

	// what is made, and from what
	var err error
	if o.only, err = parseSystems(*only); err != nil {
		return err
	}
	if o.commit, err = readCommit(o.root); err != nil {
		return err
	}
	if o.out, err = filepath.Abs(o.out); err != nil {
		return err
	}
	if o.owner == "" {
		o.owner = "The Toile authors" // as in CITATION.cff
	}

	// and how long it took
	began := time.Now()
	fmt.Printf("Toile %s, commit %s\n", o.commit.version, o.commit.revision)
	if err := o.make(ctx); err != nil {
		return err
	}
	fmt.Printf("%s after %.0f s\n", o.out, time.Since(began).Seconds())
	return nil
}

// make makes all files of a release, for one system after the other.
func (o *order) make(ctx context.Context) error {
	if err := os.RemoveAll(o.out); err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o777); err != nil {
		return err
	}
	stage, err := os.MkdirTemp("", "toile-release-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(stage) }()

	// pages and completions are the same for all systems
	manual, err := o.manual(ctx, stage)
	if err != nil {
		return err
	}
	var images []*kit
	for _, s := range o.only {
		k, err := o.kit(ctx, stage, s, manual)
		if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		if err := o.pack(k, stage); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		if s.os == "linux" {
			images = append(images, k)
		}
	}

	// what is of several systems, and what is of all files
	if len(images) > 0 {
		if err := o.image(images, stage); err != nil {
			return fmt.Errorf("image: %w", err)
		}
	}
	return o.seal(ctx)
}

// pack writes the archive of a system, the lists of what its programs are made of, and a Debian package for Linux.
func (o *order) pack(k *kit, stage string) error {
	name := strings.Join([]string{"toile", o.commit.version, k.system.os, k.system.arch}, "_")
	for _, p := range k.programs {
		if err := os.WriteFile(filepath.Join(o.out, p.listName(o, k.system)), p.list, 0o666); err != nil {
			return err
		}
	}
	if err := o.archive(name, k); err != nil {
		return err
	}
	if k.system.os != "linux" {
		return nil
	}
	return o.debian(k, filepath.Join(stage, "deb-"+k.system.arch))
}
