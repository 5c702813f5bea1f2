package lockheld

import (
	"cmp"
	_ "embed"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"reflect"
	"slices"
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
			OptIn: "also report bounded waits, round trips to servers and child processes with a lock held (category lockheld/slow)",
		},
		rule.Sub{Name: "relock", Severity: rule.Error},
		rule.Sub{Name: "order", Severity: rule.Error},
		rule.Sub{Name: "leak", Severity: rule.Error},
	)
	f.Var(&rule.Active.Blocks, "blocks", "functions that can block without a bound, as path/to/pkg.Func,(path/to/pkg.Type).Method; also used by unboundedsync")
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

// A reporter makes the reports of one package, one of each (lock, operation), however many functions hold the lock
// around it.
type reporter struct {
	pass *analysis.Pass
	res  *lock.Result
	seen map[string]bool
	sure *rule.Verdicts

	calls []*calls
	lost  map[lock.Class]bool // locks that one of their holders never gives back
	unit  *link.Unit[Part]

	slow bool // report what ends by itself, too
}

func summarize(u *link.Unit[Part]) any {
	pass := u.Pass
	r := &reporter{
		pass: pass, unit: u, res: pass.ResultOf[lock.Analyzer].(*lock.Result), sure: &rule.Verdicts{},
		seen: map[string]bool{}, lost: map[lock.Class]bool{}, slow: rule.FlagSet(pass.Analyzer, "slow"),
	}
	for _, fn := range r.res.Funcs {
		for i := range fn.Events {
			o := &fn.Events[i]
			if len(o.Held) == 0 && o.Again == nil || !rule.Wanted(pass, flow.Pos(o.Instr)) {
				continue
			}
			if o.Acquire != nil {
				r.relock(o)
			} else if !fn.ForTests {
				r.blocked(o, nil)
			}
		}
		for i := range fn.Slow {
			if r.slow && len(fn.Slow[i].Held) > 0 && rule.Wanted(pass, flow.Pos(fn.Slow[i].Instr)) {
				r.delayed(&fn.Slow[i])
			}
		}
		for _, l := range fn.Leaks {
			r.leak(fn, l)
		}
	}
	r.reported()
	for _, c := range r.res.Cycles {
		r.order(c)
	}
	r.linked()
	awaited := u.Awaited(survived)
	maps.Copy(awaited, u.Awaits(survived))
	if len(awaited) > 0 {
		u.Uses = failures(program.Of(pass), awaited)
	}
	return r.sure
}

// first reports whether key is seen for the first time.
func (r *reporter) first(key string) bool {
	was := r.seen[key]
	r.seen[key] = true
	return !was
}

func (r *reporter) report(pos token.Pos, sub string, site rule.Site, sure rule.Confidence, message string, rel []analysis.RelatedInformation) {
	r.say(rule.Finding{Pos: pos, Sub: sub, Site: site, Message: message, Related: rel, Confidence: sure, Elsewhere: elsewhere(r.pass, pos)})
}

func (r *reporter) say(f rule.Finding) {
	r.sure.Note(f, f.Confidence)
	rule.Report(r.pass, f)
}

func (r *reporter) siteOf(h lock.Hold) token.Pos {
	if h.Site == nil {
		return r.res.Dirs.Pos(r.pass, h.Taken)
	}
	return flow.Pos(h.Site)
}

// taken says how and where h was taken: here, or by the function that calls one of this package's back.
func (r *reporter) taken(h lock.Hold) string {
	if h.By != "" {
		return fmt.Sprintf("%s by %s", h.Mode.Verb(), h.By)
	}
	return fmt.Sprintf("%s at line %d", h.Mode.Verb(), rule.Line(r.pass, r.siteOf(h)))
}

// name spells the lock of h, by its class where this function has no name for it.
func name(h lock.Hold) string {
	if h.Path.Known() {
		return h.Path.String()
	}
	return cmp.Or(h.Name, short(h.Class))
}

func key(h lock.Hold, ev lock.Event) string {
	id := string(h.Class)
	if id == "" {
		id = fmt.Sprintf("%p%s", h.Path.Root, h.Path.Sel)
	}
	return id + "|" + fmt.Sprint(ev.Pos) + string(ev.At)
}

// maxNamed is how many calls of a chain a message names: all are among the related places (TestLongMessages).
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

// related is the chain behind a report: the lock, the calls, the operation. What lies in a package that cannot be looked into
// has no position; its file and line stand in the text.
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
	if site := r.siteOf(h); site.IsValid() {
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

// elsewhere reports whether pos lies in none of the package's files.
func elsewhere(pass *analysis.Pass, pos token.Pos) bool {
	return !slices.ContainsFunc(pass.Files, func(f *ast.File) bool { return f.FileStart <= pos && pos <= f.FileEnd })
}
