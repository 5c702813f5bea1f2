package cachemutation

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/sharing"
)

// What the handlers of an informer write to, and send to the server next on every way, is what the server has as well, unless it refuses; and if
// nobody else is given the objects of that kind, nobody goes by what it has refused. Who else is given them may be another package of a program.

// onlyHandled is who hears of what o writes to, where nobody else in the package sees objects of its kind and each write is sent; nil for other writes.
func (a *mutations) onlyHandled(o *one) *sharing.Reader {
	only := a.shared.Hearer(o.Read)
	if only == nil || slices.ContainsFunc(a.linked.Readers, func(r sharing.Reader) bool { return sees(r, *only) }) {
		return nil
	}
	for _, e := range slices.Concat([]sharing.Effect{o.first}, o.later) {
		if !isSent(e) {
			return nil
		}
	}
	return only
}

// isSent reports whether a request sends what e has written to on every way behind it.
func isSent(e sharing.Effect) bool {
	for ret := range flow.Returns(e.In.Parent()) {
		if flow.Reaches(e.In, ret, func(in ssa.Instruction) bool { return sends(in, e) }) {
			return false
		}
	}
	return true
}
