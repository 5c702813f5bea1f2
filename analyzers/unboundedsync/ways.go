package unboundedsync

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/link"
	origins "github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Whether a wait for something outside keeps a worker is for the whole program to say: who reconciles often calls an interface of one package, which a type of
// another one has. So each package leaves behind what its functions call, as far as that may lead to such a wait, and where the program comes together
// it is seen what the reconcilers come to.

// Outside is the fact of a package: its waits for something outside, and the ways of calls that may lead to such.
type Outside struct {
	link.Unit[Outside]
	Types     link.Types
	Turns     []string // reconcilers, handlers of events, workers of queues
	Calls     []callEdge
	Invokes   []invokeEdge
	Waits     []keptWait
	Intercept bool // it gives gRPC clients something that may end their calls
	Dials     bool // it makes gRPC clients
	Clients   bool // it makes HTTP clients for others
}

// A callEdge says that one function waits for another one that it calls.
type callEdge struct{ From, To string }

// An invokeEdge says that a function calls a method of an interface.
type invokeEdge struct{ From, Iface, Method string }

// A keptWait is a finding, where a program comes to the function In while it works something off. Of those with one key one is told of.
type keptWait struct {
	In, Key string
	Peer    bool // it is the call of a gRPC client
	link.Kept
}

// AFact marks Outside as a fact.
func (*Outside) AFact() {}

// String is for the tests of facts.
func (o *Outside) String() string {
	text := "outside:"
	for _, w := range o.Waits {
		text += " " + w.At.String()
	}
	return text
}

// empty reports whether there is nothing to hand on.
func (o *Outside) empty() bool {
	return len(o.Turns)+len(o.Calls)+len(o.Invokes)+len(o.Waits)+len(o.Types.Conversions) == 0 && !o.Intercept && !o.Dials && !o.Clients
}

// outside hands on what the package does outside, and reports what the program does where it comes together.
func (c *checker) outside() {
	below := link.Gather[Outside](c.pass)
	if rule.IsDependency(c.pass) {
		c.waitsOutside()
		return
	}
	own := c.ways(c.waitsOutside(), below)
	c.reportOwn(own, below)
	if !own.empty() || rule.Active.DirectFacts && len(below) > 0 {
		link.HandOn(c.pass, own, below)
	}
	if link.Program(c.pass) {
		c.reportOutside(append(below, own))
	}
}

// ways are the waits of the package, and what may lead to those and to others.
func (c *checker) ways(all []lasting, below []*Outside) *Outside {
	own := &Outside{Clients: c.givesClients}
	slices.SortStableFunc(all, byFunction)
	leads := map[string]bool{}
	for _, l := range all {
		k, ok := link.Keep(c.pass, c.finding(l))
		if !ok {
			continue
		}
		k.Related = append(k.Related, l.made...)
		in := origins.FuncName(l.call.Parent())
		leads[in] = true
		own.Waits = append(own.Waits, keptWait{in, c.pkg.Pkg.Path() + " " + l.Key, l.Kind == toPeer, k})
	}
	known, inSight := map[string]bool{}, map[string]bool{c.pkg.Pkg.Path(): true}
	for _, b := range below {
		inSight[b.Path] = true
		for _, w := range b.Waits {
			known[w.In] = true
		}
		for _, e := range b.Calls {
			known[e.From] = true
		}
		for _, e := range b.Invokes {
			known[e.From] = true
		}
	}
	into := map[string][]string{} // by what is called
	for _, fn := range c.pkg.All() {
		from := origins.FuncName(fn)
		for to := range c.callsOf(fn, known, own) {
			into[to] = append(into[to], from)
			own.Calls = append(own.Calls, callEdge{from, to})
			if known[to] {
				leads[to] = true
			}
		}
		for in := range flow.Instrs(fn) {
			c.conversion(in, own, inSight)
		}
	}
	for _, e := range own.Invokes {
		leads[e.From] = true
	}
	var work []string
	for fn := range leads {
		work = append(work, fn)
	}
	for len(work) > 0 {
		to := work[0]
		work = work[1:]
		for _, from := range into[to] {
			if !leads[from] {
				leads[from] = true
				work = append(work, from)
			}
		}
	}
	own.Calls = slices.DeleteFunc(own.Calls, func(e callEdge) bool { return !leads[e.To] })
	for _, fn := range append(c.turns(), c.workers()...) {
		if name := origins.FuncName(fn); leads[name] && !slices.Contains(own.Turns, name) {
			own.Turns = append(own.Turns, name)
		}
	}
	own.sort()
	return own
}

