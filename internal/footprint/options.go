package footprint

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/values"
)

// managers returns the managers that the package makes, with what their options say.
//
// The options are followed backward from the call, through variables, helper functions of the package and the maps and
// slices in them. What is stored on some paths only is weakened: a restriction that need not hold is none, and Unless
// has its condition. What is made out of sight makes the result Open.
func managers(p *program.Program, pass *analysis.Pass) []Manager {
	var all []Manager
	for _, fn := range p.All() {
		for call := range flow.Calls(fn) {
			if options := kubeapi.ManagerOptionsOf(call.Common()); options != nil {
				r := &optionReader{p: p, pass: pass, busy: map[ssa.Value]bool{}, named: map[ssa.Value]bool{}}
				m := r.read(options, kubeapi.Settings, point{in: call})
				m.At, m.In = link.AtOf(pass, call.Pos()), origin.FuncName(flow.Decl(fn))
				m.inherit()
				slices.Sort(m.Unless)
				m.Unless = slices.Compact(m.Unless)
				all = append(all, m)
			}
		}
	}
	return all
}

// everything is the selector of all objects until [Manager.inherit] removes it.
const everything = "*"

// inherit adds what holds for all kinds to those that do not say otherwise, as the library does since v0.16; before, a
// selector of its own replaced both, labels and fields. A kind with all
// namespaces of its own is taken for one without any.
func (m *Manager) inherit() {
	for i := range m.Objects {
		s := &m.Objects[i]
		if len(s.Namespaces) == 0 {
			s.Namespaces = m.Default.Namespaces
		}
		s.Labels, s.Fields = cmp.Or(s.Labels, m.Default.Labels), cmp.Or(s.Fields, m.Default.Fields)
		s.Transform = s.Transform || m.Default.Transform
		s.all()
	}
	m.Default.all()
}

// all removes the selectors of everything.
func (s *Scope) all() {
	s.Labels, s.Fields = strings.TrimPrefix(s.Labels, everything), strings.TrimPrefix(s.Fields, everything)
}

// An optionReader reads the options of one manager.
type optionReader struct {
	p    *program.Program
	pass *analysis.Pass
	base ssa.Value // the parameter with which a function gets the options as they are without it

	busy, named map[ssa.Value]bool // what is being read, as an option and as a namespace

}

// read returns what v says, which is used at a point.
func (r *optionReader) read(v ssa.Value, s kubeapi.Setting, at point) (m Manager) {
	v = flow.Unwrap(v)
	if r.busy[v] {
		return m // on a cycle, where it adds nothing
	}
	r.busy[v] = true
	defer delete(r.busy, v)
	if v == r.base || flow.IsNil(v) {
		return m
	}
	load, isLoad := v.(*ssa.UnOp)
	if _, pointer := v.Type().Underlying().(*types.Pointer); s == kubeapi.Settings && pointer && !isLoad {
		return r.place([]ssa.Value{v}, s, at)
	} else if s == kubeapi.Settings && !pointer && isLoad {
		return r.place([]ssa.Value{load.X}, s, point{in: load})
	} else if flow.IsZero(v) && s == kubeapi.Settings {
		return m
	}
	if may := r.alternatives(v, at); may != nil {
		var list []branch
		for _, a := range may {
			list = append(list, branch{r.read(a.v, s, a.at), a.at})
		}
		return r.join(list, true, at)
	}
	switch s {
	case kubeapi.Namespaces:
		m = r.held(v, at)
	case kubeapi.Labels, kubeapi.Fields:
		flag := ""
		text, known := kubeapi.SelectorText(v, func(v ssa.Value) string {
			if name, empty := r.external(v); empty && !r.demanded(v, at) {
				flag = name
			}
			return r.name(v)
		})
		if m.Open = !known; !known {
			text = r.name(v)
		} else if text == "" {
			text = everything
		} else if text == flag {
			m.Unless = append(m.Unless, "objects are selected only if "+flag+" is set")
			text = ""
		}
		if s == kubeapi.Labels {
			m.Default.Labels = text
		} else {
			m.Default.Fields = text
		}
	case kubeapi.Transform:
		m.Default.Transform = true
	case kubeapi.ByObject:
		m = r.byObject(v, at)
	case kubeapi.DisableFor:
		m = r.disabled(v, at)
	case kubeapi.Untyped, kubeapi.Demands:
		is := flow.ConstTruth(v)
		m.Untyped, m.Demands = s == kubeapi.Untyped && is == flow.True, s == kubeapi.Demands && is != flow.False
		m.Open = is == flow.Unknown
	case kubeapi.NewCache:
		m = r.maker(v)
		m.OwnCache, m.Open = m.Open, false
	case kubeapi.NewClient:
		m = r.maker(v)
		m.OwnClient, m.Open = m.Open, false
	default:
		m.Open = true
	}
	return m
}

