package kubeapi

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// ConstantText returns the string v, if it is made of constants by +, or by Sprintf with the verbs %s and %v; false
// otherwise.
func ConstantText(v ssa.Value) (string, bool) {
	switch x := flow.Resolve(v).(type) {
	case *ssa.Const:
		return flow.Text(x)
	case *ssa.BinOp:
		if x.Op == token.ADD {
			left, ok := ConstantText(x.X)
			right, also := ConstantText(x.Y)
			return left + right, ok && also
		}
	case *ssa.Call:
		if (Symbol{Pkg: "fmt", Name: "Sprintf"}).Is(flow.Callee(&x.Call)) {
			return formatted(x)
		}
	}
	return "", false
}

// formatted returns what a call of Sprintf gives, where that is known.
func formatted(call *ssa.Call) (text string, ok bool) {
	rest, ok := ConstantText(call.Call.Args[0])
	args := flow.Elements(call.Call.Args[1])
	for ok {
		before, after, verb := strings.Cut(rest, "%")
		text += before
		if !verb {
			return text, true
		}
		if after == "" || !strings.Contains("sv", after[:1]) || len(args) == 0 {
			break // a width, or another verb
		}
		arg, known := ConstantText(flow.Unwrap(args[0]))
		text, rest, args, ok = text+arg, after[1:], args[1:], known
	}
	return "", false
}
