package main

import (
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// printFlags prints, one a line, the flags of the tool of go vet that a file of settings stands for:
//
//	go vet -vettool=$(which ctrllint) $(ctrllint flags) ./...
//
// The tool reads no file: the go command caches results by the tool's flags.
func printFlags(rules []*analysis.Analyzer, args []string, stdout, stderr io.Writer) int {
	fail := failing(stderr)
	s := newSettings(rules)
	if err := s.flags.Parse(args); err != nil {
		return fail("%v", s.better(err))
	}
	if s.flags.NArg() > 0 {
		return fail("flags takes only -C and -config, no packages: %s (see ctrllint help)", s.flags.Arg(0))
	}
	var other error
	s.flags.Visit(func(f *flag.Flag) {
		if f.Name != "C" && f.Name != "config" {
			other = fmt.Errorf("flags takes only -C and -config: pass -%s to go vet itself", f.Name)
		}
	})
	if other != nil {
		return fail("%v", other)
	}
	dir, err := filepath.Abs(s.dir)
	if err != nil {
		return fail("%v", err)
	}
	file, err := s.file(dir)
	if err != nil {
		return fail("%v", err)
	}
	if file == nil {
		return exitClean
	}
	var out strings.Builder
	for _, f := range file.Vet() {
		text := "-" + f.Name + "=" + f.Value
		if strings.ContainsAny(text, " \t\n") {
			return fail("%s:%d: a shell would split %q at its spaces", file.Name, f.Line, text)
		}
		out.WriteString(text + "\n")
	}
	fmt.Fprint(stdout, out.String())
	return exitClean
}
