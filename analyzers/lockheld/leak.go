package lockheld

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// reportLeak reports an exit of fn with a lock in the lock set that other exits release, or that no function releases.
// Hand-offs, which package lock recognises by what the callers do with the lock, are no leaks.
func (r *reporter) reportLeak(fn *lock.FuncResult, l lock.Leak) {
	pos := flow.Pos(l.Exit)
	if !rule.Wanted(r.pass, pos) || onSecondCall(program.Of(r.pass), fn.Fn, l) ||
		!r.first(key(l.Hold, lock.Event{Pos: r.acquired(l.Hold)})+"leak") {
		return
	}
	end, fix := "unlike on other paths", "unlock before this return"
	if l.All {
		end = "and nothing in the package releases it"
		r.lost[l.Hold.Class] = l.Hold.Class != ""
	}
	if l.By != "" {
		end, fix = "and its caller "+l.By+" does not release it", "unlock in every caller"
	}
	how := "returns here"
	if _, ok := l.Exit.(*ssa.Panic); ok {
		how, fix = "recovers from this panic", "defer the unlock"
	}
	confidence := rule.Certain
	if l.NewObject { // the new object may not be shared
		confidence = rule.Possible
	}
	message := fmt.Sprintf("%s (%s at line %d) is still held when %s %s, %s: the next Lock blocks forever; %s",
		l.Hold.Path, l.Hold.Mode.Verb(), rule.Line(r.pass, r.acquired(l.Hold)), flow.FuncName(fn.Fn), how, end, fix)
	f := r.finding(pos, "leak", "unreleased-lock", confidence, message, r.related(l.Hold, lock.Event{}, ""))
	if !r.deferLeak(fn.Fn, l, f) {
		r.report(f)
	}
}
