package unboundedsync

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// A factory is an informer factory that a function makes, and all that is done with it as far as it can be seen.
type factory struct {
	made    *ssa.Call
	starts  []ssa.Instruction // calls of Start
	asks    []ask
	escapes bool // it goes where others may start it

	everywhere bool // it is kept in a field: what is done with it stands in many functions

	kinds map[string]*kind
}

// An ask is a call that registers an informer with the factory: Informer() or Lister().
type ask struct {
	at   ssa.Instruction
	kind string
}

// A kind is what is done with the informer of one kind of object.
type kind struct {
	runs    bool              // it is run by itself, or goes where it may be
	reads   []ssa.Instruction // of its lister or store
	keeps   []ssa.Instruction // its lister goes where it may be read
	synceds []ssa.Value       // its HasSynced as a function value
}

func (f *factory) kind(name string) *kind {
	if f.kinds[name] == nil {
		f.kinds[name] = &kind{}
	}
	return f.kinds[name]
}

// factories are the informer factories that fn makes by a constructor of another package.
func (c *checker) factories(fn *ssa.Function) []*factory {
	var out []*factory
	for at := range flow.Calls(fn) {
		call, ok := at.(*ssa.Call)
		if !ok || !c.makesFactory(call) {
			continue
		}
		f := &factory{made: call, kinds: map[string]*kind{}}
		t := tracer{f: f, seen: values.From()}
		t.follow(call, t.factory)
		out = append(out, f)
	}
	return out
}

// makesFactory reports whether call makes a factory by a constructor of another package.
func (c *checker) makesFactory(call *ssa.Call) bool {
	if !kubeapi.IsInformerFactory(call.Type()) || call.Call.IsInvoke() || flow.Recv(&call.Call) != nil {
		return false
	}
	obj := flow.Callee(&call.Call)
	return obj != nil && strings.HasPrefix(obj.Name(), "New") && c.pkg.Own(flow.StaticCallee(&call.Call)) == nil
}

// A tracer follows the uses of a factory, and of what it gives.
type tracer struct {
	f     *factory
	seen  *values.Worklist // what was followed
	field *types.Var       // where the factory is kept, nil for none
}

// follow gives every use of v, but for comparisons, to use. A use is an instruction and the value as it is used there.
func (t *tracer) follow(v ssa.Value, use func(ssa.Instruction, ssa.Value)) {
	if t.seen.Has(v) {
		return
	}
	t.seen.Add(v)
	for in, v := range values.Uses(v) {
		if _, compared := in.(*ssa.BinOp); !compared {
			use(in, v)
		}
	}
}

// called is the name of the method that in calls on v, and the call.
func called(in ssa.Instruction, v ssa.Value) (string, ssa.CallInstruction) {
	call := values.MethodCall(in, v)
	if call == nil || flow.Callee(call.Common()) == nil {
		return "", nil
	}
	return flow.Callee(call.Common()).Name(), call
}

// boundMethod is the name of the method value that in makes of v.
func boundMethod(in ssa.Instruction, v ssa.Value) string {
	mc, ok := in.(*ssa.MakeClosure)
	if !ok || len(mc.Bindings) != 1 || mc.Bindings[0] != v {
		return ""
	}
	if obj := mc.Fn.(*ssa.Function).Object(); obj != nil {
		return obj.Name()
	}
	return strings.TrimSuffix(mc.Fn.Name(), "$bound")
}

// factory notes a use of the factory itself.
func (t *tracer) factory(in ssa.Instruction, v ssa.Value) {
	name, call := called(in, v)
	switch {
	case name == "":
		t.f.escapes = t.f.escapes || !t.keeps(in)
	case kubeapi.StartsFactory(name):
		t.f.starts = append(t.f.starts, in)
	case kubeapi.WaitsForFactory(name), name == kubeapi.Shutdown:
	default:
		if x, ok := call.(*ssa.Call); ok {
			t.chain(x, name)
		}
	}
}

// keeps reports whether in is the store to the field that is looked at.
func (t *tracer) keeps(in ssa.Instruction) bool {
	st, ok := in.(*ssa.Store)
	if !ok || t.field == nil {
		return false
	}
	fa, ok := st.Addr.(*ssa.FieldAddr)
	return ok && flow.Field(fa.X.Type(), fa.Field) != nil && flow.Field(fa.X.Type(), fa.Field).Origin() == t.field
}

