package unboundedsync

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// spins reports the loops of fn that ask a cache again and again whether it has synced, and that nothing else ends.
func (c *checker) spins(fn *ssa.Function) {
	for _, l := range flow.Loops(fn) {
		asked := c.endsOnSync(l)
		if asked == nil || announces(fn, l) || !c.wanted(flow.Pos(asked)) {
			continue
		}
		lacks, do := "has no timeout or stop condition", "use cache.WaitForCacheSync with a context"
		var related []analysis.RelatedInformation
		if p := ownBound(fn); p != nil {
			lacks, do = "never checks "+p.Name(), "return when it is "+blocking.Ended(p.Type())
			related = append(related, analysis.RelatedInformation{Pos: p.Pos(), Message: p.Name() + " is declared here"})
		}
		f := rule.Finding{
			Pos: flow.Pos(asked), Sub: "neverstops", Site: "sync-poll", Related: related,
			Message: fmt.Sprintf("this loop on %s %s: it never ends while the API server is down; %s", c.questions(l), lacks, do),
		}
		c.reportWait(f, site{at: asked, waits: true}, f.Site) // which keeps a processor busy, too
	}
}

// syncQuestion is the call that test decides by, if that asks a cache whether it has synced; nil for others.
func (c *checker) syncQuestion(test *ssa.If) *ssa.Call {
	cond, _ := flow.StripNot(test.Cond)
	q, ok := flow.Unwrap(cond).(*ssa.Call)
	if !ok || !asksSync(&q.Call) && !c.onlyAsksSync(c.pkg.Callee(&q.Call)) {
		return nil
	}
	return q
}

// questions are the functions by which the loop asks caches whether they have synced, as the source names them.
func (c *checker) questions(l *flow.Loop) string {
	var names []string
	for in := range l.Instrs() {
		test, ok := in.(*ssa.If)
		if !ok {
			continue
		}
		if q := c.syncQuestion(test); q != nil {
			if name := c.spelled(q, flow.Callee(&q.Call)); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, " and ")
}

// endsOnSync is the question of a loop whose every exit depends on whether a cache has synced, and on nothing else.
func (c *checker) endsOnSync(l *flow.Loop) ssa.CallInstruction {
	var asked ssa.CallInstruction
	for _, b := range l.Exits() {
		test := flow.Branch(b)
		if test == nil {
			return nil
		}
		q := c.syncQuestion(test)
		if q == nil || !l.Blocks[q.Block()] {
			return nil
		}
		asked = q
	}
	return asked
}

// announces reports whether fn is started as a goroutine that, after the loop, tells others: they wait for that, each with
// a bound of its own.
func announces(fn *ssa.Function, l *flow.Loop) bool {
	mc := flow.ClosureSite(fn)
	if mc == nil {
		return false
	}
	for _, r := range *mc.Referrers() {
		if _, ok := r.(*ssa.Go); !ok {
			return false
		}
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if l.Blocks[b] {
				continue
			}
			switch x := in.(type) {
			case *ssa.Send:
				return true
			case ssa.CallInstruction:
				if flow.Closed(x.Common()) != nil {
					return true
				}
			}
		}
	}
	return false
}

// asksSync reports whether call asks a cache if it has synced: the method HasSynced of whatever type, or a function of
// type cache.InformerSynced.
func asksSync(call *ssa.CallCommon) bool {
	sig := call.Signature()
	if sig.Results().Len() != 1 || !types.Identical(sig.Results().At(0).Type(), types.Typ[types.Bool]) {
		return false
	}
	if fn := flow.Callee(call); fn != nil {
		return fn.Name() == kubeapi.HasSynced && flow.Recv(call) != nil && len(flow.Args(call)) == 0
	}
	return kubeapi.InformerSynced.Is(call.Value.Type())
}

// onlyAsksSync reports whether fn, a function of the package that says yes or no, asks caches whether they have synced, and nothing else.
func (c *checker) onlyAsksSync(fn *ssa.Function) bool {
	if fn == nil || fn.Signature.Results().Len() != 1 || !flow.IsBool(fn.Signature.Results().At(0).Type()) {
		return false
	}
	asks := false
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Select, *ssa.Send:
			return false
		case *ssa.Store:
			if !flow.Argument(in.Addr) { // of what is logged
				return false
			}
		case *ssa.UnOp:
			if in.Op == token.ARROW || in.Op == token.MUL && flow.IsBool(in.Type()) {
				return false
			}
		case *ssa.BinOp:
			if slices.ContainsFunc([]ssa.Value{in.X, in.Y}, isInput) {
				return false // a test of its own
			}
		case ssa.CallInstruction:
			_, builtin := in.Common().Value.(*ssa.Builtin)
			switch {
			case asksSync(in.Common()):
				asks = true
			case !builtin && !kubeapi.OnlyLogs(in):
				return false
			}
		}
	}
	return asks
}

// isInput reports whether v is what a function is given, or what it has read.
func isInput(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		return true
	case *ssa.UnOp:
		return v.Op == token.MUL
	}
	return false
}

// ownBound is the context or stop channel that fn, or the function that it lies in, takes; nil for none.
func ownBound(fn *ssa.Function) *ssa.Parameter {
	for ; fn != nil; fn = fn.Parent() {
		for _, p := range fn.Params {
			if c, ok := p.Type().Underlying().(*types.Chan); p.Name() != "_" && p.Name() != "" && blocking.IsBound(p.Type()) && (!ok || c.Dir() != types.SendOnly) {
				return p
			}
		}
	}
	return nil
}
