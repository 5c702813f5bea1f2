package lockheld

import (
	"cmp"
	_ "embed"
	"flag"
	"fmt"
	"go/token"
	"maps"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// flags are those of the analyzer.
func flags() flag.FlagSet {
	f := rule.Flags(
		rule.Sub{Name: "blocking", Severity: rule.Error},
		rule.Sub{
			Name: "slow", Severity: rule.Warning,
			OptIn: "also report bounded waits, round trips to servers and child processes with a lock held " +
				"(category lockheld/slow)",
		},
		rule.Sub{Name: "relock", Severity: rule.Error},
		rule.Sub{Name: "order", Severity: rule.Error},
		rule.Sub{Name: "leak", Severity: rule.Error},
	)
	f.Var(&rule.Active.Blocks, "blocks", "functions that can block without a bound, "+
		"as path/to/pkg.Func,(path/to/pkg.Type).Method; also used by unboundedsync")
	return f
}

// Analyzer is the rule lockheld: an operation that can block without bound, or a second acquisition, with a lock held.
var Analyzer = &analysis.Analyzer{
	Name:     "lockheld",
	Doc:      rule.MustExtractDoc(doc, "lockheld"),
	URL:      rule.URLBase + "lockheld.md",
	Flags:    flags(),
	Run:      rule.Wrap("lockheld", &rule.Verdicts{}, link.Phase[Part]{Summarize: summarize, Unused: unused}.Run),
	Requires: []*analysis.Analyzer{lock.Analyzer, program.Analyzer, suppress.Analyzer},

	ResultType: reflect.TypeFor[*rule.Verdicts](),
	FactTypes:  []analysis.Fact{new(link.Summary[Part])},
}

// A reporter reports the findings of one package: one for each lock and operation, however many functions hold the lock
// across it.
type reporter struct {
	pass     *analysis.Pass
	res      *lock.Result
	unit     *link.Unit[Part]
	verdicts *rule.Verdicts

	seen   map[string]bool
	groups []*group
	lost   map[lock.Class]bool // locks that some function never releases
	slow   bool                // the opt-in
}

func summarize(u *link.Unit[Part]) any {
	pass := u.Pass
	r := &reporter{
		pass: pass, unit: u, res: pass.ResultOf[lock.Analyzer].(*lock.Result), verdicts: &rule.Verdicts{},
		seen: map[string]bool{}, lost: map[lock.Class]bool{}, slow: rule.FlagSet(pass.Analyzer, "slow"),
	}
	for _, fn := range r.res.Funcs {
		for i := range fn.Events {
			o := &fn.Events[i]
			switch {
			case len(o.Held) == 0 && o.Again == nil, !rule.Wanted(pass, flow.Pos(o.Instr)):
			case o.Acquire != nil:
				r.reportRelock(o)
			case !fn.ForTests:
				r.reportWait(o, nil)
			}
		}
		for i := range fn.Slow {
			if r.slow && len(fn.Slow[i].Held) > 0 && rule.Wanted(pass, flow.Pos(fn.Slow[i].Instr)) {
				r.reportSlow(&fn.Slow[i])
			}
		}
		for _, l := range fn.Leaks {
			r.reportLeak(fn, l)
		}
	}
	r.reportGroups()
	for _, c := range r.res.Cycles {
		r.reportCycle(c)
	}
	r.reportLinked()
	awaited := u.Awaited(survived)
	maps.Copy(awaited, u.Awaits(survived))
	if len(awaited) > 0 {
		u.Uses = failures(program.Of(pass), awaited)
	}
	return r.verdicts
}

// first reports whether key is seen for the first time.
func (r *reporter) first(key string) bool {
	was := r.seen[key]
	r.seen[key] = true
	return !was
}

// finding is a finding at pos, which may lie in a file of another package.
func (r *reporter) finding(
	pos token.Pos, sub string, site rule.Site, confidence rule.Confidence, message string,
	related []analysis.RelatedInformation,
) rule.Finding {
	return rule.Finding{
		Pos: pos, Sub: sub, Site: site, Message: message, Related: related, Confidence: confidence,
		Elsewhere: rule.FileAt(r.pass, pos) == nil,
	}
}

func (r *reporter) report(f rule.Finding) {
	r.verdicts.Note(f, f.Confidence)
	rule.Report(r.pass, f)
}

// acquired is where h was acquired.
func (r *reporter) acquired(h lock.Hold) token.Pos {
	if h.Site == nil {
		return r.res.Dirs.Pos(r.pass, h.Taken)
	}
	return flow.Pos(h.Site)
}

// taken says how and where h was acquired: in this function, or by a function that calls it back.
func (r *reporter) taken(h lock.Hold) string {
	if h.By != "" {
		return fmt.Sprintf("%s by %s", h.Mode.Verb(), h.By)
	}
	return fmt.Sprintf("%s at line %d", h.Mode.Verb(), rule.Line(r.pass, r.acquired(h)))
}

// name is the access path of h, or its class if it has no path in this function.
func name(h lock.Hold) string {
	if h.Path.Known() {
		return h.Path.String()
	}
	return cmp.Or(h.Name, short(h.Class))
}

// key identifies the finding about ev with h held.
func key(h lock.Hold, ev lock.Event) string {
	id := string(h.Class)
	if id == "" {
		id = fmt.Sprintf("%p%s", h.Path.Root, h.Path.Sel)
	}
	return id + "|" + fmt.Sprint(ev.Pos) + string(ev.At)
}

// maxNamed is how many calls of a chain a message names. The related places have all of them (TestLongMessages).
const maxNamed = 4

// through names the calls that lead to ev.
func through(ev lock.Event) string {
	hops := ev.Hops()
	if len(hops) == 0 {
		return ""
	}
	var names []string
	for i, h := range hops {
		switch {
		case len(hops) <= maxNamed || i == 0 || i == len(hops)-1:
			names = append(names, h.Func)
		case i == 1:
			names = append(names, fmt.Sprintf("%d more", len(hops)-2))
		}
	}
	return fmt.Sprintf(" (%s, via %s)", ev.At, strings.Join(names, ", "))
}

// related is the trace of a finding: the acquisition of h, the calls that lead to ev, and ev itself. A place in a
// package without positions is named in the text of the place before it.
func (r *reporter) related(h lock.Hold, ev lock.Event, last string, more ...lock.Place) []analysis.RelatedInformation {
	var out []analysis.RelatedInformation
	here := token.NoPos
	add := func(pos token.Pos, at link.At, message string) {
		if !pos.IsValid() {
			pos = r.res.Dirs.Pos(r.pass, at)
		}
		if pos.IsValid() {
			here = pos
		} else if here.IsValid() {
			message += " (" + at.String() + ")"
		} else {
			return
		}
		out = append(out, analysis.RelatedInformation{Pos: here, Message: message})
	}
	if site := r.acquired(h); site.IsValid() {
		where := " here"
		if h.By != "" {
			where = fmt.Sprintf(" by %s (%s)", h.By, h.At)
		}
		out = append(out, analysis.RelatedInformation{Pos: site, Message: name(h) + " is " + h.Mode.Verb() + where})
	}
	for _, hop := range ev.Hops() {
		add(hop.Pos, hop.At, "calls "+hop.Func)
	}
	if len(ev.Hops()) > 0 {
		add(ev.Pos, ev.At, last)
	}
	for _, p := range more {
		add(token.NoPos, p.At, p.What)
	}
	return out
}
