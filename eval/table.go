package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/eval/graph"
	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/atomicfile"
	"github.com/ctrllint/ctrllint/internal/page/writer"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

// pageName is the page that has the tables, from the root of the repository.
var pageName = filepath.Join("docs", "evidence.md")

// table prints the tables, or writes them into the page and that of the sites into the source. The lines of the sites are in what is printed alone: they change
// with each edit.
func table(_ context.Context, w io.Writer, o *options) (bool, error) {
	d, err := record.Read(o.root())
	if err != nil {
		return false, err
	}
	g, err := graph.Load(".")
	if err != nil {
		return false, err
	}
	if o.update {
		sites := g.Sites(checksOf)
		if err := writeSites(".", d, sites); err != nil {
			return false, err
		}
		return false, atomicfile.Write(pageName, []byte(page(d, nil)))
	}
	_, err = fmt.Fprintf(w, "%s\n%d lines ship, with their comments, and without imports and the empty lines between declarations.\n", page(d, g.Sites(checksOf)), g.Lines())
	return false, err
}

// checksOf are the names of the checks of a rule, without that of the rule.
func checksOf(name string) []string {
	i := slices.IndexFunc(analyzers.All(), func(a *analysis.Analyzer) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	var out []string
	for _, s := range rule.Subs(analyzers.All()[i]) {
		out = append(out, s.Name)
	}
	return out
}

// counts are verdicts.
type counts map[string]int

func (c counts) sum() (n int) {
	for _, k := range c {
		n += k
	}
	return n
}

// add adds other to c.
func (c counts) add(other counts) {
	for v, n := range other {
		c[v] += n
	}
}

// cells are those of c in a table: all, and by verdict.
func (c counts) cells() string {
	return fmt.Sprintf("%d | %d | %d | %d | %d", c.sum(), c[verdict.Right], c[verdict.Weak], c[verdict.Wrong], c[verdict.CannotTell])
}

// brief is c in one cell.
func (c counts) brief() string {
	if c.sum() == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d/%d", c[verdict.Right], c[verdict.Weak], c[verdict.Wrong])
}

// An evidence is what is known of a site, or a check.
type evidence struct {
	tuned, first, left counts // on modules and trees; on fresh code, at first look, and of what is still found
	fixes              int    // bugs of others that it finds in the code before their fix
	projects           []string
	checks             map[string]int // of a site's findings
}

// evidences sums up the data by what of says of a finding, and a fix's list by what ofFix says.
func evidences(d *record.Data, of func(*record.Finding) string, ofFix func(record.Outcome) []string) map[string]*evidence {
	out := map[string]*evidence{}
	at := func(name string) *evidence {
		if out[name] == nil {
			out[name] = &evidence{tuned: counts{}, first: counts{}, left: counts{}, checks: map[string]int{}}
		}
		return out[name]
	}
	for _, f := range d.Findings {
		e := at(of(f))
		e.checks[d.Renamed("check", f.Check)]++
		switch {
		case f.Split == record.SplitFresh:
			e.first[f.Counts()]++
			if !f.Gone {
				e.left[f.Counts()]++
			}
		case !f.Gone:
			e.tuned[f.Counts()]++
		}
	}
	for _, r := range d.Fixes {
		if r.Today.Before != record.Hit {
			continue
		}
		names := ofFix(r.Today)
		if len(names) == 0 {
			names = []string{""}
		}
		for _, name := range names {
			e := at(name)
			e.fixes++
			if !slices.Contains(e.projects, r.Repo) {
				e.projects = append(e.projects, r.Repo)
			}
		}
	}
	return out
}

// bySite and byCheck are the two ways to sum up, by the names of today.
func bySite(d *record.Data) map[string]*evidence {
	return evidences(d, func(f *record.Finding) string { return d.Renamed("site", f.Site) }, func(o record.Outcome) []string { return renamed(d, "site", o.Sites) })
}

func byCheck(d *record.Data) map[string]*evidence {
	return evidences(d, func(f *record.Finding) string { return d.Renamed("check", f.Check) }, func(o record.Outcome) []string { return renamed(d, "check", o.Checks) })
}

// renamed are the names of today, each once.
func renamed(d *record.Data, kind string, names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, d.Renamed(kind, n))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// page is docs/evidence.md, and behind it the table of the sites, if any.
func page(d *record.Data, sites []*graph.Site) string {
	var b strings.Builder
	b.WriteString(pageHead)
	targetsTable(&b, d)
	checksTable(&b, d)
	levelsTable(&b, d)
	measuresTable(&b, d)
	listsTable(&b, d)
	if len(sites) > 0 {
		sitesTable(&b, d, sites)
	}
	return writer.Fill(b.String())
}

const pageHead = `# Evidence

<!-- go run ./eval table -update writes this page from eval/data. -->

What ctrllint finds on real code, and what readers made of it. Right: it can happen, and matters. Weak: true, and of little consequence or meant so.
Wrong: it cannot happen. Cannot tell: it depends on something outside of the code. Where two readers judged, the lower verdict counts. The nursery was asked for.
[trust.md](trust.md) says how it came about; ` + "`go run ./eval table`" + ` prints these tables and one of the reporting sites, with the lines of code that go with each;
the levels of the sites, with their figures, are in [internal/rule/sites.tsv](../internal/rule/sites.tsv).

`

const verdictHead = "findings | right | weak | wrong | cannot tell"

// targetsTable is about the code by which the rules were made.
func targetsTable(b *strings.Builder, d *record.Data) {
	for _, list := range []struct{ name, title string }{{record.Modules, "Published modules"}, {record.Trees, "Trees of repositories"}} {
		fmt.Fprintf(b, "## %s\n\n| module | patterns | packages | failures | %s |\n|---|---|---|---|---|---|---|---|---|\n", list.title, verdictHead)
		all, packages := counts{}, 0
		for _, t := range d.Targets {
			if t.List != list.name {
				continue
			}
			c := counts{}
			for _, f := range findingsOf(d, t) {
				if !f.Gone {
					c[f.Counts()]++
					all[f.Counts()]++
				}
			}
			packages += t.Packages
			name := t.Source
			if t.Folder != "" {
				name += "/" + t.Folder
			}
			fmt.Fprintf(b, "| %s %.12s | %s | %d | %d | %s |\n", name, t.At, strings.Join(t.Patterns, " "), t.Packages, len(t.Failures), c.cells())
		}
		fmt.Fprintf(b, "| all | | %d | | %s |\n\n", packages, all.cells())
	}
}

// checksTable is the evidence by check.
func checksTable(b *strings.Builder, d *record.Data) {
	fmt.Fprint(b, `## Checks

Verdicts are right/weak/wrong. Fixes are bugs that other projects have fixed and that are found in the code before; a check all of whose sites are in the nursery has a star.

| check | modules and trees | fresh, at first look | fresh, still found | fixes found | in projects |
|---|---|---|---|---|---|
`)
	all := byCheck(d)
	gone := counts{} // of deleted checks, at first look
	for _, name := range slices.Sorted(maps.Keys(all)) {
		e, star := all[name], ""
		if of, check, _ := strings.Cut(name, "/"); !slices.Contains(checksOf(of), check) {
			gone.add(e.first)
			continue
		}
		if rule.CheckLevel(name) == rule.Nursery {
			star = " *"
		}
		fmt.Fprintf(b, "| %s%s | %s | %s | %s | %d | %d |\n", name, star, e.tuned.brief(), e.first.brief(), e.left.brief(), e.fixes, len(e.projects))
	}
	fmt.Fprintf(b, "| checks that are deleted | | %s | | | |\n\n", gone.brief())
}

// levelsTable is the evidence by level, of what is still found.
func levelsTable(b *strings.Builder, d *record.Data) {
	sums := map[rule.Level]*evidence{}
	for id, e := range bySite(d) {
		level := rule.LevelOf(rule.Site(id))
		if sums[level] == nil {
			sums[level] = &evidence{tuned: counts{}, left: counts{}}
		}
		sums[level].tuned.add(e.tuned)
		sums[level].left.add(e.left)
	}
	b.WriteString("## Levels\n\nWhat is reported by default, and what `-nursery` adds, right/weak/wrong.\n\n| level | modules and trees | fresh, still found |\n|---|---|---|\n")
	for _, level := range []rule.Level{rule.Default, rule.Nursery} {
		e := sums[level]
		fmt.Fprintf(b, "| %s | %s | %s |\n", level, e.tuned.brief(), e.left.brief())
	}
	b.WriteString("\n")
}

// measuresTable is about fresh code.
func measuresTable(b *strings.Builder, d *record.Data) {
	first, left := map[string]counts{}, map[string]counts{}
	for _, f := range d.Findings {
		if f.Split != record.SplitFresh {
			continue
		}
		for _, list := range []string{f.List, "all"} {
			if first[list] == nil {
				first[list], left[list] = counts{}, counts{}
			}
			first[list][f.Counts()]++
			if !f.Gone {
				left[list][f.Counts()]++
			}
		}
	}
	fmt.Fprintf(b, "## Fresh code\n\nOperators that nobody had looked at, as ctrllint saw them for the first time, and what of that it still says.\n\n| measure | %s | still found | right | weak | wrong | cannot tell |\n|---|---|---|---|---|---|---|---|---|---|---|\n", verdictHead)
	names := slices.Sorted(maps.Keys(first))
	slices.SortStableFunc(names, func(a, b string) int { return strings.Compare(natural(a), natural(b)) })
	for _, list := range names {
		fmt.Fprintf(b, "| %s | %s | %s |\n", list, first[list].cells(), left[list].cells())
	}
	b.WriteString("\n")
}

// natural is a text by which names that end in numbers are sorted: by the number, and what ends in none last.
func natural(name string) string {
	digits := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz")
	if digits == "" {
		return "~" + name
	}
	return strings.TrimSuffix(name, digits) + fmt.Sprintf("%6s", digits)
}

// listsTable is about the fixes.
func listsTable(b *strings.Builder, d *record.Data) {
	type sums struct {
		rows, known, first, loaded, hit, quiet int
		repos                                  map[string]bool
	}
	lists := map[string]*sums{}
	var order []string
	for _, r := range d.Fixes {
		s := lists[r.List]
		if s == nil {
			s = &sums{repos: map[string]bool{}}
			lists[r.List] = s
			order = append(order, r.List)
		}
		s.rows++
		s.repos[r.Repo] = true
		if r.First.Before != "" {
			s.known++
		}
		if r.First.Before == record.Hit {
			s.first++
		}
		if r.Today.Before != record.Broken {
			s.loaded++
		}
		if r.Today.Before == record.Hit {
			s.hit++
		}
		if r.Today.After == record.Quiet {
			s.quiet++
		}
	}
	b.WriteString(listsHead)
	for _, list := range order {
		s := lists[list]
		first := "not kept"
		if s.known > 0 {
			first = fmt.Sprint(s.first)
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d | %s | %d | %d |\n", list, s.rows, len(s.repos), s.loaded, first, s.hit, s.quiet)
	}
	b.WriteString("\n")
}

const listsHead = `## Bugs of the past

Commits that fixed a bug in another project, and whether it is found in the code before, and not in the code after. The first three lists are those by which the
rules were made; each of the others was made before anything was run on it. The first run of list1, list2, list4, list5 and list6 was not kept by row, but the first
one after something had been learnt from it: at the very first they were hit 6, 16, 12, 7 and 4 times.

| list | fixes | repositories | loaded | hit at the first run that is kept | hit by now | of these quiet after the fix |
|---|---|---|---|---|---|---|
`

// sitesTable is the evidence by site: each that the source has, and then those that are only in the data.
func sitesTable(b *strings.Builder, d *record.Data, sites []*graph.Site) {
	b.WriteString("## Sites\n\nA site is the place in the source of a rule that produces the message; it is in the JSON output. Verdicts are right/weak/wrong.\n\n| site | checks | level | worded in |" +
		" lines of its own | modules and trees | fresh, at first look | fresh, still found | fixes found | in projects |\n|---|---|---|---|---|---|---|---|---|---|\n")
	all := bySite(d)
	row := func(id, checks, level, where, lines string, e *evidence) {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %d | %d |\n", id, checks, level, where, lines, e.tuned.brief(), e.first.brief(), e.left.brief(), e.fixes, len(e.projects))
	}
	rows := siteRows(d, sites, rule.SiteTable())
	for i, s := range sites {
		e, cost, r := all[s.ID], fmt.Sprint(s.Lines), rows[i]
		if len(s.With) > 0 {
			cost = fmt.Sprintf("%d with %d others", s.Lines, len(s.With))
		}
		if e == nil {
			e = &evidence{}
		}
		row(s.ID, strings.Join(r.Checks, ", "), r.Level.String(), fmt.Sprintf("%s %s", strings.TrimPrefix(s.Node.File, "analyzers/"), s.Node.Name), cost, e)
		delete(all, s.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		name := id
		if name == "" {
			name = "not known"
		}
		row(name, "", "", "", "", all[id])
	}
}
