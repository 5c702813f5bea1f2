package sharing

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
	"github.com/ctrllint/ctrllint/internal/words"
)

// A Read is an instruction at which a function gets objects of a cache.
type Read struct {
	At    ssa.Instruction // the call; the first instruction of the function where it is a parameter
	Value ssa.Value
	Of    string // the cache, in the words of the source
	How   How
	From  token.Pos // where the function has it from, that hands it on; of this package
	// Untyped: it is an object only once it has been asserted to be one.
	Untyped bool
	sh      share
	// found is what is known where the object is there.
	found map[ssa.Value]flow.Truth
}

// mayBeUnstructured reports whether the object, or those of the list, may be of no type of their own.
func (r Read) mayBeUnstructured() bool {
	t := r.Value.Type()
	if elem := elemOf(t); elem != nil {
		t = elem
	}
	return kubeapi.MayBeUnstructured(t)
}

// How an object came out of a cache.
type How uint8

// Ways out of a cache.
const (
	Asked   How = iota // by a call of the cache
	Handed             // by a function that has asked
	Unmoved            // by a client with the option not to copy
)

// Argument returns the read that p is, of a function that a cache calls with what it keeps.
func Argument(p *ssa.Parameter, of string) Read { return Shown(p, p.Parent().Blocks[0].Instrs[0], of) }

// Shown returns the read that v is, which a function has at the instruction from a cache that has called it.
func Shown(v ssa.Value, at ssa.Instruction, of string) Read {
	return Read{At: at, Value: v, Of: of, sh: share{at: true}, Untyped: !kubeapi.IsObject(v.Type())}
}

// Reads returns the places in fn where a cache returns an object: a call of one, or of a function that returns what
// it has from one.
func (a *Sharing) Reads(fn *ssa.Function) []Read {
	var out []Read
	for in := range flow.Calls(fn) {
		call, ok := in.(*ssa.Call)
		if !ok {
			continue
		}
		if r, ok := kubeapi.CacheReadOf(&call.Call); ok && !a.calleesKnown(call) && !a.copies(&call.Call) {
			out = append(out, a.cacheRead(call, r)...)
			continue
		}
		if v, sh := disabledRead(&call.Call); v != nil {
			out = append(out, Read{At: call, Value: v, sh: sh, Of: name(flow.Recv(&call.Call)), How: Unmoved})
		}
		for _, s := range a.summaries(call) {
			for _, g := range s.Gives {
				if g.Param >= 0 {
					continue
				}
				v := flow.ResultAt(call, g.Result)
				if v == nil {
					continue
				}
				out = append(out, Read{At: call, Value: v, sh: g.share(), Of: calleeName(call) + "()", How: Handed, From: g.pos, Untyped: !g.Object, found: found(call, v)})
			}
		}
	}
	return out
}

// calleesKnown reports whether the functions that call may run are known, so that their summaries say what they return.
func (a *Sharing) calleesKnown(call *ssa.Call) bool {
	fns, all := a.p.Callees(call)
	return all && len(fns) > 0
}

// cacheRead returns the read that call is of a cache.
func (a *Sharing) cacheRead(call *ssa.Call, r kubeapi.CacheRead) (out []Read) {
	recv := flow.Recv(&call.Call)
	if a.isOwnStore(recv) {
		return nil
	}
	for _, i := range r.Results {
		v := flow.ResultAt(call, i)
		if v == nil {
			continue
		}
		sh := share{at: true}
		if r.List {
			sh = share{within: "[]", ref: true}
		}
		out = append(out, Read{At: call, Value: v, sh: sh, Of: name(recv), Untyped: r.Untyped, found: found(call, v)})
	}
	return out
}

// found returns what is known of the results of call where v, one of them, is an object: there was no error, and it
// exists.
func found(call *ssa.Call, v ssa.Value) map[ssa.Value]flow.Truth {
	known := map[ssa.Value]flow.Truth{}
	if err := flow.ErrorOf(call); err != nil {
		known[err] = flow.True
	}
	if _, slice := v.Type().Underlying().(*types.Slice); !slice {
		known[v] = flow.False
	}
	res := call.Call.Signature().Results()
	for i := range res.Len() {
		if flow.IsBool(res.At(i).Type()) {
			if exists := flow.ResultAt(call, i); exists != nil {
				known[exists] = flow.True
			}
		}
	}
	return known
}

// isOwnStore reports whether v is a store that this package has made to keep what it puts there itself.
func (a *Sharing) isOwnStore(v ssa.Value) bool {
	call, ok := flow.Resolve(v).(*ssa.Call)
	if !ok {
		if fa := flow.LoadedFrom(flow.Resolve(v)); fa != nil {
			return a.ownStores()[flow.Field(fa.X.Type(), fa.Field)]
		}
		return false
	}
	return kubeapi.StoreMakers.Has(flow.Callee(&call.Call))
}

