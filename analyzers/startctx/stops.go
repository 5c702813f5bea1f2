package startctx

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
)

// stops is what the package does to end a wait by other means than a context: the channels that it closes, and the
// types on whose values it calls a method that stops them.
type stops struct {
	closed map[any]bool
	types  map[*types.TypeName]bool
}

func findStops(pkg *program.Program) stops {
	s := stops{map[any]bool{}, map[*types.TypeName]bool{}}
	for _, fn := range pkg.Funcs {
		flow.Calls(fn, func(call ssa.CallInstruction) {
			common := call.Common()
			if b, ok := common.Value.(*ssa.Builtin); ok && b.Name() == "close" {
				s.closed[place(common.Args[0])] = true
				return
			}
			callee := flow.Callee(common)
			if callee == nil || !blocking.IsShutdown(callee.Name()) {
				return
			}
			if recv := flow.Recv(common); recv != nil {
				if n := kube.Named(flow.Unwrap(recv).Type()); n != nil {
					s.types[n.Obj()] = true
				}
			}
		})
	}
	return s
}

// place names the variable that v was read from: a struct field, whatever the object, a package variable, a local
// variable, or else v itself.
func place(v ssa.Value) any {
	v = flow.Resolve(v)
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return v
		}
		switch a := x.X.(type) {
		case *ssa.FieldAddr:
			if f := flow.Field(a.X.Type(), a.Field); f != nil {
				return f.Origin()
			}
		case *ssa.Global:
			return a
		case *ssa.FreeVar:
			var addr ssa.Value = a
			for {
				fv, ok := addr.(*ssa.FreeVar)
				if !ok {
					return addr
				}
				if addr = flow.Binding(fv); addr == nil {
					return fv
				}
			}
		case *ssa.Alloc:
			return a
		}
	case *ssa.Field:
		if f := flow.Field(x.X.Type(), x.Field); f != nil {
			return f.Origin()
		}
	}
	return v
}

// ends reports whether something is known to end a wait on ch that does not depend on the runnable's own context: the
// package closes it, or it belongs to another context that can be cancelled, or it is a timer's.
func (s stops) ends(ch ssa.Value) bool {
	if s.closed[place(ch)] {
		return true
	}
	call, ok := flow.Resolve(ch).(*ssa.Call)
	if !ok {
		return isTimer(ch)
	}
	if isDone(&call.Call) {
		return !isBackground(call.Call.Value)
	}
	return isTimer(ch) || callsSignal(call)
}

// callsSignal: a channel that another function made, such as a signal handler's, is that function's business.
func callsSignal(call *ssa.Call) bool { return isStopType(call.Type()) }

// isDone reports whether call is ctx.Done().
func isDone(call *ssa.CallCommon) bool {
	return call.IsInvoke() && call.Method.Name() == "Done" && kube.IsContext(call.Value.Type())
}

// isBackground reports whether ctx is context.Background() or context.TODO().
func isBackground(ctx ssa.Value) bool {
	call, ok := flow.Resolve(ctx).(*ssa.Call)
	if !ok {
		return false
	}
	fn := flow.Callee(&call.Call)
	return kube.Symbol{Pkg: "context", Name: "Background"}.Is(fn) || kube.Symbol{Pkg: "context", Name: "TODO"}.Is(fn)
}

// isTimer reports whether ch gives a value after a time, once or again and again.
func isTimer(ch ssa.Value) bool {
	t, ok := ch.Type().Underlying().(*types.Chan)
	return ok && kube.IsType(t.Elem(), "time", "Time")
}
