// Command fresh prints what readers made of the findings on operators to which no rule had been tuned, and asks which of these findings
// ctrllint still has.
//
//	fresh -table
//	fresh [flags] -mirrors DIR
//
// The findings are in bench/fresh/*.jsonl, a file for each measure, as they were the first time: each has the verdicts of two readers who knew
// neither the rules' code nor each other's verdict. The lower one counts. DIR holds a git directory owner+name/repo for each repository.
//
// Only the modules in which something was found are analysed. The exit code is 0, 1 where a finding is gone that both readers call right or there is one that they have not
// seen, and 2 where a module could not be analysed at all; of one that could in part, what is missing is said, and is no difference.
package main

import (
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
	mirrors, tool, data, only string
	table, update             bool
}

func main() {
	var o options
	flag.StringVar(&o.mirrors, "mirrors", "", "the `folder` with a git directory owner+name/repo for each repository")
	flag.StringVar(&o.tool, "ctrllint", "", "the ctrllint `binary`; built if empty")
	flag.StringVar(&o.data, "data", filepath.Join("bench", "fresh"), "the `folder` of the findings")
	flag.StringVar(&o.only, "only", "", "analyse these `repositories` only, separated by commas")
	flag.BoolVar(&o.update, "update", false, "write down which findings are gone")
	flag.BoolVar(&o.table, "table", false, "run nothing, and print the verdicts as tables in Markdown")
	flag.Parse()
	if o.mirrors == "" && !o.table || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: fresh [flags] -mirrors DIR")
		flag.PrintDefaults()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	moved, err := run(ctx, os.Stdout, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fresh:", err)
		os.Exit(2)
	}
	if moved {
		os.Exit(1)
	}
}

// run does what o asks for, and reports whether a right finding is gone or one is new.
func run(ctx context.Context, w io.Writer, o options) (moved bool, err error) {
	measures, err := readAll(o.data)
	if err != nil {
		return false, err
	}
	if o.table {
		return false, tables(w, measures)
	}
	temp, err := os.MkdirTemp("", "fresh")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	r := &rerun{temp: temp, w: w, left: sums{}, came: sums{}}
	if r.mirrors, err = filepath.Abs(o.mirrors); err != nil {
		return false, err
	}
	if r.tool, err = gocommand.Tool(ctx, o.tool, temp); err != nil {
		return false, err
	}
	var failed error
	for _, t := range trees(measures) {
		if o.only != "" && !slices.Contains(strings.Split(o.only, ","), t.repo) {
			continue
		}
		if err := r.tree(ctx, t); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", t.repo, err))
		}
	}
	fmt.Fprintln(w, "\nWhat is still found:")
	r.left.table(w)
	fmt.Fprintln(w, "\nOf this, as the tool comes:")
	r.came.table(w)
	if o.update {
		failed = errors.Join(failed, writeAll(o.data, measures))
	}
	return r.moved, failed
}
