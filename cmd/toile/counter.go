package main

import (
	"fmt"
	"io"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// counter shows how far work of a known number of parts is: a bar on a terminal, a line every few seconds elsewhere.
type counter struct {
	t     *term
	what  string
	total int
	done  int
	began time.Time
	said  time.Time

	bars *mpb.Progress // nil without a terminal
	bar  *mpb.Bar
	was  io.Writer // where standard error went before the bar
}

// newCounter begins to count; what is such as "drawing frame".
func newCounter(t *term, what string, total int) *counter {
	c := &counter{t: t, what: what, total: total, began: time.Now(), said: time.Now()}
	if t.json || !t.live || total < 2 {
		return c
	}
	c.bars = mpb.New(mpb.WithOutput(t.err), mpb.WithWidth(32), mpb.WithRefreshRate(200*time.Millisecond))
	c.bar = c.bars.New(int64(total), mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Rbound("]"), mpb.BarRemoveOnComplete(),
		mpb.AppendDecorators(decor.Name(" "+what), decor.CountersNoUnit(" %d/%d"), decor.AverageETA(decor.ET_STYLE_GO, decor.WC{C: decor.DSyncSpace})))
	c.was = t.divert(c.bars)
	return c
}

// next says that work on the next part begins.
func (c *counter) next() {
	if c.bar != nil {
		c.bar.SetCurrent(int64(c.done))
	} else if !c.t.json && time.Since(c.said) >= lineEvery {
		c.said = time.Now()
		left := time.Duration(float64(time.Since(c.began)) / float64(max(c.done, 1)) * float64(c.total-c.done))
		c.t.complain("%s\n", fmt.Sprintf("%s %d of %d, %s left", c.what, c.done+1, c.total, timeLeft(left)))
	}
	c.done++
}

// close removes the bar. It may be called twice.
func (c *counter) close() {
	if c.bars == nil {
		return
	}
	c.bar.Abort(true)
	c.bars.Wait()
	c.t.divert(c.was)
	c.bars, c.bar = nil, nil
}
