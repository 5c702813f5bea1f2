package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/doubted"
)

// asItComes stands among the outcomes for the hits of sub-rules that are on by default.
var asItComes = Outcome{Before: "hit as the tool comes"}

// sums counts outcomes by the first rule of their rows.
type sums map[string]map[Outcome]int

func (s sums) add(r *Row, o Outcome) {
	if s[r.Rules[0]] == nil {
		s[r.Rules[0]] = map[Outcome]int{}
	}
	s[r.Rules[0]][o]++
	if o.Before == hit && !doubted.All(r.Found) {
		s[r.Rules[0]][asItComes]++
	}
}

// print prints a table in Markdown, with a last line of all.
func (s sums) print(w io.Writer) error {
	columns := []Outcome{{hit, quiet}, {hit, again}, {hit, broken}, {hit, none}, {miss, none}, {broken, none}}
	text := "| rule | rows |"
	for _, c := range columns {
		text += " " + c.String() + " |"
	}
	text += " " + asItComes.Before + " |\n|---|---|---|" + strings.Repeat("---|", len(columns)) + "\n"
	var rules []string
	all := map[Outcome]int{}
	for rule, counts := range s {
		rules = append(rules, rule)
		for o, n := range counts {
			all[o] += n
		}
	}
	slices.Sort(rules)
	line := func(what string, counts map[Outcome]int) {
		rows, cells := 0, ""
		for _, c := range columns {
			rows += counts[c]
			cells += fmt.Sprintf(" %d |", counts[c])
		}
		text += fmt.Sprintf("| %s | %d |%s %d |\n", what, rows, cells, counts[asItComes])
	}
	for _, rule := range rules {
		line(rule, s[rule])
	}
	line("all", all)
	_, err := io.WriteString(w, text)
	return err
}

// printTables prints what the files in the folder data say: the sums, and each row.
func printTables(w io.Writer, data string) error {
	files, err := rowFiles(data)
	if err != nil {
		return err
	}
	s, text := sums{}, "\n| row | bug | rules | before, after its fix | note |\n|---|---|---|---|---|\n"
	for _, file := range files {
		rows, err := readRows(file)
		if err != nil {
			return err
		}
		for _, r := range rows {
			s.add(r, r.Want)
			text += fmt.Sprintf("| %s | %s %.12s %s | %s | %s | %s |\n", r.ID, r.Repo, r.Before, r.File, strings.Join(r.Rules, ", "), r.Want, r.Note)
		}
	}
	if err := s.print(w); err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}
