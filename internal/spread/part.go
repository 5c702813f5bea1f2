package spread

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/values"
)

// A Part is a field of a struct type; of any object, if it has a field and no owner.
type Part struct {
	Owner *types.Named
	Field *types.Var
}

// PartOf returns the field i of the struct type t, or of what t points to; not ok where the type has no name.
func PartOf(t types.Type, i int) (p Part, ok bool) {
	owner, f := kubeapi.Named(t), flow.Field(t, i)
	if owner == nil || f == nil {
		return p, false
	}
	return Part{owner, f.Origin()}, true
}

// String names p for a message.
func (p Part) String() string { return p.Owner.Obj().Name() + "." + p.Field.Name() }

// Name names p in all packages.
func (p Part) Name() string {
	if p.Field == nil {
		return "-"
	}
	return link.TypeName(p.Owner) + "#" + p.Field.Name()
}

// Named is the part with that Name; not ok where pkg does not know its type.
func Named(pkg *types.Package, name string) (p Part, ok bool) {
	if name == (Part{}).Name() {
		return p, true
	}
	owner, field, _ := strings.Cut(name, "#")
	if p.Owner = link.Named(pkg, owner); p.Owner == nil {
		return p, false
	}
	obj, _, _ := types.LookupFieldOrMethod(p.Owner, true, p.Owner.Obj().Pkg(), field)
	p.Field, ok = obj.(*types.Var)
	return p, ok
}

// HasOneEntry reports whether table must have one entry at most: each origin is a map with one update, in no loop.
func HasOneEntry(calls values.Calls, table ssa.Value) bool {
	for origin := range values.From(table).Origins(calls) {
		entries := 0
		if _, made := origin.(*ssa.MakeMap); !made {
			return false
		}
		for in := range values.Uses(origin) {
			switch in := in.(type) {
			case *ssa.MapUpdate:
				if entries++; entries > 1 || flow.InLoop(in.Block()) {
					return false
				}
			case *ssa.Range, *ssa.Lookup, *ssa.Return:
			default:
				return false
			}
		}
	}
	return true
}
