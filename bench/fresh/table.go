package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/ctrllint/ctrllint/bench/internal/verdict"
)

// sums count findings by sub-rule, and by the verdict that counts.
type sums map[string]map[string]int

func (s sums) add(f *Finding) {
	if s[f.Category] == nil {
		s[f.Category] = map[string]int{}
	}
	s[f.Category][f.counts()]++
}

// table writes s as a table in Markdown, with a last line of all.
func (s sums) table(w io.Writer) {
	fmt.Fprint(w, "| | findings | right | weak | wrong |\n|---|---|---|---|---|\n")
	all := map[string]int{}
	for _, category := range slices.Sorted(maps.Keys(s)) {
		row(w, category, s[category])
		for v, n := range s[category] {
			all[v] += n
		}
	}
	row(w, "all", all)
}

func row(w io.Writer, what string, n map[string]int) {
	right, weak, wrong := n[verdict.Right], n[verdict.Weak], n[verdict.Wrong]
	fmt.Fprintf(w, "| %s | %d | %d | %d | %d |\n", what, right+weak+wrong, right, weak, wrong)
}

// tables writes the sums of each measure, and then those of all by sub-rule.
func tables(w io.Writer, measures []*measure) error {
	fmt.Fprint(w, "| measure | findings | right | weak | wrong |\n|---|---|---|---|---|\n")
	all := sums{}
	for _, m := range measures {
		n := map[string]int{}
		for _, f := range m.findings {
			n[f.counts()]++
			all.add(f)
		}
		row(w, m.name, n)
	}
	_, err := fmt.Fprintln(w)
	all.table(w)
	return err
}
