package link

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/rule"
)

// A Condition is what only a program can decide about Of: a function, or something else that all packages call by
// that name. Kind says what it is that is to be decided.
type Condition struct{ Kind, Of string }

// Called is the kind of the condition that the program may call the function Of.
const Called = "called"

// A Use makes a condition hold in the programs that have its package: Always, or in those in which one of If holds.
type Use struct {
	Of     Condition
	Always bool
	If     []Condition
}

func (c Condition) compare(o Condition) int {
	return cmp.Or(strings.Compare(c.Kind, o.Kind), strings.Compare(c.Of, o.Of))
}

// merged returns uses with one for each condition, in an order that is not that of the source.
func merged(uses []Use) (all []Use) {
	slices.SortFunc(uses, func(a, b Use) int { return a.Of.compare(b.Of) })
	for _, u := range uses {
		if n := len(all) - 1; n >= 0 && all[n].Of == u.Of {
			u.Always, u.If = u.Always || all[n].Always, append(u.If, all[n].If...)
			all = all[:n]
		}
		u.If = slices.Compact(slices.SortedFunc(slices.Values(u.If), Condition.compare))
		all = append(all, u)
	}
	return all
}

// Holds reports whether c holds by uses, and by unused if there are none of a condition. On cycles nothing holds by
// itself.
func Holds(uses []Use, c Condition, unused func(Condition) bool) bool {
	of := map[Condition][]Use{}
	for _, u := range uses {
		of[u.Of] = append(of[u.Of], u)
	}
	return holds(of, c, unused, map[Condition]bool{})
}

func holds(uses map[Condition][]Use, c Condition, unused func(Condition) bool, seen map[Condition]bool) bool {
	if seen[c] {
		return false
	}
	seen[c] = true
	if len(uses[c]) == 0 {
		return unused(c)
	}
	return slices.ContainsFunc(uses[c], func(u Use) bool {
		return u.Always || slices.ContainsFunc(u.If, func(c Condition) bool { return holds(uses, c, unused, seen) })
	})
}

// A Deferred is a finding that is reported in the programs in which one of If holds. Places are named by text.
type Deferred struct {
	If         []Condition
	At, End    At
	Sub        string
	Site       rule.Site
	Message    string
	Confidence rule.Confidence
	Related    []Related
	Fixes      []Fix
}

// Related is a related place of a finding.
type Related struct {
	At      At
	Message string
}

// Defer defers f until one of the conditions holds. It drops f if a finding at its place is not wanted.
func (u *Unit[S]) Defer(f rule.Finding, conditions ...Condition) {
	if !rule.WantedFor(u.Pass, u.Pass.Analyzer.Name+"/"+f.Sub, f.Pos) {
		return
	}
	d := Deferred{
		If: conditions, At: AtOf(u.Pass, f.Pos), End: AtOf(u.Pass, f.End),
		Sub: f.Sub, Site: f.Site, Message: f.Message, Confidence: f.Confidence,
	}
	for _, r := range f.Related {
		d.Related = append(d.Related, Related{AtOf(u.Pass, r.Pos), r.Message})
	}
	for _, fix := range f.Fixes {
		if edits := keepEdits(u.Pass, fix.TextEdits); edits != nil {
			d.Fixes = append(d.Fixes, Fix{fix.Message, edits})
		}
	}
	u.Deferred = append(u.Deferred, d)
}

// For returns the findings of packages below that wait for c, in terms of the package of u.
func (u *Unit[S]) For(c Condition) (all []rule.Finding) {
	for _, s := range u.Below {
		for _, d := range s.Deferred {
			if !slices.Contains(d.If, c) {
				continue
			}
			if f := d.finding(u.Pass, Dirs{s.Path: s.Dir}); f.Pos.IsValid() {
				all = append(all, f)
			}
		}
	}
	return all
}

// finding returns d in terms of pass; without a position if dirs does not have its package.
func (d *Deferred) finding(pass *analysis.Pass, dirs Dirs) rule.Finding {
	f := rule.Finding{
		Pos: dirs.Pos(pass, d.At), End: dirs.Pos(pass, d.End),
		Sub: d.Sub, Site: d.Site, Message: d.Message, Confidence: d.Confidence, Elsewhere: true,
	}
	for _, r := range d.Related {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: dirs.Pos(pass, r.At), Message: r.Message})
	}
	for _, fix := range d.Fixes {
		if edits := fix.edits(pass, dirs); edits != nil {
			f.Fixes = append(f.Fixes, analysis.SuggestedFix{Message: fix.Message, TextEdits: edits})
		}
	}
	return f
}
