package rule

import (
	"reflect"

	"golang.org/x/tools/go/analysis"
)

// A Reader is the result of an analyzer that reads files beyond the package that it is given, in the pass of a main
// package. What it finds is stored with the contents of these files.
type Reader interface {
	// Reads returns the names of the files that it may read for programs of the module in the folder dir. It is called
	// for the zero value of the type.
	Reads(dir string) ([]string, error)
}

// Readers returns the zero results of those of the analyzers, and of what they require, that are a [Reader].
func Readers(analyzers []*analysis.Analyzer) (all []Reader) {
	seen := map[*analysis.Analyzer]bool{}
	var visit func([]*analysis.Analyzer)
	visit = func(list []*analysis.Analyzer) {
		for _, a := range list {
			if seen[a] {
				continue
			}
			seen[a] = true
			if a.ResultType != nil {
				if r, ok := reflect.Zero(a.ResultType).Interface().(Reader); ok {
					all = append(all, r)
				}
			}
			visit(a.Requires)
		}
	}
	visit(analyzers)
	return all
}
