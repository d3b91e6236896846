package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// sums is the file with the SHA-256 of all others; its signature is beside it, with the ending .sig.
const sums = "SHA256SUMS"

// signedFor is what signatures are made for: one that was made for something else does not count.
const signedFor = "toile-release"

// seal writes the sums of all files, and signs them if there is a key.
func (o *order) seal(ctx context.Context) error {
	files, err := readFolder(o.out)
	if err != nil {
		return err
	}
	sortFiles(files)
	var out bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&out, "%x  %s\n", sha256.Sum256(f.data), f.name)
		fmt.Printf("%10.1f MB  %s\n", float64(len(f.data))/1e6, f.name)
	}
	name := filepath.Join(o.out, sums)
	if err := os.WriteFile(name, out.Bytes(), 0o666); err != nil {
		return err
	}
	if o.key == "" {
		fmt.Println("not signed: TOILE_SIGNING_KEY names no key")
		return nil
	}

	// with the key of the owner, by the program that most have
	cmd := exec(ctx, ".", "ssh-keygen", "-Y", "sign", "-f", o.key, "-n", signedFor, name)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("ssh-keygen did not sign: %w\n%s", err, out)
	}
	fmt.Println("signed:", sums+".sig")
	return nil
}

// exec returns a call of a program in a folder, with the environment of this one.
func exec(ctx context.Context, dir, name string, args ...string) *osexec.Cmd {
	cmd := osexec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	return cmd
}

func sortFiles(files []file) {
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
}
