package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// faultList is where faults are.
const faultList = "internal/mutants/faults.go"

// fault is one of internal/mutants: in file, from becomes to, and one of the cases must notice.
type fault struct {
	name, file, from, to string
	cases                []string
}

// readFaults reads the list of internal/mutants, a program that cannot be imported, from its source.
func readFaults() (list []fault, err error) {
	// source of the list
	f, err := parser.ParseFile(token.NewFileSet(), faultList, nil, 0)
	if err != nil {
		return nil, err
	}
	// literals of six strings are faults
	ast.Inspect(f, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || len(lit.Elts) != 6 {
			return true
		}
		var s [6]string
		for i, e := range lit.Elts {
			b, ok := e.(*ast.BasicLit)
			if !ok {
				return true
			}
			if s[i], err = strconv.Unquote(b.Value); err != nil {
				return false
			}
		}
		list = append(list, fault{s[0], s[1], s[2], s[3], strings.Fields(s[5])})
		return true
	})
	// a list without one cannot be right
	if len(list) == 0 {
		err = errors.Join(err, fmt.Errorf("%s: no fault was found", faultList))
	}
	return list, err
}

// tryFaults puts faults into the cases that have rows that never failed, one at a time.
func (j *journal) tryFaults(s *settings) error {
	// list, and a folder for programs
	list, err := readFaults()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bite-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	// cases of the fault with rows that are open
	for _, f := range list {
		way := fmt.Sprintf("fault %q", f.name)
		var open []string
		for _, id := range f.cases {
			if b := j.bites(id); len(b.rows) > 0 && !b.done() && !j.has(id, way) {
				open = append(open, id)
			}
		}
		if len(open) == 0 {
			continue
		}
		// program with the fault, and what its rows say
		program, err := f.build(dir)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		for _, id := range open {
			if err := j.add(faulty(program, id, way, s.limit)); err != nil {
				return err
			}
		}
	}
	return nil
}

// build builds toile with the fault.
func (f *fault) build(dir string) (program string, err error) {
	// what is replaced must be there once
	data, err := os.ReadFile(f.file)
	if err != nil {
		return "", err
	}
	if bytes.Count(data, []byte(f.from)) != 1 {
		return "", fmt.Errorf("what it replaces is not there once in %s", f.file)
	}
	// changed file, and an overlay that puts it in place
	at, err := filepath.Abs(f.file)
	if err != nil {
		return "", err
	}
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(changed, bytes.Replace(data, []byte(f.from), []byte(f.to), 1), 0o666); err != nil {
		return "", err
	}
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{at: changed}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, replace, 0o666); err != nil {
		return "", err
	}
	// program built with it
	program = filepath.Join(dir, "toile")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-overlay", overlay, "-o", program, "./cmd/toile").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return program, nil
}

// faulty runs a case of a program with a fault.
func faulty(program, id, way string, limit time.Duration) *trial {
	// the program, killed if it takes far too long
	t, began := &trial{Case: id, Way: way}, time.Now()
	cmd := exec.Command(program, "verify", "--json", "-w", "1", id)
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Start()
	if err == nil {
		stop := time.AfterFunc(10*limit, func() { _ = cmd.Process.Kill() })
		err = cmd.Wait()
		stop.Stop()
	}
	if err != nil {
		t.Err = err.Error()
	}
	// rows that it tells
	seen := map[string]int{}
	for lines := bufio.NewScanner(&out); lines.Scan(); {
		var e struct {
			Event, Quantity string
			Pass            bool
		}
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.Event == "row" {
			t.Rows = append(t.Rows, row{unlike(seen, e.Quantity), !e.Pass})
		}
	}
	// time it took
	t.Seconds = time.Since(began).Seconds()
	t.Rows = slices.Clip(t.Rows)
	return t
}
