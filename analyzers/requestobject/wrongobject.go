package requestobject

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/requests"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// wrongObject reports an update of a new object, in which nobody has put a resource version, where fields of it were
// stored in another object of the kind that was read before, and that is not used from there on: the changes were to be
// sent with it.
func (c *checker) wrongObject(r request, all []request) {
	if r.Verb != kubeapi.VerbUpdate || r.path.Sel != "" || !values.Fresh(r.path.Root, c.pkg) {
		return
	}
	for _, o := range c.reqs.On(r.call.Parent(), r.path) {
		if o.In != r.call && flow.Reaches(o.In, r.call, nil) && renews(o) {
			return
		}
	}
	for _, get := range all {
		if get.Verb != kubeapi.VerbGet || get.path == r.path || get.kind != r.kind {
			continue
		}
		write := c.lostCopy(get, r)
		if write == nil {
			continue
		}
		effect := "is refused"
		if kubeapi.IsBuiltin(r.kind) {
			effect = "may overwrite all of it"
		}
		rule.Report(c.pass, rule.Finding{
			Pos: r.call.Pos(), Sub: "wrongobject", Site: "changes-in-another-object",
			Message: fmt.Sprintf("the changes are in %[1]s (line %d), and %s is sent, which has no resource version "+
				"and so %s; send %[1]s", c.nameOf(get), c.line(write), c.nameOf(r), effect),
			Related: []analysis.RelatedInformation{related(write, "this is never sent")},
		})
		return
	}
}

// renews reports whether o may give its object another resource version.
func renews(o requests.Op) bool {
	field, _, _ := kubeapi.MetaWrite(o.In)
	st, isStore := o.In.(*ssa.Store)
	switch {
	case o.Fills || field == kubeapi.MetaResourceVersion:
		return true
	case o.Way == "":
		return o.Writes != o.Writes.Sure() || o.Writes == requests.Whole
	case o.Way == "."+kubeapi.ObjectMeta:
		return !isStore || !isWithoutVersion(st.Val)
	}
	return false
}

// isWithoutVersion reports whether v is metadata that is written out without a resource version.
func isWithoutVersion(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || !values.Made(load.X) || flow.Any(flow.StoresTo(load.X), func(*ssa.Store) bool { return true }) {
		return false
	}
	version := func(f *types.Var, _ *ssa.Store) bool { return f.Name() == string(kubeapi.MetaResourceVersion) }
	return !flow.Any2(flow.FieldsSet(load.X), version)
}

// lostCopy is the last store between get and r to the object of get of a field of the object of r; nil if there is
// none, if the object of get is used behind it for anything but comparisons and logs, or if something of it is stored
// in the object of r.
func (c *checker) lostCopy(get, r request) (last *ssa.Store) {
	fn := r.call.Parent()
	for st := range flow.InstrsOf[*ssa.Store](fn) {
		to, from := flow.PathOf(st.Addr), flow.PathOf(st.Val)
		if load, ok := flow.Unwrap(st.Val).(*ssa.UnOp); ok {
			from = flow.PathOf(load.X) // the field, not what is known to be in it
		}
		_, into := get.path.Below(to)
		way, ok := r.path.Below(from)
		if into && ok && way != "" && flow.Reaches(get.call, st, nil) && flow.Reaches(st, r.call, nil) {
			last = st
		}
		_, back := r.path.Below(to)
		if _, ok := get.path.Below(from); back && ok {
			return nil
		}
	}
	if last == nil {
		return nil
	}
	for _, o := range c.reqs.On(fn, get.path) {
		if o.In != get.call && (o.Sends != 0 || o.Writes.Sure() != o.Writes) && flow.Reaches(last, o.In, nil) {
			return nil
		}
	}
	return last
}
