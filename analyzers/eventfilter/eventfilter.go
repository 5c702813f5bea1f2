package eventfilter

import (
	_ "embed"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ssapkg"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer is the rule eventfilter.
var Analyzer = &analysis.Analyzer{
	Name:     "eventfilter",
	Doc:      rule.MustExtractDoc(doc, "eventfilter"),
	URL:      rule.URLBase + "eventfilter.md",
	Requires: []*analysis.Analyzer{ssapkg.Analyzer, suppress.Analyzer},
	Run:      rule.Wrap("eventfilter", nil, run),
}

func run(pass *analysis.Pass) (any, error) {
	if !kube.Imports(pass.Pkg, func(path string) bool {
		return strings.HasPrefix(path, "k8s.io/") || strings.HasPrefix(path, "sigs.k8s.io/")
	}) {
		return nil, nil
	}
	siblings(pass)
	handlers := kube.Imports(pass.Pkg, func(path string) bool { return path == kube.Cache })
	events := kube.Imports(pass.Pkg, func(path string) bool { return path == kube.Event })
	if handlers || events {
		t := &tombstones{pass: pass, pkg: ssapkg.Of(pass), reported: map[token.Pos]bool{}}
		if handlers {
			t.handlers()
		}
		if events {
			t.predicates()
		}
	}
	return nil, nil
}
