package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/doubted"
	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/mirror"
	"github.com/ctrllint/ctrllint/internal/report"
)

// near is how many lines a finding may be off the line of the row.
const near = 5

// corpus is what rows are run with.
type corpus struct {
	tool    string // the ctrllint binary
	mirrors string // the folder of owner+name/repo, git directories
	temp    string
}

// outcome runs r before and after its fix. Subs are the sub-rules of the findings that count. Said is a line about it: the
// first of them, or why one of the packages could not be analysed. An error says that there is no outcome.
func (c *corpus) outcome(ctx context.Context, r *Row) (o Outcome, subs []string, said string, err error) {
	found, why, err := c.run(ctx, r, r.Before)
	if err != nil {
		return o, nil, "", err
	}
	if why != "" {
		return Outcome{Before: broken}, nil, why, nil
	}
	hits := slices.DeleteFunc(found, func(f report.Finding) bool { return !r.meets(f) })
	if len(hits) == 0 {
		return Outcome{Before: miss}, nil, "", nil
	}
	o.Before, said = hit, hits[0].Category+": "+hits[0].Message
	for _, f := range hits {
		subs = append(subs, f.Category)
	}
	slices.Sort(subs)
	subs = slices.Compact(subs)
	if r.After == "" {
		return o, subs, said, nil
	}
	found, why, err = c.run(ctx, r, r.After)
	switch {
	case err != nil:
		return o, nil, "", err
	case why != "":
		o.After, said = broken, why
	case slices.ContainsFunc(found, func(f report.Finding) bool { return slices.ContainsFunc(hits, sameKind(f)) }):
		o.After = again
	default:
		o.After = quiet
	}
	return o, subs, said, nil
}

// sameKind reports whether a finding says of a function what f says of it.
func sameKind(f report.Finding) func(report.Finding) bool {
	return func(g report.Finding) bool {
		return f.Category == g.Category && f.Function == g.Function && path.Base(f.File) == path.Base(g.File)
	}
}

// meets reports whether f is about the bug of r: it, or a place that it names, is near the line, or it is in the function.
func (r *Row) meets(f report.Finding) bool {
	if !slices.Contains(r.Rules, f.Rule) {
		return false
	}
	at := func(p report.Place) bool {
		d := p.Line - r.Line
		return r.Line > 0 && r.in(p.File) && -near <= d && d <= near
	}
	if at(f.Place) || slices.ContainsFunc(f.Related, func(o report.Related) bool { return at(o.Place) }) {
		return true
	}
	name := f.Function[strings.LastIndexByte(f.Function, '.')+1:]
	return r.in(f.File) && slices.Contains(r.Functions, name)
}

// in reports whether name, which is relative to some folder of the module, can be the file of r.
func (r *Row) in(name string) bool {
	return r.File == name || strings.HasSuffix(r.File, "/"+name) || strings.HasSuffix(name, "/"+r.File)
}

// run gives the findings in the package of r at a commit, or the reason for which there are none to be had.
func (c *corpus) run(ctx context.Context, r *Row, commit string) (found []report.Finding, why string, err error) {
	dir := filepath.Join(c.temp, r.ID)
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	lacking, err := mirror.Checkout(ctx, c.mirrors, r.Repo, commit, dir)
	if err != nil {
		return nil, "", err
	}
	module := r.Module
	if module == "" {
		module = moduleOf(dir, r.Package)
	}
	pkg, err := filepath.Rel(filepath.FromSlash(module), filepath.FromSlash(r.Package))
	if err != nil || !filepath.IsLocal(pkg) { // the row's package may be relative to its module
		pkg = filepath.FromSlash(r.Package)
	}
	work := filepath.Join(dir, filepath.FromSlash(module))
	if err := r.complete(work); err != nil {
		return nil, "", err
	}
	vendored := filepath.Join(work, "vendor")
	if _, none := os.Stat(vendored); none != nil {
		found, why, err = c.analyse(ctx, r, work, pkg, "mod")
	} else if found, why, err = c.analyse(ctx, r, work, pkg, "vendor"); why != "" && slices.ContainsFunc(lacking, isVendored) {
		// The mirror has not all that is vendored. The modules can be had from elsewhere.
		if err = os.RemoveAll(vendored); err != nil {
			return nil, "", err
		}
		found, why, err = c.analyse(ctx, r, work, pkg, "mod")
	}
	return found, strings.ReplaceAll(why, dir+string(filepath.Separator), ""), err
}

// isVendored reports whether the file of that name is one of a folder vendor.
func isVendored(name string) bool {
	return strings.Contains("/"+name, "/vendor/") && path.Ext(name) == ".go"
}

// analyse gives the findings in a package of the module in the folder work, which is loaded with -mod=mod, or the reason
// for which there are none to be had.
func (c *corpus) analyse(ctx context.Context, r *Row, work, pkg, mod string) (found []report.Finding, why string, err error) {
	args := append([]string{"-q", "-config=off", "-format=json", "-cache=off"}, doubted.Flags()...)
	if r.Tests {
		args = append(args, "-tests")
	}
	cmd := exec.CommandContext(ctx, c.tool, append(args, "./"+filepath.ToSlash(pkg))...)
	// Old trees name modules that their go.sum lacks, and nothing of them is run.
	cmd.Dir, cmd.Env = work, gocommand.Environment("GOFLAGS=-mod="+mod+" -buildvcs=false", "GOTOOLCHAIN=local", "GONOSUMDB=*")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	exit := (*exec.ExitError)(nil)
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 2 && !strings.Contains(stderr.String(), "analysed without it") && !strings.Contains(stderr.String(), "not analysed in full"):
		return nil, lastLine(stderr.String()), nil
	case err != nil && (exit == nil || exit.ExitCode() != 1 && exit.ExitCode() != 2):
		return nil, "", fmt.Errorf("%w\n%s", err, stderr.String())
	}
	for line := range strings.Lines(string(out)) {
		var f report.Finding
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			return nil, "", err
		}
		found = append(found, f)
	}
	return found, "", nil
}

// complete gives a tree from before go.mod one. It names a version of Go that asks for no list of what is vendored.
func (r *Row) complete(dir string) error {
	name := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(name); r.Path == "" || err == nil {
		return nil
	}
	return os.WriteFile(name, []byte("module "+r.Path+"\n\ngo 1.13\n"), 0o644)
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
	return lines[len(lines)-1]
}
