package lock

import (
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// Options: an event that depends on an exported flag of a struct happens only if some package sets the flag.

// option is the exported flag of an exported struct of the package that the path condition of instr requires to be set,
// by the name that all packages have for it; "" for none. Fields with a tag do not count, since decoders may set them.
func (e *engine) option(instr ssa.Instruction) string {
	for test, t := range flow.PathCondition(instr.Block()) {
		v, is := flow.StripNot(test.Cond)
		if t != flow.TruthOf(is) {
			continue
		}
		f, x, ok := loadedField(v)
		if !ok || !flow.IsBool(f.Type()) || f.Pkg() != e.pass.Pkg {
			continue
		}
		n := kubeapi.Named(x.Type())
		if n == nil || !n.Obj().Exported() || !f.Exported() || n.Obj().Pkg() != e.pass.Pkg || tagged(n, f) {
			continue
		}
		return optionName(n, f)
	}
	return ""
}

// optionName is how all packages call the field f of the type n.
func optionName(n *types.Named, f *types.Var) string { return structName(n) + "." + f.Name() }

// structName is how all packages call the type n.
func structName(n *types.Named) string {
	return kubeapi.Path(n.Obj().Pkg().Path()) + "." + n.Obj().Name()
}

// tagged reports whether the field f of the struct n has a tag.
func tagged(n *types.Named, f *types.Var) bool {
	s, ok := n.Origin().Underlying().(*types.Struct)
	if !ok {
		return true
	}
	for i := range s.NumFields() {
		if s.Field(i) == f.Origin() {
			return reflect.StructTag(s.Tag(i)) != ""
		}
	}
	return true
}

// options are the flags of structs that the package sets or takes the address of, and the structs with flags that it
// creates by conversion, or that a pointer in an interface gives others access to.
func (e *engine) options() []string {
	set := map[string]bool{}
	whole := func(t types.Type) {
		n := kubeapi.Named(t)
		if n == nil || n.Obj().Pkg() == nil || !n.Obj().Exported() || !e.own(n.Obj().Pkg()) {
			return
		}
		if s, ok := n.Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				if flow.IsBool(f.Type()) && f.Exported() {
					set[structName(n)] = true
				}
			}
		}
	}
	e.eachInstr(func(in ssa.Instruction) {
		switch x := in.(type) {
		case *ssa.FieldAddr:
			f, n := flow.Field(x.X.Type(), x.Field), kubeapi.Named(x.X.Type())
			if f != nil && n != nil && n.Obj().Pkg() != nil && f.Exported() && flow.IsBool(f.Type()) &&
				e.own(n.Obj().Pkg()) && sets(x) {
				set[optionName(n, f)] = true
			}
		case *ssa.MakeInterface:
			if _, ok := types.Unalias(x.X.Type()).(*types.Pointer); ok {
				whole(x.X.Type())
			}
		case *ssa.ChangeType:
			whole(x.Type())
		}
	})
	return slices.Sorted(maps.Keys(set))
}

// sets reports whether the field at addr is used other than by loads and stores of false.
func sets(addr *ssa.FieldAddr) bool {
	return slices.ContainsFunc(*addr.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
			return false
		case *ssa.Store:
			return r.Addr != ssa.Value(addr) || flow.ConstTruth(r.Val) != flow.False
		}
		return true
	})
}

// chosen reports whether some package sets the option, or may.
func (j *linker) chosen(option string) bool {
	return j.options[option] || j.options[option[:strings.LastIndexByte(option, '.')]]
}
