package suppression

import (
	_ "embed"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// New makes the rule suppression for a suite of rules. It reports comments that suppress no finding of the suite, give no
// reason, or name an unknown rule or check, and comments in another linter's form that name a rule of the suite. It runs
// after all rules. Its result is the *suppress.Index of the package, which knows which comments have suppressed a finding.
func New(rules []*analysis.Analyzer) *analysis.Analyzer {
	known := map[string]*analysis.Analyzer{}
	for _, a := range rules {
		known[a.Name] = a
	}
	return &analysis.Analyzer{
		Name: suppress.Rule,
		Doc:  rule.MustExtractDoc(doc, suppress.Rule),
		URL:  rule.URLBase + suppress.Rule + ".md",
		Run: rule.Wrap(suppress.Rule, &suppress.Index{}, func(pass *analysis.Pass) (any, error) {
			return run(pass, known), nil
		}),
		Flags: rule.Flags(
			rule.Sub{Name: "unused", Severity: rule.Warning},
			rule.Sub{Name: "noreason", Severity: rule.Warning},
			rule.Sub{Name: "unknown", Severity: rule.Warning},
		),
		Requires:   append([]*analysis.Analyzer{suppress.Analyzer}, rules...),
		ResultType: reflect.TypeFor[*suppress.Index](),
	}
}

func run(pass *analysis.Pass, known map[string]*analysis.Analyzer) *suppress.Index {
	index := pass.ResultOf[suppress.Analyzer].(*suppress.Index)
	for _, d := range index.Directives() {
		if d.Any || d.Nolint && rule.Active.Golangci || !rule.Wanted(pass, d.Pos) {
			continue
		}
		var ours []string
		for _, n := range d.Names {
			name, sub, ofSub := strings.Cut(n, "/")
			a := known[name]
			switch {
			case name == "": // the whole suite
				ours = append(ours, suppress.Suite)
			case a != nil && ofSub && len(rule.Subs(a)) > 0 && rule.SubOf(a, sub) == nil:
				report(pass, d, "unknown", "unknown-check", fmt.Sprintf("%s has no check %s, so the comment suppresses nothing; correct the name", name, sub))
			case a != nil && ofSub && rule.SubOf(a, sub) != nil && !rule.SubOf(a, sub).On():
				// Whether it suppresses anything is known once the check is enabled.
			case a != nil:
				ours = append(ours, n)
			case !d.Nolint: // a name after //nolint may be any linter's
				report(pass, d, "unknown", "unknown-rule", fmt.Sprintf("ctrllint has no rule %s, so the comment suppresses nothing; correct the name", name))
			}
		}
		switch names := strings.Join(ours, ", "); {
		case ours == nil:
		case !index.Used(d):
			report(pass, d, "unused", "unused-directive", "the comment suppresses nothing: no finding of "+strings.Join(ours, " or ")+" here; delete it")
		case d.Reason == "":
			report(pass, d, "noreason", "missing-reason", "the comment gives no reason for suppressing "+names+"; add one")
		}
	}
	for _, b := range index.Bare() {
		if !rule.Wanted(pass, b.Pos) {
			continue
		}
		isOurs := func(n string) bool { name, _, _ := strings.Cut(n, "/"); return known[name] != nil }
		instead := slices.Clone(b.Written)
		for i, n := range instead {
			if isOurs(n) {
				instead[i] = suppress.Suite + "/" + n
			}
		}
		for _, n := range b.Names {
			if isOurs(n) {
				rule.Report(pass, rule.Finding{
					Pos: b.Pos, End: b.End, Sub: "unknown", Site: "foreign-directive",
					Message: fmt.Sprintf("%s has no %s/ prefix, so the comment does not suppress it; write %s %s", n, suppress.Suite, b.Keyword, strings.Join(instead, ",")),
				})
			}
		}
	}
	return index
}

func report(pass *analysis.Pass, d *suppress.Directive, sub string, site rule.Site, message string) {
	rule.Report(pass, rule.Finding{Pos: d.Pos, End: d.End, Sub: sub, Site: site, Message: message})
}
