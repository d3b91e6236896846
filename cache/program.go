package cache

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"io"
	"os"
	"sync"
)

// Program returns a fingerprint of the running executable, which another one has only if it computes the same. It is
// made of the hash of its contents that the linker leaves in it, where that is found, because reading all of a large
// file takes longer than some runs.
var Program = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	if id := linkersHash(path); id != nil {
		sum.Write(id)
	} else {
		f, err := os.Open(path)
		if err != nil {
			return "", err
		}
		defer func() { _ = f.Close() }() // read only
		if _, err := io.Copy(sum, f); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
})

// linkersHash returns the build ID that Go's linker writes into ELF files, nil if there is none.
func linkersHash(path string) []byte {
	const header = 16 // sizes of name and description, kind, name
	f, err := elf.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // read only
	note := f.Section(".note.go.buildid")
	if note == nil {
		return nil
	}
	id, err := note.Data()
	if err != nil || len(id) <= header {
		return nil
	}
	return id[header:]
}
