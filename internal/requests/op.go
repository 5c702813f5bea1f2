package requests

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A touch is an instruction that writes to a place in memory, or hands on a pointer to it.
type touch struct {
	in   ssa.Instruction
	path flow.Path
	// effect of in on what is there; nil for a store.
	effect func() Effect
}

// An Op is what an instruction does with an object, or with a part of it at the end of Way.
type Op struct {
	In  ssa.Instruction
	Way string
	Effect
}

// On are the operations of fn on the object at p, in the order of the blocks. The pointer is followed through registers
// and variables that are stored to once; where it goes on to another variable, what is done there may be anything.
func (c *Requests) On(fn *ssa.Function, p flow.Path) (ops []Op) {
	for _, t := range c.touchesOf(fn) {
		way, ok := p.Below(t.path)
		if _, around := t.path.Below(p); !ok && around {
			ops = append(ops, Op{In: t.in, Effect: t.around()})
			continue
		} else if !ok {
			continue
		}
		o := Op{In: t.in, Way: way, Effect: Effect{Writes: partAt(way)}}
		if t.effect != nil {
			o.Effect = t.effect().within(way)
		} else if st, ok := t.in.(*ssa.Store); ok && way == "" {
			o.Effect = Effect{Writes: Whole.maybe(), Fills: isElement(st.Val)}
			if o.Fills {
				o.Writes = 0
			}
		}
		if o.Effect != (Effect{}) {
			ops = append(ops, o)
		}
	}
	return ops
}

// around is the effect of t on what lies in the place that t is about, such as an element of a list.
func (t touch) around() Effect {
	if t.effect == nil {
		return unknown
	}
	e := t.effect()
	if e.Fills {
		return Effect{Fills: true}
	}
	return unknownUnlessNone(e)
}

// isElement reports whether v is an element of a list of objects that was read.
func isElement(v ssa.Value) bool {
	p := flow.PathOf(v)
	return p.Known() && strings.HasPrefix(p.Sel, ".Items[")
}

// touchesOf are those of fn, in the order of the blocks.
func (c *Requests) touchesOf(fn *ssa.Function) []touch {
	if ts, ok := c.touches[fn]; ok {
		return ts
	}
	var ts []touch
	add := func(in ssa.Instruction, v ssa.Value, effect func() Effect) {
		if p := flow.PathOf(v); p.Known() {
			ts = append(ts, touch{in, p, effect})
		}
	}
	escapes := func(in ssa.Instruction, v ssa.Value) {
		if refers(v.Type()) {
			add(in, v, func() Effect { return unknown })
		}
	}
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Store:
			add(in, in.Addr, nil)
			if !flow.Argument(in.Addr) && flow.SingleStore(in.Addr) == nil {
				escapes(in, in.Val)
			}
		case *ssa.MapUpdate:
			add(in, in.Map, nil)
			escapes(in, in.Value)
		case *ssa.Phi:
			for _, e := range in.Edges {
				escapes(in, e)
			}
		case *ssa.Send:
			escapes(in, in.X)
		case *ssa.Return:
			for _, v := range in.Results {
				escapes(in, v)
			}
		case *ssa.Go:
			for _, v := range flow.AllArgs(in.Common()) {
				escapes(in, v)
			}
		case *ssa.MakeClosure:
			if !flow.OnlyDeferred(in) {
				ts = append(ts, c.captured(in)...)
			}
		case *ssa.Call:
			for i, v := range flow.AllArgs(&in.Call) {
				effect := func() Effect { return c.effect(in, i) }
				if refers(v.Type()) {
					add(in, v, effect)
				}
				for _, x := range flow.Elements(v) {
					if refers(x.Type()) {
						add(in, x, func() Effect { return unknownUnlessNone(effect()) })
					}
				}
			}
		}
	}
	c.touches[fn] = ts
	return ts
}

// captured are the touches of the closure mc on what is not its own. When it runs is not known.
func (c *Requests) captured(mc *ssa.MakeClosure) (ts []touch) {
	fn := mc.Fn.(*ssa.Function)
	if len(fn.Blocks) == 0 {
		return nil
	}
	for _, t := range c.touchesOf(fn) {
		if t.path.Root.Parent() != fn {
			ts = append(ts, touch{mc, t.path, func() Effect {
				if t.effect == nil {
					return unknown
				}
				return unknownUnlessNone(t.effect())
			}})
		}
	}
	return ts
}

// unknownUnlessNone is unknown, or no effect if e is none.
func unknownUnlessNone(e Effect) Effect {
	if e == (Effect{}) {
		return e
	}
	return unknown
}

// refers reports whether a value of type t leads to memory that it shares with its copies.
func refers(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map, *types.Slice:
		return true
	}
	return false
}
