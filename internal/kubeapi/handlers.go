package kubeapi

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A Handler handles the events of objects. It is a type with methods for them, or a struct of the libraries that
// holds functions.
type Handler struct {
	Name string       // of the type, or of the libraries' struct
	At   token.Pos    // the first of the methods, or where the struct is made
	Type *types.Named // of the methods; nil for a struct of functions
	// Informer: it handles objects, for an informer of client-go; otherwise events of controller-runtime.
	Informer bool
	// Predicate: its methods report whether the event is passed on.
	Predicate                 bool
	Created, Updated, Deleted HandlerFunc
	// Filter decides which events reach Wrapped, the struct of functions that a cache.FilteringResourceEventHandler
	// wraps; Wrapped is nil if it is not known.
	Filter  HandlerFunc
	Wrapped *Handler
	// Val is the address of the struct of functions; nil for a type with methods.
	Val ssa.Value
	// WrappedVal is the handler that the filter wraps, as it is stored in the struct; nil if there is no filter.
	WrappedVal ssa.Value
}

// A HandlerFunc is what a handler does with one sort of events.
type HandlerFunc struct {
	Fns  []*ssa.Function // functions that may be called; nil if none is known
	Name string          // of the field or method
	At   token.Pos       // where it is set or declared, NoPos if the handler has none
	Val  ssa.Value       // the value that is stored in the field, nil for a method
	In   string          // the name of the function that stores it
	all  bool            // no other functions may be called
}

// Set reports whether the handler has a function for these events.
func (p HandlerFunc) Set() bool { return p.At.IsValid() && (p.Val == nil || !flow.IsNil(p.Val)) }

// Fn returns the function that is called, nil if it is not known.
func (p HandlerFunc) Fn() *ssa.Function {
	if p.all && len(p.Fns) == 1 {
		return p.Fns[0]
	}
	return nil
}

// Handlers returns the handlers that p declares or makes, structs of functions first.
func Handlers(p Package) []*Handler {
	c := &collector{p: p, structs: map[ssa.Value]*Handler{}, types: map[*types.Named]*Handler{}}
	for st, fa := range flow.FieldStores(p.All()...) {
		c.stored(st, fa)
	}
	for h, v := range c.wrapped {
		h.Wrapped, h.WrappedVal = c.structs[v], v
	}
	for _, fn := range p.All() {
		c.method(fn)
	}
	return c.all
}

// collector collects the handlers of a package.
type collector struct {
	p       Package
	all     []*Handler
	structs map[ssa.Value]*Handler // by their addresses
	types   map[*types.Named]*Handler
	wrapped map[*Handler]ssa.Value // the values that filters wrap
}

// stored notes the function, or the wrapped handler, that st stores in the field fa of a struct of handlers.
func (c *collector) stored(st *ssa.Store, fa *ssa.FieldAddr) {
	f := flow.Field(fa.X.Type(), fa.Field)
	informer, known := IsHandlerFuncs(fa.X.Type())
	if f == nil || !known {
		return
	}
	h := c.structs[fa.X]
	if h == nil {
		h = &Handler{Name: flow.Named(fa.X.Type()), At: fa.X.Pos(), Informer: informer, Val: fa.X}
		c.structs[fa.X] = h
		c.all = append(c.all, h)
	}
	part := h.part(f.Name())
	switch {
	case part != nil:
		fns, all := c.p.FunctionsIn(st.Val)
		*part = HandlerFunc{Fns: fns, Name: f.Name(), At: flow.Pos(st), Val: st.Val, In: flow.FuncName(st.Parent()), all: all}
	case f.Name() == "Handler":
		v := flow.Unwrap(st.Val)
		if load, ok := v.(*ssa.UnOp); ok {
			v = load.X
		}
		if c.wrapped == nil {
			c.wrapped = map[*Handler]ssa.Value{}
		}
		c.wrapped[h] = v
	}
}

// StructAddr returns the address of the struct that v, an interface, was made of; v itself, unwrapped, if it was made
// of something else.
func StructAddr(v ssa.Value) ssa.Value {
	if v == nil {
		return nil
	}
	v = flow.Unwrap(flow.Resolve(v))
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		return load.X
	}
	return v
}

