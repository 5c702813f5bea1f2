package blocking

import (
	"go/types"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/words"
)

// Limit says what ends a wait on a context or stop channel.
type Limit uint8

// The limits.
const (
	Unknown   Limit = iota // nothing can be said: a field, a global, the result of a call
	Deadline               // it has a deadline
	Parameter              // it is a parameter: the caller decides
	Signal                 // it ends with the process, on a signal
	Owner                  // it ends with the object in whose field it is
	Never                  // nothing ever ends it
)

// unconstrained is the limit of a value while its own bound is being computed: it does not change the bound of a merge.
const unconstrained Limit = math.MaxUint8

// A Bound is what ends a wait.
type Bound struct {
	Limit Limit
	Param *ssa.Parameter // for Parameter
	Why   string         // for Never: why nothing ends it, to follow "…, and "
	// for Never: where the context or channel is made; for Owner: the load of the field. It is no rule.Site
	Site ssa.Value
}

// Ended says that a context or stop channel of type t has ended.
func Ended(t types.Type) string {
	if kubeapi.IsContext(t) {
		return "done"
	}
	return "closed"
}

// IsBound reports whether t is a type that can end a wait: a context or a channel of struct{}.
func IsBound(t types.Type) bool {
	if kubeapi.IsContext(t) {
		return true
	}
	c, ok := t.Underlying().(*types.Chan)
	return ok && flow.IsEmptyStruct(c.Elem())
}

// BoundOf returns the bound of v, a context or a stop channel, as far as the function of v shows it: the first step
// of [Bounds.Of], which costs little.
func BoundOf(v ssa.Value) Bound { return (&Bounds{}).Of(v, nil) }

// Bounds computes what bounds the waits of a package, and what ends them.
type Bounds struct {
	pkg     *program.Program // nil: only the function of a value is read
	answers program.Answers[question, Bound]
	index   *stores
	reached map[*ssa.Function]map[*ssa.Function]bool
}

// A question is a value and the instruction that waits for it; the instruction is nil for any.
type question struct {
	v  ssa.Value
	at ssa.Instruction
}

// BoundsOf returns the bounds of a package.
func BoundsOf(pkg *program.Program) *Bounds {
	return &Bounds{pkg: pkg, reached: map[*ssa.Function]map[*ssa.Function]bool{}}
}

// Of returns what ends a wait on v, a context or a stop channel, at the instruction at, nil for any. It follows
// variables, fields and package variables whose stores are all known, and results of functions of the package. A
// channel or context counts as endless if the only code that can end it runs after the wait. Unknown means that it is
// not known.
func (b *Bounds) Of(v ssa.Value, at ssa.Instruction) Bound {
	out := b.of(v, at)
	if out.Limit == unconstrained {
		return Bound{}
	}
	return out
}

func (b *Bounds) of(v ssa.Value, at ssa.Instruction) Bound {
	if v == nil {
		return Bound{}
	}
	v = flow.Resolve(v)
	switch x := v.(type) {
	case *ssa.Parameter:
		return Bound{Limit: Parameter, Param: x}
	case *ssa.Const:
		if x.IsNil() && isChan(x) {
			return never("a nil channel is never ready", x)
		}
		return Bound{}
	}
	return b.answers.Ask(question{v, at}, Bound{Limit: unconstrained}, func() Bound { return b.find(v, at) })
}

// find computes the bound of v, which is not memorised yet.
func (b *Bounds) find(v ssa.Value, at ssa.Instruction) Bound {
	switch x := v.(type) {
	case *ssa.Phi:
		all := Bound{Limit: unconstrained}
		for _, e := range x.Edges {
			all = either(all, b.of(e, at))
		}
		return all
	case *ssa.MakeChan:
		return b.made(x, at)
	case *ssa.Call:
		return b.result(x, 0, x, at)
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			return b.result(call, x.Index, x, at)
		}
	case *ssa.UnOp:
		switch a := x.X.(type) {
		case *ssa.Global:
			return b.global(a, x)
		case *ssa.FieldAddr:
			// A field of an object that this function has just made: what it stores there is what is in it.
			if b.pkg == nil {
				return Bound{}
			}
			if v := b.storedHere(a, x); v != nil {
				return b.of(v, at)
			}
			return b.field(a.X.Type(), a.Field, x)
		}
	case *ssa.Field:
		return b.field(x.X.Type(), x.Field, x)
	}
	return Bound{}
}

func never(why string, site ssa.Value) Bound { return Bound{Limit: Never, Why: why, Site: site} }

func isChan(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Chan)
	return ok
}

