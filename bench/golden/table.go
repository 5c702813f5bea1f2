package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/verdict"
)

// sums count findings by what they are summed up by, and by verdict.
type sums map[string]map[string]int

func (s sums) add(what, v string) {
	if s[what] == nil {
		s[what] = make(map[string]int)
	}
	s[what][v]++
}

// byRule sums up by category, rule by rule.
func byRule(all []*Golden) sums {
	s := make(sums)
	for _, g := range all {
		for _, f := range g.Findings {
			s.add(f.Category, f.Verdict)
		}
	}
	return s
}

// table writes s, by rule, as a table in Markdown, with a last line of all. Findings that nobody has judged are in the column of all
// only.
func (s sums) table(w io.Writer) {
	fmt.Fprintf(w, "| rule | findings | %s |\n|---|---%s|\n", strings.Join(verdict.All, " | "), strings.Repeat("|---", len(verdict.All)))
	total := make(map[string]int)
	for _, row := range slices.Sorted(maps.Keys(s)) {
		line(w, row, s[row])
		for v, n := range s[row] {
			total[v] += n
		}
	}
	line(w, "all", total)
}

func line(w io.Writer, what string, counts map[string]int) {
	n := 0
	for _, c := range counts {
		n += c
	}
	fmt.Fprintf(w, "| %s | %d |", what, n)
	for _, v := range verdict.All {
		fmt.Fprintf(w, " %d |", counts[v])
	}
	fmt.Fprintln(w)
}

// modulesTable writes a line for each of the modules, with what was analysed of it. all are their outcomes.
func modulesTable(w io.Writer, modules []*Module, all []*Golden) {
	fmt.Fprintf(w, "| module | patterns | packages | failures | findings | %s |\n|---|---|---|---|---%s|\n",
		strings.Join(verdict.All, " | "), strings.Repeat("|---", len(verdict.All)))
	for i, m := range modules {
		counts := make(map[string]int)
		for _, f := range all[i].Findings {
			counts[f.Verdict]++
		}
		name := fmt.Sprintf("%s %s | %s | %d | %d", m.what(), m.Version[:min(len(m.Version), 12)], strings.Join(m.Patterns, " "), all[i].Packages, len(all[i].Failures))
		line(w, name, counts)
	}
}

// findingsTable writes a line for each finding, with what somebody made of it.
func findingsTable(w io.Writer, modules []*Module, all []*Golden) {
	fmt.Fprint(w, "| module | place | finding | verdict | reason |\n|---|---|---|---|---|\n")
	for i, m := range modules {
		for _, f := range all[i].Findings {
			fmt.Fprintf(w, "| %s | %s:%d | %s | %s | %s |\n", m.Name, f.File, f.Line, f.Category, f.Verdict, strings.ReplaceAll(f.Reason, "|", "\\|"))
		}
	}
}
