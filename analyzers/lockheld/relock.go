package lockheld

import (
	"fmt"
	"strings"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// relock reports the acquisition of a lock that is held already.
func (r *reporter) relock(o *lock.Occurrence) {
	if !o.Lock.Known() || strings.Contains(o.Lock.Sel, "[*]") {
		return
	}
	held := o.Held
	if o.Again != nil {
		held = append([]lock.Hold{*o.Again}, held...)
	}
	for _, h := range held {
		if h.Path != o.Lock || h.Stale || apart(h, o) || len(o.Acquire.Hops()) <= 1 && notAgain(o.Instr) {
			continue
		}
		if o.Acquire.Mode == lock.Once && o.Acquire.Maybe {
			continue // a flag may be set by then
		}
		site, how, sure, places := rule.Site("second-lock"), "deadlocks", rule.Certain, []lock.Place(nil)
		if h.Mode == lock.Read && o.Acquire.Mode == lock.Read {
			w := r.res.Writers[o.Acquire.Lock.Class.Inner()]
			if w.By == "" {
				continue // readers alone never wait for each other
			}
			site, how, sure, places = "second-read-lock", fmt.Sprintf("deadlocks if a writer (%s) waits in between", w.By), rule.Possible, w.Places
		}
		if o.Acquire.Maybe || h.Tried() {
			sure = rule.Possible
		}
		// Unlike a wait, it is the holder that has to change: every function that holds the lock is told, once.
		if !r.first(key(h, o.Acquire.Event) + flow.FuncName(o.Instr.Parent())) {
			continue
		}
		again := "locked again"
		switch o.Acquire.Mode {
		case lock.Read:
			again = "read-locked again"
		case lock.Once:
			site, again = "nested-once", "run again"
		}
		if h.Site == o.Instr && h.By == "" && h.Mode != lock.Once {
			again += " in the next iteration"
		}
		fix := "; unlock first, or call a variant that does not lock"
		if o.Acquire.Mode == lock.Once {
			fix = "; do not call Do from its own function"
		}
		pos := flow.Pos(o.Instr)
		rel := r.related(h, o.Acquire.Event, "second acquisition", places...)
		message := fmt.Sprintf("%s (%s) is %s%s, which %s%s", h.Path, r.taken(h), again, through(o.Acquire.Event), how, fix)
		r.below(o.Instr, cause{pos, h.Class, "relock", site, sure, false, places != nil, message, rel}, "acquisition")
		return
	}
}
