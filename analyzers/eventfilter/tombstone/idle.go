package tombstone

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/words"
)

// idle reports whether nothing is lost with a deletion that the handler fn does not see: it only queues the key of the object, and whoever
// takes keys from the queues of the package does nothing about an object that is gone.
func (t *tombstones) idle(fn *ssa.Function) bool {
	var q queueing
	kind := assertedKind(fn)
	return kind != nil && q.only(t, fn, map[*ssa.Function]bool{}) && q.keyed && q.queued && t.nothingToDo(kind)
}

// assertedKind is the one type that fn asserts objects to have, nil where there is none or are several.
func assertedKind(fn *ssa.Function) types.Type {
	var kind types.Type
	for in := range flow.Instrs(fn) {
		a, ok := in.(*ssa.TypeAssert)
		if !ok || kube.IsType(a.AssertedType, kube.Cache, "DeletedFinalStateUnknown") || types.IsInterface(a.AssertedType) {
			continue
		}
		if kind != nil && !types.Identical(kind, a.AssertedType) {
			return nil
		}
		kind = a.AssertedType
	}
	return kind
}

// queueing is what a handler does to queue a key.
type queueing struct{ keyed, queued bool }

// only reports whether fn does nothing else.
func (q *queueing) only(t *tombstones, fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] {
		return true
	}
	seen[fn] = true
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Go, *ssa.Send, *ssa.MapUpdate, *ssa.Select, *ssa.Defer:
			return false
		case *ssa.Store:
			if _, arg := in.Addr.(*ssa.IndexAddr); !arg && !local(in.Addr) {
				return false
			}
		case *ssa.Call:
			if !q.call(t, in, seen) {
				return false
			}
		}
	}
	return true
}

func (q *queueing) call(t *tombstones, call *ssa.Call, seen map[*ssa.Function]bool) bool {
	if _, builtin := call.Call.Value.(*ssa.Builtin); builtin {
		return true
	}
	if own := t.pkg.Callee(&call.Call); own != nil {
		return q.only(t, own, seen)
	}
	fn := flow.Callee(&call.Call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch sym := kube.SymbolOf(fn); {
	case kube.Logs(fn):
	case sym.Pkg == kube.Cache && keyFunctions[sym.Name]:
		q.keyed = true
	case strings.HasSuffix(kube.Path(fn.Pkg().Path()), "client-go/util/workqueue") && words.Of(fn.Name())[0] == "add":
		q.queued = true
	default: // for a log
		res := call.Call.Signature().Results()
		return res.Len() == 1 && (flow.IsString(res.At(0).Type()) || flow.IsError(res.At(0).Type()) && fn.Pkg().Path() == "fmt")
	}
	return true
}

// keyFunctions are those of package cache.
var keyFunctions = map[string]bool{
	"MetaNamespaceKeyFunc": true, "DeletionHandlingMetaNamespaceKeyFunc": true,
	"ObjectToName": true, "MetaObjectToName": true, "DeletionHandlingObjectToName": true,
}

// nothingToDo reports whether each function of the package that takes a key apart returns without more ado where it finds no object of the
// kind.
func (t *tombstones) nothingToDo(kind types.Type) bool {
	some, all := false, true
	for _, fn := range t.pkg.Funcs {
		takes := false
		flow.Calls(fn, func(c ssa.CallInstruction) {
			sym := kube.SymbolOf(flow.Callee(c.Common()))
			takes = takes || sym.Pkg == kube.Cache && (sym.Name == "SplitMetaNamespaceKey" || sym.Name == "ParseObjectName")
		})
		if takes {
			some, all = true, all && givesUp(fn, kind)
		}
	}
	return some && all
}

// givesUp reports whether fn returns nil, after a log at most, where it is told that an object of the kind is not found, and asks for no other.
func givesUp(fn *ssa.Function, kind types.Type) bool {
	found := false
	for in := range flow.Instrs(fn) {
		test, ok := in.(*ssa.If)
		if !ok {
			continue
		}
		call, ok := test.Cond.(*ssa.Call)
		if !ok || flow.Callee(&call.Call) == nil || flow.Callee(&call.Call).Name() != "IsNotFound" {
			continue
		}
		if !ofKind(call, kind) || !returnsNil(test.Block().Succs[0]) {
			return false
		}
		found = true
	}
	return found
}

// ofKind reports whether call asks about the error of a call that gives an object of the kind.
func ofKind(call *ssa.Call, kind types.Type) bool {
	x, ok := flow.Resolve(call.Call.Args[0]).(*ssa.Extract)
	if !ok {
		return false
	}
	get, ok := x.Tuple.(*ssa.Call)
	return ok && types.Identical(get.Call.Signature().Results().At(0).Type(), kind)
}

// returnsNil reports whether b does nothing but log, and returns no error.
func returnsNil(b *ssa.BasicBlock) bool {
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *ssa.Call:
			fn := flow.Callee(&in.Call)
			if res := in.Call.Signature().Results(); !kube.Logs(fn) && (res.Len() != 1 || !flow.IsString(res.At(0).Type())) {
				return false
			}
		case *ssa.Jump:
			return len(b.Succs[0].Preds) == 1 && returnsNil(b.Succs[0])
		case *ssa.Return:
			i := flow.ErrorResult(b.Parent().Signature)
			return i < 0 || flow.IsNil(in.Results[i])
		case *ssa.If, *ssa.Go, *ssa.Defer, *ssa.Send, *ssa.MapUpdate, *ssa.Panic:
			return false
		}
	}
	return false
}
