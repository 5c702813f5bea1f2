package blocking

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// A Stream is where the bytes of a read or write go: over the network, or to a parameter, and then the caller knows.
type Stream struct {
	What   string         // the operation, as a reader would name it
	Remote bool           // the other side of the network has to take or send the bytes
	Param  *ssa.Parameter // the parameter that it works on, where Remote is not known
	Answer bool           // it is the answer to a client of a server
	Much   bool           // how many bytes it moves is not bounded by the call itself
}

// StreamOf is what the call at in reads from or writes to; false where that is neither remote nor a parameter.
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
		remote, p, answer := Remote(v)
		s.Remote, s.Answer = s.Remote || remote, s.Answer || answer
		if s.Param == nil {
			s.Param = p
		}
	}
	s.Much = unmeasured[fn.Name()] && !(fn.Name() == "Encode" && measured(flow.Args(call)))
	return s, s.Remote || s.Param != nil
}

// measured reports whether what is encoded is written out in the function, of numbers and constants: some bytes, which a server keeps until its
// handler has returned.
func measured(args []ssa.Value) bool {
	return len(args) == 1 && isMeasured(args[0], map[ssa.Value]bool{})
}

func isMeasured(v ssa.Value, seen map[ssa.Value]bool) bool {
	v = flow.Resolve(v)
	if seen[v] {
		return true
	}
	seen[v] = true
	if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString == 0 {
		return true
	}
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeInterface:
		return isMeasured(v.X, seen)
	case *ssa.UnOp:
		alloc, ok := v.X.(*ssa.Alloc)
		return ok && isMeasured(alloc, seen)
	case *ssa.Alloc, *ssa.FieldAddr, *ssa.MakeMap:
		return writtenOut(v, seen)
	}
	return false
}

// writtenOut reports whether all that is put into the variable or map v is measured, and nobody else gets hold of it.
func writtenOut(v ssa.Value, seen map[ssa.Value]bool) bool {
	for _, r := range *v.Referrers() {
		ok := false
		switch r := r.(type) {
		case *ssa.Store:
			ok = r.Addr == v && isMeasured(r.Val, seen)
		case *ssa.MapUpdate:
			ok = r.Map == v && isMeasured(r.Key, seen) && isMeasured(r.Value, seen)
		case *ssa.FieldAddr:
			ok = writtenOut(r, seen)
		case *ssa.UnOp, *ssa.MakeInterface, *ssa.DebugRef:
			ok = true
		}
		if !ok {
			return false
		}
	}
	return true
}

// streamed are the readers and writers that the call of fn works on at once.
func streamed(call *ssa.CallCommon, fn *types.Func) []ssa.Value {
	args := flow.Args(call)
	first := func(n int) []ssa.Value { return args[:min(n, len(args))] }
	switch s := kube.SymbolOf(fn); {
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

// streamMethods are the methods that move bytes, of streams and of what is put around them.
var streamMethods = map[string]bool{
	"Write": true, "WriteString": true, "ReadFrom": true, "Flush": true, "Encode": true,
	"Read": true, "ReadString": true, "ReadBytes": true, "WriteTo": true, "Decode": true,
}

// unmeasured are the functions and methods, of those that streamed knows, that move as many bytes as there are.
var unmeasured = map[string]bool{
	"Encode": true, "ReadFrom": true, "WriteTo": true, "Copy": true, "CopyN": true, "CopyBuffer": true,
}

// remoteTypes are the streams that end at another machine.
var remoteTypes = []kube.Symbol{
	{Pkg: "net/http", Name: "ResponseWriter"},
	{Pkg: "net", Name: "Conn"}, {Pkg: "net", Name: "TCPConn"}, {Pkg: "net", Name: "UnixConn"},
	{Pkg: "crypto/tls", Name: "Conn"},
}

// Remote reports whether the reader or writer v may end at another machine: it is a response, its body or a connection
// that came as an argument or was made here, or a wrapper around one. Where that depends on a parameter, it gives that. Answer
// says that it is the answer to a client.
func Remote(v ssa.Value) (remote bool, p *ssa.Parameter, answer bool) {
	w := streamWalk{seen: map[ssa.Value]bool{}}
	remote, p = w.remote(v)
	return remote, p, w.answer
}

// A streamWalk goes from a stream to where its bytes go.
type streamWalk struct {
	seen   map[ssa.Value]bool
	answer bool
}

// isRemote reports whether streams of type t end at another machine.
func (w *streamWalk) isRemote(t types.Type) bool {
	w.answer = w.answer || kube.IsType(t, "net/http", "ResponseWriter")
	return slices.ContainsFunc(remoteTypes, func(s kube.Symbol) bool { return kube.IsType(t, s.Pkg, s.Name) })
}

func (w *streamWalk) remote(v ssa.Value) (bool, *ssa.Parameter) {
	if v == nil || w.seen[v] {
		return false, nil
	}
	w.seen[v] = true
	var from []ssa.Value
	switch x := flow.Resolve(v).(type) {
	case *ssa.Parameter:
		if w.isRemote(x.Type()) {
			return true, nil
		}
		if types.IsInterface(x.Type()) {
			return false, x
		}
	case *ssa.FieldAddr: // the embedded part that has the method
		from = []ssa.Value{x.X}
	case *ssa.UnOp:
		if fa, ok := x.X.(*ssa.FieldAddr); ok {
			f := flow.Field(fa.X.Type(), fa.Field)
			return f != nil && f.Name() == "Body" && kube.IsType(fa.X.Type(), "net/http", "Response"), nil
		}
	case *ssa.Phi:
		from = x.Edges
	case *ssa.MakeInterface:
		from = []ssa.Value{x.X}
	case *ssa.ChangeInterface:
		from = []ssa.Value{x.X}
	case *ssa.TypeAssert:
		from = []ssa.Value{x.X}
	case *ssa.Extract:
		if w.isRemote(x.Type()) {
			return true, nil
		}
		from = []ssa.Value{x.Tuple}
	case *ssa.Call:
		if w.isRemote(x.Type()) {
			return true, nil
		}
		if fn := flow.Callee(&x.Call); fn != nil && strings.HasPrefix(fn.Name(), "New") {
			from = flow.Args(&x.Call)
		}
	}
	var param *ssa.Parameter
	for _, f := range from {
		r, p := w.remote(f)
		if r {
			return true, nil
		}
		if p != nil {
			param = p
		}
	}
	return false, param
}

// WriteTimeout is the setting that bounds how long a server waits for its clients to take an answer.
const WriteTimeout = "net/http.Server.WriteTimeout"

// SetsWriteTimeout reports whether a call of fn stands for that setting.
func SetsWriteTimeout(fn *types.Func) bool {
	switch kube.SymbolOf(fn) {
	case kube.Symbol{Pkg: "net/http", Name: "TimeoutHandler"}, kube.Symbol{Pkg: "net/http", Recv: "ResponseController", Name: "SetWriteDeadline"}:
		return true
	}
	return false
}
