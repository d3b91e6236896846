package yarn

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// BenchmarkContact times a step of contact in a sheet of stockinette of the size of a scarf that moves gently.
func BenchmarkContact(b *testing.B) {
	for _, mode := range []ContactMode{ContactHierarchy, ContactPairs, ContactSets, ContactLinear} {
		name := [...]string{"sets", "linear", "pairs", "hierarchy"}[mode]
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/%d", name, workers), func(b *testing.B) {
				benchmarkContact(b, mode, par.New(workers))
			})
		}
	}
}

// cpuTime is the time that the process had on all cores, which tells more than the clock on a machine that
// is shared.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func benchmarkContact(b *testing.B, mode ContactMode, team *par.Team) {
	lay := &layout{}
	rest := stockinette(lay, 27, 120, 0.9*testRadius)
	c := newContacts(lay, ContactOptions{Radius: testRadius, Stiffness: 3.25, Tolerance: 0.04, Mode: mode})
	pos, vel, force := make([]r3.Vec, len(rest)), make([]r3.Vec, len(rest)), make([]r3.Vec, len(rest))
	const h = 1.0 / 16200
	step := 0
	var sum ContactStats
	var cpu time.Duration
	advance := func() {
		sway(rest, pos, float64(step)*h)
		step++
		began := cpuTime()
		team.Enter()
		c.add(pos, vel, h, team, force)
		team.Leave()
		cpu += cpuTime() - began
	}
	for range 40 {
		advance()
	}
	b.ResetTimer()
	cpu = 0
	spent := time.Duration(0)
	for range b.N {
		advance()
		t := &c.stats.Time
		spent += t.Spline + t.Schedule + t.Sets + t.Force + t.Gather
		sum.Updates += c.stats.Updates
		sum.Examined += c.stats.Examined
		sum.Processed += c.stats.Processed
		sum.Time.Spline += t.Spline
		sum.Time.Schedule += t.Schedule
		sum.Time.Sets += t.Sets
		sum.Time.Force += t.Force
		sum.Time.Gather += t.Gather
	}
	n := float64(b.N)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / n }
	b.ReportMetric(ms(spent), "ms")
	b.ReportMetric(ms(cpu), "cpu-ms")
	b.ReportMetric(ms(sum.Time.Spline), "spline-ms")
	b.ReportMetric(ms(sum.Time.Schedule), "schedule-ms")
	b.ReportMetric(ms(sum.Time.Sets), "sets-ms")
	b.ReportMetric(ms(sum.Time.Force), "force-ms")
	b.ReportMetric(ms(sum.Time.Gather), "gather-ms")
	b.ReportMetric(float64(c.stats.Sets), "sets")
	b.ReportMetric(float64(c.stats.Tracked), "tracked")
	b.ReportMetric(float64(sum.Updates)/n, "updates")
	b.ReportMetric(float64(sum.Examined)/n, "examined")
	b.ReportMetric(float64(sum.Processed)/n, "processed")
	b.ReportMetric(c.stats.Closest, "closest")
}
