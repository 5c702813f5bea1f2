package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/eval/record"
)

// targets are those of a list that o asks for. A name that none has is an error.
func (o *options) targets(d *record.Data, list string) ([]*record.Target, error) {
	names := o.names()
	var out []*record.Target
	for _, t := range d.Targets {
		if t.List == list && (len(names) == 0 || slices.Contains(names, t.Name)) && (!o.short || t.Short) {
			out = append(out, t)
		}
	}
	for _, n := range names {
		if !slices.ContainsFunc(d.Targets, func(t *record.Target) bool { return t.List == list && t.Name == n }) {
			return nil, fmt.Errorf("no target of %s is named %q", list, n)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no target of %s is chosen", list)
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
	at := record.Finding{List: t.List, Split: record.SplitTuned, Source: t.Source, At: t.At, Folder: t.Folder}
	c := compare(d, at, findingsOf(d, t), res.found)
	if res.packages != t.Packages {
		c.changed = append(c.changed, fmt.Sprintf("packages: %d, were %d", res.packages, t.Packages))
	}
	if !reflect.DeepEqual(res.failures, t.Failures) && len(res.failures)+len(t.Failures) > 0 {
		c.changed = append(c.changed, fmt.Sprintf("failures: %q, were %q", res.failures, t.Failures))
	}
	return c
}

// runTargets analyses the targets of a list one after the other, and says what is otherwise than the data has it. One that could not be run does not keep
// the others from it. Each is handed to use.
func runTargets(ctx context.Context, w io.Writer, r *runner, d *record.Data, targets []*record.Target, use func(*record.Target, *result, *comparison) error) (differs bool, err error) {
	var failed []error
	for _, t := range targets {
		res, err := r.target(ctx, t)
		if ctx.Err() != nil {
			return false, ctx.Err()
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

// tuned runs the targets of a list.
func tuned(ctx context.Context, w io.Writer, o *options, list string) (differs bool, err error) {
	d, targets, err := o.read(list)
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

// read gives the data, and the targets of a list that o asks for.
func (o *options) read(list string) (*record.Data, []*record.Target, error) {
	d, err := record.Read(o.root())
	if err != nil {
		return nil, nil, err
	}
	targets, err := o.targets(d, list)
	return d, targets, err
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
