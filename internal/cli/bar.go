package cli

import (
	"io"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// Bar is a progress bar or a spinner on a terminal. A nil bar shows nothing.
type Bar struct {
	t    *Term
	bars *mpb.Progress
	bar  *mpb.Bar
	was  io.Writer // where standard error went before
}

// newBar shows a bar with what is written behind it, or returns nil where there is no terminal for it.
func newBar(t *Term, total int, behind ...decor.Decorator) *Bar {
	style := mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Rbound("]")
	return openBar(
		t,
		int64(total),
		style,
		mpb.WithWidth(32),
		mpb.BarRemoveOnComplete(),
		mpb.AppendDecorators(behind...),
	)
}

// NewLineBar shows a bar with a line behind it that is asked for at every refresh.
func NewLineBar(t *Term, total int, line func() string) *Bar {
	return newBar(t, total, decor.Any(func(decor.Statistics) string { return " " + line() }))
}

// NewSpinner shows that something is being computed whose end is not known, or returns nil as newBar does.
func NewSpinner(t *Term, what string) *Bar {
	return openBar(t, 0, mpb.SpinnerStyle().PositionLeft(), nil, mpb.BarWidth(1),
		mpb.AppendDecorators(
			decor.Name(" "+visible(what)), decor.Elapsed(decor.ET_STYLE_GO, decor.WC{C: decor.DSyncSpace}),
		))
}

// openBar shows a bar of a style; width may be nil.
func openBar(
	t *Term,
	total int64,
	style mpb.BarFillerBuilder,
	width mpb.ContainerOption,
	options ...mpb.BarOption,
) *Bar {
	if t.JSON || !t.live {
		return nil
	}
	b := &Bar{t: t, bars: mpb.New(mpb.WithOutput(t.err), width, mpb.WithRefreshRate(200*time.Millisecond))}
	b.bar = b.bars.New(total, style, options...)
	b.was = t.divert(b.bars)
	return b
}

// Set says how much is done.
func (b *Bar) Set(done int64) { b.bar.SetCurrent(done) }

// Close removes the bar.
func (b *Bar) Close() {
	if b == nil {
		return
	}
	b.bar.Abort(true)
	b.bars.Wait()
	b.t.divert(b.was)
}