// chain follows factory.Core().V1().Pods(), one call at a time; its steps and their arguments are the kind.
func (t *tracer) chain(call *ssa.Call, name string) {
	key := name
	for _, a := range flow.Args(&call.Call) {
		key += "(" + flow.PathOf(a).String() + ")"
	}
	if kubeapi.IsInformer(call.Type()) {
		t.f.asks = append(t.f.asks, ask{call, key})
		t.informer(call, key)
		return
	}
	t.follow(call, func(in ssa.Instruction, v ssa.Value) {
		next, c := called(in, v)
		x, ok := c.(*ssa.Call)
		switch {
		case next == "" || !ok: // handed to somebody, who may ask for it at any time, and run it
			if next == "" {
				t.f.asks = append(t.f.asks, ask{in, key})
				t.f.kind(key).runs = true
			}
		case next == kubeapi.Informer:
			t.f.asks = append(t.f.asks, ask{in, key})
			t.informer(x, key)
		case next == kubeapi.Lister:
			t.f.asks = append(t.f.asks, ask{in, key})
			t.lister(x, key)
		case x.Call.Signature().Results().Len() == 1:
			t.chain(x, key+"."+next)
		}
	})
}

// informer follows an informer.
func (t *tracer) informer(call *ssa.Call, key string) {
	k := t.f.kind(key)
	t.follow(call, func(in ssa.Instruction, v ssa.Value) {
		name, c := called(in, v)
		switch method := boundMethod(in, v); {
		case method == kubeapi.HasSynced:
			k.synceds = append(k.synceds, in.(ssa.Value))
		case name == "":
			use := kubeapi.InformerUseOf(method)
			k.runs = k.runs || use != kubeapi.InformerStatus && use != kubeapi.InformerHandler
		case kubeapi.InformerUseOf(name) == kubeapi.InformerRun:
			k.runs = true
		case kubeapi.InformerUseOf(name) == kubeapi.InformerStore:
			if x, ok := c.(*ssa.Call); ok {
				t.lister(x, key)
			}
		}
	})
}

// lister follows a lister or store.
func (t *tracer) lister(call *ssa.Call, key string) {
	k := t.f.kind(key)
	t.follow(call, func(in ssa.Instruction, v ssa.Value) {
		name, c := called(in, v)
		switch {
		case name == "":
			k.keeps = append(k.keeps, in)
		case kubeapi.ReadsStore(name):
			k.reads = append(k.reads, in)
		default: // of a namespace
			if x, ok := c.(*ssa.Call); ok && (kubeapi.IsLister(x.Type()) || kubeapi.IsStore(x.Type())) {
				t.lister(x, key)
			}
		}
	})
}

// kept are the informer factories that the package keeps in fields which only it can reach: one for each field, with
// what is done with it in all functions. Fields that may hold a factory from elsewhere are left out.
func (c *checker) kept() []*factory {
	var out []*factory
	for at := range flow.Calls(c.pkg.Funcs...) {
		call, ok := at.(*ssa.Call)
		if !ok || !kubeapi.IsInformerFactory(call.Type()) {
			continue
		}
		for st := range flow.Referrers[*ssa.Store](call) {
			fa, ok := st.Addr.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			if f := c.keptIn(flow.Field(fa.X.Type(), fa.Field), call); f != nil {
				out = append(out, f)
			}
		}
	}
	return out
}

// keptIn is the factory made by call, which is all that the field ever holds; nil where that is not sure.
func (c *checker) keptIn(field *types.Var, call *ssa.Call) *factory {
	if field == nil || field.Exported() || field.Pkg() != c.pkg.Pkg || !c.makesFactory(call) {
		return nil
	}
	f := &factory{made: call, everywhere: true, kinds: map[string]*kind{}}
	t := tracer{f: f, seen: values.From(), field: field.Origin()}
	t.follow(call, t.factory)
	for fa := range flow.InstrsOf[*ssa.FieldAddr](c.pkg.Funcs...) {
		if flow.Field(fa.X.Type(), fa.Field) == nil || flow.Field(fa.X.Type(), fa.Field).Origin() != field.Origin() {
			continue
		}
		for _, r := range *fa.Referrers() {
			switch r := r.(type) {
			case *ssa.UnOp:
				t.follow(r, t.factory)
			case *ssa.Store:
				if r.Val != ssa.Value(call) || r.Addr != ssa.Value(fa) {
					return nil
				}
			default:
				return nil
			}
		}
	}
	return f
}