// ownStores returns the fields of the package's types that hold stores which it has made itself.
func (a *Sharing) ownStores() map[*types.Var]bool {
	if a.own == nil {
		a.own = map[*types.Var]bool{}
		for st, fa := range flow.FieldStores(a.p.All()...) {
			if call, ok := flow.Resolve(st.Val).(*ssa.Call); ok && kubeapi.StoreMakers.Has(flow.Callee(&call.Call)) {
				a.own[flow.Field(fa.X.Type(), fa.Field)] = true
			}
		}
	}
	return a.own
}

// disabledRead returns the object or list that a read of controller-runtime's fills without copying, nil if call is
// none. It assigns the struct that the cache has; those of a list go into a slice of its own.
func disabledRead(call *ssa.CallCommon) (ssa.Value, share) {
	fn, args := flow.Callee(call), flow.Args(call)
	verb := kubeapi.VerbOf(kubeapi.Called(call).Name)
	if fn == nil || len(args) < 3 || !kubeapi.IsContext(args[0].Type()) || verb != kubeapi.VerbList && verb != kubeapi.VerbGet {
		return nil, share{}
	}
	if !surelyHas(args[len(args)-1], leavesOutCopy) {
		return nil, share{}
	}
	if verb == kubeapi.VerbGet {
		return flow.Unwrap(args[2]), share{}
	}
	list := flow.Unwrap(args[1])
	item := kubeapi.ItemOf(list.Type())
	return list, share{within: ".Items[]", ref: item != nil && refers(item)}
}

// surelyHas reports whether an element of list, for which is holds, is among those with which it was made, or that
// were appended to it, on every path.
func surelyHas(list ssa.Value, is func(ssa.Value) bool) bool {
	madeWith := func(v ssa.Value) bool {
		s, ok := flow.Resolve(v).(*ssa.Slice)
		return ok && s.Low == nil && s.High == nil && slices.ContainsFunc(flow.Elements(s), func(v ssa.Value) bool { return is(flow.Unwrap(v)) })
	}
	work := values.From(list)
	for list := range work.Resolved() {
		switch x := list.(type) {
		case *ssa.Phi:
			work.Add(x.Edges...)
		case *ssa.Call:
			if flow.Builtin(&x.Call) != "append" {
				return false
			}
			if !madeWith(x.Call.Args[1]) {
				work.Add(x.Call.Args[0])
			}
		default:
			if !madeWith(list) {
				return false
			}
		}
	}
	return true
}

// leavesOutCopy reports whether opt, of a read, says that what the cache has is given out: true, of a type of its
// own; a variable with that; or a struct of options with a pointer to true.
func leavesOutCopy(opt ssa.Value) bool {
	switch opt := opt.(type) {
	case *ssa.Const:
		return isDisabling(opt.Type()) && isTrue(opt)
	case *ssa.UnOp:
		return isDisabling(opt.Type())
	case *ssa.Alloc:
		for f, st := range flow.FieldsSet(opt) {
			if call, ok := st.Val.(*ssa.Call); ok && saysDisable(f.Name()) && len(call.Call.Args) == 1 && isTrue(call.Call.Args[0]) {
				return true
			}
		}
	}
	return false
}

func isTrue(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Bool && constant.BoolVal(c.Value)
}

// isDisabling reports whether t is the option of a read that returns what the cache has.
func isDisabling(t types.Type) bool {
	n := kubeapi.Named(t)
	return n != nil && saysDisable(n.Obj().Name())
}

func saysDisable(name string) bool { return words.Has(name, "disable") && words.Has(name, "deep") }

// name returns how the source calls the cache v: of c.factory.PodLister().Pods(ns), it is PodLister.
func name(v ssa.Value) string {
	var last string
	for v != nil {
		v = flow.Resolve(v)
		word := ""
		switch x := v.(type) {
		case *ssa.Call:
			fn := flow.Callee(&x.Call)
			if fn == nil {
				return cmp.Or(last, "the cache")
			}
			word, v = strings.TrimPrefix(fn.Name(), "Get"), flow.Recv(&x.Call)
			if v != nil && last == "" && kubeapi.IsLister(x.Type()) && kubeapi.IsLister(v.Type()) {
				continue // a lister's lister of one namespace
			}
		case *ssa.UnOp:
			fa, ok := x.X.(*ssa.FieldAddr)
			if !ok {
				return cmp.Or(last, "the cache")
			}
			word, v = fieldName(fa.X.Type(), fa.Field), fa.X
		case *ssa.Parameter, *ssa.Global:
			word, v = flow.RootName(v), nil
		default:
			v = nil
		}
		if len(words.Of(word)) > 1 && words.Has(word, "lister", "informer", "cache", "store", "indexer") {
			return word
		}
		if last == "" || words.Has(last, "lister", "informer") && word != "" && len(words.Of(last)) == 1 && v != nil {
			last = cmp.Or(word, last)
		}
	}
	return cmp.Or(last, "the cache")
}
