package main

import (
	"flag"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/ctrllint/ctrllint/internal/pathglob"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// vet serves go vet -vettool and go fix -fixtool. It does not return. The choice of files is made with flags, since
// the go command caches results by them.
func vet(rules []*analysis.Analyzer) {
	fileFlags(flag.CommandLine, &rule.Active)
	// The tool runs in the folder of each package, so that a relative pattern would mean something else every time.
	flag.Var(pathglob.Rooted{List: &rule.Active.Exclude}, "exclude", "report nothing in files that match these `patterns`, which are absolute")
	rule.Active.DirectFacts = true
	rule.Active.Named = true
	unitchecker.Main(rules...)
}

// fileFlags adds the flags that both modes have.
func fileFlags(flags *flag.FlagSet, s *rule.Settings) {
	flags.BoolVar(&s.Tests, "tests", false, "report in _test.go files and in code that imports a test framework, too")
	flags.Var(&s.Deps, "deps", "look at the source of dependencies: `auto`, off or all")
	s.Confidence, s.Severity = rule.Possible, rule.Warning
	flags.Var(&s.Confidence, "confidence", "report what is `possible`, too, or certain alone, of rules that tell")
	flags.Var(&s.Severity, "severity", "report what is a `warning`, too, or error alone")
	flags.BoolVar(&s.Nursery, "nursery", false, "report what is of the nursery, too: forms of bugs that are not yet right often enough")
	flags.BoolVar(&s.Generated, "generated", false, "report in generated files, too")
}
