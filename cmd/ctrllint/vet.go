package main

import (
	"flag"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/ctrllint/ctrllint/internal/pathglob"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// vet serves go vet -vettool and go fix -fixtool. It does not return.
func vet(rules []*analysis.Analyzer) {
	fileFlags(flag.CommandLine, &rule.Active)
	// The tool runs in the folder of each package, so relative patterns are ambiguous.
	flag.Var(pathglob.Rooted{List: &rule.Active.Exclude}, "exclude", "report nothing in files that match these absolute `patterns`")
	rule.Active.DirectFacts = true
	rule.Active.Named = true
	unitchecker.Main(rules...)
}

// fileFlags adds the flags that both modes have.
func fileFlags(flags *flag.FlagSet, s *rule.Settings) {
	flags.BoolVar(&s.Tests, "tests", false, "also report in _test.go files and in code that imports a test framework")
	flags.Var(&s.Deps, "deps", "analyse dependencies from source: `auto`, off or all")
	s.Confidence, s.Severity = rule.Possible, rule.Warning
	flags.Var(&s.Confidence, "confidence", "for rules with a confidence: report `possible` findings as well, or only certain ones")
	flags.Var(&s.Severity, "severity", "report `warning` findings as well, or only error")
	flags.BoolVar(&s.Nursery, "nursery", false, "also report the nursery: checks that are not yet right often enough")
	flags.BoolVar(&s.Generated, "generated", false, "also report in generated files")
}
