package cachemutation

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/sharing"
)

// What the handlers of an informer write to, and send to the server next on every way, is what the server has as well, unless it refuses; and if
// nobody else is given the objects of that kind, nobody goes by what it has refused. Who else is given them may be another package of a program.

// onlyHandled is who hears of what o writes to, where nobody else in the package or below sees objects of its kind and each write is sent, or nobody decides by it, or nobody else can
// see it but by asking; nil for other writes. Where he hands them on, the package must not decide by it.
func (a *mutations) onlyHandled(o *one) *sharing.Reader {
	only := a.shared.Hearer(o.Read)
	if only == nil || slices.ContainsFunc(a.readers, func(r sharing.Reader) bool { return r.Sees(*only) }) {
		return nil
	}
	if only.Alone {
		return only
	}
	for _, e := range slices.Concat([]sharing.Effect{o.first}, o.later) {
		if (only.Handed || !isSent(e, only.Kind)) && !a.sorts(e) && a.decided(e) {
			return nil
		}
	}
	return only
}

// sorts reports whether e puts a list into an order: who does so each time that he looks at it finds the same.
func (a *mutations) sorts(e sharing.Effect) bool {
	return a.shared.WrittenBy(e, func(in ssa.Instruction) bool {
		call, ok := in.(ssa.CallInstruction)
		return ok && sharing.IsOrdering(flow.Callee(call.Common()))
	})
}

// isSent reports whether a request sends what e has written to, of an object of the kind, on every way behind it, and the server takes it.
func isSent(e sharing.Effect, kind string) bool {
	for ret := range flow.Returns(e.In.Parent()) {
		if flow.Reaches(e.In, ret, func(in ssa.Instruction) bool { return stores(in, e, kind) }) {
			return false
		}
	}
	return true
}

// stores reports whether in is a request by which the server has what e has written to an object of the kind. One of the status takes nothing else,
// and other ones leave the status of Kubernetes' own kinds alone; custom kinds may have no status of their own.
func stores(in ssa.Instruction, e sharing.Effect, kind string) bool {
	r, ok := e.SentBy(in)
	if !ok || r.Verb != kube.VerbCreate && r.Verb != kube.VerbUpdate {
		return false
	}
	return e.OfStatus() == r.Status || e.OfStatus() && !strings.HasPrefix(kind, "k8s.io/api/")
}
