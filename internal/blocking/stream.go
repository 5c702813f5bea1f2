package blocking

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// A Stream is the destination or source of the bytes of a write or read: the network, or a parameter, so that it
// depends on the caller.
type Stream struct {
	What   string         // the operation, as a reader would name it
	Remote bool           // the other side of the network has to take or send the bytes
	Param  *ssa.Parameter // the parameter that it works on, where Remote is not known
}

// StreamOf returns the stream that the call at in reads from or writes to; false if that is neither remote nor a
// parameter.
//
// A connection that is kept in a field does not count: the lock beside it is there to have one writer at a time.
func StreamOf(in ssa.CallInstruction) (Stream, bool) {
	call := in.Common()
	fn := flow.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return Stream{}, false
	}
	s := Stream{What: callName(call, fn)}
	for _, v := range streamed(call, fn) {
		remote, p := Remote(v)
		s.Remote = s.Remote || remote
		if s.Param == nil {
			s.Param = p
		}
	}
	return s, s.Remote || s.Param != nil
}

// streamed returns the readers and writers that the call of fn works on before it returns.
func streamed(call *ssa.CallCommon, fn *types.Func) []ssa.Value {
	args := flow.Args(call)
	first := func(n int) []ssa.Value { return args[:min(n, len(args))] }
	switch s := kubeapi.SymbolOf(fn); {
	case s.Recv != "":
		if streamMethods[s.Name] {
			return []ssa.Value{flow.Recv(call)}
		}
	case s.Pkg == "fmt" && strings.HasPrefix(s.Name, "Fprint"):
		return first(1)
	case s.Pkg == "io" && (s.Name == "WriteString" || s.Name == "ReadAll" || s.Name == "ReadFull"):
		return first(1)
	case s.Pkg == "io" && strings.HasPrefix(s.Name, "Copy"):
		return first(2)
	}
	return nil
}

// streamMethods are the methods that move bytes, of streams and of wrappers around them.
var streamMethods = map[string]bool{
	"Write": true, "WriteString": true, "ReadFrom": true, "Flush": true, "Encode": true,
	"Read": true, "ReadString": true, "ReadBytes": true, "WriteTo": true, "Decode": true,
}

// remoteTypes are the streams that end at another machine.
var remoteTypes = []kubeapi.Symbol{
	{Pkg: "net/http", Name: "ResponseWriter"},
	{Pkg: "net", Name: "Conn"}, {Pkg: "net", Name: "TCPConn"}, {Pkg: "net", Name: "UnixConn"},
	{Pkg: "crypto/tls", Name: "Conn"},
}

// Remote reports whether the reader or writer v may end at another machine: it is a response, its body or a
// connection that is an argument or was made here, or a wrapper around one. If that depends on a parameter, it
// returns the parameter.
func Remote(v ssa.Value) (yes bool, param *ssa.Parameter) {
	work := values.From(v)
	for v := range work.Resolved() {
		switch x := v.(type) {
		case *ssa.Parameter, *ssa.Extract, *ssa.Call:
			if isRemote(x.Type()) {
				return true, nil
			}
		}
		switch x := v.(type) {
		case *ssa.Parameter:
			if types.IsInterface(x.Type()) {
				param = x
			}
		case *ssa.FieldAddr, *ssa.Phi, *ssa.TypeAssert, *ssa.Extract: // of an address, the embedded part that has the method
			work.Add(values.Operands(v)...)
		case *ssa.UnOp:
			if fa, ok := x.X.(*ssa.FieldAddr); ok && flow.Field(fa.X.Type(), fa.Field).Name() == "Body" &&
				kubeapi.IsType(fa.X.Type(), "net/http", "Response") {
				return true, nil
			}
		case *ssa.Call:
			if strings.HasPrefix(kubeapi.Called(&x.Call).Name, "New") {
				work.Add(flow.Args(&x.Call)...)
			}
		}
	}
	return false, param
}

func isRemote(t types.Type) bool {
	return slices.ContainsFunc(remoteTypes, func(s kubeapi.Symbol) bool { return kubeapi.IsType(t, s.Pkg, s.Name) })
}
