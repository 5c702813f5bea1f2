package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/doubted"
	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/mirror"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

// near is how many lines a finding may have moved within its file: the sub-rule names another operation of the same bug.
const near = 1

// A tree is a repository at a commit, with what was found in it.
type tree struct {
	repo, commit string
	findings     []*Finding
}

// trees are those of the measures, in their order.
func trees(measures []*measure) []*tree {
	var out []*tree
	for _, m := range measures {
		for _, f := range m.findings {
			i := slices.IndexFunc(out, func(t *tree) bool { return t.repo == f.Repo && t.commit == f.Commit })
			if i < 0 {
				i = len(out)
				out = append(out, &tree{repo: f.Repo, commit: f.Commit})
			}
			out[i].findings = append(out[i].findings, f)
		}
	}
	return out
}

// rerun is what trees are analysed with again.
type rerun struct {
	tool    string // the ctrllint binary
	mirrors string // the folder of owner+name/repo, git directories
	temp    string
	w       io.Writer
	left    sums // what is still found
	came    sums // of it, what is found as the tool comes
	moved   bool // a right finding is gone, or one is new
}

// tree analyses the modules of t in which something was found, and says what has changed.
func (r *rerun) tree(ctx context.Context, t *tree) (err error) {
	dir := filepath.Join(r.temp, filepath.Base(t.repo))
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if _, err := mirror.Checkout(ctx, r.mirrors, t.repo, t.commit, dir); err != nil {
		return err
	}
	modules := map[string]bool{}
	for _, f := range t.findings {
		if modules[f.Module] {
			continue
		}
		modules[f.Module] = true
		found, whole, err := r.analyse(ctx, filepath.Join(dir, filepath.FromSlash(f.Module)))
		if err != nil {
			return err
		}
		r.compare(t, f.Module, found, whole)
	}
	return nil
}

// compare says what of t is gone from a module, and what is new in it. Where not the whole of it was analysed, what is gone may be in the rest.
func (r *rerun) compare(t *tree, module string, found []report.Finding, whole bool) {
	seen := make([]bool, len(found))
	for _, f := range t.findings {
		if f.Module != module {
			continue
		}
		still := false
		for i, g := range found {
			if d := g.Line - f.Line; g.File == f.File && g.Category == f.Category && -near <= d && d <= near {
				seen[i], still = true, true
			}
		}
		switch {
		case still:
			f.Gone = false
			r.left.add(f)
			if !doubted.All([]string{f.Category}) {
				r.came.add(f)
			}
		case !whole:
			fmt.Fprintf(r.w, "gone or not analysed, and %s: %s %s:%d %s\n", f.counts(), t.repo, f.File, f.Line, f.Category)
		case f.Gone: // as it was the last time
		default:
			f.Gone = true
			r.moved = r.moved || f.counts() == verdict.Right
			fmt.Fprintf(r.w, "gone, and %s: %s %s:%d %s\n", f.counts(), t.repo, f.File, f.Line, f.Category)
		}
	}
	for i, g := range found {
		if !seen[i] {
			r.moved = true
			fmt.Fprintf(r.w, "new: %s %s:%d %s: %s\n", t.repo, g.File, g.Line, g.Category, g.Message)
		}
	}
}

// analyse gives the findings in the module in the folder dir, and whether all of its packages could be analysed. That some could not is no error.
func (r *rerun) analyse(ctx context.Context, dir string) (found []report.Finding, whole bool, err error) {
	args := append([]string{"-q", "-config=off", "-format=json", "-cache=off"}, doubted.Flags()...)
	cmd := exec.CommandContext(ctx, r.tool, append(args, "./...")...)
	cmd.Dir, cmd.Env = dir, gocommand.Environment("GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	exit := (*exec.ExitError)(nil)
	switch {
	case err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1 && exit.ExitCode() != 2):
		return nil, false, fmt.Errorf("%w\n%s", err, stderr.String())
	case err != nil && exit.ExitCode() == 2 && len(out) == 0:
		return nil, false, errors.New(strings.TrimSpace(stderr.String()))
	}
	for line := range strings.Lines(string(out)) {
		var f report.Finding
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			return nil, false, err
		}
		found = append(found, f)
	}
	return found, err == nil || exit.ExitCode() != 2, nil
}
