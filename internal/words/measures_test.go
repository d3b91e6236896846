package words

import (
	"math"
	"testing"
	"time"
)

func TestMeasures(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Thousands(0), "0"},
		{Thousands(-1234567), "-1,234,567"},
		{Thousands(-123), "-123"},
		{Count(1, "vertex"), "1 vertex"},
		{Count(20164, "vertex"), "20,164 vertices"},
		{Count(0, "frame"), "0 frames"},
		{Duration(-1), "unknown"},
		{Duration(1500 * time.Nanosecond), "1.5 µs"},
		{Duration(12 * time.Millisecond), "12 ms"},
		{Duration(999600 * time.Microsecond), "1.0 s"},
		{Duration(12 * time.Second), "12 s"},
		{Duration(125 * time.Second), "2 min 5 s"},
		{Duration(3*time.Hour + 5*time.Minute), "3 h 5 min"},
		{Duration(72 * time.Hour), "3.0 days"},
		{TimeLeft(1200 * time.Millisecond), "2 s"},
		{Bytes(12), "12 bytes"},
		{Bytes(1.5e9), "1.5 GB"},
		{Bytes(3e15), "3e+03 TB"},
		{Length(0), "0 m"},
		{Length(0.0016), "1.6 mm"},
		{Length(0.00099999), "1 mm"},
		{Length(0.00025), "250 µm"},
		{Length(1.7), "1.7 m"},
		{Length(1700), "1,700 m"},
		{Seconds(9.96), "10 s"},
		{Seconds(math.NaN()), "unknown"},
		{FineSeconds(0), "0 s"},
		{FineSeconds(0.0125), "12.5 ms"},
		{FineSeconds(12.34), "12.3 s"},
		{FineSeconds(72 * 3600), "72 h 0 min"},
		{Share(0.99999, 1), "100.0 %"},
		{Share(0.074, 0), "7 %"},
		{Percent(1), "100 %"},
		{Percent(0.99999), "99.99 %"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
