// Package doubted is about the sub-rules that are off because of what was measured of them: whoever measures has to turn them on.
package doubted

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Flags are those of the ctrllint command that turn all of them on.
func Flags() []string {
	var out []string
	for _, a := range analyzers.All() {
		for _, s := range rule.Subs(a) {
			if s.Doubted {
				out = append(out, "-"+a.Name+"."+s.FlagName())
			}
		}
	}
	return out
}

// All reports whether each of these sub-rules, named as in findings, is one of them.
func All(subs []string) bool {
	return !slices.ContainsFunc(subs, func(name string) bool {
		of, name, _ := strings.Cut(name, "/")
		i := slices.IndexFunc(analyzers.All(), func(a *analysis.Analyzer) bool { return a.Name == of })
		if i < 0 {
			return true
		}
		s := rule.SubOf(analyzers.All()[i], name)
		return s == nil || !s.Doubted
	})
}
