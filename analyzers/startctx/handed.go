package startctx

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Whether a method Start is a Runnable's is for those to say who hand its object to a manager. Where its package knows of no
// manager, what there would be to say of it is kept as a fact, until a package does that.

// Startable is the fact of a method Start that could be a Runnable's.
type Startable struct {
	Dir      string // of the package
	Findings []link.Kept
	Need     *link.Kept // what it does that every replica needs, with the text of a clause; nil where there is nothing
}

// AFact marks Startable as a fact.
func (*Startable) AFact() {}

// String is for the tests of facts.
func (s *Startable) String() string {
	text := "could be a Runnable's:"
	for _, k := range s.Findings {
		text += " " + k.Sub + " at " + k.At.String()
	}
	if s.Need != nil {
		text += " every replica needs it at " + s.Need.At.String()
	}
	return text
}

// exportStartables keeps what there is to say of the methods that are Runnables if a manager gets their objects, and that the
// package itself does not know to be.
func (c *checker) exportStartables() {
	if c.managed && !c.internal() || rule.IsDependency(c.pass) {
		return
	}
	for _, fn := range c.pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || fn.Name() != "Start" || fn.Signature.Recv() == nil || !controllers.IsStart(obj) || len(fn.Params) != 2 {
			continue
		}
		s := &Startable{Dir: link.Dir(c.pass)}
		c.keep = func(f rule.Finding) {
			if k, ok := link.Keep(c.pass, f); ok {
				s.Findings = append(s.Findings, k)
			}
		}
		r := controllers.Runnable{Fn: fn, Stop: fn.Params[1], Name: flow.FuncName(fn), Managed: true}
		told, looked := c.told, c.seen
		c.told, c.seen = map[token.Pos]bool{}, map[ssa.Instruction]bool{} // what another Start has in common with it is to be said of both
		if !c.managed {                                                   // else its Runnables are judged here, but for where they run
			c.judge(r)
		}
		c.keep, c.told, c.seen = nil, told, looked
		n := kube.Named(obj.Signature().Recv().Type())
		here := slices.ContainsFunc(c.adds, func(a controllers.Add) bool { return kube.Named(a.What.Type()) == n }) // it is known where it runs
		if need := c.everywhere(fn, n); need != nil && !here && rule.WantedFor(c.pass, "startctx/leaderonly", fn.Pos()) {
			s.Need = &link.Kept{
				At: link.AtOf(c.pass, fn.Pos()), Message: fmt.Sprintf("%s (%s)", need.text, link.AtOf(c.pass, need.pos)),
				Related: []link.Beside{{At: link.AtOf(c.pass, need.pos), Message: "every replica needs this"}},
			}
		}
		if len(s.Findings) > 0 || s.Need != nil {
			c.pass.ExportObjectFact(obj, s)
		}
	}
}

// judge reports what is wrong with r, of which no manager is known here.
func (c *checker) judge(r controllers.Runnable) {
	if op := c.deafTo(r); op == nil {
		c.detached(r)
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
		for in := range flow.Instrs(f) {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
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
			c.reportKept(&s, &k, k.Message, a.Pos)
		}
	}
}

// startOfAdd is the function of another package that a manager runs for a.
func startOfAdd(a controllers.Add) *types.Func {
	if a.Fn != nil || a.Far != nil {
		return a.Far
	}
	n := kube.Named(a.What.Type())
	if n == nil || types.IsInterface(n) {
		return nil
	}
	if m := kube.Method(types.NewPointer(n), "Start"); m != nil {
		return m.Origin()
	}
	return nil
}

// reportKept reports k where it lies, and that a manager gets its object at pos.
func (c *checker) reportKept(s *Startable, k *link.Kept, message string, pos token.Pos) {
	f := k.Finding(c.pass, link.Dirs{k.At.Package(): s.Dir})
	if !f.Pos.IsValid() {
		return
	}
	f.Message = message
	f.Related = append(f.Related, analysis.RelatedInformation{Pos: pos, Message: "it is handed to the manager here"})
	c.report(f)
}

// needElsewhere is what is kept of the method start of another package, where it does what every replica needs.
func (c *checker) needElsewhere(start *types.Func) (*Startable, bool) {
	var s Startable
	return &s, c.pass.ImportObjectFact(start, &s) && s.Need != nil
}
