package lockheld

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
)

//go:embed doc.go
var doc string

// Analyzer is the rule lockheld: an operation that can block without bound, or a second acquisition, with a lock held.
var Analyzer = &analysis.Analyzer{
	Name:     "lockheld",
	Doc:      rule.MustExtractDoc(doc, "lockheld"),
	URL:      rule.URLBase + "lockheld.md",
	Run:      rule.Wrap("lockheld", nil, run),
	Requires: []*analysis.Analyzer{lock.Analyzer},
}

// once makes one report of one (lock, operation), however many functions hold the lock around it.
type once map[string]bool

func run(pass *analysis.Pass) (any, error) {
	res := pass.ResultOf[lock.Analyzer].(*lock.Result)
	seen := once{}
	for _, fn := range res.Funcs {
		for i := range fn.Events {
			o := &fn.Events[i]
			if len(o.Held) == 0 || !rule.Wanted(pass, flow.Pos(o.Instr)) {
				continue
			}
			if o.Acquire != nil {
				relock(pass, res, o, seen)
			} else {
				blocked(pass, res, o, seen)
			}
		}
	}
	return nil, nil
}

// relock reports the acquisition of a lock that is held already.
func relock(pass *analysis.Pass, res *lock.Result, o *lock.Occurrence, seen once) {
	if !o.Lock.Known() || strings.Contains(o.Lock.Sel, "[*]") {
		return
	}
	for _, h := range o.Held {
		if h.Path != o.Lock || h.Stale {
			continue
		}
		how := "deadlocks"
		if h.Mode == lock.Read && o.Acquire.Mode == lock.Read {
			w := res.Writers[o.Acquire.Lock.Class]
			if w == "" {
				continue // readers alone never wait for each other
			}
			how = fmt.Sprintf("deadlocks as soon as a writer (%s) waits in between", w)
		}
		// Unlike a wait, it is the holder that has to change: every function that holds the lock is told, once.
		k := key(h, o.Acquire.Event) + flow.FuncName(o.Instr.Parent())
		if seen[k] {
			continue
		}
		seen[k] = true
		again := "locked again"
		if o.Acquire.Mode == lock.Read {
			again = "read-locked again"
		}
		rule.Report(pass, rule.Finding{
			Pos: flow.Pos(o.Instr), Sub: "relock",
			Message: fmt.Sprintf("%s (%s at line %d) is %s%s, which %s",
				h.Path, h.Mode.Verb(), rule.Line(pass, siteOf(h)), again, through(o.Acquire.Event), how),
			Related: related(h, o.Acquire.Event, "second acquisition"),
		})
		return
	}
}

// blocked reports an operation that can block without bound.
func blocked(pass *analysis.Pass, res *lock.Result, o *lock.Occurrence, seen once) {
	b := o.Block
	if b.Under && len(b.Chain) > 0 {
		return // a callee holds a lock of its own there, and is told
	}
	for _, h := range o.Held {
		why, ok := stuck(res, o, h)
		if !ok || seen[key(h, b.Event)] {
			continue
		}
		seen[key(h, b.Event)] = true
		rule.Report(pass, rule.Finding{
			Pos: flow.Pos(o.Instr), Sub: "blocking",
			Message: fmt.Sprintf("%s (%s at line %d) is held across %s%s, which %s",
				h.Path, h.Mode.Verb(), rule.Line(pass, siteOf(h)), b.What, through(b.Event), why),
			Related: related(h, b.Event, "blocks here"),
		})
		return
	}
}

// stuck says why the wait o can last for ever while h is held; false where something ends it, or may.
func stuck(res *lock.Result, o *lock.Occurrence, h lock.Hold) (string, bool) {
	b := o.Block
	if p := b.Peers; p != nil {
		if by, ok := p.Needs(h, o.Waiter(), func(c lock.Class) bool { return res.Writers[c] != "" }); ok {
			return fmt.Sprintf("cannot end: %s needs the same lock before it gets there", by), true
		}
		// With a peer in sight that does not need the lock, or out of sight, the wait may well end.
		if p.Found || p.Buffered || p.Unknown || b.Kind != blocking.Send && b.Kind != blocking.Receive {
			return "", false
		}
		return "waits without bound for " + b.Kind.For() + ", and this package has none", true
	}
	switch b.Kind {
	case blocking.CacheSync, blocking.Poll, blocking.Run, blocking.Queue, blocking.Process, blocking.Acquire:
		if perKey(h) {
			return "", false
		}
		return "waits without bound for " + b.Kind.For(), true
	}
	return "", false
}

// perKey reports whether h is the lock of one element of a map or slice, or one that a function gave out: slow work
// under the lock of one key is what such locks are for.
func perKey(h lock.Hold) bool {
	return strings.Contains(h.Path.Sel, "[") || strings.HasSuffix(h.Path.String(), "()") || h.Class == ""
}

func siteOf(h lock.Hold) token.Pos {
	if h.Site == nil {
		return token.NoPos
	}
	return flow.Pos(h.Site)
}

func key(h lock.Hold, ev lock.Event) string {
	id := string(h.Class)
	if id == "" {
		id = fmt.Sprintf("%p%s", h.Path.Root, h.Path.Sel)
	}
	return id + "|" + fmt.Sprint(ev.Pos) + ev.At
}

// through names the calls that lead to ev.
func through(ev lock.Event) string {
	if len(ev.Chain) == 0 {
		return ""
	}
	var names []string
	for _, h := range ev.Chain {
		names = append(names, h.Func)
	}
	return fmt.Sprintf(" (%s, through %s)", ev.At, strings.Join(names, ", "))
}

// related is the chain behind a report: the lock, the calls, the operation. What lies in another package has no
// position here; its file and line stand in the text.
func related(h lock.Hold, ev lock.Event, last string) []analysis.RelatedInformation {
	var out []analysis.RelatedInformation
	here := token.NoPos
	if h.Site != nil {
		out = append(out, analysis.RelatedInformation{Pos: siteOf(h), Message: h.Path.String() + " is " + h.Mode.Verb() + " here"})
	}
	for _, hop := range ev.Chain {
		msg := "calls " + hop.Func
		if hop.Pos.IsValid() {
			here = hop.Pos
		} else {
			msg += " (" + hop.At + ")"
		}
		out = append(out, analysis.RelatedInformation{Pos: here, Message: msg})
	}
	if len(ev.Chain) > 0 {
		if ev.Pos.IsValid() {
			out = append(out, analysis.RelatedInformation{Pos: ev.Pos, Message: last})
		} else if here.IsValid() {
			out = append(out, analysis.RelatedInformation{Pos: here, Message: last + " (" + ev.At + ")"})
		}
	}
	return out
}
