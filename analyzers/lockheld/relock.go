package lockheld

import (
	"fmt"
	"strings"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// reportRelock reports the acquisition of a lock whose access path is in the lock set already. Two paths that may alias
// are no finding: only equal paths must alias.
func (r *reporter) reportRelock(o *lock.Occurrence) {
	if !o.Lock.Known() || strings.Contains(o.Lock.Sel, "[*]") {
		return
	}
	held := o.Held
	if o.Again != nil {
		held = append([]lock.Hold{*o.Again}, held...)
	}
	for _, h := range held {
		if h.Path != o.Lock || h.Stale || excluded(h, o) || len(o.Acquire.Hops()) <= 1 && initialised(o.Instr) {
			continue
		}
		if o.Acquire.Mode == lock.Once && o.Acquire.Maybe {
			continue // a flag may be set by then
		}
		site, how, confidence, places := rule.Site("second-lock"), "deadlocks", rule.Certain, []lock.Place(nil)
		readers := h.Mode == lock.Read && o.Acquire.Mode == lock.Read
		if readers {
			w := r.res.Writers[o.Acquire.Lock.Class.Inner()]
			if w.By == "" {
				continue // readers do not block each other
			}
			site, confidence, places = "second-read-lock", rule.Possible, w.Places
			how = fmt.Sprintf("deadlocks if a writer (%s) waits in between", w.By)
		}
		if o.Acquire.Maybe || h.Tried() {
			confidence = rule.Possible
		}
		// Unlike for a wait, each function that holds the lock has to change: one finding for each.
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
		message := fmt.Sprintf("%s (%s) is %s%s, which %s%s",
			h.Path, r.taken(h), again, through(o.Acquire.Event), how, fix)
		related := r.related(h, o.Acquire.Event, "second acquisition", places...)
		r.add(o.Instr, "acquisition", cause{
			Finding: r.finding(flow.Pos(o.Instr), "relock", site, confidence, message, related),
			class:   h.Class, writer: readers,
		})
		return
	}
}
