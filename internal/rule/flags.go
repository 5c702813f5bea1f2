package rule

import (
	"flag"

	"golang.org/x/tools/go/analysis"
)

// FlagSet reports whether the bool flag of a that is named so is set. A flag that a does not have, or that is no
// bool, is not.
func FlagSet(a *analysis.Analyzer, name string) bool {
	f := a.Flags.Lookup(name)
	if f == nil {
		return false
	}
	g, ok := f.Value.(flag.Getter)
	if !ok {
		return false
	}
	on, _ := g.Get().(bool)
	return on
}
