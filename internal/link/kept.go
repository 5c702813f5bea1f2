package link

import (
	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/rule"
)

// A Kept is a finding that is judged where a program comes together, in the terms that all packages have.
type Kept struct {
	At, End    At
	Sub        string
	Site       rule.Site
	Message    string
	Confidence rule.Confidence
	Related    []Beside
	Fixes      []Fix
}

// A Beside is a place that a finding names besides its own.
type Beside struct {
	At      At
	Message string
}

// Keep puts off the finding f of pass; not one that nobody wants to see where it is.
func Keep(pass *analysis.Pass, f rule.Finding) (Kept, bool) {
	if !rule.WantedFor(pass, pass.Analyzer.Name+"/"+f.Sub, f.Pos) {
		return Kept{}, false
	}
	k := Kept{At: AtOf(pass, f.Pos), End: AtOf(pass, f.End), Sub: f.Sub, Site: f.Site, Message: f.Message, Confidence: f.Confidence}
	for _, r := range f.Related {
		k.Related = append(k.Related, Beside{AtOf(pass, r.Pos), r.Message})
	}
	for _, fix := range f.Fixes {
		if edits := keepEdits(pass, fix.TextEdits); edits != nil {
			k.Fixes = append(k.Fixes, Fix{fix.Message, edits})
		}
	}
	return k, true
}

// Finding is k in the terms of pass, where its packages are in dirs; without a position where they are not.
func (k *Kept) Finding(pass *analysis.Pass, dirs Dirs) rule.Finding {
	f := rule.Finding{Pos: dirs.Pos(pass, k.At), End: dirs.Pos(pass, k.End), Sub: k.Sub, Site: k.Site, Message: k.Message, Confidence: k.Confidence, Elsewhere: true}
	for _, r := range k.Related {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: dirs.Pos(pass, r.At), Message: r.Message})
	}
	for _, fix := range k.Fixes {
		if edits := fix.edits(pass, dirs); edits != nil {
			f.Fixes = append(f.Fixes, analysis.SuggestedFix{Message: fix.Message, TextEdits: edits})
		}
	}
	return f
}

// Report says k in pass, where its package is in dirs.
func (k *Kept) Report(pass *analysis.Pass, dirs Dirs) {
	if f := k.Finding(pass, dirs); f.Pos.IsValid() {
		rule.Report(pass, f)
	}
}
