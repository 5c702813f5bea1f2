package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/ctrllint/ctrllint/eval/record"
)

// A place is a module of fresh code in which something was found.
type place struct{ repo, at, folder string }

// placeOf is where f was found.
func placeOf(f *record.Finding) place { return place{f.Source, f.At, f.Folder} }

// places are those of fresh code that o asks for, with their findings, in the order of the data.
func (o *options) places(d *record.Data) (order []place, of map[place][]*record.Finding) {
	of = make(map[place][]*record.Finding)
	names := o.names()
	for _, f := range d.Findings {
		if f.Split != record.SplitFresh || len(names) > 0 && !slices.Contains(names, f.Source) {
			continue
		}
		p := placeOf(f)
		if of[p] == nil {
			order = append(order, p)
		}
		of[p] = append(of[p], f)
	}
	return order, of
}

// comparePlace holds the result of a run over a module of fresh code against the findings that the data has of it. Where not all of its packages could be
// analysed, what is not found may be in the rest.
func comparePlace(d *record.Data, was []*record.Finding, res *result) *comparison {
	c := compare(d, *was[0], was, res.found)
	if len(res.failures) > 0 {
		c.pairs = slices.DeleteFunc(c.pairs, func(p pair) bool { return p.is == nil })
		c.changed = nil
	}
	return c
}

// runFresh analyses the modules of fresh code, and hands each comparison to use.
func runFresh(ctx context.Context, w io.Writer, r *runner, d *record.Data, o *options, use func(*comparison) error) (differs bool, err error) {
	order, of := o.places(d)
	if len(order) == 0 {
		return false, errors.New("no fresh code is chosen")
	}
	var failed []error
	for _, p := range order {
		res, err := r.place(ctx, p)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", p.repo, err))
			continue
		}
		fmt.Fprintf(w, "%s: %d findings, %d failures\n", p.repo, len(res.found), len(res.failures))
		c := comparePlace(d, of[p], res)
		differs = c.print(w, d) || differs
		failed = append(failed, use(c))
	}
	return differs, errors.Join(failed...)
}

// place analyses a module of fresh code.
func (r *runner) place(ctx context.Context, p place) (res *result, err error) {
	root := filepath.Join(r.temp, filepath.Base(p.repo))
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	if err := r.checkout(ctx, p.repo, p.at, root); err != nil {
		return nil, err
	}
	return r.module(ctx, root, filepath.Join(root, filepath.FromSlash(p.folder)), []string{"./..."})
}

// fresh runs the modules of fresh code.
func fresh(ctx context.Context, w io.Writer, o *options) (differs bool, err error) {
	d, err := record.Read(o.root())
	if err != nil {
		return false, err
	}
	r, done, err := o.runner(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, done()) }()
	differs, err = runFresh(ctx, w, r, d, o, func(c *comparison) error {
		if !o.update {
			return nil
		}
		c.pairs = slices.DeleteFunc(c.pairs, func(p pair) bool { return p.was == nil }) // nobody has judged it without knowing the rules
		c.apply(d)
		return d.Write(o.data)
	})
	return differs && !o.update, err
}
