package startctx

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// election says whether a manager elects a leader.
type election uint8

const (
	unknown election = iota // the manager, or its options, come from elsewhere
	never                   // its options leave LeaderElection out
	maybe                   // LeaderElection is set, to true or to what a flag says
)

// electionOf is the election of the manager v.
func (c *checker) electionOf(v ssa.Value) election {
	ex, ok := flow.Resolve(v).(*ssa.Extract)
	if !ok {
		return c.elections()
	}
	call, ok := ex.Tuple.(*ssa.Call)
	if !ok || !kubeapi.ManagerMakers.Called(&call.Call) {
		return c.elections()
	}
	return electionOfCall(call)
}

// elections is what the managers that the package makes have in common; unknown where it makes none.
func (c *checker) elections() election {
	all := unknown
	for _, e := range c.managers() {
		if e != never || all == unknown {
			all = e
		}
	}
	return all
}

// managers are the elections of the managers that the package makes.
func (c *checker) managers() (all []election) {
	for call := range flow.Calls(c.pkg.Funcs...) {
		if made, ok := call.(*ssa.Call); ok && kubeapi.ManagerMakers.Called(&made.Call) {
			all = append(all, electionOfCall(made))
		}
	}
	return all
}

// electionOfCall reads the options that a manager is made with.
func electionOfCall(call *ssa.Call) election {
	for _, a := range call.Call.Args {
		if !kubeapi.ManagerOptions.Is(a.Type()) {
			continue
		}
		if _, empty := a.(*ssa.Const); empty {
			return never
		}
		stores, ok := fieldStores(a)
		if !ok {
			return unknown
		}
		e := never
		for _, v := range stores[kubeapi.ElectionOption] {
			if k, ok := v.(*ssa.Const); !ok || k.Value != nil && constant.BoolVal(k.Value) {
				e = maybe
			}
		}
		return e
	}
	return unknown
}

// fieldStores are the values that are stored to the fields of the local struct that v is read from; false where it is
// not written field by field, or goes elsewhere by its address.
func fieldStores(v ssa.Value) (map[string][]ssa.Value, bool) {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return nil, false
	}
	alloc, ok := load.X.(*ssa.Alloc)
	if !ok {
		return nil, false
	}
	out := map[string][]ssa.Value{}
	for f, st := range flow.FieldsSet(alloc) {
		out[f.Name()] = append(out[f.Name()], st.Val)
	}
	for _, r := range *alloc.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			// A literal that is put into a variable: opts := Options{…}.
			inner, ok := fieldStores(r.Val)
			if r.Addr != ssa.Value(alloc) || !ok {
				return nil, false
			}
			for name, vals := range inner {
				out[name] = append(out[name], vals...)
			}
		case *ssa.UnOp, *ssa.FieldAddr:
		default:
			return nil, false
		}
	}
	return out, true
}
