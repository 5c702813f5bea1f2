// Command corpus runs ctrllint on real bugs of other projects, before and after their fix, and compares what it finds with
// what it found when the data was last looked at.
//
//	corpus [flags] -mirrors DIR
//	corpus -table
//
// DIR holds a git directory owner+name/repo for each repository. The rows are in bench/corpus/*.jsonl. A row counts as a
// hit where, at the commit before the fix, a finding of its rules is near the line of the bug or in its function; as quiet
// where no finding of that kind is left there at the commit of the fix. Each package is analysed by itself, with what it
// imports, with the sub-rules that are doubted, too; the table says what is found without them.
//
// The exit code is 0 where all rows are as they were, 1 where one is not, and 2 where one could not be run.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/ctrllint/ctrllint/internal/gocommand"
)

type options struct {
	mirrors, tool, data string
	only                string
	update, table       bool
}

func main() {
	var o options
	flag.StringVar(&o.mirrors, "mirrors", "", "the `folder` with a git directory owner+name/repo for each repository")
	flag.StringVar(&o.tool, "ctrllint", "", "the ctrllint `binary`; built if empty")
	flag.StringVar(&o.data, "data", filepath.Join("bench", "corpus"), "the `folder` of the rows")
	flag.StringVar(&o.only, "only", "", "run these `rows` only: ids, repositories or rules, separated by commas")
	flag.BoolVar(&o.update, "update", false, "write down what the rows give now; a note is still a person's to write")
	flag.BoolVar(&o.table, "table", false, "run nothing, and print the rows as tables in Markdown")
	flag.Parse()
	if o.mirrors == "" && !o.table || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: corpus [flags] -mirrors DIR")
		flag.PrintDefaults()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if o.table {
		if err := printTables(os.Stdout, o.data); err != nil {
			fmt.Fprintln(os.Stderr, "corpus:", err)
			os.Exit(2)
		}
		return
	}
	moved, err := run(ctx, os.Stdout, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(2)
	}
	if moved {
		os.Exit(1)
	}
}

// run runs the rows that o names, and reports whether one of them is not as it was, or lacks a note.
func run(ctx context.Context, w io.Writer, o options) (moved bool, err error) {
	temp, err := os.MkdirTemp("", "corpus")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	c := &corpus{tool: o.tool, temp: temp}
	if c.mirrors, err = filepath.Abs(o.mirrors); err != nil {
		return false, err
	}
	if c.tool, err = gocommand.Tool(ctx, c.tool, temp); err != nil {
		return false, err
	}
	files, err := rowFiles(o.data)
	if err != nil {
		return false, err
	}
	s := sums{}
	var failed []error
	ran := 0
	for _, file := range files {
		rows, err := readRows(file)
		if err != nil {
			return false, err
		}
		for _, r := range rows {
			if !r.asked(o.only) {
				continue
			}
			ran++
			got, subs, said, err := c.outcome(ctx, r)
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			if err != nil {
				failed = append(failed, fmt.Errorf("row %s: %w", r.ID, err))
				continue
			}
			s.add(r, got)
			if got != r.Want || !slices.Equal(subs, r.Found) {
				moved = true
				fmt.Fprintf(w, "%s: %s %v, where it was %s %v: %s\n", r.ID, got, subs, r.Want, r.Found, said)
			}
			if o.update { // each at once: all of them take hours
				r.Want, r.Found = got, subs
				if err := writeRows(file, rows); err != nil {
					return false, err
				}
			}
			if err := r.check(); err != nil {
				moved = true
				fmt.Fprintf(w, "%v: %s\n", err, said)
			}
		}
	}
	if ran == 0 {
		failed = append(failed, fmt.Errorf("no row in %s is %q", o.data, o.only))
	}
	return moved, errors.Join(append(failed, s.print(w))...)
}

func (r *Row) asked(only string) bool {
	if only == "" {
		return true
	}
	return slices.ContainsFunc(strings.Split(only, ","), func(name string) bool {
		return name == r.ID || name == r.Repo || slices.Contains(r.Rules, name)
	})
}

func (o Outcome) String() string {
	if o.After == none {
		return cmp.Or(o.Before, "not known")
	}
	return o.Before + ", " + o.After
}
