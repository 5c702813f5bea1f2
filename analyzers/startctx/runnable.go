package startctx

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// runnable is a function that a manager, or a caller of its kind, runs until it asks it to stop.
type runnable struct {
	fn   *ssa.Function
	stop *ssa.Parameter // the context, or the stop channel
	name string         // as a message names it
	// managed tells a manager.Runnable from a run loop that only looks like one.
	managed bool
}

func (r runnable) what() string {
	if kube.IsContext(r.stop.Type()) {
		return "context"
	}
	return "stop channel"
}

// ending is what asks r to stop, as the end of a sentence about what goes on all the same.
func (r runnable) ending() string {
	if r.managed {
		return "when the manager stops"
	}
	return "when it is asked to stop"
}

// findRunnables lists the methods of the package that can be a manager.Runnable of any version of controller-runtime,
// the functions that are converted to manager.RunnableFunc, and the run loops of plain client-go controllers, in source
// order.
func (c *checker) findRunnables() []runnable {
	clustered := kube.Imports(c.pass.Pkg, func(path string) bool {
		return strings.HasPrefix(path, "k8s.io/") || strings.HasPrefix(path, "sigs.k8s.io/")
	})
	var found []runnable
	seen := map[*ssa.Function]bool{}
	add := func(r runnable) {
		if !seen[r.fn] && len(r.fn.Blocks) > 0 {
			seen[r.fn] = true
			found = append(found, r)
		}
	}
	for _, fn := range c.pkg.Funcs {
		sig := fn.Signature
		if sig.Recv() == nil || sig.Variadic() || len(fn.Params) < 2 || fn.Synthetic != "" {
			continue
		}
		if fn.Name() != "Start" && fn.Name() != "Run" || sig.Results().Len() > 0 && !onlyError(sig) {
			continue
		}
		stop := stopParam(fn)
		if stop == nil {
			continue
		}
		single := sig.Params().Len() == 1
		managed := c.managed && fn.Name() == "Start" && single && onlyError(sig)
		// A method Start(ctx) that cannot fail may be of another kind: a source, a worker that its owner waits for.
		if managed || clustered && (single || workers(sig)) && (fn.Name() == "Run" || isStopType(stop.Type())) {
			add(runnable{fn, stop, flow.FuncName(fn), managed})
		}
	}
	for _, a := range c.adds {
		if a.fn == nil || a.fn.Pkg != c.pkg.Package || len(a.fn.Params) == 0 {
			continue
		}
		name := flow.FuncName(a.fn)
		if a.fn.Parent() != nil {
			name = "the RunnableFunc"
			if d := flow.Decl(a.fn); d.Object() != nil {
				name += " in " + flow.FuncName(a.fn)
			}
		}
		add(runnable{a.fn, a.fn.Params[len(a.fn.Params)-1], name, true})
	}
	return found
}

// stopParam is the one context or stop channel among the parameters of fn, nil where there is none or more than one.
func stopParam(fn *ssa.Function) *ssa.Parameter {
	var stop *ssa.Parameter
	for _, p := range fn.Params[1:] {
		if kube.IsContext(p.Type()) || isStopType(p.Type()) {
			if stop != nil {
				return nil
			}
			stop = p
		}
	}
	return stop
}

// workers reports whether all that sig takes beside a context or a stop channel is a number, as the Run methods of
// client-go controllers do.
func workers(sig *types.Signature) bool {
	if sig.Params().Len() != 2 {
		return false
	}
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 || kube.IsContext(t) || isStopType(t) {
			continue
		}
		return false
	}
	return true
}

// add is something that the package hands to a manager as a Runnable: an argument of Manager.Add, or a conversion to
// RunnableFunc wherever it goes.
type add struct {
	pos  token.Pos
	mgr  ssa.Value     // nil for a conversion that is not seen to come to a manager
	what ssa.Value     // without the conversions to interfaces
	fn   *ssa.Function // for a RunnableFunc: its function, where that is known
	recv ssa.Value     // for a RunnableFunc made of a method value: the receiver
}

