package finalizerorder

import (
	"slices"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// levelled reports whether the change e is one half of a decision that puts the finalizer on an object as long as something is left that it guards, and
// takes it off otherwise: the function that makes the change makes the opposite one, too, and neither hangs on the deletion of the object. What is
// left is asked then, and not whether some cleanup has failed, and an addition that comes too late is made again for nothing.
func (a *analyzer) levelled(e event) bool {
	own, ok := a.where(e)
	if !ok || own.finalizer == "" || a.hangsOnDeletion(own) {
		return false
	}
	return slices.ContainsFunc(a.events(own.in.Parent()), func(o event) bool {
		return opposite(own.kind, o.kind) && o.finalizer == own.finalizer && o.obj.path == own.obj.path && o.at == o.in && !a.hangsOnDeletion(o)
	})
}

// where is e in the function that makes the change; false where that is in another package.
func (a *analyzer) where(e event) (event, bool) {
	if e.at == nil || e.at == e.in {
		return e, e.at != nil
	}
	for _, x := range a.events(e.at.Parent()) {
		if x.in == e.at && x.kind == e.kind {
			return x, true
		}
	}
	return event{}, false
}

// hangsOnDeletion reports whether a check of its function whether the object is being deleted decides about e.
func (a *analyzer) hangsOnDeletion(e event) bool {
	for test, t := range flow.PathCondition(e.in.Block()) {
		for _, p := range e.obj.places() {
			if _, known := deleting(test.Cond, p); known && t != flow.Unknown {
				return true
			}
		}
	}
	return false
}

// opposite reports whether one of k and l adds a finalizer in memory, and the other one takes one off.
func opposite(k, l kind) bool { return k == adds && l == removes || k == removes && l == adds }
