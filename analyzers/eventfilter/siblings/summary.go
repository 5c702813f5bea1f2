package siblings

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
)

// A summary is what a declared function with its literals, or a literal that is an update filter, reads and calls.
type summary struct {
	fn     *ssa.Function
	filter bool

	reads     map[*types.Var]*use
	usedWhole map[*types.TypeName]bool // structs of which a value is passed on as a whole
	calls     []*ssa.Function          // of this package
	passed    []types.Type             // what is compared as a whole, or passed to functions of other packages
}

// A use is how a function reads a struct field.
type use struct {
	pos   token.Pos
	owner *types.TypeName
	how   map[string]bool // what is done with the value: ".Sub", "argument of f", "compare", …
}

// scan summarises fn with its literals, but for those that are filters, which have summaries of their own.
func scan(pkg *program.Program, fn *ssa.Function, filter bool) *summary {
	u := &summary{fn: fn, filter: filter, reads: map[*types.Var]*use{}, usedWhole: map[*types.TypeName]bool{}}
	fns := slices.DeleteFunc(flow.Literals(fn), func(lit *ssa.Function) bool { return kubeapi.IsUpdateFilter(lit.Signature) })
	for in := range flow.Instrs(append(fns, fn)...) {
		switch in := in.(type) {
		case *ssa.FieldAddr:
			u.read(in, in.X, in.Field)
		case *ssa.Field:
			u.read(in, in.X, in.Field)
		case *ssa.BinOp:
			if (in.Op == token.EQL || in.Op == token.NEQ) && !flow.IsNil(in.X) && !flow.IsNil(in.Y) {
				u.passOn(in.X, in.Y)
				if _, ptr := in.X.Type().Underlying().(*types.Pointer); !ptr {
					u.passed = append(u.passed, in.X.Type())
				}
			}
		case *ssa.Return:
			u.passOn(in.Results...)
		case *ssa.Store:
			if _, variable := in.Addr.(*ssa.Alloc); !variable {
				u.passOn(in.Val)
			}
		case ssa.CallInstruction:
			u.call(pkg, in.Common())
		}
	}
	return u
}

// read adds the use of a field of the struct x; the value in is the field or its address.
func (u *summary) read(in ssa.Value, x ssa.Value, index int) {
	owner, field := kubeapi.Named(x.Type()), flow.Field(x.Type(), index)
	if owner == nil || field == nil {
		return
	}
	how := map[string]bool{}
	if !uses(in, how) {
		return
	}
	field = field.Origin()
	if u.reads[field] == nil {
		u.reads[field] = &use{in.Pos(), owner.Obj(), how}
		return
	}
	for h := range how {
		u.reads[field].how[h] = true
	}
	u.reads[field].pos = min(u.reads[field].pos, in.Pos())
}

// uses adds to how what is done with v, if that is known, and nothing for a test for nil. It reports whether v is used in
// any other way than as the address of a store.
func uses(v ssa.Value, how map[string]bool) (read bool) {
	for _, r := range *v.Referrers() {
		is := ""
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface:
			read = uses(r.(ssa.Value), how) || read
			continue
		case *ssa.FieldAddr:
			is = "." + flow.Field(r.X.Type(), r.Field).Name()
		case *ssa.Field:
			is = "." + flow.Field(r.X.Type(), r.Field).Name()
		case *ssa.Store:
			if r.Addr == v {
				continue
			}
			is = "element"
		case *ssa.BinOp:
			if is = "compare"; flow.IsNil(r.X) || flow.IsNil(r.Y) {
				is = ""
			}
		case ssa.CallInstruction:
			if fn := flow.Callee(r.Common()); fn != nil {
				is = "argument of " + fn.Name()
			} else {
				is = "argument of " + r.Common().Value.Name()
			}
		}
		if read = true; is != "" {
			how[is] = true
		}
	}
	return read
}

// passOn notes that the structs among values are used as a whole: any field of them may be read.
func (u *summary) passOn(values ...ssa.Value) {
	for _, v := range values {
		if n := kubeapi.Named(flow.Unwrap(v).Type()); n != nil {
			if _, ok := n.Underlying().(*types.Struct); ok {
				u.usedWhole[n.Obj()] = true
			}
		}
	}
}

func (u *summary) call(pkg *program.Program, common *ssa.CallCommon) {
	args := flow.Args(common)
	u.passOn(args...)
	if own := pkg.Own(flow.StaticCallee(common)); own != nil {
		u.calls = append(u.calls, own)
		return
	}
	if !kubeapi.Logs(flow.Callee(common)) {
		for _, a := range args {
			u.passed = append(u.passed, flow.Unwrap(a).Type())
		}
	}
}
