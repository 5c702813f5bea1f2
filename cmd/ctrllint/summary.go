package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/phrase"
)

// summary returns the result of a run in one line; accepted and unchanged are the numbers of findings that -baseline
// and -new-from leave out: "3 findings in 168 packages (4.1 s) beside 5 that the baseline accepts: lockheld 2,
// startctx 1; 1 has a fix (-fix)".
func summary(r driver.Result, accepted, unchanged int, took time.Duration) string {
	var b strings.Builder
	if len(r.Findings) == 0 {
		b.WriteString("no findings")
	} else {
		b.WriteString(phrase.Count(len(r.Findings), "finding", "findings"))
	}
	fmt.Fprintf(&b, " in %s (%.1f s)", phrase.Count(r.Packages(), "package", "packages"), took.Seconds())
	var beside []string
	if accepted > 0 {
		beside = append(beside, fmt.Sprintf("%d in the baseline", accepted))
	}
	if unchanged > 0 {
		beside = append(beside, fmt.Sprintf("%d in unchanged code", unchanged))
	}
	if len(beside) > 0 {
		b.WriteString(" beside " + strings.Join(beside, " and "))
	}
	rules, fixes := map[string]int{}, 0
	for _, f := range r.Findings {
		rules[f.Rule]++
		if len(f.Fixes) > 0 {
			fixes++
		}
	}
	most := func(a, b string) int { return cmp.Or(cmp.Compare(rules[b], rules[a]), cmp.Compare(a, b)) }
	for i, name := range slices.SortedFunc(maps.Keys(rules), most) {
		fmt.Fprintf(&b, "%s %s %d", []string{":", ","}[min(i, 1)], name, rules[name])
	}
	switch fixes {
	case 0:
	case 1:
		b.WriteString("; 1 has a fix (-fix)")
	default:
		fmt.Fprintf(&b, "; %d have fixes (-fix)", fixes)
	}
	return b.String()
}
