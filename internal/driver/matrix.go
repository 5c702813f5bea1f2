package driver

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/matrix"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

// RunAll applies the analyzers to several builds of the packages that o names, one after the other, and merges the
// results. Findings and failures that not all builds have name their builds. Without builds, it is Run.
func RunAll(analyzers []*analysis.Analyzer, o Options, builds matrix.Builds) Result {
	if len(builds) == 0 {
		return Run(analyzers, o)
	}
	var results []Result
	for _, b := range builds {
		of := o
		of.Build, of.Tags = slices.Concat(o.Build, b.Env()), b.AllTags(o.Tags)
		if o.Phase != nil {
			of.Phase = func(what func() string) { o.Phase(func() string { return b.Name + ": " + what() }) }
		}
		results = append(results, Run(analyzers, of))
	}
	return merge(builds.Names(), results)
}

// merge merges the results of several builds.
func merge(names []string, results []Result) Result {
	all := Result{Left: results[0].Left}
	for i, r := range results {
		all.add(r)
		for _, f := range r.Suppressed {
			f.Builds = []string{names[i]}
			all.Suppressed = append(all.Suppressed, f)
		}
		for _, f := range r.Findings {
			if f.Category == unused && usedElsewhere(f, results) {
				continue
			}
			f.Builds = []string{names[i]}
			all.Findings = append(all.Findings, f)
		}
	}
	all.Findings, all.Suppressed = mergeFindings(all.Findings, len(names)), mergeFindings(all.Suppressed, len(names))
	for _, part := range []func(*Result) *[]Failure{
		func(r *Result) *[]Failure { return &r.Failures },
		func(r *Result) *[]Failure { return &r.Notes },
		func(r *Result) *[]Failure { return &r.Joined },
	} {
		var lists [][]Failure
		for i := range results {
			lists = append(lists, *part(&results[i]))
		}
		*part(&all) = mergeFailures(names, lists)
	}
	return all
}

// add adds what is not a list of findings or failures.
func (r *Result) add(more Result) {
	r.analysed.add(more.analysed)
	r.sums.add(more.sums)
	r.remark(more.Remarks)
	r.Costs = append(r.Costs, more.Costs...)
}

// Join joins the results of several modules, which have nothing in common.
func Join(results ...Result) Result {
	var all Result
	for _, r := range results {
		all.Findings = append(all.Findings, r.Findings...)
		all.Suppressed = append(all.Suppressed, r.Suppressed...)
		all.Failures = append(all.Failures, r.Failures...)
		all.Notes = append(all.Notes, r.Notes...)
		all.Joined = append(all.Joined, r.Joined...)
		all.Left = append(all.Left, r.Left...)
		all.add(r)
	}
	all.Findings, all.Suppressed = report.Sort(all.Findings), report.Sort(all.Suppressed)
	return all
}

// unused is the category of findings about comments that silence nothing.
const unused = suppress.Rule + "/unused"

// usedElsewhere reports whether the comment of f, of the category unused, has a use in a build that has its file.
func usedElsewhere(f report.Finding, results []Result) bool {
	return slices.ContainsFunc(results, func(r Result) bool {
		return r.files[f.File] && !slices.ContainsFunc(r.Findings, func(g report.Finding) bool {
			return g.Category == unused && g.Place == f.Place
		})
	})
}

// filesOf returns the files of pkgs, named as in findings.
func filesOf(dir string, pkgs []*packages.Package) map[string]bool {
	files, shown := make(map[string]bool), relativeTo(dir)
	for _, p := range pkgs {
		for _, name := range slices.Concat(p.GoFiles, p.CompiledGoFiles) {
			files[shown(name)] = true
		}
	}
	return files
}

// mergeFindings merges equal findings. Those of all builds name none.
func mergeFindings(findings []report.Finding, builds int) []report.Finding {
	type key struct {
		report.Place
		category, message string
	}
	at := make(map[key]int)
	var out []report.Finding
	for _, f := range findings {
		k := key{f.Place, f.Category, f.Message}
		if i, ok := at[k]; ok {
			out[i].Builds = append(out[i].Builds, f.Builds...)
			continue
		}
		at[k] = len(out)
		out = append(out, f)
	}
	for i := range out {
		if len(out[i].Builds) == builds {
			out[i].Builds = nil
		}
	}
	return report.Sort(out)
}

// mergeFailures merges equal failures, and adds the names of their builds to the messages.
func mergeFailures(names []string, lists [][]Failure) []Failure {
	builds := make(map[Failure][]string)
	var order []Failure
	for i, list := range lists {
		for _, f := range slices.Compact(slices.Clone(list)) {
			if builds[f] == nil {
				order = append(order, f)
			}
			builds[f] = append(builds[f], names[i])
		}
	}
	for i, f := range order {
		order[i].Message = fmt.Sprintf("%s [%s]", f.Message, strings.Join(builds[f], ", "))
	}
	return order
}
