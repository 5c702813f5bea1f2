package startctx

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Whether a method Start is a Runnable's is for those to say who hand its object to a manager. Where its package knows of no
// manager, what there would be to say of it is kept as a fact, until a package does that.

// Startable is the fact of a method Start that could be a Runnable's.
type Startable struct {
	Dir      string // of the package
	Findings []link.Kept
}

// AFact marks Startable as a fact.
func (*Startable) AFact() {}

// String is for the tests of facts.
func (s *Startable) String() string {
	text := "could be a Runnable's:"
	for _, k := range s.Findings {
		text += " " + k.Sub + " at " + k.At.String()
	}
	return text
}

// exportStartables keeps what there is to say of the methods that are Runnables if a manager gets their objects, and that the
// package itself does not know to be.
func (c *checker) exportStartables() {
	if c.managed || rule.IsDependency(c.pass) {
		return
	}
	for _, fn := range c.pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || fn.Name() != "Start" || fn.Signature.Recv() == nil || !kubeapi.IsRunnableStart(obj) || len(fn.Params) != 2 {
			continue
		}
		s := &Startable{Dir: link.Dir(c.pass)}
		c.keep = func(f rule.Finding) {
			if k, ok := link.Keep(c.pass, f); ok {
				s.Findings = append(s.Findings, k)
			}
		}
		r := kubeapi.Runnable{Fn: fn, Stop: fn.Params[1], Name: flow.FuncName(fn), Managed: true}
		told := c.told
		c.told = map[token.Pos]bool{} // what another Start has in common with it is to be said of both
		c.judge(r)
		c.keep, c.told = nil, told
		if len(s.Findings) > 0 {
			c.pass.ExportObjectFact(obj, s)
		}
	}
}

// judge reports what is wrong with r, of which no manager is known here.
func (c *checker) judge(r kubeapi.Runnable) {
	if op := c.deafTo(r); op == nil {
		c.endless(r)
	} else if !c.endedByOthers(op) {
		c.ignored(r)
	}
}

// endedByOthers reports whether those who have the object of the method have what op waits for, and so may end it: it is in an exported field, or
// in one that is filled with what others give.
func (c *checker) endedByOthers(op *operation) bool {
	if givenBy(op) {
		return true
	}
	var fields []*types.Var
	for _, v := range op.on {
		p := flow.PathOf(v)
		if !p.Known() {
			return true
		}
		for _, s := range p.Steps() {
			if s.Field != nil {
				fields = append(fields, s.Field)
			}
		}
	}
	for _, f := range c.pkg.Funcs {
		for st := range flow.InstrsOf[*ssa.Store](f) {
			fa, ok := st.Addr.(*ssa.FieldAddr)
			if !ok || !slices.Contains(fields, flow.Field(fa.X.Type(), fa.Field)) {
				continue
			}
			if _, given := flow.Resolve(st.Val).(*ssa.Parameter); given {
				return true
			}
		}
	}
	return false
}

// handed reports what other packages have kept of the Runnables that this one hands to managers.
func (c *checker) handed() {
	done := map[*types.Func]bool{}
	for _, a := range c.adds {
		start := startOfAdd(a)
		var s Startable
		if start == nil || done[start] || !c.pass.ImportObjectFact(start, &s) {
			continue
		}
		done[start] = true
		for _, k := range s.Findings {
			f := k.Finding(c.pass, link.Dirs{k.At.Package(): s.Dir})
			if f.Pos.IsValid() {
				f.Related = append(f.Related, analysis.RelatedInformation{Pos: a.Pos, Message: "it is handed to the manager here"})
				c.report(f)
			}
		}
	}
}

// startOfAdd is the function of another package that a manager runs for a.
func startOfAdd(a kubeapi.AddedRunnable) *types.Func {
	if a.Fn != nil || a.Far != nil {
		return a.Far
	}
	n := kubeapi.Named(a.What.Type())
	if n == nil || types.IsInterface(n) {
		return nil
	}
	if m := kubeapi.Method(types.NewPointer(n), "Start"); m != nil {
		return m.Origin()
	}
	return nil
}

// givenBy reports whether the caller has what op waits for, and so may end it: it was passed, or is in an exported field.
func givenBy(op *operation) bool {
	return slices.ContainsFunc(op.on, func(v ssa.Value) bool {
		p := flow.PathOf(v)
		param, ok := p.Root.(*ssa.Parameter)
		if !ok {
			return false
		}
		own := param.Parent().Signature.Recv() != nil && param == param.Parent().Params[0]
		return !own || slices.ContainsFunc(p.Steps(), func(s flow.Step) bool { return s.Field != nil && s.Field.Exported() })
	})
}
