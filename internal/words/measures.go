package words

import (
	"fmt"
	"math"
	"time"
)

// Duration writes a time on the wall with two digits that matter.
func Duration(d time.Duration) string {
	s := d.Seconds()
	switch {
	case s < 0:
		return "unknown"
	case s < 0.9995:
		return subsecond(s)
	case s < 9.95:
		return fmt.Sprintf("%.1f s", s)
	case s < 99.5:
		return fmt.Sprintf("%.0f s", s)
	case s >= 48*3600:
		return fmt.Sprintf("%.1f days", s/86400)
	}
	return clock(s)
}

// Seconds is Duration of a number of seconds; what is not a number is unknown.
func Seconds(s float64) string {
	if math.IsNaN(s) {
		return "unknown"
	}
	return Duration(time.Duration(s * float64(time.Second)))
}

// FineSeconds writes a time [s] with three digits that matter.
func FineSeconds(s float64) string {
	switch {
	case s == 0:
		return "0 s"
	case s < 0.9995:
		return subsecond(s)
	case s < 99.5:
		return fmt.Sprintf("%.3g s", s)
	}
	return clock(s)
}

// TimeLeft writes an estimate of a time on the wall, in whole seconds.
func TimeLeft(d time.Duration) string {
	if s := d.Seconds(); s < 99.5 {
		return fmt.Sprintf("%d s", int(math.Ceil(s)))
	}
	return Duration(d)
}

// subsecond writes a time of less than a second.
func subsecond(s float64) string {
	if s < 0.9995e-3 {
		return fmt.Sprintf("%.3g µs", s*1e6)
	}
	return fmt.Sprintf("%.3g ms", s*1e3)
}

// clock writes a time of more than a minute.
func clock(s float64) string {
	if s < 3600 {
		return fmt.Sprintf("%d min %d s", int(s)/60, int(s)%60)
	}
	return fmt.Sprintf("%d h %d min", int(s)/3600, int(s)/60%60)
}

// Percent writes a share. Only what is whole is 100 %.
func Percent(share float64) string {
	if share == 1 {
		return "100 %"
	}
	return fmt.Sprintf("%.2f %%", math.Floor(share*1e4)/100)
}

// Share writes a share in percent with so many digits after the point.
func Share(share float64, digits int) string { return fmt.Sprintf("%.*f %%", digits, 100*share) }

// Bytes writes a number of bytes.
func Bytes(n float64) string {
	for _, unit := range []string{"bytes", "kB", "MB", "GB"} {
		if n < 999.5 {
			return fmt.Sprintf("%.3g %s", n, unit)
		}
		n /= 1000
	}
	return fmt.Sprintf("%.3g TB", n)
}

// Length writes a length [m] in the unit that suits it.
func Length(m float64) string {
	switch a := math.Abs(m); {
	case a == 0:
		return "0 m"
	case a < 0.9995e-3:
		return fmt.Sprintf("%.3g µm", m*1e6)
	case a < 0.09995:
		return fmt.Sprintf("%.3g mm", m*1e3)
	case a >= 100 && a < 1e9:
		return Thousands(int(math.Round(m))) + " m"
	default: // also what is not a number
		return fmt.Sprintf("%.3g m", m)
	}
}
