package knit

import (
	"errors"
	"strings"
	"testing"
)

func TestParseReadsRowsFromTheTop(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"k", "k\n"},
		{"kkp", "kkp\n"},
		{"k2 p2", "kkpp\n"},
		{"2(k2 p2) k2", "kkppkkppkk\n"},
		{"2 ( k 2(p k) )k", "kpkpkkpkpkk\n"},
		{"k2(p2)", "kkpp\n"}, // the number belongs to the stitch it touches
		{"K|P-.", "kkppp\n"},
		{"  # ribs that jump\n k p # odd\n\n\tp k\r\n", "kp\npk\n"},
		{"stockinette", "k\n"},
		{" Garter\n", "p\nk\n"},
		{"rib 2x1", "kkp\n"},
		{"seed", "pk\nkp\n"},
		{"moss", "pk\nkp\n"},
		{"k c4f p\nk2c2b k2", "k c4f p\nkk c2b kk\n"},
		{"2(C4B)", " c4b  c4b \n"},
		{"basket 2 X 1", "ppkk\nkkpp\n"},
	} {
		chart, err := Parse(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := chart.String(); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}

func TestChartRepeats(t *testing.T) {
	c, err := Parse("p k\nk k")
	if err != nil {
		t.Fatal(err)
	}
	if c.At(0, 0) != Knit || c.At(0, 1) != Purl || c.At(-2, 3) != Purl || c.At(5, -1) != Knit {
		t.Error("the top row of the text is not the last course, or the chart does not repeat")
	}
	cables, err := Parse("c4f p")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := cables.Repeat(8, 1).String(), " c4f pkkk\n"; got != want {
		t.Errorf("a cable repeated: %q, want %q", got, want)
	}
	if got, want := c.Repeat(3, 5).String(), "kkk\npkp\nkkk\npkp\nkkk\n"; got != want {
		t.Errorf("repeated to 3 x 5: %q, want %q", got, want)
	}
}

func TestBadChartsAreToldWithTheirPlace(t *testing.T) {
	for _, c := range []struct {
		text         string
		line, column int
		want         string
	}{
		{"", 1, 1, "no stitches"},
		{"# nothing\n", 1, 1, "no stitches"},
		{"k p\nk p q", 2, 5, `'q' is no stitch`},
		{"k é", 1, 3, `'é' is no stitch`},
		{"k p\n\nk p k", 3, 6, "has 3 stitches and the one on top has 2"},
		{"k 2k", 1, 3, "write k2"},
		{"k 2", 1, 3, "directly behind"},
		{"k0", 1, 2, "at least 1"},
		{"2(k p", 1, 2, "not closed"},
		{"k ) p", 1, 3, "not opened"},
		{"k 3( )", 1, 4, "nothing in this bracket"},
		{"k99999999999999999999", 1, 1, "more than 1048576"},
		{"1024(1024(k p))", 1, 5, "more than 1048576"},
		{"1024(1024(k)) k", 1, 16, "more than 1048576"},
		{"k1048576\nk1048576", 2, 1, "more than 1048576"},
		{strings.Repeat("(", 20), 1, 17, "more than 16 brackets"},
		{"k c3f", 1, 3, "even number"},
		{"c4", 1, 1, "even number"},
		{"c10f", 1, 1, "even number of stitches up to 6"},
		{"cf", 1, 1, "even number"},
		{"c4x", 1, 1, "f or b"},
		{"k1048575 c2f", 1, 13, "more than 1048576"},
		{"rib", 1, 1, "needs two numbers"},
		{"\n  rib 0x2", 2, 3, "from 1 to 256"},
		{"basket 2x99999999999999999999", 1, 1, "from 1 to 256"},
		{"garter 2x2", 1, 1, "takes no numbers"},
		{"stokinette", 1, 1, "did you mean stockinette"},
		{"cardigan", 1, 1, "there are stockinette, garter"},
	} {
		_, err := Parse(c.text)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%.30q: %v, want an error", c.text, err)
			continue
		}
		if e.Line != c.line || e.Column != c.column || !strings.Contains(e.Msg, c.want) {
			t.Errorf("%.30q: %v, want line %d, column %d: %s", c.text, err, c.line, c.column, c.want)
		}
	}
}

func TestParseTellsAllFaults(t *testing.T) {
	_, err := Parse("k p q\nk p\n\nk p k\nk p # fine\nk (p")
	var faults Errors
	if !errors.As(err, &faults) || len(faults) != 3 {
		t.Fatalf("%v, want 3 faults", err)
	}
	for i, line := range []int{1, 4, 6} {
		if faults[i].Line != line {
			t.Errorf("fault %d: %v, want one of line %d", i, faults[i], line)
		}
	}
	if got := strings.Count(err.Error(), "\n"); got != 2 {
		t.Errorf("%q is not one fault a line", err)
	}
	// A hostile chart may be long, and its rows large.
	if _, err = Parse(strings.Repeat("k1000000 x\n", 50_000)); !errors.As(err, &faults) || len(faults) != maxErrors {
		t.Errorf("%d faults, want %d", len(faults), maxErrors)
	}
}

// FuzzChart says that whatever is read is a chart, and that what it writes reads back the same.
func FuzzChart(f *testing.F) {
	for _, text := range []string{"c4f 2(c2b k)", "k2 p2\n2(k p)", "rib 2x2", "basket 3x2", "3(2(k) -.|", "# k", "k 2", "seed"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		chart, err := Parse(text)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Line < 1 || e.Column < 1 {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if chart.Wales()*chart.Courses() > maxStitches || chart.Wales() < 1 || chart.Courses() < 1 {
			t.Fatalf("a chart of %d x %d", chart.Wales(), chart.Courses())
		}
		again, err := Parse(chart.String())
		if err != nil {
			t.Fatalf("reading back: %v", err)
		}
		if again.String() != chart.String() {
			t.Fatalf("%q became %q", chart.String(), again.String())
		}
	})
}

func TestShapingIsNotThereYet(t *testing.T) {
	for text, column := range map[string]int{"k yo k": 3, "k2tog k": 3, "k SSK": 3, "p p2tog": 5, "k m1": 3} {
		_, err := Parse(text)
		var fault *Error
		if !errors.As(err, &fault) || fault.Column != column || !strings.Contains(fault.Msg, "not there yet") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
