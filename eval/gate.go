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

// A Limit is what a list has to keep: at least so many right findings that are still found, and at most so many wrong ones that are told.
type Limit struct {
	Right int `json:"right"`
	Wrong int `json:"wrong"`
}

// Limits are what gate.json says.
type Limits struct {
	Modules  Limit `json:"modules"`
	Trees    Limit `json:"trees"`
	Fresh    Limit `json:"fresh"`
	Unjudged int   `json:"unjudged"` // of findings that nobody has read, at most so many
}

// gateName is the file of the limits, beside the folder of the data.
const gateName = "gate.json"

func readLimits(data string) (l Limits, err error) {
	name := filepath.Join(filepath.Dir(filepath.Clean(data)), gateName)
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

// A tally counts findings that are still found, by the verdict that counts.
type tally map[string]int

// A standing is what the data says: by list and by site.
type standing struct {
	lists map[string]tally // Modules, Trees, Fresh
	sites map[string]tally
}

// stand counts the findings of d that are not gone.
func stand(d *record.Data) *standing {
	s := &standing{lists: map[string]tally{record.Modules: {}, record.Trees: {}, record.Fresh: {}}, sites: map[string]tally{}}
	for _, f := range d.Findings {
		if f.Gone {
			continue
		}
		list, site := f.List, d.Renamed("site", f.Site)
		if f.Split == record.SplitFresh {
			list = record.Fresh
		}
		if s.sites[site] == nil {
			s.sites[site] = tally{}
		}
		s.lists[list][f.Counts()]++
		s.sites[site][f.Counts()]++
	}
	return s
}

// gate runs what there is to run, and reports whether the findings are beyond the limits. Without mirrors, trees and fresh code stand as the data has them.
func gate(ctx context.Context, w io.Writer, o *options) (beyond bool, err error) {
	d, targets, err := o.read(record.Modules)
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
	was := stand(d)
	use := func(_ *record.Target, _ *result, c *comparison) error { c.apply(d); return nil }
	_, err = runTargets(ctx, w, r, d, targets, use)
	if o.mirrors != "" && !o.short {
		trees, _ := o.targets(d, record.Trees)
		_, e := runTargets(ctx, w, r, d, trees, use)
		_, f := runFresh(ctx, w, r, d, o, func(c *comparison) error { c.apply(d); return nil })
		err = errors.Join(err, e, f)
	}
	return judge(w, limits, was, stand(d)), err
}

// judge prints what has changed from one standing to another one, by site, and then the lists with their limits; it reports whether one of these is beyond them.
func judge(w io.Writer, limits Limits, was, is *standing) (beyond bool) {
	var sites []string
	for _, site := range slices.Sorted(maps.Keys(union(was.sites, is.sites))) {
		if !maps.Equal(was.sites[site], is.sites[site]) {
			sites = append(sites, site)
		}
	}
	if len(sites) > 0 {
		fmt.Fprint(w, "\n| site | right | was | weak | was | wrong | was | not judged | was |\n|---|---|---|---|---|---|---|---|---|\n")
	}
	for _, site := range sites {
		fmt.Fprintf(w, "| %s |", site)
		for _, v := range []string{verdict.Right, verdict.Weak, verdict.Wrong, verdict.Unjudged} {
			fmt.Fprintf(w, " %d | %d |", is.sites[site][v], was.sites[site][v])
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "\n| list | right | at least | wrong | at most | |\n|---|---|---|---|---|---|\n")
	open := 0
	for _, l := range []struct {
		name  string
		limit Limit
	}{{record.Modules, limits.Modules}, {record.Trees, limits.Trees}, {record.Fresh, limits.Fresh}} {
		t := is.lists[l.name]
		open += t[verdict.Unjudged]
		says := "ok"
		if t[verdict.Right] < l.limit.Right || t[verdict.Wrong] > l.limit.Wrong {
			says, beyond = "beyond the limit", true
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %s |\n", l.name, t[verdict.Right], l.limit.Right, t[verdict.Wrong], l.limit.Wrong, says)
	}
	fmt.Fprintf(w, "\n%d findings are not judged, of at most %d.\n", open, limits.Unjudged)
	return beyond || open > limits.Unjudged
}

func union[V any](a, b map[string]V) map[string]V {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}
