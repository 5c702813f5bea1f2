package unboundedsync

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// maxDepth is how many values one question about a bound looks through.
const maxDepth = 24

// bySignal is why a wait of no known limit ends: with the process, when that is told to.
const bySignal = "the process ends"

// endOf says what ends a wait at the instruction at that is given v, a context or a stop channel. It is
// blocking.BoundOf, seen over the whole package: through fields and package variables whose stores are all in sight,
// results of functions of the package, and channels that only code can close which does not run before the wait is over.
func (c *checker) endOf(v ssa.Value, at ssa.Instruction) blocking.Bound {
	return c.end(v, at, 0)
}

func (c *checker) end(v ssa.Value, at ssa.Instruction, depth int) blocking.Bound {
	if v == nil || depth > maxDepth {
		return blocking.Bound{}
	}
	v = flow.Resolve(v)
	switch x := v.(type) {
	case *ssa.Parameter:
		return blocking.Bound{Limit: blocking.Parameter, Param: x}
	case *ssa.Const:
		if x.IsNil() && isChan(x) {
			return never("a nil channel never fires", x)
		}
	case *ssa.Phi:
		return c.choice(x, at, depth)
	case *ssa.MakeChan:
		return c.made(x, at)
	case *ssa.Call:
		return c.result(x, 0, at, depth)
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			return c.result(call, x.Index, at, depth)
		}
	case *ssa.UnOp:
		return c.loaded(x, at, depth)
	case *ssa.Field:
		return c.field(x.X.Type(), x.Field, x, depth)
	}
	return blocking.Bound{}
}

func never(why string, site ssa.Value) blocking.Bound {
	return blocking.Bound{Limit: blocking.Never, Why: why, Site: site}
}

func isChan(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Chan)
	return ok
}

// choice is the bound of one of several values: never only where every one is.
func (c *checker) choice(phi *ssa.Phi, at ssa.Instruction, depth int) blocking.Bound {
	var all blocking.Bound
	first := true
	for _, e := range phi.Edges {
		if e == ssa.Value(phi) {
			continue
		}
		b := c.end(e, at, depth+4)
		if b.Limit == blocking.Deadline {
			return b
		}
		if first {
			all, first = b, false
		} else if all.Limit != b.Limit || all.Param != b.Param {
			all = blocking.Bound{}
		}
	}
	return all
}

// made is the bound of a channel that is made here: never where nothing closes it, or nothing can before the wait is
// over.
func (c *checker) made(mk *ssa.MakeChan, at ssa.Instruction) blocking.Bound {
	g := c.origins().GroupOf(mk)
	if g.Known() && !g.Unknown() && g.Escape()&^received == 0 && len(c.closersOf(g)) == 0 {
		return never("nothing closes the channel that is made here", mk)
	}
	if b := blocking.BoundOf(mk); b.Limit == blocking.Never {
		return b
	}
	if at != nil && mk.Parent() == at.Parent() && flow.Dominates(mk, at) && !deferred(at) {
		s := sealed{c: c, at: at, group: g, seen: map[ssa.Value]bool{}}
		if s.kept(mk) {
			return never("nobody can close the channel that is made here before the wait is over", mk)
		}
	}
	return blocking.Bound{}
}

func deferred(in ssa.Instruction) bool { _, ok := in.(*ssa.Defer); return ok }

// loaded is the bound of a variable or field.
func (c *checker) loaded(x *ssa.UnOp, at ssa.Instruction, depth int) blocking.Bound {
	switch a := x.X.(type) {
	case *ssa.Global:
		if b := blocking.BoundOf(x); b.Limit == blocking.Never {
			return b // wait.NeverStop
		}
		if a.Pkg != c.pkg.Package || a.Object() == nil || a.Object().Exported() && c.pkg.Pkg.Name() != "main" {
			return blocking.Bound{}
		}
		p := c.index().globals[a]
		return c.allOf(p, a.Name(), x, depth)
	case *ssa.FieldAddr:
		// A field of an object that this function has just made: what it stores there is what is in it.
		if v := c.storedHere(a, x); v != nil {
			return c.end(v, at, depth+1)
		}
		return c.field(a.X.Type(), a.Field, x, depth)
	}
	return blocking.Bound{}
}

// field is the bound that field i of type t holds in every object, as far as the package alone can set it. One that
// nothing fills counts where the package makes such objects itself.
func (c *checker) field(t types.Type, i int, site ssa.Value, depth int) blocking.Bound {
	f := flow.Field(t, i)
	if f == nil || f.Exported() || f.Pkg() != c.pkg.Pkg {
		return blocking.Bound{}
	}
	p := c.index().fields[f.Origin()]
	if n := kube.Named(t); (p == nil || len(p.stored) == 0) && (n == nil || !c.index().made[n]) {
		return blocking.Bound{}
	}
	return c.allOf(p, f.Name(), site, depth)
}

