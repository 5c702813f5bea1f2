package rule

import (
	"go/token"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// A finding names no places that nobody knows, such as those in packages that are there by their facts alone.
func TestReport(t *testing.T) {
	var got []analysis.Diagnostic
	a := &analysis.Analyzer{Name: "r", Flags: Flags(Sub{Name: "sub"})}
	pass := &analysis.Pass{Analyzer: a, Fset: token.NewFileSet(), Report: func(d analysis.Diagnostic) { got = append(got, d) }}
	Report(pass, Finding{Pos: 1, Sub: "sub", Elsewhere: true, Related: []analysis.RelatedInformation{{Message: "far away"}, {Pos: 2, Message: "here"}}})
	if len(got) != 1 || len(got[0].Related) != 1 || got[0].Related[0].Message != "here" {
		t.Errorf("got %+v", got)
	}
}
