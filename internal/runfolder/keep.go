package runfolder

import (
	"fmt"
	"strconv"
	"strings"
)

// Keep says which frames of a run stay in its folder: KeepAll, KeepLast, KeepStats, or a number n from 2 on for every
// n-th frame, from frame 0, and the last. It changes nothing that is computed.
type Keep int

const (
	KeepAll   Keep = 0
	KeepLast  Keep = -1
	KeepStats Keep = -2 // none
)

// ParseKeep reads all, last, stats or every:N.
func ParseKeep(text string) (Keep, error) {
	switch text {
	case "all":
		return KeepAll, nil
	case "last":
		return KeepLast, nil
	case "stats":
		return KeepStats, nil
	}
	if number, ok := strings.CutPrefix(text, "every:"); ok {
		if n, err := strconv.Atoi(number); err == nil && n >= 1 && n <= maxEvery {
			if n == 1 {
				return KeepAll, nil
			}
			return Keep(n), nil
		}
	}
	return 0, fmt.Errorf("%q does not say which frames to keep; write all, last, stats or every:N, such as every:10", text)
}

// maxEvery is the largest number of frames from one that is kept to the next.
const maxEvery = 1_000_000

// String writes k as ParseKeep reads it.
func (k Keep) String() string {
	switch k {
	case KeepAll:
		return "all"
	case KeepLast:
		return "last"
	case KeepStats:
		return "stats"
	}
	return fmt.Sprintf("every:%d", int(k))
}

// MarshalText is for run.json.
func (k Keep) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (k *Keep) UnmarshalText(text []byte) (err error) {
	*k, err = ParseKeep(string(text))
	return err
}

// Keeps reports whether frame n stays, where last says that the run ends with it.
func (k Keep) Keeps(n int, last bool) bool {
	switch k {
	case KeepAll:
		return true
	case KeepLast:
		return last
	case KeepStats:
		return false
	}
	return last || n%int(k) == 0
}
