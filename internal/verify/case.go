package verify

import (
	"context"
	"slices"
	"time"
)

// StormID is the case of random scenes.
const StormID = "storm"

// Case is one verification.
type Case struct {
	ID     string // such as C1
	Title  string
	Source string // where the expected numbers come from
	Body   func(*Trial)
}

// Options say how thoroughly cases are run.
type Options struct {
	Full    bool // all resolutions, patterns and steps; otherwise one of each, in seconds
	Workers int  // cores to use; 0 means all
	// Full cases take minutes to hours. Unless they are nil, Each hears of every row as it comes, and Tell once a
	// minute how far the case is.
	Each func(Row)
	Tell func(far string)

	// Seeds are the first and the last of the random scenes of the case storm; 0 and 0: those that it has by itself.
	Seeds [2]int
	// Journal is a file in which the case storm keeps finished seeds; empty: nowhere. Resume begins with what it holds.
	Journal string
	Resume  bool
	// Spoil, unless it is nil, falsifies what cases get, so that rows are seen to fail.
	Spoil *Spoil
	// Program is the toile that the case storm plays each seed with, in a process of its own, so that one that dies is
	// counted and takes nothing with it; empty: in this process.
	Program string
}

// Result is what a case measured.
type Result struct {
	ID      string
	Title   string
	Full    bool
	Rows    []Row
	Plots   []Figure
	Notes   []string // figures without a bar, and what a reader should know
	Seconds float64
	CPU     float64 // seconds of all cores together; 0 if they are not known
	Commit  string  // of the program that ran it; empty if it does not know
	Seeds   [2]int  // of the case storm, if they were asked for
	Err     string  // why the case could not be finished
}

// Pass reports whether the case was finished and all its rows pass.
func (r *Result) Pass() bool {
	return r.Err == "" && len(r.Rows) > 0 && !slices.ContainsFunc(r.Rows, func(row Row) bool { return !row.Pass() })
}

// Run runs the case. It stops early, with an error in the result, when the context ends.
func (c Case) Run(ctx context.Context, opt Options) (out Result) {
	begin := time.Now()
	t := NewTrial(ctx, opt)
	t.ID, t.Title, t.Result.Full = c.ID, c.Title, opt.Full
	defer func() {
		if p := recover(); p != nil {
			stop, ok := p.(stopped)
			if !ok {
				panic(p)
			}
			t.Err = stop.err.Error()
		}
		t.Seconds = time.Since(begin).Seconds()
		out = t.Result
	}()
	c.Body(t)
	return out
}
