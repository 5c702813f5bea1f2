package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/eval/record"
)

// targets are those of a list that o asks for. A name that chooses none is an error.
func (o *options) targets(d *record.Data, list string) ([]*record.Target, error) {
	names := o.names()
	chosen := make(map[string]bool)
	var out []*record.Target
	for _, t := range d.Targets {
		if t.List != list || o.short && !t.Short {
			continue
		}
		if len(names) == 0 || slices.Contains(names, t.Name) || slices.Contains(names, t.Source) {
			chosen[t.Name], chosen[t.Source] = true, true
			out = append(out, t)
		}
	}
	for _, n := range names {
		if !chosen[n] {
			return nil, fmt.Errorf("-only %s: no target of %s that is to run is named so", n, list)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no target of %s to run", list)
	}
	return out, nil
}

// names are those that -only gives.
func (o *options) names() []string {
	if o.only == "" {
		return nil
	}
	return strings.Split(o.only, ",")
}

// findingsOf are the findings of t.
func findingsOf(d *record.Data, t *record.Target) []*record.Finding {
	var out []*record.Finding
	for _, f := range d.Findings {
		if t.Of(f) {
			out = append(out, f)
		}
	}
	return out
}

// compareTarget holds the result of a run over t against the data.
func compareTarget(d *record.Data, t *record.Target, res *result) *comparison {
	var is []*record.Finding
	for i := range res.found {
		is = append(is, foundIn(t, &res.found[i]))
	}
	c := compare(d, findingsOf(d, t), is)
	if t.Packages == 0 && len(res.failures) > 0 { // what is not found may be in what could not be analysed
		c.pairs = slices.DeleteFunc(c.pairs, func(p pair) bool { return p.is == nil })
	}
	if t.Packages > 0 && res.packages != t.Packages {
		c.changed = append(c.changed, fmt.Sprintf("packages: %d, were %d", res.packages, t.Packages))
	}
	if t.Packages > 0 && !slices.Equal(res.failures, t.Failures) {
		c.changed = append(c.changed, fmt.Sprintf("failures: %q, were %q", res.failures, t.Failures))
	}
	return c
}

// runTargets analyses targets one after the other, says what is otherwise than the data has it, and hands each comparison to use. One that could not be run does
// not keep the others from it.
func runTargets(ctx context.Context, w io.Writer, r *runner, d *record.Data, targets []*record.Target, use func(*record.Target, *result, *comparison) error) (differs bool, err error) {
	var failed []error
	for _, t := range targets {
		res, err := r.target(ctx, t)
		if ctx.Err() != nil {
			return false, errors.Join(append(failed, ctx.Err())...)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", t.Name, err))
			continue
		}
		fmt.Fprintf(w, "%s: %d packages, %d findings\n", t.Name, res.packages, len(res.found))
		c := compareTarget(d, t, res)
		differs = c.print(w, d) || differs
		failed = append(failed, use(t, res, c))
	}
	return differs, errors.Join(failed...)
}

// runList runs the targets of a list.
func runList(ctx context.Context, w io.Writer, o *options, list string) (differs bool, err error) {
	d, err := record.Read(o.root())
	if err != nil {
		return false, err
	}
	targets, err := o.targets(d, list)
	if err != nil {
		return false, err
	}
	if o.list {
		for _, t := range targets {
			fmt.Fprintf(w, "%s\t%s@%s %s\t%s\n", t.Name, t.Source, t.At, strings.Join(t.Patterns, " "), t.Note)
		}
		return false, nil
	}
	r, done, err := o.runner(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, done()) }()
	differs, err = runTargets(ctx, w, r, d, targets, func(t *record.Target, res *result, c *comparison) error {
		if !o.update {
			return nil
		}
		c.apply(d)
		t.Packages, t.Failures = res.packages, res.failures
		return d.Write(o.data) // each at once: all of them take hours
	})
	return differs && !o.update || unjudged(w, d) > 0, err
}

// unjudged says which findings nobody has judged, and how many these are.
func unjudged(w io.Writer, d *record.Data) (n int) {
	for _, f := range d.Findings {
		if err := f.Judged(); err != nil && !f.Gone {
			n++
			fmt.Fprintf(w, "\tunjudged %s\n\t         %v\n", f, err)
		}
	}
	return n
}
