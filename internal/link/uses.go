package link

import (
	"go/types"
	"iter"
	"maps"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
)

// A Mention is an operand of an instruction that is a declared function.
type Mention struct {
	In    ssa.Instruction
	Func  *types.Func
	Calls bool // In calls it
}

// Mentions yields the mentions of functions in the package.
func Mentions(p *program.Program) iter.Seq[Mention] {
	return func(yield func(Mention) bool) {
		for in := range flow.Instrs(p.All()...) {
			call, isCall := in.(ssa.CallInstruction)
			for _, op := range in.Operands(nil) {
				named, ok := (*op).(*ssa.Function)
				if !ok || flow.Object(named) == nil {
					continue
				}
				if !yield(Mention{in, flow.Object(named), isCall && op == &call.Common().Value}) {
					return
				}
			}
		}
	}
}

// addCalls adds the uses by which a program may call functions that findings wait for: calls and other mentions, and,
// for methods, calls of interface methods and what makes a value one of an interface. Harmless may be nil, as in
// [Phase].
func (u *Unit[S]) addCalls(harmless func(*analysis.Pass) func(ssa.CallInstruction) bool) {
	c := calls{pass: u.Pass, awaited: u.Awaited(Called), methods: map[string]bool{}, became: map[[2]types.Type]bool{}}
	maps.Copy(c.awaited, u.Awaits(Called))
	if len(c.awaited) == 0 {
		return
	}
	for fn := range c.awaited {
		c.methods[fn.Of[strings.LastIndexByte(fn.Of, '.')+1:]] = true
	}
	if harmless != nil {
		c.harmless = harmless(u.Pass)
	}
	c.find()
	u.Uses = append(u.Uses, c.uses...)
}

// calls is the search for uses of functions that findings wait for, and of methods of their names.
type calls struct {
	pass     *analysis.Pass
	awaited  map[Condition]bool
	methods  map[string]bool
	harmless func(ssa.CallInstruction) bool
	uses     []Use
	became   map[[2]types.Type]bool // what becomes has seen
}

// always adds that the function is called in any case.
func (c *calls) always(fn string) {
	c.uses = append(c.uses, Use{Of: Condition{Called, fn}, Always: true})
}

func (c *calls) find() {
	harmless := func(call ssa.CallInstruction) bool { return c.harmless != nil && c.harmless(call) }
	p := program.Of(c.pass)
	for m := range Mentions(p) {
		// That the package itself calls a function was known when the finding was deferred.
		if m.Func.Pkg() != c.pass.Pkg && c.awaited[Condition{Called, m.Func.FullName()}] {
			if call, ok := m.In.(ssa.CallInstruction); !ok || !m.Calls || !harmless(call) {
				c.always(m.Func.FullName())
			}
		}
	}
	for in := range flow.Instrs(p.All()...) {
		switch in := in.(type) {
		case ssa.CallInstruction:
			if call := in.Common(); call.IsInvoke() && c.methods[call.Method.Name()] && !harmless(in) {
				c.always(call.Method.FullName())
			}
		case *ssa.MakeInterface:
			c.becomes(in.X.Type(), in.Type())
		case *ssa.ChangeInterface:
			c.becomes(in.X.Type(), in.Type())
		case *ssa.TypeAssert:
			if types.IsInterface(in.AssertedType) {
				c.becomes(in.X.Type(), in.AssertedType)
			}
		}
	}
	for id, i := range c.pass.TypesInfo.Instances {
		params := typeParams(c.pass.TypesInfo.Uses[id])
		for n := range min(i.TypeArgs.Len(), params.Len()) {
			c.becomes(i.TypeArgs.At(n), params.At(n).Constraint())
		}
	}
}

// typeParams returns the type parameters of the function or type obj.
func typeParams(obj types.Object) *types.TypeParamList {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Signature().TypeParams()
	case *types.TypeName:
		if n, ok := obj.Type().(*types.Named); ok {
			return n.TypeParams()
		}
	}
	return nil
}

// becomes notes that a value of type t becomes one of the interface, or of a type parameter with that constraint: a
// call of a method of the interface may call that of t. An interface without the method may be converted to one that
// has it.
func (c *calls) becomes(t, iface types.Type) {
	if pair := [2]types.Type{t, iface}; c.became[pair] {
		return
	} else {
		c.became[pair] = true
	}
	for name := range c.methods {
		var from string
		switch m := method(t, name); {
		case types.IsInterface(t):
			from = ofInterface(t, name)
		case m != nil && c.awaited[Condition{Called, m.FullName()}]:
			from = m.FullName()
		default:
			continue
		}
		to := ofInterface(iface, name)
		if from == to {
			continue
		}
		if m := method(iface, name); m != nil && (m.Pkg() == nil || m.Pkg().Path() != packageOf(from)) {
			c.always(from) // packages that do not know of the type may call it
		} else {
			c.uses = append(c.uses, Use{Of: Condition{Called, from}, If: []Condition{{Called, to}}})
		}
	}
}

// ofInterface names the method of that name of the interface, if it has one or not.
func ofInterface(iface types.Type, name string) string {
	if m := method(iface, name); m != nil {
		return m.FullName()
	}
	return "(" + TypeName(iface) + ")." + name
}

// packageOf returns the path of the package of the method with that full name.
func packageOf(method string) string {
	recv, _, _ := strings.Cut(strings.TrimLeft(method, "(*"), ").")
	return recv[:max(0, strings.LastIndexByte(recv, '.'))]
}

// method returns the exported method of that name of t, or of a pointer to t; nil if there is none.
func method(t types.Type, name string) *types.Func {
	if m := kubeapi.Method(t, name); m != nil {
		return m.Origin()
	}
	return nil
}