// either returns the bound of a wait on one of two values: a deadline if one of them has one, otherwise what both
// have in common.
func either(x, y Bound) Bound {
	switch {
	case x.Limit == unconstrained || y.Limit == Deadline:
		return y
	case y.Limit == unconstrained || x.Limit == Deadline:
		return x
	case x.Limit != y.Limit || x.Param != y.Param || x.Limit == Owner && x.Site != y.Site:
		return Bound{}
	}
	return x
}

// made returns the bound of the channel that mk makes: Never if nothing closes it, or nothing can before the wait at
// at is over; Deadline if a goroutine closes it after a time.
func (b *Bounds) made(mk *ssa.MakeChan, at ssa.Instruction) Bound {
	h := beforeWait{b: b, home: mk.Parent(), returned: true}
	if b.pkg != nil {
		h.group = b.pkg.Origins().GroupOf(mk)
	}
	if b.pkg != nil && b.OnlyOwn(mk) && len(b.Firers(mk)) == 0 || h.keep(mk) {
		return never("nothing closes its stop channel", mk)
	}
	if at != nil && mk.Parent() == at.Parent() && flow.Dominates(mk, at) && waitsHere(at) {
		h = beforeWait{b: b, home: mk.Parent(), at: at, group: h.group}
		if h.keep(mk) {
			return never("nothing can close its stop channel before the wait ends", mk)
		}
	}
	if b.closesInTime(mk) {
		return Bound{Limit: Deadline}
	}
	return Bound{}
}

// waitsHere reports whether in itself waits, so that its function does nothing else until the wait is over.
func waitsHere(in ssa.Instruction) bool {
	switch in.(type) {
	case *ssa.Defer, *ssa.Go:
		return false
	}
	return true
}

// result returns the bound of v, which is result i of call.
func (b *Bounds) result(call *ssa.Call, i int, v ssa.Value, at ssa.Instruction) Bound {
	if ctx := DoneOf(call); ctx != nil {
		return b.of(ctx, at)
	}
	if b.SetsUpSignals(&call.Call) {
		return Bound{Limit: Signal}
	}
	fn := flow.Callee(&call.Call)
	if fn == nil {
		return Bound{}
	}
	args := flow.Args(&call.Call)
	s := kubeapi.SymbolOf(fn)
	own := b.own(flow.StaticCallee(&call.Call))
	switch {
	case s.Pkg == "context":
		return b.derived(call, s.Name, args, at)
	case s.Pkg == "time" && (s.Name == "After" || s.Name == "Tick"):
		return Bound{Limit: Deadline}
	case kubeapi.ContextForChannel.Has(fn):
		return b.of(args[0], at)
	case own != nil:
		return b.returned(own, flow.AllArgs(&call.Call), i, at)
	}
	return b.passed(v, args, kubeapi.ContextWrappers.Has(fn), at)
}

// SetsDeadline reports whether the function of package context with that name returns a context with a deadline.
func SetsDeadline(name string) bool {
	switch name {
	case "WithTimeout", "WithDeadline", "WithTimeoutCause", "WithDeadlineCause":
		return true
	}
	return false
}

// derived returns the bound of the result of the function of package context with that name.
func (b *Bounds) derived(call *ssa.Call, name string, args []ssa.Value, at ssa.Instruction) Bound {
	if SetsDeadline(name) {
		return Bound{Limit: Deadline}
	}
	switch name {
	case "Background", "TODO":
		return never("context."+name+"() is never done", call)
	case "WithoutCancel":
		return never("context.WithoutCancel is never done", call)
	case "WithValue":
		return b.of(args[0], at)
	case "WithCancel", "WithCancelCause":
		parent := b.of(args[0], at)
		if parent.Limit != Parameter && parent.Limit != Deadline && parent.Limit != unconstrained &&
			!b.cannotCancel(call, at) {
			return Bound{}
		}
		return parent
	}
	return Bound{}
}

// passed returns the bound of v, the result of a function that takes a context: it is assumed to be derived from that
// one, as loggers and tracers do. only: the function is known to add no other way to end.
func (b *Bounds) passed(v ssa.Value, args []ssa.Value, only bool, at ssa.Instruction) Bound {
	args = slices.DeleteFunc(slices.Clone(args), func(a ssa.Value) bool { return !kubeapi.IsContext(a.Type()) })
	if !kubeapi.IsContext(v.Type()) || len(args) == 0 || len(args) > 1 && !only {
		return Bound{}
	}
	from := b.of(args[0], at)
	if !only && from.Limit != Parameter && from.Limit != Deadline && from.Limit != unconstrained {
		return Bound{}
	}
	return from
}

