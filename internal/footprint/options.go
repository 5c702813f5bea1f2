package footprint

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/program"
)

// managers returns the managers that the package makes, with what their options say.
//
// The options are followed backward from the call, flow-insensitively: through variables, functions of the package, and
// the maps and slices in them. Each place that says something is an [option], with the way to it, by which
// [optionReader.manager] tells what holds in any case. What is made out of sight makes the manager Open.
func managers(p *program.Program, pass *analysis.Pass) (all []Manager) {
	for _, fn := range p.All() {
		for call := range flow.Calls(fn) {
			if options := kubeapi.ManagerOptionsOf(call.Common()); options != nil {
				r := &optionReader{scan: scan{pass: pass, p: p}, busy: map[visit]bool{}}
				r.read(options, kubeapi.Settings, way{at: point{in: call.Block()}})
				m := r.manager()
				m.At, m.In = link.AtOf(pass, call.Pos()), origin.FuncName(flow.Decl(fn))
				all = append(all, m)
			}
		}
	}
	return all
}

// An optionReader reads the options of one manager.
type optionReader struct {
	scan
	m       Manager // what holds wherever it is said
	options []option
	base    ssa.Value // the parameter by which a function that makes the cache gets the options
	busy    map[visit]bool
}

// A visit is a value that is being read, or the address of one.
type visit struct {
	v  ssa.Value
	as byte // 'v', 'a' for an address, 'n' for a name
}

// enter reports whether v is not being read already; leave ends that.
func (r *optionReader) enter(v ssa.Value, as byte) (leave func(), ok bool) {
	at := visit{v, as}
	if ok = !r.busy[at]; ok {
		r.busy[at] = true
	}
	return func() { delete(r.busy, at) }, ok
}

// An option is what one place in the code says of a manager.
type option struct {
	is    kubeapi.Setting
	of    Entry       // the kind of which it is said, or that is listed; the zero Entry for all others
	names []Namespace // of kubeapi.Namespaces
	text  string      // of kubeapi.Labels and Fields; "" for a selector of everything
	way   way
}

func (r *optionReader) say(o option, w way) {
	o.of, o.way = w.of, w
	r.options = append(r.options, o)
}

// read takes what v says, the value of a setting.
func (r *optionReader) read(v ssa.Value, s kubeapi.Setting, w way) {
	v = flow.Unwrap(v)
	leave, ok := r.enter(v, 'v')
	if !ok {
		return
	}
	defer leave()
	_, isMap := v.Type().Underlying().(*types.Map)
	_, isPointer := v.Type().Underlying().(*types.Pointer)
	switch from := pointee(v); {
	case v == r.base || flow.IsNil(v):
		return
	case s == kubeapi.Untyped || s == kubeapi.Demands:
		is := flow.ConstTruth(v)
		r.m.Untyped = r.m.Untyped || s == kubeapi.Untyped && is == flow.True
		r.m.Demands = r.m.Demands || s == kubeapi.Demands && is != flow.False
		r.m.Open = r.m.Open || is == flow.Unknown
		return
	case s == kubeapi.Namespaces && !isMap:
		r.say(option{is: s, names: r.names(v, w.at)}, w)
		return
	case from != nil:
		r.place(from, s, w)
		return
	case s == kubeapi.Settings && isPointer:
		r.place(v, s, w)
		return
	case s == kubeapi.Settings && flow.IsZero(v):
		return
	}
	if may := r.alternatives(v); may != nil {
		for i, a := range may {
			r.read(a.v, s, w.one(v, i, len(may), a.at))
		}
		return
	}
	switch s {
	case kubeapi.Labels, kubeapi.Fields:
		text, known := kubeapi.SelectorText(v, func(v ssa.Value) string { return r.name(v, w.at) })
		if !known {
			r.m.Open, text = true, r.name(v, w.at)
		}
		r.say(option{is: s, text: text}, w)
	case kubeapi.Transform:
		r.say(option{is: s}, w)
	case kubeapi.ByObject, kubeapi.Namespaces:
		made, ok := v.(*ssa.MakeMap)
		if r.m.Open = r.m.Open || !ok; ok {
			r.entries(updates(made), s, w)
		}
	case kubeapi.DisableFor:
		r.disabled(v, w)
	case kubeapi.NewCache:
		r.cache(v, w)
	case kubeapi.NewClient:
		r.m.OwnClient = r.m.OwnClient || !kubeapi.MakesDefault(v)
	default:
		r.m.Open = true
	}
}