// allOf is the bound of a place that every one of its stores fills with an endless one, or with one that only a signal to the process ends.
func (c *checker) allOf(p *place, name string, site ssa.Value, depth int) blocking.Bound {
	if p != nil && p.shared {
		return blocking.Bound{}
	}
	if p == nil || len(p.stored) == 0 {
		if isChan(site) {
			return never("nothing is ever stored in "+name+", and a nil channel never fires", site)
		}
		return blocking.Bound{}
	}
	var all blocking.Bound
	for i, v := range p.stored {
		b := c.end(v, nil, depth+2)
		if i > 0 && b.Limit != all.Limit || b.Limit != blocking.Never && b.Why != bySignal {
			return blocking.Bound{}
		}
		if i == 0 {
			all = b
		}
	}
	return all
}

// result is the bound that a call gives.
func (c *checker) result(call *ssa.Call, i int, at ssa.Instruction, depth int) blocking.Bound {
	fn := flow.Callee(&call.Call)
	if fn == nil {
		return blocking.Bound{}
	}
	args := flow.Args(&call.Call)
	s := kube.SymbolOf(fn)
	if s.Name == "Done" && len(args) == 0 {
		if r := flow.Recv(&call.Call); r != nil && kube.IsContext(r.Type()) {
			return c.end(r, at, depth+1)
		}
	}
	switch {
	case s.Pkg == "context":
		switch s.Name {
		case "Background", "TODO":
			return never("context."+s.Name+"() never ends", call)
		case "WithTimeout", "WithDeadline", "WithTimeoutCause", "WithDeadlineCause":
			return blocking.Bound{Limit: blocking.Deadline}
		case "WithoutCancel":
			return never("context.WithoutCancel never ends", call)
		case "WithValue":
			return c.end(args[0], at, depth+1)
		case "WithCancel", "WithCancelCause":
			b := c.end(args[0], at, depth+1)
			if (b.Limit == blocking.Never || b.Why == bySignal) && !c.cannotCancel(call, at) {
				return blocking.Bound{}
			}
			return b
		}
		return blocking.Bound{}
	case s.Pkg == "os/signal" || strings.HasPrefix(s.Name, "SetupSignal"):
		return blocking.Bound{Why: bySignal}
	case s.Pkg == "time" && (s.Name == "After" || s.Name == "Tick"):
		return blocking.Bound{Limit: blocking.Deadline}
	case s == kube.Symbol{Pkg: kube.Wait, Name: "ContextForChannel"}:
		return c.end(args[0], at, depth+1)
	case passesOn[s]:
		for _, a := range args {
			if kube.IsContext(a.Type()) {
				return c.end(a, at, depth+1)
			}
		}
	}
	if own := c.own(flow.StaticCallee(&call.Call)); own != nil {
		return c.returned(own, flow.AllArgs(&call.Call), i, at, depth)
	}
	return blocking.BoundOf(call)
}

// passesOn are functions of other modules that give back a context which ends when the one they are given ends.
var passesOn = map[kube.Symbol]bool{
	{Pkg: "k8s.io/klog/v2", Name: "NewContext"}:                               true,
	{Pkg: "github.com/go-logr/logr", Name: "NewContext"}:                      true,
	{Pkg: "github.com/go-logr/logr", Name: "NewContextWithSlogLogger"}:        true,
	{Pkg: kube.ControllerRuntime + "/pkg/log", Name: "IntoContext"}:           true,
	{Pkg: "k8s.io/apiserver/pkg/endpoints/request", Name: "WithRequestInfo"}:  true,
	{Pkg: "go.opentelemetry.io/otel/trace", Name: "ContextWithSpan"}:          true,
	{Pkg: "google.golang.org/grpc/metadata", Name: "NewOutgoingContext"}:      true,
	{Pkg: "google.golang.org/grpc/metadata", Name: "AppendToOutgoingContext"}: true,
}

// returned is the bound of result i of fn, a function of the package: what all its returns give agrees.
func (c *checker) returned(fn *ssa.Function, args []ssa.Value, i int, at ssa.Instruction, depth int) blocking.Bound {
	var all blocking.Bound
	first := true
	for ret := range flow.Returns(fn) {
		if i >= len(ret.Results) {
			return blocking.Bound{}
		}
		e := c.end(ret.Results[i], nil, depth+3)
		if e.Limit == blocking.Parameter && e.Param.Parent() == fn {
			j := slices.Index(fn.Params, e.Param)
			e = blocking.Bound{}
			if j < len(args) {
				e = c.end(args[j], at, depth+1)
			}
		}
		if e.Limit == blocking.Deadline {
			return e
		}
		if first {
			all, first = e, false
		} else if all.Limit != e.Limit || all.Param != e.Param {
			all = blocking.Bound{}
		}
	}
	return all
}

// own is fn where its body belongs to the package.
func (c *checker) own(fn *ssa.Function) *ssa.Function {
	if fn == nil || len(fn.Blocks) == 0 || fn.Pkg != c.pkg.Package {
		return nil
	}
	return fn
}
