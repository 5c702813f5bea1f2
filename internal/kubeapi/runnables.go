package kubeapi

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/values"
)

// A Runnable is a function that a manager, or a caller of its kind, runs until it asks it to stop.
type Runnable struct {
	Fn      *ssa.Function
	Stop    *ssa.Parameter // the context, or the stop channel
	Name    string         // as a message names it
	Managed bool           // it is a manager.Runnable, and no run loop that only looks like one
}

// ImportsManager reports whether pkg uses controller-runtime, and so may have a manager.
func ImportsManager(pkg *types.Package) bool {
	return Imports(pkg, func(path string) bool { return Under(path, ControllerRuntime) })
}

// Runnables returns what the package adds to managers, and its functions that managers run, in source order: the
// methods of a manager.Runnable, functions converted to manager.RunnableFunc, and the run loops of plain client-go
// controllers.
func Runnables(p Package) (adds []AddedRunnable, found []Runnable) {
	manages := ImportsManager(p.SSA().Pkg)
	clustered := Imports(p.SSA().Pkg, OfKubernetes)
	seen := map[*ssa.Function]bool{}
	add := func(r Runnable) {
		if !seen[r.Fn] && len(r.Fn.Blocks) > 0 {
			seen[r.Fn] = true
			found = append(found, r)
		}
	}
	for _, fn := range p.All() {
		sig := fn.Signature
		if sig.Recv() == nil || sig.Variadic() || len(fn.Params) < 2 || fn.Synthetic != "" {
			continue
		}
		if !Starts(fn.Name()) || sig.Results().Len() > 0 && !onlyError(sig) {
			continue
		}
		stop := stopParam(fn)
		if stop == nil {
			continue
		}
		single := sig.Params().Len() == 1
		managed := manages && fn.Name() == Start && single && onlyError(sig)
		// A method Start(ctx) that cannot fail may be of another kind: a source, a worker that its owner waits for.
		if managed || clustered && (single || workers(sig)) && (fn.Name() == "Run" || IsStopChannel(stop.Type())) {
			add(Runnable{fn, stop, flow.FuncName(fn), managed})
		}
	}
	if manages {
		adds = findAdds(p)
	}
	for _, a := range adds {
		if a.Fn == nil || a.Fn.Pkg != p.SSA() || len(a.Fn.Params) == 0 {
			continue
		}
		name := flow.FuncName(a.Fn)
		if a.Fn.Parent() != nil {
			name = "the RunnableFunc"
			if d := flow.Decl(a.Fn); d.Object() != nil {
				name += " in " + flow.FuncName(a.Fn)
			}
		}
		add(Runnable{a.Fn, a.Fn.Params[len(a.Fn.Params)-1], name, true})
	}
	return adds, found
}

func onlyError(sig *types.Signature) bool { return flow.ErrorResult(sig) == 0 }

// IsRunnableStart reports whether m is the method Start of a Runnable, of any version.
func IsRunnableStart(m *types.Func) bool {
	if !IsStart(m) || m.Signature().Params().Len() != 1 || !onlyError(m.Signature()) {
		return false
	}
	sig := m.Signature()
	p := sig.Params().At(0).Type()
	return IsContext(p) || IsStopChannel(p)
}

// IsStart reports whether m is a method Start.
func IsStart(m *types.Func) bool { return m != nil && m.Name() == Start && m.Signature().Recv() != nil }

// StartOf returns the method Start of t, nil if it has none.
func StartOf(t types.Type) *types.Func { return Method(t, Start) }

// Starts reports whether fn is called as the methods are that components run by: Start or Run.
func Starts(fn string) bool { return fn == Start || fn == "Run" }

// HasLeaderChoice reports whether t says itself whether it needs leader election, or is a cluster, of which a manager
// knows it.
func HasLeaderChoice(t types.Type) bool {
	return Method(t, NeedLeaderElection) != nil || Method(t, GetCache) != nil
}

// IsCache reports whether t has what controller-runtime's Cache has.
func IsCache(t types.Type) bool {
	return !slices.ContainsFunc([]string{"Get", "List", "GetInformer", "GetInformerForKind", "WaitForCacheSync", "IndexField", Start}, func(name string) bool {
		return Method(t, name) == nil
	})
}

// IsWebhookServer reports whether t is a webhook server of controller-runtime.
func IsWebhookServer(t types.Type) bool {
	return IsType(t, webhookPackage, "Server") || IsType(t, webhookPackage, "DefaultServer")
}

// ElectionCallback returns what the field at fa is called for, if it is one of leaderelection.LeaderCallbacks: when
// this replica begins to lead, or no longer does.
func ElectionCallback(fa *ssa.FieldAddr) (started, stopped, ok bool) {
	name := flow.Field(fa.X.Type(), fa.Field).Name()
	return name == "OnStartedLeading", name == "OnStoppedLeading", IsType(fa.X.Type(), leaderElection, "LeaderCallbacks")
}

// ImportsElection reports whether pkg uses the package of leader elections.
func ImportsElection(pkg *types.Package) bool {
	return Imports(pkg, func(path string) bool { return path == leaderElection })
}

// IsStopChannel reports whether t is <-chan struct{}.
func IsStopChannel(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	return ok && ch.Dir() == types.RecvOnly && flow.IsEmptyStruct(ch.Elem())
}

// IsSourceStart reports whether fn is the Start of a source that syncs: a method that takes a context and a work queue,
// of a type that has a WaitForSync, too.
func IsSourceStart(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	if recv == nil || fn.Name() != Start || fn.Parent() != nil || fn.Signature.Params().Len() < 2 {
		return false
	}
	queue := false
	for p := range fn.Signature.Params().Variables() {
		queue = queue || InWorkqueue(p.Type())
	}
	sync := Method(recv.Type(), "WaitForSync")
	return queue && sync != nil && sync.Signature().Params().Len() == 1 && IsContext(sync.Signature().Params().At(0).Type())
}

