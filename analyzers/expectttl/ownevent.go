package expectttl

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// ownEvent reports whether q asks about the object that its function, a reconciler, has read, and has just shown to the store: what the store waits for is a
// newer version of that object, whose event reconciles it, and shows it to the store.
func ownEvent(q query) bool {
	fn := q.call.Parent()
	if !isOwner(fn) {
		return false
	}
	_, object := firstGet(fn)
	if object == nil || !isGiven(q.call, object) {
		return false
	}
	for in := range flow.Instrs(fn) {
		if call, ok := in.(*ssa.Call); ok {
			if recv, r := storeCall(&call.Call); r == observes && q.store.same(storeOf(recv)) && isGiven(call, object) && flow.Dominates(call, q.call) {
				return true
			}
		}
	}
	return false
}

// isGiven reports whether object, and nothing else, is what call is given.
func isGiven(call *ssa.Call, object ssa.Value) bool {
	args := flow.Args(&call.Call)
	return len(args) == 1 && flow.Resolve(args[0]) == flow.Resolve(object)
}

// lowersAlone reports whether the handlers of some kind lower what s expects where an object comes and where one goes, by what that object says itself: they look for
// nobody whom it belongs to, and so do it for one that is gone, too.
func (g *callGraph) lowersAlone(s store) bool {
	lowers := func(fn *ssa.Function) bool {
		found, asks := false, false
		if fn == nil {
			return false
		}
		for in := range g.reached(fn) {
			call, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			recv, r := storeCall(&call.Call)
			found = found || r == observes && s.same(storeOf(recv))
			asks = asks || r == noRole && gets(call) && flow.ErrorOf(call) != nil
		}
		return found && !asks
	}
	return slices.ContainsFunc(g.handlerSets(), func(h *handlerSet) bool { return lowers(h.created) && lowers(h.gone) })
}
