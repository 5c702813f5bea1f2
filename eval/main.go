// Command eval keeps what ctrllint finds on real code, and what people have made of it.
//
//	eval modules|trees|fresh|fixes [flags]   run, and compare with the data
//	eval programs [flags]                    run the programs in testdata/programs, or those that -only names, and compare with their verdicts
//	eval gate [flags]                        run, and fail where right findings are lost or wrong ones told
//	eval table [flags]                       the evidence by site, and the tables of docs/evidence.md
//
// The data is in eval/data: the findings on published modules (modules.jsonl), on trees of repositories (trees.jsonl) and on operators to which no rule had
// been tuned (fresh.jsonl), each with the verdicts of its readers and the site that words it; bugs that other projects have fixed (fixes.jsonl), from lists
// each of which was run for the first time before anything was learnt from it; what is analysed (targets.jsonl); and the names of checks and sites that have
// changed (names.jsonl). What is in repositories needs mirrors of them: -mirrors names a folder with a git directory owner+name/repo for each.
//
// The exit code is 0 where all is as the data says, or within the limits of gate.json; 1 where it is not; and 2 where something could not be run.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/programs"
)

// options are the flags.
type options struct {
	data, tool, mirrors, only, verdicts string
	short, update, list                 bool
	before, lines, neutral              bool
}

// root is the folder of the data.
func (o *options) root() fs.FS { return os.DirFS(o.data) }

// verbs are what the command can do. They report whether something is not as it is to be.
var verbs = map[string]func(ctx context.Context, w io.Writer, o *options) (bool, error){
	"modules": func(ctx context.Context, w io.Writer, o *options) (bool, error) {
		return tuned(ctx, w, o, record.Modules)
	},
	"trees": func(ctx context.Context, w io.Writer, o *options) (bool, error) {
		return tuned(ctx, w, o, record.Trees)
	},
	"fresh": fresh,
	"fixes": fixes,
	"gate":  gate,
	"table": table,
}

func main() {
	var o options
	f := flag.NewFlagSet("eval", flag.ExitOnError)
	f.StringVar(&o.data, "data", filepath.Join("eval", "data"), "the `folder` of the data")
	f.StringVar(&o.tool, "ctrllint", "", "the ctrllint `binary`; built if empty")
	f.StringVar(&o.mirrors, "mirrors", "", "the `folder` with a git directory owner+name/repo for each repository")
	f.StringVar(&o.only, "only", "", "run `these` only: names of targets, repositories, or lists, ids and rules of fixes, separated by commas; the folder of programs")
	f.BoolVar(&o.short, "short", false, "run the modules that take minutes")
	f.BoolVar(&o.update, "update", false, "write down what is found now, or the tables into docs/evidence.md")
	f.BoolVar(&o.list, "list", false, "run nothing, and say which targets there are")
	f.BoolVar(&o.before, "before", false, "run fixes at the commit before them only")
	f.BoolVar(&o.neutral, "neutral", false, "replace all names that programs declare by ones that say nothing, and compare the verdicts alone")
	f.StringVar(&o.verdicts, "verdicts", "", "the `file` of the verdicts on programs; verdicts.tsv in their folder if empty")
	f.BoolVar(&o.lines, "lines", true, "compute the lines of its own that each site has")
	f.Usage = func() {
		fmt.Fprintln(f.Output(), "usage: eval modules|trees|fresh|fixes|programs|gate|table [flags]")
		f.PrintDefaults()
	}
	if len(os.Args) < 2 || verbs[os.Args[1]] == nil {
		f.Usage()
		os.Exit(2)
	}
	if _ = f.Parse(os.Args[2:]); f.NArg() > 0 {
		f.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	differs, err := verbs[os.Args[1]](ctx, os.Stdout, &o)
	stop()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(2)
	case differs:
		os.Exit(1)
	}
}

// handwritten runs the programs that people have written from the pages of the rules.
func handwritten(ctx context.Context, w io.Writer, o *options) (differs bool, err error) {
	r, done, err := o.runner(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, done()) }()
	p := programs.Options{Tool: r.tool, Dir: cmp.Or(o.only, filepath.Join("testdata", "programs")), Verdicts: o.verdicts, Update: o.update, Neutral: o.neutral}
	exit, err := programs.Run(ctx, w, p)
	return exit == 1, err
}

// runner is what analyses code, with a temporary folder that done removes.
func (o *options) runner(ctx context.Context) (r *runner, done func() error, err error) {
	temp, err := os.MkdirTemp("", "eval")
	if err != nil {
		return nil, nil, err
	}
	done = func() error { return os.RemoveAll(temp) }
	r = &runner{temp: temp}
	if o.mirrors != "" {
		r.mirrors, err = filepath.Abs(o.mirrors)
	}
	if err == nil {
		r.tool, err = gocommand.Tool(ctx, o.tool, temp)
	}
	if err != nil {
		return nil, nil, errors.Join(err, done())
	}
	return r, done, nil
}
