package tombstone

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// predicates reports the Delete functions of controller-runtime predicates that say no to the deletions of which only a
// tombstone is known.
func (t *tombstones) predicates() {
	for _, fn := range t.pkg.Funcs {
		sig := fn.Signature
		if sig.Results().Len() != 1 || !flow.IsBool(sig.Results().At(0).Type()) || sig.Params().Len() != 1 || !kube.IsEvent(sig.Params().At(0).Type(), "Delete") {
			continue
		}
		for in := range flow.Instrs(fn) {
			v, ok := in.(ssa.Value)
			if !ok || !readsUnknown(v) || !saysNo(v) {
				continue
			}
			pos := in.Pos()
			if !pos.IsValid() {
				pos = fn.Pos()
			}
			if !t.reported[fn.Pos()] && !t.needless(fn) {
				t.reported[fn.Pos()] = true
				rule.Report(t.pass, rule.Finding{Pos: pos, Sub: "tombstone",
					Message: "DeleteStateUnknown is taken for a reason to drop the event: an object that was deleted while the watch was down is never reconciled"})
			}
		}
	}
}

// readsUnknown reports whether v is the value of a field DeleteStateUnknown.
func readsUnknown(v ssa.Value) bool {
	var f *types.Var
	switch v := v.(type) {
	case *ssa.UnOp:
		if field, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL {
			f = flow.Field(field.X.Type(), field.Field)
		}
	case *ssa.Field:
		f = flow.Field(v.X.Type(), v.Field)
	}
	return f != nil && f.Name() == "DeleteStateUnknown"
}

// saysNo reports whether the function returns false whenever v is true.
func saysNo(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			if r.Op != token.NOT {
				continue
			}
			for _, r2 := range *r.Referrers() {
				switch r2 := r2.(type) {
				case *ssa.Return:
					return true
				case *ssa.Phi: // cond && !e.DeleteStateUnknown
					if onlyReturned(r2) && restFalse(r2, r) {
						return true
					}
				case *ssa.If:
					if returnsFalse(r2.Block(), r2.Block().Succs[1]) {
						return true
					}
				}
			}
		case *ssa.If:
			if returnsFalse(r.Block(), r.Block().Succs[0]) {
				return true
			}
		}
	}
	return false
}

func onlyReturned(phi *ssa.Phi) bool {
	for _, r := range *phi.Referrers() {
		if _, ok := r.(*ssa.Return); !ok {
			return false
		}
	}
	return true
}

func restFalse(phi *ssa.Phi, except ssa.Value) bool {
	for _, e := range phi.Edges {
		if e != except && !constFalse(e, nil) {
			return false
		}
	}
	return true
}

// returnsFalse reports whether going from block from to b means to return false at once.
func returnsFalse(from, b *ssa.BasicBlock) bool {
	ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
	if !ok {
		return false
	}
	v := ret.Results[0]
	if phi, ok := v.(*ssa.Phi); ok && phi.Block() == b {
		for i, p := range b.Preds {
			if p == from {
				v = phi.Edges[i]
			}
		}
	}
	return constFalse(v, nil)
}