// place returns what is stored in the variable or field that all addrs are the address of, as far as it reaches at.
func (r *optionReader) place(addrs []ssa.Value, s kubeapi.Setting, at point) (m Manager) {
	var stores, more []branch
	fields := map[int][]ssa.Value{}
	work := values.From(addrs...)
	for addr := range work.All() {
		if elsewhere(addr) && addr != r.base && !r.busy[addr] {
			r.busy[addr] = true
			may := r.alternatives(addr, at)
			for _, a := range may {
				stores = append(stores, branch{r.place([]ssa.Value{a.v}, s, a.at), a.at})
			}
			m.Open = m.Open || may == nil
			delete(r.busy, addr)
		}
		work.Add(r.aliases(addr)...)
		for _, in := range r.uses(addr) {
			switch x := in.(type) {
			case *ssa.FieldAddr:
				fields[x.Field] = append(fields[x.Field], x)
				continue
			case *ssa.UnOp:
				for fa := range flow.Referrers[*ssa.FieldAddr](x) { // of the struct to which a field points
					fields[fa.Field] = append(fields[fa.Field], fa)
				}
				for up := range flow.Referrers[*ssa.MapUpdate](x) {
					if up.Map == ssa.Value(x) && reaches(up, at) {
						more = append(more, branch{r.updated(up, s), point{in: up}})
					}
				}
				continue
			}
			if !reaches(in, at) {
				continue
			}
			if st, ok := in.(*ssa.Store); ok && st.Addr == addr {
				stores = append(stores, branch{r.read(st.Val, s, point{in: st}), point{in: st}})
				m.Open = m.Open || flow.IsNil(st.Val) && kubeapi.IsClientCache(st.Val.Type())
				if s != kubeapi.Settings && m.OptionsAt == "" {
					m.OptionsAt = link.AtOf(r.pass, cmp.Or(addr.Pos(), st.Pos()))
				}
			} else if fn, inside, ok := r.below(in, addr); ok && fn == nil {
				m.Open = m.Open || s == kubeapi.Settings
			} else if ok && !r.busy[inside] {
				r.busy[inside] = true
				more = append(more, branch{r.place([]ssa.Value{inside}, s, point{end: fn}), point{in: in}})
				delete(r.busy, inside)
			}
		}
	}
	stores = latest(stores, at)
	overlay(&m, r.join(stores, covers(stores, at), at))
	for _, b := range more {
		overlay(&m, r.join([]branch{b}, covers([]branch{b}, at), at))
	}
	for _, i := range slices.Sorted(maps.Keys(fields)) {
		t := fields[i][0].(*ssa.FieldAddr).X.Type()
		if s := kubeapi.SettingOf(t, flow.Field(t, i).Name()); s != kubeapi.NoSetting {
			overlay(&m, r.place(fields[i], s, at))
		}
	}
	return m
}

// elsewhere reports whether the variable at addr is one of another function.
func elsewhere(addr ssa.Value) bool {
	switch addr.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Call, *ssa.Extract, *ssa.Phi:
		return true
	}
	return false
}

// below returns what the variable at addr is called in the function that in hands it to, if it does: a callee, which
// is nil if it is of another package, or a literal.
func (r *optionReader) below(in ssa.Instruction, addr ssa.Value) (fn *ssa.Function, inside ssa.Value, ok bool) {
	switch x := in.(type) {
	case *ssa.MakeClosure:
		if fn = x.Fn.(*ssa.Function); fn.Synthetic == "" {
			return fn, fn.FreeVars[slices.Index(x.Bindings, addr)], true
		}
	case *ssa.MakeInterface: // for code that may set anything, such as a decoder
		return nil, nil, true
	case *ssa.Call:
		i := slices.Index(flow.AllArgs(&x.Call), addr)
		if fn = r.p.Callee(&x.Call); fn != nil && i >= 0 && i < len(fn.Params) {
			return fn, fn.Params[i], true
		}
		return nil, nil, i >= 0
	}
	return nil, nil, false
}

// aliases returns the other addresses in the package of the field at addr.
func (r *optionReader) aliases(addr ssa.Value) []ssa.Value {
	if fa, ok := addr.(*ssa.FieldAddr); ok {
		if _, local := flow.Base(addr).(*ssa.Alloc); !local && !kubeapi.IsOptions(fa.X.Type()) {
			return r.addresses(keyOf(addr))
		}
	}
	return nil
}

