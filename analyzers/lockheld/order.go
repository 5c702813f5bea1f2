package lockheld

import (
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// reportCycle reports a cycle of the lock-order graph, whose nodes are lock classes. It is never certain: two locks of
// one class may be different locks.
func (r *reporter) reportCycle(c lock.Cycle) {
	var steps, brief []string
	var drawn []rule.Step
	var rel []analysis.RelatedInformation
	at := func(e *lock.Edge) token.Pos {
		if e.Pos().IsValid() {
			return e.Pos()
		}
		return r.res.Dirs.Pos(r.pass, e.At)
	}
	here := at(&c[0])
	for i := range c {
		e := &c[i]
		steps = append(steps,
			fmt.Sprintf("%s %s %s while holding %s (%s)", e.Func, locks(e.ToMode), short(e.To), short(e.From), e.ToAt))
		drawn = append(drawn,
			rule.Step{Func: e.Func, Holds: short(e.From), Takes: short(e.To), Read: e.ToMode == lock.Read, Pos: at(e)})
		brief = append(brief, fmt.Sprintf("%s then %s (%s)", short(e.From), short(e.To), e.ToAt))
		if pos := at(e); pos.IsValid() {
			here = pos
			rel = append(rel, r.related(e.Hold(), e.Event(), "acquires "+short(e.To))...)
			if len(e.Chain) == 0 {
				rel = append(rel, analysis.RelatedInformation{Pos: here, Message: short(e.To) + " is acquired here"})
			}
			for _, m := range e.More() {
				rel = append(rel,
					analysis.RelatedInformation{Pos: m.Pos(), Message: fmt.Sprintf("%s does the same", m.Func)})
				if hops := m.Chain; len(hops) > 1 && hops[len(hops)-1].Pos.IsValid() {
					last := hops[len(hops)-1]
					rel = append(rel, analysis.RelatedInformation{Pos: last.Pos, Message: "in this call of " + last.Func})
				}
			}
		} else {
			rel = append(rel, analysis.RelatedInformation{Pos: here, Message: steps[i]})
		}
	}
	const end = ": concurrent calls deadlock; acquire them in one order"
	message := "lock order cycle: " + strings.Join(steps, "; ") + end
	if len(message) > maxMessage {
		message = "lock order cycle: " + strings.Join(brief, ", ") + end
	}
	f := r.finding(at(&c[0]), "order", "lock-cycle", rule.Possible, message, rel)
	r.verdicts.Draw(f, drawn)
	r.report(f)
}

// maxMessage is the length in bytes from which on a message is abbreviated. The related places have the rest.
const maxMessage = 300

func locks(m lock.Mode) string {
	if m == lock.Read {
		return "read-locks"
	}
	return "locks"
}

// short is c without its package path.
func short(c lock.Class) string {
	s := string(c)
	if _, outer, ok := strings.Cut(s, "@"); ok {
		s = outer
	}
	if i := strings.LastIndex(s, "/"); i >= 0 {
		s = s[i+1:]
	}
	return s
}
