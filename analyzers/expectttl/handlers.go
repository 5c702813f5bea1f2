package expectttl

import (
	"go/token"
	"go/types"
	"iter"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
)

// handlerSet is what runs on the events of one kind: the methods of an event handler, or the functions of a struct of
// them. A missing function is nil.
type handlerSet struct {
	name                   string
	created, updated, gone *ssa.Function
	inherits               bool // what happens on deletion is not in sight: a function value, or a method promoted from another package
	pos                    token.Pos
}

// handlerSets are those that the package writes.
func (g *callGraph) handlerSets() []*handlerSet {
	var sets []*handlerSet
	for _, h := range controllers.Handlers(g.pkg) {
		set := &handlerSet{name: h.Name, created: h.Created.Fn(), updated: h.Updated.Fn(), gone: h.Deleted.Fn(), pos: h.At}
		switch {
		case h.Type == nil:
			set.inherits = set.gone == nil && h.Deleted.At.IsValid()
		case set.gone != nil:
			set.pos = set.gone.Pos()
		default:
			obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(h.Type), true, g.pkg.Pkg, "Delete")
			set.inherits = obj != nil && !isLibrary(obj.Pkg())
		}
		sets = append(sets, set)
	}
	return sets
}

// isLibrary reports whether pkg is of the libraries, whose handlers know no store.
func isLibrary(pkg *types.Package) bool {
	return pkg != nil && (kube.Under(pkg.Path(), kube.ControllerRuntime) || kube.Under(pkg.Path(), "k8s.io/client-go"))
}

// reached yields the instructions of fn and of the functions of the package that it runs or makes.
func (g *callGraph) reached(fn *ssa.Function) iter.Seq[ssa.Instruction] {
	const edges = program.Calls | program.Spawns | program.Mentions | program.Implementations
	return func(yield func(ssa.Instruction) bool) {
		for f := range g.pkg.Reach(edges, fn) {
			for in := range flow.Instrs(f) {
				if !yield(in) {
					return
				}
			}
		}
	}
}

// kinds are the types of objects that the functions of s make of what they are handed.
func (g *callGraph) kinds(s *handlerSet) []types.Type {
	var out []types.Type
	for _, fn := range []*ssa.Function{s.created, s.updated, s.gone} {
		if fn == nil {
			continue
		}
		params := fn.Signature.Params()
		for i := range params.Len() {
			if n, ok := types.Unalias(params.At(i).Type()).(*types.Named); ok && n.TypeArgs().Len() > 0 && kube.IsEvent(n, "") && !types.IsInterface(n.TypeArgs().At(0)) {
				out = append(out, n.TypeArgs().At(0))
			}
		}
		for in := range g.reached(fn) {
			if ta, ok := in.(*ssa.TypeAssert); ok && !types.IsInterface(ta.AssertedType) {
				out = append(out, ta.AssertedType)
			}
		}
	}
	return out
}