// IsHandlerFuncs reports whether t is a struct of the libraries that holds functions for events (ok), and whether it
// is for informers (informer).
func IsHandlerFuncs(t types.Type) (informer, ok bool) {
	switch NameIn(t, Cache) {
	case "ResourceEventHandlerFuncs", "ResourceEventHandlerDetailedFuncs", "FilteringResourceEventHandler":
		return true, true
	}
	return false, strings.TrimPrefix(NameIn(t, HandlerPkg), "Typed") == "Funcs"
}

// HandlerFilter is the part of a handler that decides which events it gets.
const HandlerFilter = "Filter"

// handlerEvents are the events that fields and methods of handlers with these names are for.
var handlerEvents = map[string]string{
	"AddFunc": EventCreate, "CreateFunc": EventCreate, "OnAdd": EventCreate, EventCreate: EventCreate,
	"UpdateFunc": EventUpdate, "OnUpdate": EventUpdate, EventUpdate: EventUpdate,
	"DeleteFunc": EventDelete, "OnDelete": EventDelete, EventDelete: EventDelete, "FilterFunc": HandlerFilter,
}

// HandlerEvent returns the event that a field or method of a handler with that name is for, or HandlerFilter; "" for
// other names.
func HandlerEvent(name string) string { return handlerEvents[name] }

// IsHandlerOf reports whether the method fn of a handler is for that event.
func IsHandlerOf(fn *types.Func, event string) bool { return HandlerEvent(fn.Name()) == event }

// IsInformerHandler reports whether t is the interface of handlers of informers, or a struct of functions that is one.
func IsInformerHandler(t types.Type) bool {
	informer, ok := IsHandlerFuncs(t)
	return informer && ok || IsType(t, Cache, "ResourceEventHandler")
}

// part returns the part of h that a field or method of that name is for, nil for other names.
func (h *Handler) part(name string) *HandlerFunc {
	switch HandlerEvent(name) {
	case EventCreate:
		return &h.Created
	case EventUpdate:
		return &h.Updated
	case EventDelete:
		return &h.Deleted
	case HandlerFilter:
		return &h.Filter
	}
	return nil
}

// method notes fn if it is a method of a handler or of a predicate.
func (c *collector) method(fn *ssa.Function) {
	recv, results := fn.Signature.Recv(), fn.Signature.Results()
	if recv == nil || Named(recv.Type()) == nil {
		return
	}
	n := Named(recv.Type())
	predicate := results.Len() == 1 && flow.IsBool(results.At(0).Type())
	if results.Len() > 0 && !predicate {
		return
	}
	informer := false
	switch fn.Name() {
	case "Create", "Update", "Delete":
		events := 0
		for v := range fn.Signature.Params().Variables() {
			if IsEvent(v.Type(), fn.Name()) {
				events++
			}
		}
		if events != 1 {
			return
		}
	case "OnAdd", "OnUpdate", "OnDelete":
		if predicate || !IsResourceEventHandler(types.NewPointer(n)) {
			return
		}
		informer = true
	default:
		return
	}
	h := c.types[n]
	if h == nil {
		h = &Handler{Name: n.Obj().Name(), At: fn.Pos(), Type: n, Informer: informer, Predicate: predicate}
		c.types[n] = h
		c.all = append(c.all, h)
	}
	*h.part(fn.Name()) = HandlerFunc{Fns: []*ssa.Function{fn}, Name: flow.FuncName(fn), At: fn.Pos(), all: true}
}

// IsResourceEventHandler reports whether t has the methods of cache.ResourceEventHandler, of any version.
func IsResourceEventHandler(t types.Type) bool {
	set := types.NewMethodSet(t)
	takes := func(name string, least, most int) bool {
		for m := range set.Methods() {
			if m.Obj().Name() != name {
				continue
			}
			sig := m.Type().(*types.Signature)
			n := sig.Params().Len()
			return n >= least && n <= most && sig.Results().Len() == 0 && IsAny(sig.Params().At(0).Type())
		}
		return false
	}
	return takes("OnAdd", 1, 2) && takes("OnUpdate", 2, 2) && takes("OnDelete", 1, 1)
}
