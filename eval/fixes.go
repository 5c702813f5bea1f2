package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/mirror"
	"github.com/ctrllint/ctrllint/internal/report"
)

// reach is how many lines a finding may be off the line of a bug.
const reach = 5

// fixes runs the rows that o asks for before and after their fix, and says which are not as they were.
func fixes(ctx context.Context, w io.Writer, o *options) (differs bool, err error) {
	d, err := record.Read(o.root())
	if err != nil {
		return false, err
	}
	r, done, err := o.runner(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, done()) }()
	var failed []error
	rows, err := o.rows(d)
	if err != nil {
		return false, err
	}
	for _, row := range rows {
		got, said, err := r.fix(ctx, d, row, !o.before)
		if ctx.Err() != nil {
			return false, errors.Join(append(failed, ctx.Err())...)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s/%s: %w", row.List, row.ID, err))
			continue
		}
		if o.before && got.Before == row.Today.Before {
			got.After = row.Today.After
		}
		if !sameOutcome(d, row.Today, got) {
			differs = true
			fmt.Fprintf(w, "%s/%s: %s, were %s: %s\n", row.List, row.ID, got, row.Today, said)
		}
		if o.update { // each at once: all of them take hours
			if row.First.Before == "" && row.Today.Before == "" && !o.before {
				row.First = got
			}
			row.Today = got
			failed = append(failed, d.Write(o.data))
		}
		if err := row.Explained(); err != nil {
			differs = true
			fmt.Fprintf(w, "%v: %s\n", err, said)
		}
	}
	return differs && !o.update, errors.Join(failed...)
}

// rows are the fixes that -only chooses, by the list, the id, the repository or a rule; all without it. A name that chooses none is an error.
func (o *options) rows(d *record.Data) ([]*record.Fix, error) {
	if o.only == "" && len(d.Fixes) > 0 {
		return d.Fixes, nil
	}
	chosen := make(map[*record.Fix]bool)
	for _, name := range strings.Split(o.only, ",") {
		n := len(chosen)
		for _, row := range d.Fixes {
			if name == row.List || name == row.ID || name == row.List+"/"+row.ID || name == row.Repo || slices.Contains(row.Rules, name) {
				chosen[row] = true
			}
		}
		if len(chosen) == n {
			return nil, fmt.Errorf("-only %q chooses no fix that others do not", name)
		}
	}
	return slices.DeleteFunc(slices.Clone(d.Fixes), func(row *record.Fix) bool { return !chosen[row] }), nil
}

// sameOutcome reports whether two outcomes are the same but for names that have changed. Sites count where both know them.
func sameOutcome(d *record.Data, was, is record.Outcome) bool {
	return was.Before == is.Before && was.After == is.After && slices.Equal(renamed(d, "check", was.Checks), renamed(d, "check", is.Checks)) &&
		(len(was.Sites) == 0 || slices.Equal(renamed(d, "site", was.Sites), renamed(d, "site", is.Sites)))
}

// fix runs row before its fix and, where something is found there and after is true, after it. Said is a line about it: the first finding, or why the package
// could not be analysed. An error says that there is no outcome.
func (r *runner) fix(ctx context.Context, d *record.Data, row *record.Fix, after bool) (o record.Outcome, said string, err error) {
	found, why, err := r.commit(ctx, row, row.Before)
	if err != nil {
		return o, "", err
	}
	if why != "" {
		return record.Outcome{Before: record.Broken}, why, nil
	}
	o, hits := outcome(d, row, found)
	if len(hits) == 0 || row.After == "" || !after {
		return o, "", nil
	}
	said = hits[0].Category + ": " + hits[0].Message
	found, why, err = r.commit(ctx, row, row.After)
	switch {
	case err != nil:
		return o, "", err
	case why != "":
		o.After, said = record.Broken, why
	case slices.ContainsFunc(found, func(f report.Finding) bool { return slices.ContainsFunc(hits, sameKind(f)) }):
		o.After = record.Again
	default:
		o.After = record.Quiet
	}
	return o, said, nil
}

// outcome is what found, in the code before its fix, says of row, and the findings that do.
func outcome(d *record.Data, row *record.Fix, found []report.Finding) (o record.Outcome, hits []report.Finding) {
	hits = slices.DeleteFunc(slices.Clone(found), func(f report.Finding) bool { return !meets(d, row, f) })
	if len(hits) == 0 {
		return record.Outcome{Before: record.Miss}, nil
	}
	o.Before = record.Hit
	for _, f := range hits {
		o.Checks, o.Sites = append(o.Checks, f.Category), append(o.Sites, f.Site)
	}
	slices.Sort(o.Checks)
	slices.Sort(o.Sites)
	o.Checks, o.Sites = slices.Compact(o.Checks), slices.Compact(o.Sites)
	return o, hits
}

// sameKind reports whether a finding says of a function what f says of it.
func sameKind(f report.Finding) func(report.Finding) bool {
	return func(g report.Finding) bool {
		return f.Category == g.Category && f.Function == g.Function && path.Base(f.File) == path.Base(g.File)
	}
}

