package filter

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
)

// versions follows the two versions of an object through a handler of updates.
type versions struct {
	pkg   *program.Program
	of    map[ssa.Value]bool // what is made of one of them
	other map[ssa.Value]bool // what is made of the other one
	seen  map[*ssa.Parameter]bool
}

// tellsVersions reports whether it makes a difference which version of an object fn is given as a, and which as b: it does anything with one of them but compare it with
// the other one, log it, and look at what an object never changes: its name, its namespace, its UID.
func tellsVersions(pkg *program.Program, a, b *ssa.Parameter) bool {
	made := func(p *ssa.Parameter) map[ssa.Value]bool {
		out := map[ssa.Value]bool{}
		spread(p, out)
		return out
	}
	of, other := made(a), made(b)
	seen := map[*ssa.Parameter]bool{}
	return (&versions{pkg, of, other, seen}).told(a) || (&versions{pkg, other, of, seen}).told(b)
}

// spread puts v, and what is made of it alone without more ado, into out.
func spread(v ssa.Value, out map[ssa.Value]bool) {
	if out[v] || v.Referrers() == nil {
		return
	}
	out[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.TypeAssert, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.UnOp, *ssa.FieldAddr, *ssa.Field, *ssa.Lookup, *ssa.Index, *ssa.IndexAddr:
			spread(r.(ssa.Value), out)
		case *ssa.Extract:
			if r.Index == 0 { // not whether there is one
				spread(r, out)
			}
		case *ssa.Call:
			if recv := flow.Recv(&r.Call); recv == v && len(flow.Args(&r.Call)) == 0 && r.Call.Signature().Results().Len() == 1 {
				spread(r, out)
			}
		}
	}
}

// told reports whether anything is done with what is made of p that is done with no other version.
func (t *versions) told(p *ssa.Parameter) bool {
	if t.seen[p] {
		return false
	}
	t.seen[p] = true
	for v := range t.of {
		if v.Parent() == p.Parent() && v.Referrers() != nil && slices.ContainsFunc(*v.Referrers(), func(use ssa.Instruction) bool { return t.tells(v, use) }) {
			return true
		}
	}
	return false
}

// tells reports whether use, of v, tells one version from the other.
func (t *versions) tells(v ssa.Value, use ssa.Instruction) bool {
	if made, ok := use.(ssa.Value); ok && t.of[made] {
		return false // that is looked at by itself
	}
	if lasting(v) {
		return false
	}
	switch use := use.(type) {
	case *ssa.DebugRef, *ssa.Extract:
		return false
	case *ssa.BinOp:
		return use.Op != token.EQL && use.Op != token.NEQ || !t.other[use.X] && !t.other[use.Y]
	case *ssa.Call:
		return t.calls(v, use)
	}
	return true
}

// calls reports whether call, which is given v, may do something else with it than to compare it with the other version.
func (t *versions) calls(v ssa.Value, call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	if fn == nil {
		return true
	}
	sym := kube.SymbolOf(fn)
	if kube.Logs(fn) || sym.Pkg == kube.Cache && call.Call.Signature().Results().Len() > 0 { // a key
		return false
	}
	args := flow.AllArgs(&call.Call)
	if slices.ContainsFunc(args, func(a ssa.Value) bool { return t.other[a] }) {
		return !deepEqual(fn)
	}
	own := t.pkg.Callee(&call.Call)
	if own == nil || len(own.Params) != len(args) {
		return true
	}
	for i, a := range args {
		if a == v {
			spread(own.Params[i], t.of)
			if t.told(own.Params[i]) {
				return true
			}
		}
	}
	return false
}

// lasting reports whether v is what an object has from its creation to its end: a part of its own metadata, and not of a template in it.
func lasting(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		return lasting(v.X)
	case *ssa.FieldAddr:
		return lasts(kube.MetadataField(v)) && !lies(kube.MetadataOwner(v.X))
	case *ssa.Call:
		fn := flow.Callee(&v.Call)
		return fn != nil && kube.IsGetter(fn) && lasts(fn.Name()[len("Get"):]) && !lies(kube.MetadataOwner(flow.Recv(&v.Call)))
	}
	return false
}

// lasts reports whether an object never changes the field of its metadata of that name.
func lasts(field string) bool { return field == "Name" || field == "Namespace" || field == "UID" }

// lies reports whether v lies in something else: it is a field there, or what one points to, or an element.
func lies(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		return lies(v.X)
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return true
	}
	return false
}
