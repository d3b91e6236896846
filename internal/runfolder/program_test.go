package runfolder

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sayProgram makes the test program, by TestMain, say its hash and end.
const sayProgram = "TOILE_SAY_PROGRAM"

// A program is known by the SHA-256 of its file, whatever its parent says of another file, and a parent that runs the
// same file is believed.
func TestAProgramIsItsHash(t *testing.T) {
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	hash := func(data []byte) string {
		sum := sha256.Sum256(data)
		return hex.EncodeToString(sum[:])
	}
	if got, err := Program(); err != nil || got != hash(data) {
		t.Errorf("this program is %s, %v; its file has the hash %s", got, err, hash(data))
	}
	changed := append(data, 0) // behind all that is loaded
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, changed, 0o700); err != nil {
		t.Fatal(err)
	}
	entry := ProgramEnv()
	if !strings.HasPrefix(entry, programVariable+"="+hash(data)+" ") {
		t.Fatalf("children are told %q", entry)
	}
	_, of, _ := strings.Cut(entry, " ")
	marked := programVariable + "=" + strings.Repeat("ab", sha256.Size) + " " + of
	for _, c := range []struct{ what, path, env, want string }{
		{"another file", other, entry, hash(changed)},
		{"the same file", os.Args[0], marked, strings.Repeat("ab", sha256.Size)},
		{"the same file without a hash", os.Args[0], programVariable + "=" + " " + of, hash(data)},
		{"no word of the parent", os.Args[0], "", hash(data)},
	} {
		cmd := exec.Command(c.path)
		cmd.Env = []string{sayProgram + "=1", c.env}
		if out, err := cmd.Output(); err != nil || string(out) != c.want {
			t.Errorf("%s says %q, %v; want %s", c.what, out, err, c.want)
		}
	}
}

// The program is part of the key, and without it there is none.
func TestKeysAreOfAProgram(t *testing.T) {
	m := Manifest{Scene: []byte("{}"), Program: strings.Repeat("0", 64)}
	one, err := m.RunKey()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := m.RunKey(); err != nil || again != one {
		t.Errorf("the same program gives %s, then %s, %v", one, again, err)
	}
	m.Program = strings.Repeat("1", 64)
	if other, err := m.RunKey(); err != nil || other == one {
		t.Errorf("another program gives the key %s, %v; the first gave %s", other, err, one)
	}
	m.Program = ""
	if key, err := m.RunKey(); err == nil {
		t.Errorf("an unknown program gives the key %s", key)
	}
}