// place takes what is stored at addr, and in the fields of the struct there.
func (r *optionReader) place(addr ssa.Value, s kubeapi.Setting, w way) {
	addr = bound(addr)
	leave, ok := r.enter(addr, 'a')
	if !ok || addr == r.base {
		return
	}
	defer leave()
	switch addr.(type) {
	case *ssa.Alloc, *ssa.FieldAddr, *ssa.Global:
	default:
		may := r.alternatives(addr)
		for i, a := range may {
			r.place(a.v, s, w.one(addr, i, len(may), a.at))
		}
		r.m.Open = r.m.Open || may == nil
	}
	for _, in := range r.uses(addr) {
		switch x := in.(type) {
		case *ssa.FieldAddr:
			r.field(x, w)
		case *ssa.UnOp: // a map, or the pointer to a struct
			var added []*ssa.MapUpdate
			for use := range flow.Referrers[ssa.Instruction](x) {
				if fa, ok := use.(*ssa.FieldAddr); ok {
					r.field(fa, w)
				} else if up, ok := use.(*ssa.MapUpdate); ok && up.Map == ssa.Value(x) {
					added = append(added, up)
				}
			}
			r.entries(added, s, w)
		case *ssa.Store:
			if variable(x.Addr) == variable(addr) {
				r.read(x.Val, s, w.store(x.Block()))
			}
		case *ssa.MakeInterface: // for code that may set anything, such as a decoder
			r.m.Open = r.m.Open || s == kubeapi.Settings
		case *ssa.Call:
			i := slices.IndexFunc(flow.AllArgs(&x.Call), func(a ssa.Value) bool { return variable(a) == variable(addr) })
			if fn := r.p.Callee(&x.Call); fn != nil && i >= 0 && i < len(fn.Params) {
				r.place(fn.Params[i], s, w.store(x.Block()))
			} else if i >= 0 && s == kubeapi.Settings {
				r.m.Open = true
			}
		}
	}
}

// field takes what is stored in the field of options at fa.
func (r *optionReader) field(fa *ssa.FieldAddr, w way) {
	if s := kubeapi.SettingOf(fa.X.Type(), flow.Field(fa.X.Type(), fa.Field).Name()); s != kubeapi.NoSetting {
		r.place(fa, s, w)
	}
}

// entries takes what the entries of a map say, from objects or from namespaces. What one says of its namespace holds for
// the kind if all say so.
func (r *optionReader) entries(list []*ssa.MapUpdate, s kubeapi.Setting, w way) {
	for i, up := range list {
		if s == kubeapi.Namespaces {
			one := w.store(up.Block())
			r.say(option{is: s, names: r.names(up.Key, one.at)}, one)
			r.read(up.Value, kubeapi.Settings, w.one(up.Map, i, len(list), w.at).store(up.Block()))
			continue
		}
		for _, t := range r.kinds(up.Key) {
			one := w.store(up.Block())
			one.of = Entry{link.AtOf(r.pass, cmp.Or(flow.Resolve(up.Key).Pos(), up.Pos())), t.Kind}
			r.m.Open = r.m.Open || t.Kind.Type == ""
			if t.Kind.Type != "" {
				r.say(option{is: s}, one)
				r.read(up.Value, kubeapi.Settings, one)
			}
		}
	}
}

// updates returns the assignments to a map, by the function that makes it and the literals in it.
func updates(made *ssa.MakeMap) (all []*ssa.MapUpdate) {
	for up := range flow.InstrsOf[*ssa.MapUpdate](append(flow.Literals(flow.Decl(made.Parent())), flow.Decl(made.Parent()))...) {
		if flow.Resolve(up.Map) == ssa.Value(made) {
			all = append(all, up)
		}
	}
	return all
}

// disabled takes the objects in the slice v, which the client reads live.
func (r *optionReader) disabled(v ssa.Value, w way) {
	if call, ok := v.(*ssa.Call); ok && flow.Builtin(&call.Call) == "append" {
		for _, a := range call.Call.Args {
			r.read(a, kubeapi.DisableFor, w)
		}
		return
	}
	elements := flow.Elements(v)
	r.m.Open = r.m.Open || elements == nil
	for _, o := range elements {
		for _, t := range r.kinds(o) {
			w.of = Entry{link.AtOf(r.pass, cmp.Or(flow.Resolve(o).Pos(), v.Pos())), t.Kind}
			r.m.Open = r.m.Open || t.Kind.Type == ""
			r.say(option{is: kubeapi.DisableFor}, w)
		}
	}
}

// cache takes what the function v, with which the manager makes its cache, adds to the options: it is that of the
// library, one for several namespaces, or a function of the package that returns the cache which the library makes.
func (r *optionReader) cache(v ssa.Value, w way) {
	if kubeapi.MakesDefault(v) {
		return
	}
	if names := kubeapi.NamespacesOfCache(v); names != nil {
		r.read(names, kubeapi.Namespaces, w)
		return
	}
	var made *ssa.Call
	fn := r.p.Own(flow.FuncValue(v))
	if fn != nil {
		for call := range flow.InstrsOf[*ssa.Call](fn) {
			if kubeapi.CacheMakers.Called(&call.Call) {
				made = call
			}
		}
	}
	if made == nil || !returnsOnly(fn, made) {
		r.m.OwnCache = true
		return
	}
	outer := r.base
	defer func() { r.base = outer }()
	r.base = fn.Params[len(fn.Params)-1]
	r.read(made.Call.Args[1], kubeapi.Settings, w.store(made.Block()))
}

// returnsOnly reports whether fn returns what made gives, and otherwise nil.
func returnsOnly(fn *ssa.Function, made *ssa.Call) bool {
	for ret := range flow.Returns(fn) {
		call, _ := flow.ResultOf(flow.Unwrap(ret.Results[0]))
		if !flow.IsNil(ret.Results[0]) && call != made {
			return false
		}
	}
	return true
}
