package ruletest

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// difference is a part of an example's findings or facts that is not the same in all orders.
type difference struct {
	example string // the folder below testdata
	what    string // the category or the fact, and the function
}

// witness shows a difference: what was there as it is written, and in one other order.
type witness struct{ written, order, then string }

func (w witness) String() string {
	return fmt.Sprintf("as it is written:\n\t%s\n%s:\n\t%s", w.written, w.order, w.then)
}

// vary analyses the packages in all orders, and returns what differs from the first run.
func (l *listed) vary(a *analysis.Analyzer, first []*analysed) (map[difference]witness, error) {
	written := make(map[string]map[string][]string)
	for _, one := range first {
		written[one.example()] = one.outcome()
	}
	all := make(map[difference]witness)
	for _, o := range orders() {
		seen, err := l.analyze(a, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.name, err)
		}
		for _, one := range seen {
			example := one.example()
			was, is := written[example], one.outcome()
			for what := range maps.Keys(union(was, is)) {
				d := difference{example, what}
				if _, known := all[d]; !known && !slices.Equal(was[what], is[what]) {
					all[d] = witness{shown(was[what], is[what]), o.name, shown(is[what], was[what])}
				}
			}
		}
	}
	return all, nil
}

func union(a, b map[string][]string) map[string][]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// shown returns the texts that the others do not have.
func shown(texts, others []string) string {
	var own []string
	for _, t := range texts {
		if !slices.Contains(others, t) {
			own = append(own, t)
		}
	}
	if own == nil {
		return "nothing"
	}
	return strings.Join(own, "\n\t")
}

// example returns the folder of the package below the module's.
func (one *analysed) example() string {
	return strings.TrimPrefix(one.listed.PkgPath, one.listed.Module.Path+"/")
}

// outcome returns all that the analyzer reported for the package: what, where it is (category or type of fact, and
// function), and the whole of it. Nothing depends on the order in which it was said.
func (one *analysed) outcome() map[string][]string {
	out := make(map[string][]string)
	add := func(kind, function, text string) {
		if function != "" {
			kind += " in " + function
		}
		out[kind] = append(out[kind], text)
	}
	for _, d := range one.found {
		at := func(pos token.Pos) string {
			p := one.fset.Position(pos)
			return fmt.Sprintf("%s:%d:%d", p.Filename[strings.LastIndexByte(p.Filename, '/')+1:], p.Line, p.Column)
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s-%s: %s", at(d.Pos), at(d.End), one.finding(d))
		for _, r := range d.Related {
			fmt.Fprintf(&b, " (%s-%s)", at(r.Pos), at(r.End))
		}
		for _, f := range d.SuggestedFixes {
			fmt.Fprintf(&b, "; fix %q", f.Message)
			for _, e := range f.TextEdits {
				fmt.Fprintf(&b, " %s-%s %q", at(e.Pos), at(e.End), e.NewText)
			}
		}
		add(d.Category, one.function(d.Pos), b.String())
	}
	for _, f := range one.exported.Objects() {
		name := f.Object.Name()
		if fn, ok := f.Object.(*types.Func); ok {
			name = flow.ObjectName(fn)
		}
		add(factName(f.Fact), name, factText(f.Fact))
	}
	for _, f := range one.exported.Package() {
		add(factName(f), "", factText(f))
	}
	for _, texts := range out {
		slices.Sort(texts)
	}
	return out
}

// function returns the name of the function that pos is in, empty outside of functions.
func (one *analysed) function(pos token.Pos) string {
	file := one.file(pos)
	if file == nil {
		return ""
	}
	for _, decl := range file.Decls {
		if decl, ok := decl.(*ast.FuncDecl); ok && decl.Pos() <= pos && pos < decl.End() {
			if fn, ok := one.Info.Defs[decl.Name].(*types.Func); ok {
				return flow.ObjectName(fn)
			}
		}
	}
	return ""
}
