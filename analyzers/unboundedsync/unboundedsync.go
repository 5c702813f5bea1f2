package unboundedsync

import (
	_ "embed"
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer is the rule unboundedsync: a wait for caches whose stop channel or context can never fire.
var Analyzer = &analysis.Analyzer{
	Name:     "unboundedsync",
	Doc:      rule.MustExtractDoc(doc, "unboundedsync"),
	URL:      rule.URLBase + "unboundedsync.md",
	Run:      rule.Wrap("unboundedsync", nil, run),
	Requires: []*analysis.Analyzer{lock.Analyzer, suppress.Analyzer},
}

func run(pass *analysis.Pass) (any, error) {
	res := pass.ResultOf[lock.Analyzer].(*lock.Result)
	for _, fn := range res.Funcs {
		for _, o := range fn.Events {
			b := o.Block
			if b == nil || b.Kind != blocking.CacheSync && b.Kind != blocking.Poll && b.Kind != blocking.Declared || o.Bound.Limit != blocking.Never {
				continue
			}
			// A callee that brings its own endless channel is told itself.
			if len(b.Hops()) > 0 && b.Limit != blocking.Parameter {
				continue
			}
			if !importsFake(pass, flow.Pos(o.Instr)) {
				report(pass, o)
			}
		}
	}
	return nil, nil
}

// importsFake reports whether the file at pos works with a fake clientset.
func importsFake(pass *analysis.Pass, pos token.Pos) bool {
	for _, f := range pass.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			for _, im := range f.Imports {
				if strings.HasSuffix(strings.Trim(im.Path.Value, `"`), "/fake") {
					return true
				}
			}
		}
	}
	return false
}

func report(pass *analysis.Pass, o lock.Occurrence) {
	b := o.Block
	what := b.What
	var related []analysis.RelatedInformation
	if n := len(b.Hops()); n > 0 {
		what = fmt.Sprintf("%s (%s, through %s)", b.What, b.At, b.Hops()[0].Func)
		at := flow.Pos(o.Instr)
		if b.Pos.IsValid() {
			related = append(related, analysis.RelatedInformation{Pos: b.Pos, Message: "waits here"})
		} else {
			related = append(related, analysis.RelatedInformation{Pos: at, Message: "waits at " + b.At})
		}
	}
	if s := o.Bound.Site; s != nil && s.Pos().IsValid() {
		related = append(related, analysis.RelatedInformation{Pos: s.Pos(), Message: o.Bound.Why})
	}
	rule.Report(pass, rule.Finding{
		Pos: flow.Pos(o.Instr), Sub: "neverstops",
		Message: fmt.Sprintf("%s waits for %s and cannot be stopped: %s", what, b.Kind.For(), o.Bound.Why),
		Related: related,
	})
}
