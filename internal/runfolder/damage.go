package runfolder

import "fmt"

// Damage is a file that is not what was written: cut short, altered, or never finished.
type Damage struct {
	File string
	Msg  string
}

func (d *Damage) Error() string { return fmt.Sprintf("%s is damaged: %s", d.File, d.Msg) }

func damaged(file, format string, args ...any) error {
	return &Damage{File: file, Msg: fmt.Sprintf(format, args...)}
}