// byObject returns what a map from objects says.
func (r *optionReader) byObject(v ssa.Value, at point) (m Manager) {
	made, ok := v.(*ssa.MakeMap)
	if !ok {
		return Manager{Open: true}
	}
	for _, up := range updates(made) {
		if reaches(up, at) {
			b := []branch{{r.updated(up, kubeapi.ByObject), point{in: up}}}
			overlay(&m, r.join(b, covers(b, at), at))
		}
	}
	return m
}

// updated returns what the entry of a map says.
func (r *optionReader) updated(up *ssa.MapUpdate, s kubeapi.Setting) (m Manager) {
	at := point{in: up}
	if s == kubeapi.Namespaces {
		m = r.read(up.Value, kubeapi.Settings, at)
		m.Default.Namespaces = tidy(r.namespaces(up.Key, at))
		return m
	}
	inner := kubeapi.Settings
	if _, is := up.Value.Type().Underlying().(*types.Signature); is {
		inner = kubeapi.Transform
	}
	value := r.read(up.Value, inner, at)
	m.Open, m.Unless = value.Open, value.Unless
	for _, e := range r.entries(up.Key, up.Pos()) {
		value.Default.Entry = e
		switch {
		case e.Kind.Type == "":
			m.Open = true
		case kubeapi.IsAllObjects(flow.Unwrap(up.Key).Type()):
			m.Default = value.Default
			m.Default.Entry = Entry{}
		default:
			m.Objects = append(m.Objects, value.Default)
		}
	}
	return m
}

// disabled returns what a slice of objects says.
func (r *optionReader) disabled(v ssa.Value, at point) (m Manager) {
	switch x := v.(type) {
	case *ssa.Slice:
		if _, ok := x.X.(*ssa.Alloc); !ok {
			return Manager{Open: true}
		}
		for _, o := range flow.Elements(x) {
			for _, e := range r.entries(o, x.Pos()) {
				m.Open = m.Open || e.Kind.Type == ""
				m.DisableFor = append(m.DisableFor, e)
			}
		}
		return m
	case *ssa.Call:
		if flow.Builtin(&x.Call) == "append" {
			for _, a := range x.Call.Args {
				overlay(&m, r.read(a, kubeapi.DisableFor, at))
			}
			return m
		}
	}
	return Manager{Open: true}
}

// entries returns the kinds that the object v may be of.
func (r *optionReader) entries(v ssa.Value, pos token.Pos) (list []Entry) {
	for _, t := range (&scan{pass: r.pass, p: r.p}).kinds(v) {
		list = append(list, Entry{link.AtOf(r.pass, cmp.Or(flow.Resolve(v).Pos(), pos)), t.Kind})
	}
	return list
}

// maker returns what the function v, with which the manager makes its cache or client, adds to the options or takes in
// their place: v is the default one, the result of a library function, or a function of the package that returns what
// one of the library makes.
func (r *optionReader) maker(v ssa.Value) (m Manager) {
	if f, ok := v.(*ssa.Function); ok && kubeapi.IsDefaultMaker(flow.Object(f)) {
		return m
	}
	if call, ok := v.(*ssa.Call); ok {
		if options, s := kubeapi.Made(&call.Call); s != kubeapi.NoSetting {
			return r.read(options, s, point{in: call})
		}
	}
	fn := r.p.Own(flow.FuncValue(v))
	if fn == nil {
		return Manager{Open: true}
	}
	outer := r.base
	defer func() { r.base = outer }()
	for _, p := range fn.Params {
		if kubeapi.IsOptions(p.Type()) {
			r.base = p
		}
	}
	for call := range flow.Calls(fn) {
		options, s := kubeapi.Made(call.Common())
		if s == kubeapi.NoSetting {
			continue
		}
		m := r.read(options, s, point{in: call})
		given := flow.Any(values.From(options).Origins(nil), func(v ssa.Value) bool { return v == r.base })
		m.ReadsLive = !m.Open && kubeapi.MakesLive(call.Common(), fn.Signature, given)
		if returnsOnly(fn, call) {
			return m
		}
	}
	return Manager{Open: true}
}

// returnsOnly reports whether fn returns what in gives, and otherwise nil.
func returnsOnly(fn *ssa.Function, in ssa.Instruction) bool {
	for ret := range flow.Returns(fn) {
		call, _ := flow.ResultOf(flow.Unwrap(ret.Results[0]))
		if !flow.IsNil(ret.Results[0]) && (call == nil || ssa.Instruction(call) != in) {
			return false
		}
	}
	return true
}