// SetsUpSignals reports whether call registers for the signals to the process: its result ends when one arrives, and
// the process no longer ends by itself.
func (b *Bounds) SetsUpSignals(call *ssa.CallCommon) bool {
	fn := flow.Callee(call)
	if fn == nil {
		return kubeapi.GivesSignals(call.Value)
	}
	own := b.own(flow.StaticCallee(call))
	return fn.Pkg() != nil && fn.Pkg().Path() == "os/signal" || own == nil && setsUpSignals(fn.Name()) ||
		own != nil && b.notifies(own)
}

// setsUpSignals reports whether the name of a function without a known body says that its result ends with the
// process.
func setsUpSignals(name string) bool {
	w := words.Of(name)
	return len(w) > 2 && w[0] == "setup" && w[1] == "signal"
}

// notifies reports whether fn, or a function that it may run, registers for the signals to the process.
func (b *Bounds) notifies(fn *ssa.Function) bool {
	type key struct{}
	return program.Memo(b.pkg, key{}, func() map[*ssa.Function]bool {
		return b.pkg.LeadingTo(runs, slices.DeleteFunc(slices.Clone(b.pkg.All()), func(fn *ssa.Function) bool {
			return !flow.Any(flow.Calls(fn), func(c ssa.CallInstruction) bool {
				s := kubeapi.Called(c.Common())
				return s.Pkg == "os/signal" && s.Recv == "" && (s.Name == "Notify" || s.Name == "NotifyContext")
			})
		})...)
	})[fn]
}

// returned returns the bound of result i of fn, a function of the package: the merge of all returns.
func (b *Bounds) returned(fn *ssa.Function, args []ssa.Value, i int, at ssa.Instruction) Bound {
	all := Bound{Limit: unconstrained}
	for ret := range flow.Returns(fn) {
		if i >= len(ret.Results) {
			return Bound{}
		}
		e := b.of(ret.Results[i], nil)
		if e.Limit == Parameter && e.Param.Parent() == fn {
			j := slices.Index(fn.Params, e.Param)
			e = Bound{}
			if j < len(args) {
				e = b.of(args[j], at)
			}
		}
		all = either(all, e)
	}
	return all
}

// global returns the bound of the package variable g, which load reads.
func (b *Bounds) global(g *ssa.Global, load *ssa.UnOp) Bound {
	if kubeapi.IsNeverStop(load) {
		return never("wait.NeverStop is never closed", load)
	}
	if b.pkg == nil || g.Pkg != b.pkg.Package || g.Object() == nil || g.Object().Exported() && b.pkg.Pkg.Name() != "main" {
		return Bound{}
	}
	return b.stored(b.stores().globals[g], g.Name(), load)
}

// OfField returns the bound of the context in field i of type t in every object, see [Bounds.Of].
func (b *Bounds) OfField(t types.Type, i int) Bound { return b.field(t, i, nil) }

// field returns the bound that field i of type t has in every object, if only the package can set it, otherwise
// Owner. A field without stores counts if the package makes such objects itself.
func (b *Bounds) field(t types.Type, i int, site ssa.Value) Bound {
	f := flow.Field(t, i)
	if b.pkg == nil || f == nil {
		return Bound{}
	}
	owner := Bound{Limit: Owner, Site: site}
	if f.Exported() || f.Pkg() != b.pkg.Pkg {
		return owner
	}
	p := b.stores().fields[f.Origin()]
	if n := kubeapi.Named(t); (p == nil || len(p.stored) == 0) && (n == nil || !b.stores().made[n]) {
		return owner
	}
	if s := b.stored(p, f.Name(), site); s.Limit != Unknown {
		return s
	}
	return owner
}

// stored returns the bound of the place p if each of its stores has the same: endless, until a signal to the process,
// or a deadline.
func (b *Bounds) stored(p *place, name string, site ssa.Value) Bound {
	if p != nil && p.shared {
		return Bound{}
	}
	if p == nil || len(p.stored) == 0 {
		if site != nil && isChan(site) {
			return never(name+" is never set, and a nil channel is never ready", site)
		}
		return Bound{}
	}
	all := Bound{Limit: unconstrained}
	for _, v := range p.stored {
		s := b.of(v, nil)
		switch {
		case s.Limit == unconstrained:
		case s.Limit != Never && s.Limit != Signal && s.Limit != Deadline ||
			all.Limit != unconstrained && all.Limit != s.Limit:
			return Bound{}
		case all.Limit == unconstrained:
			all = s
		}
	}
	return all
}

// own returns fn if its body is in the package, otherwise nil.
func (b *Bounds) own(fn *ssa.Function) *ssa.Function {
	if b.pkg == nil {
		return nil
	}
	return b.pkg.Own(fn)
}
