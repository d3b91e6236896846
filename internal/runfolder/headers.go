package runfolder

import "strings"

// leadingColumns are those that stats.csv has first, of whatever is simulated.
var leadingColumns = []string{"step", "frame", "time [s]"}

// clockPrefix begins the names of the columns that tell time on the wall. They come last and differ
// from run to run; nothing that compares runs may look at them.
const clockPrefix = "clock "

// IsClock reports whether a column tells time on the wall, which differs from run to run.
func IsClock(column string) bool { return strings.HasPrefix(column, clockPrefix) }

// SplitHeader takes the header of a column apart: "max speed [m/s]" is max speed and m/s.
func SplitHeader(header string) (name, unit string) {
	name, unit, _ = strings.Cut(header, " [")
	return name, strings.TrimSuffix(unit, "]")
}

// ColumnName splits "max speed [m/s]" into max_speed and m/s, as other programs want them.
func ColumnName(column string) (name, unit string) {
	name, unit = SplitHeader(column)
	return strings.ReplaceAll(name, " ", "_"), unit
}

// columnAt returns the place of a column, named with or without its unit, or -1.
func columnAt(columns []string, name string) int {
	for i, c := range columns {
		if bare, _ := SplitHeader(c); c == name || bare == name {
			return i
		}
	}
	return -1
}

// bareNames lists columns without their units, and without those of clocks, which no condition may be on.
func bareNames(columns []string) string {
	var names []string
	for _, c := range columns {
		if bare, _ := SplitHeader(c); !strings.HasPrefix(bare, clockPrefix) {
			names = append(names, bare)
		}
	}
	return strings.Join(names, ", ")
}
