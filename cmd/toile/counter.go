package main

import (
	"fmt"
	"time"

	"github.com/vbauerster/mpb/v8/decor"

	"github.com/toile-sim/toile/internal/words"
)

// counter shows how far work of a known number of parts is: a bar on a terminal, a line every few seconds elsewhere.
type counter struct {
	t     *term
	what  string
	total int
	done  int
	began time.Time
	said  time.Time

	bar *bar // nil without a terminal
}

// newCounter begins to count; what is such as "drawing frame".
func newCounter(t *term, what string, total int) *counter {
	c := &counter{t: t, what: what, total: total, began: time.Now(), said: time.Now()}
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

// next says that work on the next part begins.
func (c *counter) next() {
	if c.bar != nil {
		c.bar.set(int64(c.done))
	} else if !c.t.json && time.Since(c.said) >= lineEvery {
		c.said = time.Now()
		left := time.Duration(float64(time.Since(c.began)) / float64(max(c.done, 1)) * float64(c.total-c.done))
		c.t.complain("%s\n", fmt.Sprintf("%s %d of %d, %s left", c.what, c.done+1, c.total, words.TimeLeft(left)))
	}
	c.done++
}

// more reports whether there are parts that next has not told of.
func (c *counter) more() bool { return c.done < c.total }

// close removes the bar. It may be called twice.
func (c *counter) close() {
	c.bar.close()
	c.bar = nil
}
