package lockheld

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// leak reports a lock that a return leaves held.
func (r *reporter) leak(fn *lock.FuncResult, l lock.Leak) {
	pos := flow.Pos(l.Exit)
	if !rule.Wanted(r.pass, pos) || neverTaken(program.Of(r.pass), fn.Fn, l) || !r.first(key(l.Hold, lock.Event{Pos: r.siteOf(l.Hold)})+"leak") {
		return
	}
	end := "unlike on other paths"
	if l.All {
		end = "and nothing in the package releases it"
		r.lost[l.Hold.Class] = l.Hold.Class != ""
	}
	if l.By != "" {
		end = "and its caller " + l.By + " does not release it"
	}
	how, fix := "returns here", "unlock before this return"
	if _, ok := l.Exit.(*ssa.Panic); ok {
		how, fix = "recovers from this panic", "defer the unlock"
	}
	sure := rule.Certain
	if l.Mine { // others may have it, and want the lock, or nobody
		sure = rule.Possible
	}
	f := rule.Finding{
		Pos: pos, Sub: "leak", Site: "unreleased-lock", Confidence: sure, Related: r.related(l.Hold, lock.Event{}, ""),
		Message: fmt.Sprintf("%s (%s at line %d) is still held when %s %s, %s: the next Lock blocks forever; %s",
			l.Hold.Path, l.Hold.Mode.Verb(), rule.Line(r.pass, r.siteOf(l.Hold)), flow.FuncName(fn.Fn), how, end, fix),
	}
	if !r.deferLeak(fn.Fn, l, f) {
		r.say(f)
	}
}
