package unboundedsync

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// ignoredResult reports a wait whose result is thrown away where the code goes on as if the caches had synced.
func (c *checker) ignoredResult(at ssa.CallInstruction, w wait) bool {
	call, ok := at.(*ssa.Call)
	if !ok || !w.Result || w.given == nil {
		return false
	}
	verb := "ignored"
	var fixes []analysis.SuggestedFix
	switch {
	case !flow.Used(call):
		fixes = c.checkResult(call)
	case onlyLogged(call, flow.No):
		verb = "only logged"
	default:
		return false
	}
	end := c.bounds.Of(w.given, at)
	switch {
	case end.Limit == blocking.Deadline:
	case !c.stopped, end.Limit == blocking.Signal, ofServer(w.given, map[ssa.Value]bool{}): // whatever it goes on to do, the process is about to end
		return false
	}
	use, how := c.goesOn(call, w, end.Limit == blocking.Deadline)
	if _, gives := use.(*ssa.Return); use == nil || gives && c.askedAgain(call) {
		return false
	}
	when := "stops early"
	if end.Limit == blocking.Deadline {
		when = "runs out of time"
	}
	rule.Report(c.pass, rule.Finding{
		Pos: flow.Pos(at), Sub: "ignoredresult", Site: "ignored-sync-result",
		Message: fmt.Sprintf("the result of %s is %s: where the wait %s, %s with a cache that is not complete", c.spelled(at, flow.Callee(at.Common())), verb, when, how),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(use), Message: "goes on here"}},
		Fixes:   fixes,
	})
	return true
}

// askedAgain reports whether what call waits for lies in a field that the package asks elsewhere, too, whether the cache has synced by then.
func (c *checker) askedAgain(call *ssa.Call) bool {
	fields := map[*types.Var]bool{}
	for _, arg := range flow.Args(&call.Call) {
		for _, synced := range append(flow.Elements(arg), arg) {
			if fa := flow.LoadedFrom(flow.Unwrap(synced)); fa != nil {
				fields[flow.Field(fa.X.Type(), fa.Field)] = true
			}
		}
	}
	return slices.ContainsFunc(c.pkg.All(), func(fn *ssa.Function) bool {
		asks := false
		if len(fields) > 0 {
			flow.Calls(fn, func(other ssa.CallInstruction) {
				if fa := flow.LoadedFrom(other.Common().Value); fa != nil && fields[flow.Field(fa.X.Type(), fa.Field)] {
					asks = true
				}
			})
		}
		return asks
	})
}

// ofServer reports whether v is the context, or stop channel, that an API server gives to its hooks: it ends with the server, and so with the
// process.
func ofServer(v ssa.Value, seen map[ssa.Value]bool) bool {
	v = flow.Resolve(v)
	if n := kube.Named(v.Type()); n != nil && n.Obj().Name() == "PostStartHookContext" {
		return true
	}
	in, ok := v.(ssa.Instruction)
	if _, phi := v.(*ssa.Phi); !ok || phi || seen[v] {
		return false
	}
	seen[v] = true
	return slices.ContainsFunc(in.Operands(nil), func(op *ssa.Value) bool { return *op != nil && ofServer(*op, seen) })
}

// onlyLogged reports whether all that becomes of v, the result of a wait, comes to logs, or decides whether to log that the caches did not sync; truth is the side
// of a test of v on which they did not.
func onlyLogged(v ssa.Value, truth flow.Truth) bool {
	for _, r := range *v.Referrers() {
		is := false
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.IndexAddr: // see Store
			is = true
		case *ssa.If:
			is = onlyLogs(flow.Side(r, truth))
		case *ssa.UnOp:
			is = r.Op == token.NOT && onlyLogged(r, truth.Not())
		case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.Slice:
			is = onlyLogged(r.(ssa.Value), flow.Either)
		case *ssa.Range, *ssa.Next:
			is = onlyLogged(r.(ssa.Value), truth)
		case *ssa.Extract: // of the turn of a range statement: whether there is another one, which kind, and whether its cache did sync
			is = r.Index == 0 || onlyLogged(r, truth)
		case *ssa.Store:
			is = flow.Argument(r.Addr) && onlyLogged(r.Addr.(*ssa.IndexAddr).X, flow.Either)
		case *ssa.Call:
			is = kube.Logs(flow.Callee(&r.Call)) && onlyLogged(r, flow.Either)
		}
		if !is {
			return false
		}
	}
	return true
}

// onlyLogs reports whether logs, one side of a test, does nothing but to log, and what comes next does not tell the two sides apart.
func onlyLogs(logs *ssa.BasicBlock) bool {
	if logs == nil || len(logs.Succs) != 1 || len(logs.Preds) != 1 {
		return false
	}
	for _, in := range logs.Instrs {
		switch x := in.(type) {
		case *ssa.Call:
			if !kube.Logs(flow.Callee(&x.Call)) {
				return false
			}
		case *ssa.Store:
			if _, ok := x.Addr.(*ssa.IndexAddr); !ok { // an argument of the log
				return false
			}
		case *ssa.Go, *ssa.Defer, *ssa.Send, *ssa.MapUpdate:
			return false
		}
	}
	// What comes next must not tell the two ways apart.
	return !slices.ContainsFunc(logs.Succs[0].Instrs, func(in ssa.Instruction) bool {
		phi, ok := in.(*ssa.Phi)
		return ok && slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool { return e != phi.Edges[0] })
	})
}