// sort puts o into the one order that it has whatever that of the source is.
func (o *Outside) sort() {
	slices.Sort(o.Turns)
	slices.SortFunc(o.Calls, func(a, b callEdge) int { return strings.Compare(a.From+" "+a.To, b.From+" "+b.To) })
	o.Calls = slices.Compact(o.Calls)
	slices.SortFunc(o.Invokes, func(a, b invokeEdge) int {
		return strings.Compare(a.From+" "+a.Iface+" "+a.Method, b.From+" "+b.Iface+" "+b.Method)
	})
	o.Invokes = slices.Compact(o.Invokes)
	o.Types.Sort()
}

// callsOf are the functions that fn calls and waits for: of the package, and of those below which are known. Own gets its calls of interfaces.
func (c *checker) callsOf(fn *ssa.Function, known map[string]bool, own *Outside) map[string]bool {
	out := map[string]bool{}
	for _, lit := range inPlace(fn)[1:] {
		out[origins.FuncName(lit)] = true
	}
	flow.Calls(fn, func(call ssa.CallInstruction) {
		if _, spawned := call.(*ssa.Go); spawned {
			return
		}
		com := call.Common()
		if !com.IsInvoke() {
			for _, own := range c.pkg.MayRun(call) {
				out[origins.FuncName(own)] = true
			}
		}
		callee := flow.Callee(com)
		switch {
		case callee == nil || callee.Pkg() == nil:
		case com.IsInvoke():
			if t := com.Value.Type(); !isForeign(t) {
				own.Invokes = append(own.Invokes, invokeEdge{origins.FuncName(fn), own.Types.Interface(t), callee.Name()})
			}
		case known[callee.Origin().FullName()]:
			out[callee.Origin().FullName()] = true
		}
		if s := kube.SymbolOf(callee); s.Pkg == "google.golang.org/grpc" && intercepts[s.Name] {
			own.Intercept = true
		} else if s.Pkg == "google.golang.org/grpc" && (s.Name == "NewClient" || s.Name == "Dial" || s.Name == "DialContext") {
			own.Dials = true
		}
	})
	return out
}

// intercepts are the options of gRPC clients that may give a call a deadline.
var intercepts = map[string]bool{"WithUnaryInterceptor": true, "WithChainUnaryInterceptor": true, "WithDefaultServiceConfig": true}

// conversion notes what in makes an interface of.
func (c *checker) conversion(in ssa.Instruction, own *Outside, inSight map[string]bool) {
	switch x := in.(type) {
	case *ssa.MakeInterface:
		n := kube.Named(x.X.Type())
		if n == nil || n.Obj().Pkg() == nil || n.TypeArgs().Len() > 0 || !inSight[n.Obj().Pkg().Path()] || isForeign(x.Type()) {
			return
		}
		if own.Types.Convert(link.Conversion{Type: link.TypeName(x.X.Type()), Iface: own.Types.Interface(x.Type())}) {
			own.Types.Methods = append(own.Types.Methods, link.Concrete{Type: link.TypeName(x.X.Type()), Methods: own.methodsOf(x.X.Type())})
		}
	case *ssa.ChangeInterface:
		if !isForeign(x.Type()) && !isForeign(x.X.Type()) {
			own.Types.Assert(x.X.Type(), x.Type())
		}
	}
}

// methodsOf are the methods of t. Who calls one that t has of an interface that it embeds calls that of the interface.
func (o *Outside) methodsOf(t types.Type) []link.Method {
	methods := []link.Method{}
	for sel := range types.NewMethodSet(t).Methods() {
		m, ok := sel.Obj().(*types.Func)
		if !ok {
			continue
		}
		name := m.Origin().FullName()
		if recv := m.Signature().Recv().Type(); types.IsInterface(recv) {
			if isForeign(recv) {
				continue
			}
			name = link.TypeName(t) + "." + m.Name()
			o.Invokes = append(o.Invokes, invokeEdge{name, o.Types.Interface(recv), m.Name()})
		}
		methods = append(methods, link.Method{Name: m.Name(), Func: name})
	}
	return methods
}