// stopParam returns the only context or stop channel among the parameters of fn, nil if there is none or more than one.
func stopParam(fn *ssa.Function) *ssa.Parameter {
	var stop *ssa.Parameter
	for _, p := range fn.Params[1:] {
		if IsContext(p.Type()) || IsStopChannel(p.Type()) {
			if stop != nil {
				return nil
			}
			stop = p
		}
	}
	return stop
}

// workers reports whether all that sig takes beside a context or a stop channel is a number, as the Run methods of
// client-go controllers do.
func workers(sig *types.Signature) bool {
	if sig.Params().Len() != 2 {
		return false
	}
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 || IsContext(t) || IsStopChannel(t) {
			continue
		}
		return false
	}
	return true
}

// An AddedRunnable is something that the package passes to a manager as a Runnable: an argument of Manager.Add, or a
// conversion to RunnableFunc wherever it goes.
type AddedRunnable struct {
	Pos  token.Pos
	Mgr  ssa.Value     // nil for a conversion that is not seen to reach a manager
	What ssa.Value     // without the conversions to interfaces
	Fn   *ssa.Function // for a RunnableFunc: its function, where that is known
	Recv ssa.Value     // for a RunnableFunc made of a method value: the receiver
	Far  *types.Func   // for a RunnableFunc: its function, where another package declares it
}

func findAdds(p Package) []AddedRunnable {
	all := p.All()
	var adds []AddedRunnable
	passed := map[ssa.Value]bool{}
	for call := range flow.Calls(all...) {
		common := call.Common()
		callee := flow.Callee(common)
		args := flow.Args(common)
		if callee == nil || callee.Name() != "Add" || len(args) != 1 || flow.Recv(common) == nil || !isRunnable(callee.Signature().Params()) {
			continue
		}
		for _, v := range alternatives(p, args[0]) {
			a := AddedRunnable{Pos: call.Pos(), Mgr: flow.Recv(common), What: v}
			if conv := RunnableFunc(v); conv != nil {
				passed[conv] = true
				a.setFunc(p, conv)
			}
			adds = append(adds, a)
		}
	}
	for in := range flow.Instrs(all...) {
		conv, ok := in.(*ssa.ChangeType)
		if ok && !passed[conv] && IsType(conv.Type(), Manager, RunnableFuncName) {
			a := AddedRunnable{Pos: flow.Pos(conv), What: conv}
			a.setFunc(p, conv)
			adds = append(adds, a)
		}
	}
	return adds
}

// alternatives returns the values that the interface v may hold, as far as the package says: without their
// conversions to interfaces, one for each assignment of a variable, and one for each return of a function of the
// package.
func alternatives(p Package, v ssa.Value) (out []ssa.Value) {
	work := values.From(v)
	for v := range work.All() {
		from := sources(p, v)
		if mi, ok := v.(*ssa.MakeInterface); ok {
			out = append(out, mi.X)
		} else if from == nil {
			out = append(out, flow.Resolve(v))
		}
		work.Add(from...)
	}
	return out
}

// sources returns the interfaces from which v comes; none if it is made here, or comes from elsewhere.
func sources(p Package, v ssa.Value) []ssa.Value {
	switch x := v.(type) {
	case *ssa.MakeInterface, *ssa.TypeAssert, *ssa.FreeVar:
		return nil
	case *ssa.UnOp:
		return values.Stored(x.X)
	case *ssa.Call, *ssa.Extract:
		return slices.DeleteFunc(values.Results(p, v), func(v ssa.Value) bool { return !types.IsInterface(v.Type()) })
	}
	return values.Sources(v)
}

// isRunnable reports whether the only parameter is a manager.Runnable.
func isRunnable(params *types.Tuple) bool {
	return params.Len() == 1 && RunnableType.Is(params.At(0).Type())
}

// RunnableFunc returns the conversion to manager.RunnableFunc that v is, or nil.
func RunnableFunc(v ssa.Value) *ssa.ChangeType {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			if IsType(x.Type(), Manager, RunnableFuncName) {
				return x
			}
			v = x.X
		case *ssa.UnOp:
			s := flow.SingleStore(x.X)
			if s == nil {
				return nil
			}
			v = s
		default:
			return nil
		}
	}
}

// setFunc fills in the function behind a conversion to RunnableFunc.
func (a *AddedRunnable) setFunc(p Package, conv *ssa.ChangeType) {
	fn := flow.FuncValue(conv.X)
	if fn == nil {
		return
	}
	if mc, ok := flow.Resolve(conv.X).(*ssa.MakeClosure); ok && fn.Synthetic != "" && len(mc.Bindings) == 1 {
		a.Recv = mc.Bindings[0]
	}
	if own := p.Own(fn); own != nil && own.Signature.Params().Len() == 1 {
		a.Fn = own
	} else if own == nil {
		a.Far = flow.Object(fn)
	}
}

// RunsCommand reports whether the field of a command with that name is the function that does its work.
func RunsCommand(field string) bool { return field == "Run" || field == "RunE" }

// CobraCommands returns the functions of the package that cobra runs for a command, with the names of its fields.
func CobraCommands(pkg Package) map[*ssa.Function]string {
	commands := map[*ssa.Function]string{}
	for st, fa := range flow.FieldStores(pkg.All()...) {
		if !IsType(fa.X.Type(), "github.com/spf13/cobra", "Command") {
			continue
		}
		if run := pkg.Own(flow.FuncValue(st.Val)); run != nil {
			commands[run] = flow.Field(fa.X.Type(), fa.Field).Name()
		}
	}
	return commands
}
