package meshio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/format/mdd"
	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/pc2"
	"github.com/toile-sim/toile/internal/format/pointcache"
	"github.com/toile-sim/toile/r3"
)

// wave is frame i of a moving row of points, in numbers that single precision holds.
func wave(i int, out []r3.Vec) error {
	for k := range out {
		out[k] = r3.V(float64(k), float64(i)/4, float64(k*i)/8)
	}
	return nil
}

func waveHeader(points, frames int) CacheHeader {
	h := CacheHeader{Points: points, Frames: frames, First: 1, Step: 1}
	for i := range frames {
		h.Times = append(h.Times, float64(float32(i)/24))
	}
	return h
}

func cacheBytes(
	t testing.TB,
	format *pointcache.Layout,
	h CacheHeader,
	opt WriteOptions,
	frame func(int, []r3.Vec) error,
) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := writePointCache(&b, format, h, opt, frame); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The bytes of one point in two frames, written out by hand.
func TestPointCacheBytes(t *testing.T) {
	h := CacheHeader{Points: 1, Frames: 2, First: 1, Step: 0.5, Times: []float64{0, 0.5}}
	frame := func(i int, out []r3.Vec) error {
		out[0] = r3.V(1, 2, -1).Scale(float64(1 + i))
		return nil
	}
	wantPC2 := "POINTCACHE2\x00" + "\x01\x00\x00\x00" + "\x01\x00\x00\x00" + "\x00\x00\x80\x3f" + "\x00\x00\x00\x3f" + "\x02\x00\x00\x00" +
		"\x00\x00\x80\x3f" + "\x00\x00\x00\x40" + "\x00\x00\x80\xbf" +
		"\x00\x00\x00\x40" + "\x00\x00\x80\x40" + "\x00\x00\x00\xc0"
	wantMDD := "\x00\x00\x00\x02" + "\x00\x00\x00\x01" + "\x00\x00\x00\x00" + "\x3f\x00\x00\x00" +
		"\x3f\x80\x00\x00" + "\x40\x00\x00\x00" + "\xbf\x80\x00\x00" +
		"\x40\x00\x00\x00" + "\x40\x80\x00\x00" + "\xc0\x00\x00\x00"
	for format, want := range map[*pointcache.Layout]string{pc2.Layout: wantPC2, mdd.Layout: wantMDD} {
		if got := cacheBytes(t, format, h, DefaultWriteOptions(), frame); string(got) != want {
			t.Errorf("%v: wrote %x, want %x", format, got, want)
		}
	}
}

