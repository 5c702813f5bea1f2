package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ctrllint/ctrllint/internal/measure"
)

// A bar is what a row has to keep to, next to one other tool. What is zero is no bar.
type bar struct {
	against *tool
	cpu     float64       // at most so many times the other's CPU time
	seconds time.Duration // at most so much CPU time
	peak    bool          // at most the other's peak of memory
	memory  int64         // at most so many KiB at the peak
}

func (b bar) String() string {
	var parts []string
	switch {
	case b.cpu > 0.5:
		parts = append(parts, fmt.Sprintf("at most %.1f times its CPU time", b.cpu))
	case b.cpu != 0:
		parts = append(parts, fmt.Sprintf("at most 1/%.0f of its CPU time", 1/b.cpu))
	}
	if b.seconds != 0 {
		parts = append(parts, fmt.Sprintf("at most %.0f s of CPU time", b.seconds.Seconds()))
	}
	if b.peak {
		parts = append(parts, "at most its peak")
	}
	if b.memory != 0 {
		parts = append(parts, fmt.Sprintf("at most %d MiB", b.memory/1024))
	}
	return strings.Join(parts, ", ")
}

// fraction writes a ratio as people say it: 1/15.2, or 1.30 times.
func fraction(ratio float64) string {
	if ratio > 0.5 {
		return fmt.Sprintf("%.2f times", ratio)
	}
	return fmt.Sprintf("1/%.1f", 1/ratio)
}

// ratio is the median of the ratios of CPU time of the runs that followed each other.
func ratio(ours, theirs []measure.Cost) float64 {
	ratios := make([]float64, len(ours))
	for i := range ours {
		ratios[i] = ours[i].CPU.Seconds() / theirs[i].CPU.Seconds()
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2]
}

// met tells whether ours keep to the bar.
func (b bar) met(ours, theirs []measure.Cost) bool {
	o, t := measure.Median(ours), measure.Median(theirs)
	return (b.cpu == 0 || ratio(ours, theirs) <= b.cpu) &&
		(b.seconds == 0 || o.CPU <= b.seconds) &&
		(!b.peak || o.Peak <= t.Peak) &&
		(b.memory == 0 || o.Peak <= b.memory)
}

const tableHead = `| work | against | bar | CPU s | ratio | wall s | peak MiB | met |
|---|---|---|---|---|---|---|---|`

// line is a row of the table: what is ours stands before the stroke.
func (b bar) line(work string, ours, theirs []measure.Cost) string {
	o, t := measure.Median(ours), measure.Median(theirs)
	return fmt.Sprintf("| %s | %s | %s | %.2f / %.2f | %s | %.2f / %.2f | %d / %d | %s |",
		work, b.against.name, b, o.CPU.Seconds(), t.CPU.Seconds(), fraction(ratio(ours, theirs)),
		o.Wall.Seconds(), t.Wall.Seconds(), o.Peak/1024, t.Peak/1024, yes(b.met(ours, theirs)))
}

func yes(met bool) string {
	if met {
		return "yes"
	}
	return "**no**"
}