// meets reports whether f is about the bug of row: of one of its rules, or of a check that was one of these under another name, and it, or a place that it names,
// is near the line, or it is in the function.
func meets(d *record.Data, row *record.Fix, f report.Finding) bool {
	if !slices.Contains(row.Rules, f.Rule) && !slices.Contains(renamed(d, "check", row.Today.Checks), f.Category) {
		return false
	}
	in := func(name string) bool { // which is relative to some folder of the module
		return row.File == name || strings.HasSuffix(row.File, "/"+name) || strings.HasSuffix(name, "/"+row.File)
	}
	at := func(p report.Place) bool {
		d := p.Line - row.Line
		return row.Line > 0 && in(p.File) && -reach <= d && d <= reach
	}
	if at(f.Place) || slices.ContainsFunc(f.Related, func(o report.Related) bool { return at(o.Place) }) {
		return true
	}
	name := f.Function[strings.LastIndexByte(f.Function, '.')+1:]
	return in(f.File) && slices.Contains(row.Functions, name)
}

// commit gives the findings in the package of row at a commit, or the reason for which there are none to be had.
func (r *runner) commit(ctx context.Context, row *record.Fix, commit string) (found []report.Finding, why string, err error) {
	if r.mirrors == "" {
		return nil, "", errNoMirrors
	}
	dir := filepath.Join(r.temp, row.List+"-"+row.ID)
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	lacking, err := mirror.Checkout(ctx, r.mirrors, row.Repo, commit, dir)
	if err != nil {
		return nil, "", err
	}
	module := row.Module
	if module == "" {
		module = moduleOf(dir, row.Package)
	}
	pkg, err := filepath.Rel(filepath.FromSlash(module), filepath.FromSlash(row.Package))
	if err != nil || !filepath.IsLocal(pkg) { // the row's package may be relative to its module
		pkg = filepath.FromSlash(row.Package)
	}
	work := filepath.Join(dir, filepath.FromSlash(module))
	if err := complete(row, work); err != nil {
		return nil, "", err
	}
	vendored := filepath.Join(work, "vendor")
	if _, none := os.Stat(vendored); none != nil {
		found, why, err = r.pkg(ctx, row, work, pkg, "mod")
	} else if found, why, err = r.pkg(ctx, row, work, pkg, "vendor"); why != "" && slices.ContainsFunc(lacking, isVendored) {
		// The mirror has not all that is vendored. The modules can be had from elsewhere.
		if err = os.RemoveAll(vendored); err != nil {
			return nil, "", err
		}
		found, why, err = r.pkg(ctx, row, work, pkg, "mod")
	}
	return found, strings.ReplaceAll(why, dir+string(filepath.Separator), ""), err
}

// isVendored reports whether the file of that name is one of a folder vendor.
func isVendored(name string) bool {
	return strings.Contains("/"+name, "/vendor/") && path.Ext(name) == ".go"
}

// pkg gives the findings in a package of the module in the folder work, which is loaded with -mod=mod, or the reason
// for which there are none to be had.
func (r *runner) pkg(ctx context.Context, row *record.Fix, work, pkg, mod string) (found []report.Finding, why string, err error) {
	args := []string{"-q", "-config=off", "-format=json", "-cache=off", "-nursery"}
	if row.Tests {
		args = append(args, "-tests")
	}
	cmd := exec.CommandContext(ctx, r.tool, append(args, "./"+filepath.ToSlash(pkg))...)
	// Old trees name modules that their go.sum lacks, and nothing of them is run.
	cmd.Dir, cmd.Env = work, gocommand.Environment("GOOS=linux", "GOARCH=amd64", "GOFLAGS=-mod="+mod+" -buildvcs=false", "GOTOOLCHAIN=local", "GONOSUMDB=*")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	exit := (*exec.ExitError)(nil)
	switch {
	case strings.Contains(stderr.String(), "panic: ") || strings.Contains(stderr.String(), "fatal error: "):
		return nil, "", fmt.Errorf("%w\n%s", cmp.Or(err, errors.New("ctrllint failed")), stderr.String())
	case errors.As(err, &exit) && exit.ExitCode() == 2 && !strings.Contains(stderr.String(), "analysed without it") && !strings.Contains(stderr.String(), "not analysed in full"):
		return nil, lastLine(stderr.String()), nil
	case err != nil && (exit == nil || exit.ExitCode() != 1 && exit.ExitCode() != 2):
		return nil, "", fmt.Errorf("%w\n%s", err, stderr.String())
	}
	found, err = findings(out)
	return found, "", err
}

// complete gives a tree from before go.mod one. It names a version of Go that asks for no list of what is vendored.
func complete(row *record.Fix, dir string) error {
	name := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(name); row.Path == "" || err == nil {
		return nil
	}
	return os.WriteFile(name, []byte("module "+row.Path+"\n\ngo 1.13\n"), 0o644)
}

// moduleOf is the folder of the nearest go.mod above a package, or the root where there is none.
func moduleOf(root, pkg string) string {
	for dir := path.Clean(pkg); dir != "."; dir = path.Dir(dir) {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(dir), "go.mod")); err == nil {
			return dir
		}
	}
	return "."
}

// lastLine is the last line of text that is not empty.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
