package cli

import (
	"fmt"
	"time"

	"github.com/vbauerster/mpb/v8/decor"

	"github.com/toile-sim/toile/internal/words"
)

// LineEvery is the time between lines where there is no terminal.
const LineEvery = 5 * time.Second

// Counter shows how far work of a known number of parts is: a bar on a terminal, a line every few seconds elsewhere.
type Counter struct {
	t     *Term
	what  string
	total int
	done  int
	began time.Time
	said  time.Time

	bar *Bar // nil without a terminal
}

// NewCounter begins to count; what is such as "drawing frame".
func NewCounter(t *Term, what string, total int) *Counter {
	c := &Counter{t: t, what: what, total: total, began: time.Now(), said: time.Now()}
	if total >= 2 {
		c.bar = newBar(
			t,
			total,
			decor.Name(" "+what),
			decor.CountersNoUnit(" %d/%d"),
			decor.AverageETA(decor.ET_STYLE_GO, decor.WC{C: decor.DSyncSpace}),
		)
	}
	return c
}

// Next says that work on the next part begins.
func (c *Counter) Next() {
	if c.bar != nil {
		c.bar.Set(int64(c.done))
	} else if !c.t.JSON && time.Since(c.said) >= LineEvery {
		c.said = time.Now()
		left := time.Duration(float64(time.Since(c.began)) / float64(max(c.done, 1)) * float64(c.total-c.done))
		c.t.Complain("%s\n", fmt.Sprintf("%s %d of %d, %s left", c.what, c.done+1, c.total, words.TimeLeft(left)))
	}
	c.done++
}

// More reports whether there are parts left to begin.
func (c *Counter) More() bool { return c.done < c.total }

// Close removes the bar. It may be called twice.
func (c *Counter) Close() {
	c.bar.Close()
	c.bar = nil
}
