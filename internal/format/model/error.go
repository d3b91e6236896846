package model

import (
	"fmt"
	"strings"
)

// Error is a fault in a file, with its place.
type Error struct {
	File   string // as given, or empty if unknown
	Line   int    // from 1, in text; 0 if the place is an Offset
	Column int    // from 1, in bytes; 0 if the whole line is meant
	Offset int64  // [byte] from 0, in binary data; -1 if the whole file is meant
	Path   string // in glTF, the JSON property, as in accessors[2].count
	Msg    string
}

// Error returns "file:line:column: message" or "file: byte offset (path): message".
func (e *Error) Error() string {
	file := e.File
	if file == "" {
		file = "mesh"
	}
	switch {
	case e.Line > 0 && e.Column > 0:
		return fmt.Sprintf("%s:%d:%d: %s", file, e.Line, e.Column, e.Msg)
	case e.Line > 0:
		return fmt.Sprintf("%s:%d: %s", file, e.Line, e.Msg)
	case e.Path != "":
		return fmt.Sprintf("%s: byte %d (%s): %s", file, e.Offset, e.Path, e.Msg)
	case e.Offset >= 0:
		return fmt.Sprintf("%s: byte %d: %s", file, e.Offset, e.Msg)
	}
	return fmt.Sprintf("%s: %s", file, e.Msg)
}

// JoinFaults returns an error that lists faults of something, or nil if there are none.
func JoinFaults(of string, faults []string) error {
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("meshio: %s: %s", of, strings.Join(faults, "; "))
}
