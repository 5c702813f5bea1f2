package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

// A Limit is what a list has to keep: at most so many right findings that are not found any more, and at most so many wrong ones that are reported. A right one
// that is found again, or is new, does not make up for another one that is lost.
type Limit struct {
	Lost  int `json:"lost"`
	Wrong int `json:"wrong"`
}

// Limits are what gate.json says.
type Limits struct {
	Modules  Limit `json:"modules"`
	Trees    Limit `json:"trees"`
	Fresh    Limit `json:"fresh"`
	Unjudged int   `json:"unjudged"` // of findings that nobody has read, at most so many
}

// of is the limit of a list.
func (l Limits) of(list string) Limit {
	return map[string]Limit{record.Modules: l.Modules, record.Trees: l.Trees, record.Fresh: l.Fresh}[list]
}

// lists are those that the gate is about.
var lists = []string{record.Modules, record.Trees, record.Fresh}

// readLimits reads gate.json, which is beside the folder of the data.
func readLimits(data string) (l Limits, err error) {
	name := filepath.Join(filepath.Dir(filepath.Clean(data)), "gate.json")
	text, err := os.ReadFile(name)
	if err != nil {
		return l, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return l, fmt.Errorf("%s: %w", name, err)
	}
	return l, nil
}

// lostRight is what the findings that are right and not found any more count as.
const lostRight = "lost"

// A standing is what the data says: counts of the findings that are found, by verdict, and of the right ones that are lost, by list and by site.
type standing struct {
	lists, sites map[string]counts
	targets      map[string]int // of each list
	lost         []*record.Finding
}

func stand(d *record.Data) *standing {
	s := &standing{lists: map[string]counts{}, sites: map[string]counts{}, targets: map[string]int{}}
	for _, list := range lists {
		s.lists[list] = counts{}
	}
	for _, t := range d.Targets {
		s.targets[t.List]++
	}
	for _, f := range d.Findings {
		list, site, what := f.Kind(), d.Renamed("site", f.Site), f.Counts()
		if f.Gone && what != verdict.Right {
			continue
		}
		if f.Gone {
			what = lostRight
			s.lost = append(s.lost, f)
		}
		if s.sites[site] == nil {
			s.sites[site] = counts{}
		}
		s.lists[list][what]++
		s.sites[site][what]++
	}
	return s
}

// gate runs modules and, where there are mirrors, trees and fresh code, and reports whether the findings are beyond the limits, or not the same is analysed any
// more. What does not run stands as the data has it.
func gate(ctx context.Context, w io.Writer, o *options) (beyond bool, err error) {
	d, err := record.Read(o.root())
	if err != nil {
		return false, err
	}
	limits, err := readLimits(o.data)
	if err != nil {
		return false, err
	}
	r, done, err := o.runner(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, done()) }()
	was, ran := stand(d), map[string]int{}
	var failed []error
	for _, list := range lists {
		if list != record.Modules && (o.mirrors == "" || o.short) {
			continue
		}
		targets, err := o.targets(d, list)
		if err == nil {
			_, err = runTargets(ctx, w, r, d, targets, func(_ *record.Target, _ *result, c *comparison) error {
				ran[list]++
				beyond = beyond || len(c.changed) > 0
				c.apply(d)
				return nil
			})
		}
		failed = append(failed, err)
	}
	return judge(w, limits, was, stand(d), ran) || beyond, errors.Join(failed...)
}

// judge prints what has changed from one standing to another one, by site, and then the lists with their limits and how many of their targets ran; it reports
// whether one of these is beyond them.
func judge(w io.Writer, limits Limits, was, is *standing, ran map[string]int) (beyond bool) {
	all := maps.Clone(was.sites)
	maps.Copy(all, is.sites)
	columns := []string{verdict.Right, verdict.Weak, verdict.Wrong, verdict.Unjudged, lostRight}
	head := "\n| site | right | was | weak | was | wrong | was | not judged | was | right and lost | was |\n|---|---|---|---|---|---|---|---|---|---|---|\n"
	for _, site := range slices.Sorted(maps.Keys(all)) {
		if maps.Equal(was.sites[site], is.sites[site]) {
			continue
		}
		fmt.Fprintf(w, "%s| %s |", head, site)
		head = ""
		for _, what := range columns {
			fmt.Fprintf(w, " %d | %d |", is.sites[site][what], was.sites[site][what])
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "\n| list | right | right and lost | at most | wrong | at most | targets that ran | |\n|---|---|---|---|---|---|---|---|\n")
	open := 0
	for _, list := range lists {
		n, limit, says := is.lists[list], limits.of(list), "ok"
		if n[lostRight] > limit.Lost || n[verdict.Wrong] > limit.Wrong {
			says, beyond = "beyond the limit", true
		}
		open += n[verdict.Unjudged]
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d of %d | %s |\n", list, n[verdict.Right], n[lostRight], limit.Lost, n[verdict.Wrong], limit.Wrong, ran[list], is.targets[list], says)
	}
	fmt.Fprintf(w, "\n%d findings are not judged, of at most %d.\n", open, limits.Unjudged)
	if beyond {
		for _, f := range is.lost {
			fmt.Fprintf(w, "right and lost: %s\n", f)
		}
	}
	return beyond || open > limits.Unjudged
}