// goesOn is the first instruction after the wait that takes the caches for complete, and what it does, to follow "where
// the wait stops early,". It is nil where the code after the wait looks at what ended it, or does nothing of that kind. After a deadline, whatever is started works with what is there.
func (c *checker) goesOn(call *ssa.Call, w wait, timed bool) (ssa.Instruction, string) {
	over := c.ancestors(w.given, true)
	fn := call.Parent()
	looks := func(in ssa.Instruction) bool { return c.looksAt(in, over) }
	for in := range flow.Instrs(fn) {
		if in == ssa.Instruction(call) {
			continue
		}
		how := ""
		switch x := in.(type) {
		case *ssa.Call:
			switch read := c.reads(x); {
			case looks(x):
			case read != "":
				how = fmt.Sprintf("line %d %s", rule.Line(c.pass, flow.Pos(x)), read)
			}
		case *ssa.Go:
			if timed && c.works(x) {
				how = "workers start"
			}
		case *ssa.Return:
			if succeeds(x) {
				how = flow.FuncName(fn) + " reports success"
				if fn.Parent() != nil {
					how = "the function literal reports success"
				}
			}
		}
		if how != "" && flow.Reaches(call, in, looks) {
			return in, how
		}
	}
	return nil, ""
}

// succeeds reports whether ret says that all went well: a nil error, or values where there is no error to give.
func succeeds(ret *ssa.Return) bool {
	n := len(ret.Results)
	if n == 0 {
		return false
	}
	last := ret.Results[n-1]
	if k, ok := last.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Bool {
		return constant.BoolVal(k.Value)
	}
	if types.Identical(last.Type(), types.Universe.Lookup("error").Type()) {
		k, ok := last.(*ssa.Const)
		return ok && k.IsNil()
	}
	return holdsReader(last.Type())
}

// ancestors are v, a context or stop channel, and those that it is derived from; without those beyond a deadline, which
// need not have ended when v has, where stay is set.
func (c *checker) ancestors(v ssa.Value, stay bool) []flow.Path {
	var out []flow.Path
	for v != nil {
		v = flow.Resolve(v)
		p := placeOf(v)
		if slices.Contains(out, p) {
			break // a variable that is derived from itself
		}
		out = append(out, p)
		call, _ := flow.ResultOf(v)
		if call == nil {
			break
		}
		var next ssa.Value
		for _, a := range flow.AllArgs(&call.Call) {
			if blocking.IsBound(a.Type()) {
				next = a
			}
		}
		if stay && c.timed(v) && !c.timed(next) {
			break
		}
		v = next
	}
	return out
}

// timed reports whether v, a context or stop channel, has a deadline.
func (c *checker) timed(v ssa.Value) bool { return c.bounds.Of(v, nil).Limit == blocking.Deadline }

// placeOf is the access path of v, where a getter that is called twice, as a request's Context is, gives one thing.
func placeOf(v ssa.Value) flow.Path {
	if call, ok := v.(*ssa.Call); ok && len(flow.Args(&call.Call)) == 0 {
		if fn, recv := flow.Callee(&call.Call), flow.Recv(&call.Call); fn != nil && recv != nil {
			if p := flow.PathOf(recv); p.Known() {
				return flow.Path{Root: p.Root, Sel: p.Sel + "." + fn.Name() + "()"}
			}
		}
	}
	return flow.PathOf(v)
}

// looksAt reports whether in looks at what ended the wait: it receives from it, asks it, or hands it to something that
// does and then comes back with an error, or not at all.
func (c *checker) looksAt(in ssa.Instruction, over []flow.Path) bool {
	one := func(v ssa.Value) bool {
		if !blocking.IsBound(v.Type()) {
			return false
		}
		// What is derived from a context that has ended has ended.
		return slices.ContainsFunc(c.ancestors(v, false), func(p flow.Path) bool { return p.Known() && slices.Contains(over, p) })
	}
	switch x := in.(type) {
	case *ssa.UnOp:
		return x.Op.String() == "<-" && one(x.X)
	case *ssa.Select:
		return slices.ContainsFunc(x.States, func(st *ssa.SelectState) bool { return one(st.Chan) })
	case *ssa.Call:
		if asksSync(&x.Call) {
			return true
		}
		return slices.ContainsFunc(flow.AllArgs(&x.Call), one) && !atOnce(&x.Call)
	}
	return false
}

// atOnce reports whether call comes back at once although the context that it is given has ended: it derives another
// one, takes something out of it, or starts informers.
func atOnce(call *ssa.CallCommon) bool {
	fn := flow.Callee(call)
	if fn == nil {
		return false
	}
	res := call.Signature().Results()
	if fn.Name() == "Start" && res.Len() == 0 {
		return true
	}
	if fn.Pkg() != nil && fn.Pkg().Path() == "context" {
		return fn.Name() != "Err"
	}
	for r := range res.Variables() {
		if b, ok := r.Type().Underlying().(*types.Basic); ok && b.Kind() == types.Bool || types.Identical(r.Type(), types.Universe.Lookup("error").Type()) {
			return false
		}
	}
	return res.Len() > 0
}
