package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/eval/graph"
	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/atomicfile"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

// sitesName is the table of the sites, from the root of the repository.
var sitesName = filepath.Join("internal", "rule", "sites.tsv")

// siteRows is the table of the sites that the source has, with the figures of the data. The grounds are those of old, and so are the checks of a
// site where neither the source nor a finding tells.
func siteRows(d *record.Data, sites []*graph.Site, old []rule.SiteRow) []rule.SiteRow {
	was := map[rule.Site]rule.SiteRow{}
	for _, r := range old {
		was[r.Site] = r
	}
	all := bySite(d)
	var out []rule.SiteRow
	for _, s := range sites {
		e := all[s.ID]
		if e == nil {
			e = &evidence{}
		}
		r := rule.SiteRow{
			Site: rule.Site(s.ID), Checks: checksOfSite(s, e, was[rule.Site(s.ID)].Checks), Ground: was[rule.Site(s.ID)].Ground,
			Tuned: e.tuned.brief(), First: e.first.brief(), Fixes: e.fixes, Repos: len(e.projects),
		}
		r.Level = levelBy(r.Ground, e)
		out = append(out, r)
	}
	return out
}

// checksOfSite names the checks of a site: those of its findings, or those that it had, or else those that its declaration names, which words other sites, too.
// Where the declaration names none, it may be any check of the rule.
func checksOfSite(s *graph.Site, e *evidence, was []string) []string {
	subs := s.Subs
	if len(subs) == 0 {
		subs = checksOf(s.Rule)
	}
	var own []string
	for _, sub := range subs {
		own = append(own, s.Rule+"/"+sub)
	}
	slices.Sort(own)
	for _, names := range [][]string{slices.Sorted(maps.Keys(e.checks)), was} {
		names = slices.DeleteFunc(slices.Clone(names), func(c string) bool { return !slices.Contains(own, c) })
		if len(names) > 0 {
			return names
		}
	}
	return own
}

// The bars for a site to be on by default: at first look on fresh code at most one of wrongShare findings is wrong and one of those that were judged is right,
// or at least enoughRight are right, and none wrong, on the code by which the rules were made.
const (
	wrongShare  = 10
	enoughRight = 5
)

// levelBy is the level that follows from the ground, or else from the figures of a site.
func levelBy(ground string, e *evidence) rule.Level {
	switch ground {
	case "seed", "comment":
		return rule.Default
	case "opt-in":
		return rule.OptIn
	}
	right := e.tuned[verdict.Right] + e.first[verdict.Right]
	if e.first.sum() > 0 && right > 0 && e.first[verdict.Wrong]*wrongShare <= e.first.sum() || e.tuned[verdict.Right] >= enoughRight && e.tuned[verdict.Wrong] == 0 {
		return rule.Default
	}
	return rule.Nursery
}

// siteText is the file of the table.
func siteText(rows []rule.SiteRow) string {
	lines := []string{rule.SiteColumns}
	for i := range rows {
		lines = append(lines, rows[i].String())
	}
	return strings.Join(lines, "\n") + "\n"
}

// writeSites brings the table of the sites below root up to date.
func writeSites(root string, d *record.Data, sites []*graph.Site) error {
	name := filepath.Join(root, sitesName)
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	old, err := rule.ParseSites(string(text))
	if err != nil {
		return err
	}
	return atomicfile.Write(name, []byte(siteText(siteRows(d, sites, old))))
}
