// Command trial runs ctrllint on programs that were written by hand, and says where it finds anything else in them than before.
//
//	trial [flags] [DIR]
//
// DIR is testdata/programs where it is not named. What is in it is described by package programs.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/ctrllint/ctrllint/internal/programs"
)

func main() {
	o := programs.Options{Dir: "testdata/programs"}
	flag.StringVar(&o.Tool, "ctrllint", "bin/ctrllint", "the ctrllint `binary`")
	flag.StringVar(&o.Verdicts, "verdicts", "", "the `file` of the verdicts; verdicts.tsv in DIR if empty")
	flag.BoolVar(&o.Update, "update", false, "write the verdicts")
	flag.BoolVar(&o.Neutral, "neutral", false, "replace all names that the programs declare by ones that say nothing, and compare the verdicts alone")
	flag.Parse()
	switch flag.NArg() {
	case 0:
	case 1:
		o.Dir = flag.Arg(0)
	default:
		fmt.Fprintln(os.Stderr, "usage: trial [flags] [DIR]")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	exit, err := programs.Run(ctx, os.Stdout, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "trial:", err)
	}
	os.Exit(exit)
}
