package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/measure"
)

// A row is work that is measured with ctrllint and others: what the caches hold when the clock starts.
type row struct {
	name       string
	work       string // in the table, behind the module's name
	peers      []*tool
	buildEmpty bool // the go command's build cache is empty; else it is full
	warm       bool // the tool's own cache is that of an earlier run; else it is empty
}

var rows = []row{
	{name: "nobuild", work: "build cache empty, own cache empty", peers: []*tool{staticcheck, golangci}, buildEmpty: true},
	{name: "cold", work: "build cache full, own cache empty", peers: []*tool{staticcheck}},
	{name: "warm", work: "nothing changed", peers: []*tool{staticcheck}, warm: true},
}

// choose are the rows that are named in spec, separated by commas, in the order of the table; all where it is empty.
func choose(spec string) ([]row, error) {
	if spec == "" {
		return rows, nil
	}
	names := strings.Split(spec, ",")
	var out []row
	for _, r := range rows {
		if slices.Contains(names, r.name) {
			out = append(out, r)
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(rows, func(r row) bool { return r.name == name }) {
			return nil, fmt.Errorf("there is no row %q: want some of nobuild, cold, warm", name)
		}
	}
	return out, nil
}

// tools are those that the rows need, ctrllint first.
func tools(rows []row) []*tool {
	out := []*tool{ctrllint}
	for _, r := range rows {
		for _, t := range r.peers {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

const tableHead = `| work | against | CPU s | ratio | wall s | peak MiB |
|---|---|---|---|---|---|`

// line is a line of the table: what is ours stands before the stroke.
func line(work, against string, ours, theirs []measure.Cost) string {
	o, t := measure.Median(ours), measure.Median(theirs)
	return fmt.Sprintf("| %s | %s | %.2f / %.2f | %s | %.2f / %.2f | %d / %d |",
		work, against, o.CPU.Seconds(), t.CPU.Seconds(), fraction(ratio(ours, theirs)), o.Wall.Seconds(), t.Wall.Seconds(), o.Peak/1024, t.Peak/1024)
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