func TestPointCacheRoundTrip(t *testing.T) {
	h := waveHeader(5, 7)
	for _, format := range []*pointcache.Layout{pc2.Layout, mdd.Layout} {
		for _, up := range []Axis{UpByFormat, UpZ, UpY} {
			path := filepath.Join(t.TempDir(), "wave."+strings.ToLower(format.String()))
			w := DefaultWriteOptions()
			w.Up, w.Unit = up, 0.25
			if err := WritePointCacheFile(path, h, w, wave); err != nil {
				t.Fatal(err)
			}
			opt := DefaultReadOptions()
			opt.Up, opt.Unit = up, 0.25
			c, err := OpenPointCache(path, opt)
			if err != nil {
				t.Fatal(err)
			}
			if c.Points != h.Points || c.Frames != h.Frames ||
				format == pc2.Layout && (c.First != h.First || c.Step != h.Step) ||
				format == mdd.Layout && fmt.Sprint(c.Times) != fmt.Sprint(h.Times) {
				t.Errorf("%v: header %+v, want %+v", format, c.CacheHeader, h)
			}
			got, want := make([]r3.Vec, h.Points), make([]r3.Vec, h.Points)
			for _, i := range []int{6, 0, 3, 3, 1} {
				if err := c.Frame(i, got); err != nil {
					t.Fatal(err)
				}
				if _ = wave(i, want); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%v: frame %d is %v, want %v", format, i, got, want)
				}
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// badCache returns a good cache with 32 bits replaced.
func badCache(format *pointcache.Layout, offset int, value uint32) string {
	h := waveHeader(2, 3)
	var b bytes.Buffer
	if err := writePointCache(&b, format, h, DefaultWriteOptions(), wave); err != nil {
		panic(err)
	}
	data := b.Bytes()
	if format == pc2.Layout {
		binary.LittleEndian.PutUint32(data[offset:], value)
	} else {
		binary.BigEndian.PutUint32(data[offset:], value)
	}
	return string(data)
}

var (
	minusOne = uint32(math.MaxUint32)
	nan32    = math.Float32bits(float32(math.NaN()))
	inf32    = math.Float32bits(float32(math.Inf(-1)))
	goodPC2  = badCache(pc2.Layout, 12, 1)
	goodMDD  = badCache(mdd.Layout, 0, 3)
)

var hostileCaches = map[*pointcache.Layout][]hostile{
	pc2.Layout: {
		{"empty", "", "header", "byte 0"},
		{"short header", goodPC2[:31], "header", "byte 31"},
		{"not PC2", goodMDD, "not a PC2", "byte 0"},
		{"magic", badCache(pc2.Layout, 8, 0), "not a PC2", "byte 0"},
		{"version", badCache(pc2.Layout, 12, 2), "version 2", "byte 12"},
		{"no points", badCache(pc2.Layout, 16, 0), "0 points", "byte 16"},
		{"negative points", badCache(pc2.Layout, 16, minusOne), "-1 points", "byte 16"},
		{"too many points", badCache(pc2.Layout, 16, math.MaxInt32), "2147483647 points", "byte 16"},
		{"more points than bytes", badCache(pc2.Layout, 16, 1<<28), "0 of 3 frames", "byte 104"},
		{"first frame", badCache(pc2.Layout, 20, nan32), "first frame is NaN", "byte 20"},
		{"step NaN", badCache(pc2.Layout, 24, nan32), "NaN frames", "byte 24"},
		{"step 0", badCache(pc2.Layout, 24, 0), "0 frames", "byte 24"},
		{"no frames", badCache(pc2.Layout, 28, 0), "0 frames", "byte 28"},
		{"negative frames", badCache(pc2.Layout, 28, minusOne), "-1 frames", "byte 28"},
		{"huge frames", badCache(pc2.Layout, 28, math.MaxInt32), "3 of 2147483647 frames", "byte 104"},
		{"no data", goodPC2[:32], "0 of 3 frames", "byte 32"},
		{"cut", goodPC2[:103], "2 of 3 frames", "byte 103"},
		{"NaN", badCache(pc2.Layout, 32+24+12, nan32), "point 1 of frame 1", "byte 68"},
		{"infinity", badCache(pc2.Layout, 32+48+8, inf32), "point 0 of frame 2", "byte 80"},
	},
	mdd.Layout: {
		{"empty", "", "header", "byte 0"},
		{"short header", goodMDD[:7], "header", "byte 7"},
		{"not MDD", goodPC2, "1413693763 points", "byte 4"}, // TCAC as a number
		{"no frames", badCache(mdd.Layout, 0, 0), "0 frames", "byte 0"},
		{"negative frames", badCache(mdd.Layout, 0, minusOne), "-1 frames", "byte 0"},
		{"huge frames", badCache(mdd.Layout, 0, math.MaxInt32), "times of 2147483647 frames", "byte 92"},
		{"no points", badCache(mdd.Layout, 4, 0), "0 points", "byte 4"},
		{"negative points", badCache(mdd.Layout, 4, minusOne), "-1 points", "byte 4"},
		{"huge points", badCache(mdd.Layout, 4, 1<<28), "0 of 3 frames", "byte 92"},
		{"no data", goodMDD[:20], "0 of 3 frames", "byte 20"},
		{"cut in times", goodMDD[:19], "times of 3 frames", "byte 19"},
		{"cut", goodMDD[:91], "2 of 3 frames", "byte 91"},
		{"NaN", badCache(mdd.Layout, 20+24+12, nan32), "point 1 of frame 1", "byte 56"},
		{"infinity", badCache(mdd.Layout, 20+48+8, inf32), "point 0 of frame 2", "byte 68"},
	},
}

// readCache reads every frame of a cache.
func readCache(data []byte, format *pointcache.Layout) (*pointcache.Reader, error) {
	c, err := pointcache.NewReader(bytes.NewReader(data), int64(len(data)), "", format, model.Frame{Unit: 1})
	if err != nil {
		return nil, err
	}
	out := make([]r3.Vec, c.Points)
	for i := range c.Frames {
		if err := c.Frame(i, out); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func TestHostilePointCaches(t *testing.T) {
	for _, format := range []*pointcache.Layout{pc2.Layout, mdd.Layout} {
		for _, h := range hostileCaches[format] {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := readCache([]byte(h.data), format)
			runtime.ReadMemStats(&after)
			var e *Error
			if !errors.As(err, &e) {
				t.Errorf("%v, %s: %v", format, h.name, err)
				continue
			}
			if place := fmt.Sprintf("byte %d", e.Offset); place != h.place || !strings.Contains(e.Msg, h.want) {
				t.Errorf("%v, %s: %v; want %s and %q", format, h.name, err, h.place, h.want)
			}
			if spent := after.TotalAlloc - before.TotalAlloc; spent > 1<<16 {
				t.Errorf("%v, %s: %d bytes allocated", format, h.name, spent)
			}
		}
		good := []byte(map[*pointcache.Layout]string{pc2.Layout: goodPC2, mdd.Layout: goodMDD}[format])
		for n := range good {
			if _, err := readCache(good[:n], format); err == nil {
				t.Errorf("%v: accepted %d of %d bytes", format, n, len(good))
			}
		}
		if _, err := readCache(append(good, "rest"...), format); err != nil {
			t.Errorf("%v: with bytes after the end: %v", format, err)
		}
	}
}

func TestPointCacheThatChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wave.pc2")
	open := func() *PointCache {
		if err := WritePointCacheFile(path, waveHeader(2, 3), DefaultWriteOptions(), wave); err != nil {
			t.Fatal(err)
		}
		c, err := OpenPointCache(path, DefaultReadOptions())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	out := make([]r3.Vec, 2)
	c := open()
	if err := os.Truncate(path, 60); err != nil {
		t.Fatal(err)
	}
	if err := c.Frame(
		2,
		out,
	); err == nil || !strings.Contains(err.Error(), path) ||
		!strings.Contains(err.Error(), "changed") {
		t.Errorf("a cut file: %v", err)
	}
	if err := c.reader.Frame( // as if the file were cut between the check and the read
		1,
		out,
	); err == nil ||
		!strings.Contains(err.Error(), path+": byte 60: the file ends inside frame 1") {
		t.Errorf("a file cut in the last moment: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := c.Frame(0, out); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a closed file: %v", err)
	}
	// An open file outlives its name, and a new file of the same name is not mixed with it.
	c = open()
	open()
	if err := c.Frame(2, out); err != nil {
		t.Errorf("a replaced file: %v", err)
	}
}

func TestPointCacheWriterRefuses(t *testing.T) {
	ok := waveHeader(2, 3)
	still := func(int, []r3.Vec) error { return nil }
	far := func(_ int, out []r3.Vec) error { out[1] = r3.V(0, 1e39, 0); return nil }
	broken := errors.New("broken")
	for _, c := range []struct {
		format *pointcache.Layout
		change func(*CacheHeader)
		frame  func(int, []r3.Vec) error
		want   string
	}{
		{pc2.Layout, func(h *CacheHeader) { h.Points = 0 }, still, "0 points"},
		{pc2.Layout, func(h *CacheHeader) { h.Frames = -1 }, still, "-1 frames"},
		{pc2.Layout, func(h *CacheHeader) { h.Step = 0 }, still, "Step is 0"},
		{pc2.Layout, func(h *CacheHeader) { h.First = 1e300 }, still, "First is 1e+300"},
		{mdd.Layout, func(h *CacheHeader) { h.Times = h.Times[1:] }, still, "2 times for 3 frames"},
		{mdd.Layout, func(h *CacheHeader) { h.Times[1] = math.NaN() }, still, "frame 1 is NaN"},
		{pc2.Layout, func(*CacheHeader) {}, far, "point 1 of frame 0"},
		{mdd.Layout, func(*CacheHeader) {}, func(int, []r3.Vec) error { return broken }, "broken"},
	} {
		h := ok
		h.Times = append([]float64(nil), ok.Times...)
		c.change(&h)
		var b bytes.Buffer
		if err := writePointCache(
			&b,
			c.format,
			h,
			DefaultWriteOptions(),
			c.frame,
		); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if err := WritePointCacheFile(
		"wave.abc",
		ok,
		DefaultWriteOptions(),
		still,
	); err == nil ||
		!strings.Contains(err.Error(), ".pc2 or .mdd") {
		t.Errorf("unknown extension: %v", err)
	}
}

// FuzzPointCache says that whatever is read is finite and reads back the same when written.
func FuzzPointCache(f *testing.F) {
	for _, format := range []*pointcache.Layout{pc2.Layout, mdd.Layout} {
		for _, h := range hostileCaches[format] {
			f.Add([]byte(h.data), format == mdd.Layout)
		}
	}
	f.Add([]byte(goodPC2), false)
	f.Add([]byte(goodMDD), true)
	f.Fuzz(func(t *testing.T, data []byte, isMDD bool) {
		format := pc2.Layout
		if isMDD {
			format = mdd.Layout
		}
		c, err := readCache(data, format)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		var b bytes.Buffer
		if err := writePointCache(&b, format, c.Header, DefaultWriteOptions(), c.Frame); err != nil {
			if format == mdd.Layout { // times that are no numbers are read, for the frames may be used without
				return
			}
			t.Fatalf("writing what was read: %v", err)
		}
		if n := c.Start + 12*int64(c.Frames)*int64(c.Points); !bytes.Equal(b.Bytes(), data[:n]) {
			t.Fatalf("%x became %x", data[:n], b.Bytes())
		}
	})
}

func BenchmarkPointCacheFrame500k(b *testing.B) {
	const points = 500_000
	data := cacheBytes(b, mdd.Layout, waveHeader(points, 2), DefaultWriteOptions(), wave)
	c, err := pointcache.NewReader(bytes.NewReader(data), int64(len(data)), "", mdd.Layout, model.Frame{Unit: 1})
	if err != nil {
		b.Fatal(err)
	}
	out := make([]r3.Vec, points)
	b.SetBytes(12 * points)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := c.Frame(i%2, out); err != nil {
			b.Fatal(err)
		}
	}
}

func TestPointCacheWriterCounts(t *testing.T) {
	var b strings.Builder
	w, err := pointcache.NewWriter(&b, pc2.Layout, CacheHeader{Points: 2, Frames: 1, Step: 1}, model.Frame{Unit: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(make([]r3.Vec, 3)); err == nil {
		t.Error("a frame of other points was written")
	}
	if err := w.Write(make([]r3.Vec, 2)); err != nil || b.Len() != 32+24 {
		t.Errorf("%d bytes, %v", b.Len(), err)
	}
	if err := w.Write(make([]r3.Vec, 2)); err == nil {
		t.Error("one frame too many was written")
	}
}
