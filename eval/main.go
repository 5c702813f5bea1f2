// Command eval keeps what ctrllint finds on real code, and what people have made of it.
//
//	eval modules|trees|fresh|fixes [flags]   run, and compare with the data
//	eval programs [flags]                    run the programs in testdata/programs, or in the folder that -only names, and compare with their verdicts
//	eval gate [flags]                        run, and fail where right findings are lost or wrong ones reported
//	eval table [flags]                       the evidence by site, and the tables of docs/evidence.md
//
// The data is in eval/data: the findings on published modules (modules.jsonl), on trees of repositories (trees.jsonl) and on operators to which no rule had
// been tuned (fresh.jsonl), each with the verdicts of its readers and its site, the place in the source of a rule that produces the message; bugs that other
// projects have fixed (fixes.jsonl), from lists each of which was run for the first time before anything was learnt from it; what is analysed (targets.jsonl);
// names of checks and sites that have changed (names.jsonl); and repositories that are not fresh any more (seen.jsonl). What is in repositories needs mirrors of
// them: -mirrors names a folder with a git directory owner+name/repo for each.
//
// The exit code is 0 where all is as the data says, or within the limits of gate.json; 1 where it is not; and 2 where something could not be run. Under go run
// it is 1 for both.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/programs"
)

// options are the flags.
type options struct {
	data, tool, mirrors, only, verdicts  string
	short, update, list, before, neutral bool
}

// root is the folder of the data.
func (o *options) root() fs.FS { return os.DirFS(o.data) }

// A verb is one of the things that the command can do. Run reports whether something is not as it is to be.
type verb struct {
	flags string // that it has besides -data
	run   func(ctx context.Context, w io.Writer, o *options) (bool, error)
}

// verbs are all of them.
var verbs = map[string]verb{
	"modules":  {"ctrllint only short update list", ofList(record.Modules)},
	"trees":    {"ctrllint only update list mirrors", ofList(record.Trees)},
	"fresh":    {"ctrllint only update list mirrors", ofList(record.Fresh)},
	"fixes":    {"ctrllint only update before mirrors", fixes},
	"programs": {"ctrllint only update neutral verdicts", handwritten},
	"gate":     {"ctrllint short mirrors", gate},
	"table":    {"update", table},
}

func ofList(list string) func(context.Context, io.Writer, *options) (bool, error) {
	return func(ctx context.Context, w io.Writer, o *options) (bool, error) { return runList(ctx, w, o, list) }
}

// flags are those of the verb named so.
func (o *options) flags(name string) *flag.FlagSet {
	all := flag.NewFlagSet("eval "+name, flag.ContinueOnError)
	all.StringVar(&o.data, "data", filepath.Join("eval", "data"), "the `folder` of the data")
	all.StringVar(&o.tool, "ctrllint", "", "the ctrllint `binary`; built if empty")
	all.StringVar(&o.mirrors, "mirrors", "", "the `folder` with a git directory owner+name/repo for each repository")
	all.StringVar(&o.only, "only", "", "run `these` alone, separated by commas: targets or repositories; lists, ids, repositories or rules of fixes; the folder of programs")
	all.BoolVar(&o.short, "short", false, "run only the small modules: minutes in place of hours")
	all.BoolVar(&o.update, "update", false, "write down what is found now, or the tables into docs/evidence.md")
	all.BoolVar(&o.list, "list", false, "run nothing, and say which targets there are")
	all.BoolVar(&o.before, "before", false, "run fixes at the commit before them only")
	all.BoolVar(&o.neutral, "neutral", false, "replace all names that programs declare by ones that say nothing, and compare the verdicts alone")
	all.StringVar(&o.verdicts, "verdicts", "", "the `file` of the verdicts on programs; verdicts.tsv in their folder if empty")
	own := flag.NewFlagSet(all.Name(), flag.ContinueOnError)
	for _, f := range append(strings.Fields(verbs[name].flags), "data") {
		own.Var(all.Lookup(f).Value, f, all.Lookup(f).Usage)
	}
	return own
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Stdout, os.Stderr, os.Args[1:])
	stop()
	os.Exit(code)
}

// run does what args say, and gives the exit code.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	if len(args) == 0 || verbs[args[0]].run == nil {
		fmt.Fprintf(stderr, "usage: eval %s [flags]\n", strings.Join(slices.Sorted(maps.Keys(verbs)), "|"))
		return 2
	}
	var o options
	f := o.flags(args[0])
	f.SetOutput(stderr)
	if err := f.Parse(args[1:]); err != nil {
		return 2
	}
	if f.NArg() > 0 {
		fmt.Fprintf(stderr, "eval %s: %q is no flag\n", args[0], f.Arg(0))
		return 2
	}
	differs, err := verbs[args[0]].run(ctx, stdout, &o)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "eval:", err)
		return 2
	case differs:
		return 1
	}
	return 0
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