func (c *checker) findAdds() []add {
	if !c.managed {
		return nil
	}
	all := c.pkg.Funcs
	if init := c.pkg.Func("init"); init != nil {
		all = append(all[:len(all):len(all)], init)
	}
	var adds []add
	passed := map[ssa.Value]bool{}
	for _, fn := range all {
		flow.Calls(fn, func(call ssa.CallInstruction) {
			common := call.Common()
			callee := flow.Callee(common)
			args := flow.Args(common)
			if callee == nil || callee.Name() != "Add" || len(args) != 1 || flow.Recv(common) == nil || !isRunnable(callee.Signature().Params()) {
				return
			}
			for _, v := range alternatives(args[0], 0) {
				a := add{pos: call.Pos(), mgr: flow.Recv(common), what: v}
				if conv := runnableFunc(v); conv != nil {
					passed[conv] = true
					a.setFunc(conv)
				}
				adds = append(adds, a)
			}
		})
	}
	for _, fn := range all {
		for in := range flow.Instrs(fn) {
			conv, ok := in.(*ssa.ChangeType)
			if ok && !passed[conv] && kube.IsType(conv.Type(), kube.Manager, "RunnableFunc") {
				a := add{pos: flow.Pos(conv), what: conv}
				a.setFunc(conv)
				adds = append(adds, a)
			}
		}
	}
	return adds
}

// alternatives are the values that the interface v may hold, as far as the package says: without their conversions to
// interfaces, one for each assignment of a variable, and one for each return of a function of the package.
func alternatives(v ssa.Value, depth int) []ssa.Value {
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return []ssa.Value{x.X}
	case *ssa.ChangeInterface:
		return alternatives(x.X, depth)
	case *ssa.Phi:
		var out []ssa.Value
		for _, e := range x.Edges {
			if depth < 4 {
				out = append(out, alternatives(e, depth+1)...)
			}
		}
		return out
	case *ssa.Call:
		if out := returned(x, 0, depth); out != nil {
			return out
		}
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			if out := returned(call, x.Index, depth); out != nil {
				return out
			}
		}
	case *ssa.UnOp:
		alloc, ok := x.X.(*ssa.Alloc)
		if !ok || depth >= 4 {
			break
		}
		var out []ssa.Value
		for _, r := range *alloc.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(alloc) {
				out = append(out, alternatives(st.Val, depth+1)...)
			}
		}
		return out
	}
	return []ssa.Value{flow.Resolve(v)}
}

// returned are the alternatives of result i of call, if its function is one of the package.
func returned(call *ssa.Call, i, depth int) []ssa.Value {
	fn := flow.StaticCallee(&call.Call)
	if fn == nil || fn.Pkg != call.Parent().Pkg || depth >= 4 {
		return nil
	}
	var out []ssa.Value
	for ret := range flow.Returns(fn) {
		if i < len(ret.Results) && types.IsInterface(ret.Results[i].Type()) {
			out = append(out, alternatives(ret.Results[i], depth+1)...)
		}
	}
	return out
}

// isRunnable reports whether the only parameter is a manager.Runnable.
func isRunnable(params *types.Tuple) bool {
	return params.Len() == 1 && kube.IsType(params.At(0).Type(), kube.Manager, "Runnable")
}

// runnableFunc is the conversion to manager.RunnableFunc that v is, or nil.
func runnableFunc(v ssa.Value) *ssa.ChangeType {
	for range 8 {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			if kube.IsType(x.Type(), kube.Manager, "RunnableFunc") {
				return x
			}
			v = x.X
		case *ssa.UnOp:
			if v = flow.SingleStore(x.X); v == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// setFunc fills in the function behind a conversion to RunnableFunc.
func (a *add) setFunc(conv *ssa.ChangeType) {
	fn := flow.FuncValue(conv.X)
	if fn == nil {
		return
	}
	if mc, ok := flow.Resolve(conv.X).(*ssa.MakeClosure); ok && fn.Synthetic != "" && len(mc.Bindings) == 1 {
		a.recv = mc.Bindings[0]
	}
	if fn = declared(fn); fn != nil && fn.Signature.Params().Len() == 1 {
		a.fn = fn
	}
}

// declared is fn, or the method behind it where fn is the wrapper of a method value.
func declared(fn *ssa.Function) *ssa.Function {
	if fn == nil || fn.Parent() != nil || len(fn.Blocks) > 0 && fn.Synthetic == "" {
		return fn
	}
	if obj := flow.Object(fn); obj != nil {
		if m := fn.Prog.FuncValue(obj); m != nil {
			return m
		}
	}
	return fn
}
