package unboundedsync

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// isProbe reports whether fn is a health check: who asks it gives up after a time of its own, and asks again.
func (c *checker) isProbe(fn *ssa.Function) bool {
	sig := fn.Signature
	return sig.Params().Len() == 1 && kube.IsType(sig.Params().At(0).Type(), "net/http", "Request") && sig.Results().Len() == 1 && flow.ErrorResult(sig) == 0 ||
		servesHTTP(fn) && c.onlyWaits(fn)
}

// onlyWaits reports whether fn, a handler of HTTP, does not look at the request, and does nothing but wait, log and write what is written out: all that
// whoever asks hears from it is how the wait went.
func (c *checker) onlyWaits(fn *ssa.Function) bool {
	writer, request := fn.Params[len(fn.Params)-2], fn.Params[len(fn.Params)-1]
	if flow.Used(request) {
		return false
	}
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Go, *ssa.Send, *ssa.Select, *ssa.MapUpdate:
			return false
		case *ssa.Store:
			if _, argument := in.Addr.(*ssa.IndexAddr); !argument {
				return false
			}
		case ssa.CallInstruction:
			if !kube.Logs(flow.Callee(in.Common())) && len(c.waits(in)) == 0 && len(given(in, writer)) > 0 {
				return false
			}
		}
	}
	return true
}

// given are the arguments of call but writer that are not written out.
func given(call ssa.CallInstruction, writer *ssa.Parameter) []ssa.Value {
	return slices.DeleteFunc(slices.Clone(flow.Args(call.Common())), func(a ssa.Value) bool {
		a = flow.Unwrap(a)
		if conv, ok := a.(*ssa.Convert); ok {
			a = conv.X
		}
		_, written := a.(*ssa.Const)
		return written || a == ssa.Value(writer)
	})
}
