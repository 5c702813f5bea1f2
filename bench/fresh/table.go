package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/ctrllint/ctrllint/internal/verdict"
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
	for _, category := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(w, "| %s | %s |\n", category, cells(s[category]))
	}
	fmt.Fprintf(w, "| all | %s |\n", cells(s.total()))
}

// total is the sum of all sub-rules.
func (s sums) total() map[string]int {
	all := map[string]int{}
	for _, n := range s {
		for v := range n {
			all[v] += n[v]
		}
	}
	return all
}

// cells are those of n in a table.
func cells(n map[string]int) string {
	right, weak, wrong := n[verdict.Right], n[verdict.Weak], n[verdict.Wrong]
	return fmt.Sprintf("%d | %d | %d | %d", right+weak+wrong, right, weak, wrong)
}

// tables writes the sums of each measure, and then those of all by sub-rule: at first, and of what is still found.
func tables(w io.Writer, measures []*measure) error {
	all, left := sums{}, sums{}
	fmt.Fprint(w, "| measure "+head)
	for _, m := range measures {
		first, still := map[string]int{}, map[string]int{}
		for _, f := range m.findings {
			first[f.counts()]++
			all.add(f)
			if !f.Gone {
				still[f.counts()]++
				left.add(f)
			}
		}
		both(w, m.name, first, still)
	}
	both(w, "all", all.total(), left.total())
	fmt.Fprint(w, "\n| sub-rule "+head)
	for _, category := range slices.Sorted(maps.Keys(all)) {
		both(w, category, all[category], left[category])
	}
	_, err := fmt.Fprintln(w)
	return err
}

const head = "| findings | right | weak | wrong | still found | right | weak | wrong |\n|---|---|---|---|---|---|---|---|---|\n"

func both(w io.Writer, what string, first, still map[string]int) {
	fmt.Fprintf(w, "| %s | %s | %s |\n", what, cells(first), cells(still))
}
