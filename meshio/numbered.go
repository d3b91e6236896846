package meshio

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// numberPlace matches the place of a number in the name of a file: # signs, %d, %4d or %04d.
var numberPlace = regexp.MustCompile(`#+|%0?[0-9]*d`)

// maxDigits bounds the width of a number in the name of a file.
const maxDigits = 18

// NumberedFile returns the path of file n of a series of meshes or curves. The last part of the pattern has one place
// for the number, filled with zeros from the left.
func NumberedFile(pattern string, n int) (string, error) {
	dir, base := filepath.Split(pattern)
	places := numberPlace.FindAllStringIndex(base, -1)
	if len(places) != 1 {
		return "", fmt.Errorf(
			"the name %q has %d places for a number instead of one; write it as in body.####.obj or body_%%04d.ply",
			base,
			len(places),
		)
	}
	lo, hi := places[0][0], places[0][1]
	width := hi - lo
	if base[lo] == '%' {
		width, _ = strconv.Atoi("0" + base[lo+1:hi-1]) // too many digits make it too large
	}
	if width > maxDigits {
		return "", fmt.Errorf("the name %q has a place for more than %d digits", base, maxDigits)
	}
	path := dir + base[:lo] + fmt.Sprintf("%0*d", width, n) + base[hi:]
	if strings.EqualFold(filepath.Ext(path), ".bcc") {
		return path, nil
	}
	if _, err := FormatOf(path); err != nil {
		return "", err
	}
	return path, nil
}
