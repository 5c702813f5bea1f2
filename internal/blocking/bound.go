package blocking

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// Limit says when the context or stop channel that a wait is given will end it.
type Limit uint8

// The limits, from "surely ends" to "surely does not".
const (
	Unknown   Limit = iota // nothing can be said: a field, a global, the result of a call
	Deadline               // it has a deadline
	Parameter              // it is a parameter: the caller decides
	Never                  // nothing ever ends it
)

// A Bound is what ends a wait.
type Bound struct {
	Limit Limit
	Param *ssa.Parameter // for Parameter
	Why   string         // for Never: why it cannot end, to follow "…, and "
	Site  ssa.Value      // for Never: where the context or channel comes from
}

// IsBound reports whether t is a type that can end a wait: a context or a channel of struct{}.
func IsBound(t types.Type) bool {
	if kube.IsContext(t) {
		return true
	}
	c, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	s, ok := c.Elem().Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// BoundOf says what v, a context or a stop channel, is worth as a bound.
func BoundOf(v ssa.Value) Bound { return boundOf(v, 0) }

func boundOf(v ssa.Value, depth int) Bound {
	if v == nil || depth > 16 {
		return Bound{}
	}
	v = flow.Resolve(v)
	switch x := v.(type) {
	case *ssa.Parameter:
		return Bound{Limit: Parameter, Param: x}
	case *ssa.Const:
		if x.IsNil() {
			return Bound{Limit: Never, Why: "a nil channel never fires", Site: x}
		}
	case *ssa.UnOp:
		if g, ok := x.X.(*ssa.Global); ok && g.Name() == "NeverStop" && g.Pkg != nil && kube.SamePackage(g.Pkg.Pkg.Path(), kube.Wait) {
			return Bound{Limit: Never, Why: "wait.NeverStop never fires", Site: x}
		}
	case *ssa.MakeChan:
		if neverCloses(x) {
			return Bound{Limit: Never, Why: "nothing closes the channel that is made here", Site: x}
		}
	case *ssa.Phi:
		return merge(x, depth)
	case *ssa.Extract:
		if c, ok := x.Tuple.(*ssa.Call); ok {
			return boundOfCall(c, x, depth)
		}
	case *ssa.Call:
		return boundOfCall(x, x, depth)
	}
	return Bound{}
}

// merge is the bound of a choice: never only when every alternative never ends it.
func merge(phi *ssa.Phi, depth int) Bound {
	var all Bound
	for i, e := range phi.Edges {
		if e == ssa.Value(phi) {
			continue
		}
		b := boundOf(e, depth+4)
		if b.Limit == Deadline {
			return b
		}
		if i == 0 {
			all = b
		} else if all.Limit != b.Limit || all.Param != b.Param {
			all = Bound{}
		}
	}
	return all
}

func boundOfCall(c *ssa.Call, result ssa.Value, depth int) Bound {
	fn := flow.Callee(&c.Call)
	args := flow.Args(&c.Call)
	if fn == nil {
		return Bound{}
	}
	s := kube.SymbolOf(fn)
	if s.Pkg == "context" {
		switch s.Name {
		case "Background", "TODO":
			if s.Recv == "" {
				return Bound{Limit: Never, Why: "context." + s.Name + "() never ends", Site: c}
			}
		case "WithTimeout", "WithDeadline", "WithTimeoutCause", "WithDeadlineCause":
			return Bound{Limit: Deadline}
		case "WithCancel", "WithCancelCause":
			b := boundOf(args[0], depth+1)
			if b.Limit == Never && !onlyDeferred(c) {
				return Bound{}
			}
			return b
		case "WithoutCancel":
			return Bound{Limit: Never, Why: "context.WithoutCancel never ends", Site: c}
		case "Done":
			return boundOf(flow.Recv(&c.Call), depth+1)
		}
	}
	if s.Pkg == "time" && (s.Name == "After" || s.Name == "Tick") {
		return Bound{Limit: Deadline}
	}
	// A function that takes one context and gives one back derives the second from the first (loggers, tracing), unless
	// its name speaks of time.
	if kube.IsContext(result.Type()) {
		var from ssa.Value
		for _, a := range args {
			if kube.IsContext(a.Type()) {
				if from != nil {
					return Bound{}
				}
				from = a
			}
		}
		if from != nil && s.Pkg != "os/signal" {
			b := boundOf(from, depth+1)
			if b.Limit == Never && !(s.Pkg == "context") {
				return Bound{} // the function may add a way out of its own
			}
			return b
		}
	}
	return Bound{}
}

// onlyDeferred reports whether the cancel function that call (context.WithCancel) gives is dropped or only deferred in
// the same function: it cannot run while that function waits.
func onlyDeferred(call *ssa.Call) bool {
	for _, r := range *call.Referrers() {
		x, ok := r.(*ssa.Extract)
		if !ok || x.Index != 1 {
			continue
		}
		for _, use := range *x.Referrers() {
			d, ok := use.(*ssa.Defer)
			if !ok || d.Call.Value != ssa.Value(x) {
				return false
			}
		}
	}
	return true
}

// neverCloses reports whether the channel made at mk can be seen everywhere it goes, and nothing there closes it or
// sends on it. Passing it on as a receive-only channel is no way to close it.
func neverCloses(mk *ssa.MakeChan) bool { return followChan(mk, 0) }

func followChan(v ssa.Value, depth int) bool {
	if depth > 8 || v.Referrers() == nil {
		return false
	}
	if c, ok := v.Type().Underlying().(*types.Chan); ok && c.Dir() == types.RecvOnly {
		return true // whoever gets it from here on can neither close it nor send
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Select: // a select sends only if it says so
			if sel, ok := r.(*ssa.Select); ok {
				for _, st := range sel.States {
					if st.Chan == v && st.Dir == types.SendOnly {
						return false
					}
				}
			}
		case *ssa.UnOp: // a receive
		case *ssa.ChangeType:
			if !followChan(r, depth+1) {
				return false
			}
		case *ssa.Store:
			alloc, ok := r.Addr.(*ssa.Alloc)
			if !ok || r.Val != v || flow.SingleStore(alloc) != v || !followVar(alloc, depth+1) {
				return false
			}
		case *ssa.BinOp:
		default:
			return false // closed, sent on, passed as a two-way channel, stored, returned
		}
	}
	return true
}

// followVar looks at every load of a variable that holds the channel, in closures too.
func followVar(addr ssa.Value, depth int) bool {
	if depth > 8 {
		return false
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store, *ssa.DebugRef:
		case *ssa.UnOp:
			if !followChan(r, depth+1) {
				return false
			}
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				if b == addr && !followVar(fn.FreeVars[i], depth+1) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
