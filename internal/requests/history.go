package requests

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// A History is what was written into an object since it was read.
type History struct {
	Parts
	First Op // that is sure; none where its In is nil
}

// Since is the history of the object at p before the instruction at: the union over all paths from where the content
// came from the API server. What callers and makers that are not known have written may be all.
func (c *Requests) Since(p flow.Path, at ssa.Instruction) History {
	return c.sinceIn(p, at, map[ssa.Instruction]bool{})
}

func (c *Requests) sinceIn(p flow.Path, at ssa.Instruction, seen map[ssa.Instruction]bool) (h History) {
	if seen[at] || !p.Known() || p.Root.Parent() != at.Parent() {
		return History{Parts: Whole.maybe()}
	}
	seen[at] = true
	ops := c.On(at.Parent(), p)
	filled := Filled(p, ops)
	for _, o := range ops {
		if o.In == at || o.Writes == 0 || !flow.Reaches(o.In, at, filled) {
			continue
		}
		h.Parts |= o.Writes
		if h.First.In == nil && o.Writes.Sure() != 0 {
			h.First = o
		}
	}
	add := func(o History) {
		h.Parts |= o.Parts
		if h.First.In == nil {
			h.First = o.First
		}
	}
	if root, ok := p.Root.(*ssa.Parameter); ok {
		if !reachesFrom(root.Parent().Blocks[0], at, filled) {
			return h
		}
		callers := c.callersOf(root.Parent())
		for _, call := range callers {
			add(c.sinceIn(callerPath(p, call), call, seen))
		}
		if len(callers) == 0 {
			h.Parts |= Whole.maybe()
		}
		return h
	}
	if root, ok := p.Root.(ssa.Instruction); ok && !flow.Reaches(root, at, filled) {
		return h
	}
	call, _ := flow.ResultOf(p.Root)
	if call == nil {
		h.Parts |= Whole.maybe()
	} else if kubeapi.IsDeepCopy(flow.Callee(&call.Call)) && p.Sel == "" {
		add(c.sinceIn(flow.PathOf(flow.Recv(&call.Call)), call, seen))
	} else if r, ok := kubeapi.RequestOf(&call.Call); !ok || r.Verb != kubeapi.VerbGet || r.Object != nil {
		h.Parts |= Whole.maybe()
	}
	return h
}

// Filled returns whether an instruction, with the operations ops on the object at p, gives it other content, or begins
// another object.
func Filled(p flow.Path, ops []Op) func(ssa.Instruction) bool {
	root, _ := p.Root.(ssa.Instruction)
	return func(in ssa.Instruction) bool {
		return in == root || slices.ContainsFunc(ops, func(o Op) bool { return o.In == in && o.Fills })
	}
}

// reachesFrom reports whether a path from the start of b leads to at without an instruction for which stop is true.
func reachesFrom(b *ssa.BasicBlock, at ssa.Instruction, stop func(ssa.Instruction) bool) bool {
	return flow.Search{Goal: func(in ssa.Instruction) bool { return in == at }, Barrier: stop}.From(b)
}

// callersOf are the calls of fn, if all are known.
func (c *Requests) callersOf(fn *ssa.Function) []ssa.CallInstruction {
	if token.IsExported(fn.Name()) || c.pkg.IsValue(fn) {
		return nil
	}
	return c.pkg.Callers(fn)
}

// callerPath is p, whose root is a parameter, in terms of the caller.
func callerPath(p flow.Path, call ssa.CallInstruction) flow.Path {
	q, _ := flow.Substitute(p, p.Root.Parent(), flow.AllArgs(call.Common()))
	return q
}

// spell is the field at the end of way as a manifest spells it: spec.replicas for .Spec.Replicas.
func spell(way string) string {
	way, _, _ = strings.Cut(way, "[")
	steps := strings.Split(strings.TrimPrefix(way, "."), ".")
	for i, s := range steps {
		if s == kubeapi.ObjectMeta {
			s = "Metadata"
		}
		if s != "" {
			steps[i] = strings.ToLower(s[:1]) + s[1:]
		}
	}
	return strings.Join(steps, ".")
}

// Field is what o writes of the part, as a manifest spells it.
func (o Op) Field(part Parts) string {
	if call, ok := o.In.(*ssa.Call); ok && o.Way == "" {
		if w, ok := kubeapi.WritesTo(flow.Callee(&call.Call)); ok && kubeapi.IsMeta(w.What) {
			return spell("." + kubeapi.ObjectMeta + "." + w.What)
		}
	}
	switch {
	case o.Way != "":
		return spell(o.Way)
	case part&o.Writes.Sure()&Status != 0:
		return spell("." + kubeapi.Status)
	case part&o.Writes.Sure()&Metadata != 0:
		return spell("." + kubeapi.ObjectMeta)
	}
	return "spec"
}