// reportOwn reports the waits to which the reconcilers and workers of the package itself come, whatever the program has besides, and takes them out of own. Who
// makes the gRPC clients has to be in sight for theirs.
func (c *checker) reportOwn(own *Outside, below []*Outside) {
	intercept, dials := own.Intercept, own.Dials
	for _, b := range below {
		intercept, dials = intercept || b.Intercept, dials || b.Dials
	}
	reached := comesTo([]*Outside{own}, link.NewDispatcher([]*link.Types{&own.Types}, nil))
	here := func(w keptWait) bool { return reached[w.In] && (!w.Peer || dials && !intercept) }
	told := map[string]bool{}
	for _, w := range own.Waits {
		told[w.Key] = told[w.Key] || here(w)
	}
	dirs := link.DirsOf(below)
	for _, k := range together(slices.DeleteFunc(slices.Clone(own.Waits), func(w keptWait) bool { return !here(w) })) {
		rule.Report(c.pass, c.asHere(k, dirs))
	}
	own.Waits = slices.DeleteFunc(own.Waits, func(w keptWait) bool { return told[w.Key] })
}

// reportOutside reports the waits to which the program with these packages comes while it works something off. Who makes the gRPC clients has to be in sight for theirs.
func (c *checker) reportOutside(all []*Outside) {
	var uses []*link.Types
	intercept, dials := false, false
	for _, o := range all {
		uses = append(uses, &o.Types)
		intercept, dials = intercept || o.Intercept, dials || o.Dials
	}
	reached := comesTo(all, link.NewDispatcher(uses, nil))
	var waits []keptWait
	for _, o := range all {
		for _, w := range o.Waits {
			if link.Judges(c.pass, o.Path) && reached[w.In] && (!w.Peer || dials && !intercept) {
				waits = append(waits, w)
			}
		}
	}
	dirs := link.DirsOf(all)
	for _, k := range together(waits) {
		k.Report(c.pass, dirs)
	}
}

// asHere is k, which is of this package, with the places of that as they are.
func (c *checker) asHere(k *link.Kept, dirs link.Dirs) rule.Finding {
	f := k.Finding(c.pass, dirs)
	f.Pos, f.Elsewhere = c.places[k.At], false
	for i, r := range k.Related {
		if pos, ok := c.places[r.At]; ok {
			f.Related[i].Pos = pos
		}
	}
	return f
}

// place is pos as all packages have it.
func (c *checker) place(pos token.Pos) link.At {
	at := link.AtOf(c.pass, pos)
	if c.places == nil {
		c.places = map[link.At]token.Pos{}
	}
	c.places[at] = pos
	return at
}

// together are the findings of waits, those with one key as one.
func together(waits []keptWait) (all []*link.Kept) {
	kept := map[string]*link.Kept{}
	for _, w := range waits {
		if first := kept[w.Key]; first != nil {
			if first.At != w.At {
				first.Related = append(first.Related, link.Beside{At: w.At, Message: "so it is here"})
			}
			continue
		}
		k := w.Kept
		k.Related = slices.Clone(k.Related)
		kept[w.Key] = &k
		all = append(all, &k)
	}
	return all
}

// comesTo are the functions that these packages come to while they work something off; the dispatcher says what calls of interfaces run.
func comesTo(all []*Outside, dispatcher *link.Dispatcher) map[string]bool {
	next, invokes := map[string][]string{}, map[string][]invokeEdge{}
	var work []string
	for _, o := range all {
		work = append(work, o.Turns...)
		for _, e := range o.Calls {
			next[e.From] = append(next[e.From], e.To)
		}
		for _, e := range o.Invokes {
			invokes[e.From] = append(invokes[e.From], e)
		}
	}
	reached, asked := map[string]bool{}, map[invokeEdge]bool{}
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		if reached[fn] {
			continue
		}
		reached[fn] = true
		work = append(work, next[fn]...)
		for _, e := range invokes[fn] {
			if k := (invokeEdge{Iface: e.Iface, Method: e.Method}); !asked[k] {
				asked[k] = true
				for _, conv := range dispatcher.Flowing(e.Iface) {
					if m := dispatcher.Method(conv.Type, e.Method); m != "" {
						work = append(work, m)
					}
				}
			}
		}
	}
	return reached
}
