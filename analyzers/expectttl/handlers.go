package expectttl

import (
	"go/token"
	"go/types"
	"iter"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
)

// handlerSet is what runs on the events of one kind: the methods of an event handler, or the functions of a struct of
// them. A missing function is nil.
type handlerSet struct {
	name                   string
	created, updated, gone *ssa.Function
	inherits               bool // what happens on deletion is a method that is promoted from another package
	pos                    token.Pos
}

// handlerSets are those that the package writes.
func (g *callGraph) handlerSets() []*handlerSet {
	var sets []*handlerSet
	byType := map[*types.Named]*handlerSet{}
	for _, fn := range g.pkg.Funcs {
		if recv := fn.Signature.Recv(); recv != nil && eventOf(fn) != "" {
			named := kube.Named(recv.Type())
			if named == nil {
				continue
			}
			set := byType[named]
			if set == nil {
				set = &handlerSet{name: named.Obj().Name(), pos: fn.Pos()}
				byType[named] = set
				sets = append(sets, set)
			}
			set.put(eventOf(fn), fn)
		}
		sets = append(sets, literalSets(fn)...)
	}
	for named, set := range byType {
		if obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, g.pkg.Pkg, "Delete"); obj != nil && set.gone == nil && !isLibrary(obj.Pkg()) {
			set.inherits = true
		}
		if set.gone != nil {
			set.pos = set.gone.Pos()
		}
	}
	return sets
}

// isLibrary reports whether pkg is of the libraries, whose handlers know no store.
func isLibrary(pkg *types.Package) bool {
	return pkg != nil && (strings.HasPrefix(kube.Path(pkg.Path()), kube.ControllerRuntime+"/") || strings.HasPrefix(kube.Path(pkg.Path()), "k8s.io/client-go/"))
}

func (s *handlerSet) put(event string, fn *ssa.Function) {
	switch event {
	case "create":
		s.created = fn
	case "update":
		s.updated = fn
	case "delete":
		s.gone = fn
	}
}

// eventOf is the event that the method fn of an event handler is for, by its name and, for the names that other types
// have, by its parameters.
func eventOf(fn *ssa.Function) string {
	switch fn.Name() {
	case "OnAdd":
		return "create"
	case "OnUpdate":
		return "update"
	case "OnDelete":
		return "delete"
	case "Create", "Update", "Delete":
		params := fn.Signature.Params()
		for i := range params.Len() {
			if isEvent(params.At(i).Type()) {
				return strings.ToLower(fn.Name())
			}
		}
	}
	return ""
}

// isEvent reports whether t is an event of controller-runtime.
func isEvent(t types.Type) bool {
	n := kube.Named(t)
	return n != nil && n.Obj().Pkg() != nil && kube.SamePackage(n.Obj().Pkg().Path(), kube.Event)
}

// functionFields are the fields of the libraries' structs of handlers.
var functionFields = map[string]string{
	"AddFunc": "create", "CreateFunc": "create",
	"UpdateFunc": "update",
	"DeleteFunc": "delete",
}

// literalSets are the structs of handler functions that fn fills.
func literalSets(fn *ssa.Function) []*handlerSet {
	var sets []*handlerSet
	byAlloc := map[ssa.Value]*handlerSet{}
	for st, fa := range flow.FieldStores(fn) {
		field := flow.Field(fa.X.Type(), fa.Field)
		if field == nil || functionFields[field.Name()] == "" || !isHandlerStruct(fa.X.Type()) {
			continue
		}
		set := byAlloc[fa.X]
		if set == nil {
			set = &handlerSet{name: flow.Named(fa.X.Type()), pos: fa.X.Pos()}
			byAlloc[fa.X] = set
			sets = append(sets, set)
		}
		if f := flow.FuncValue(st.Val); f != nil {
			set.put(functionFields[field.Name()], f)
		} else if functionFields[field.Name()] == "delete" {
			set.inherits = true // a function that is not known
		}
	}
	return sets
}

func isHandlerStruct(t types.Type) bool {
	n := kube.Named(t)
	if n == nil || n.Obj().Pkg() == nil {
		return false
	}
	path := n.Obj().Pkg().Path()
	return kube.SamePackage(path, kube.Cache) && strings.HasPrefix(n.Obj().Name(), "ResourceEventHandler") ||
		kube.SamePackage(path, kube.ControllerRuntime+"/pkg/handler") && strings.HasSuffix(n.Obj().Name(), "Funcs")
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
			if n, ok := types.Unalias(params.At(i).Type()).(*types.Named); ok && n.TypeArgs().Len() > 0 && isEvent(n) && !types.IsInterface(n.TypeArgs().At(0)) {
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
