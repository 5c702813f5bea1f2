package link

import (
	"cmp"
	"go/types"
	"slices"
	"strings"
)

// A Conversion says that a value of a concrete type becomes one of an interface.
type Conversion struct {
	Type  string // as types.TypeString has it, with the whole paths of packages
	Iface string // "any" for the empty one
	Func  string // for a type that is a function: the function that the value is, where that is known
	In    string // the function that does it, where only other packages call that; else empty
}

// A Method is a method of a concrete type: its name, and the function that it is.
type Method struct{ Name, Func string }

// Types is how one package uses interfaces.
type Types struct {
	Conversions []Conversion
	Methods     []Concrete  // the user's own types that are converted
	Asserts     []Assertion // between interfaces
	Interfaces  []Interface // those that are asserted to, or called

	seen map[any]bool // what is there
}

// first reports whether x was not there yet.
func (ts *Types) first(x any) bool {
	if ts.seen == nil {
		ts.seen = map[any]bool{}
	}
	was := ts.seen[x]
	ts.seen[x] = true
	return !was
}

// Convert notes a conversion. It reports whether it is the first one of the type, so that its methods are still to be told.
func (ts *Types) Convert(c Conversion) bool {
	if ts.first(c) {
		ts.Conversions = append(ts.Conversions, c)
	}
	return ts.first("type " + c.Type)
}

// A Concrete type has methods.
type Concrete struct {
	Type    string
	Methods []Method
}

// An Assertion says that a value of the interface From may become one of the interface To.
type Assertion struct{ From, To string }

// An Interface wants methods, by name.
type Interface struct {
	Name    string
	Methods []string
}

// Sort puts ts into the one order that it has whatever that of the source is.
func (ts *Types) Sort() {
	slices.SortFunc(ts.Conversions, Conversion.compare)
	slices.SortFunc(ts.Methods, func(a, b Concrete) int { return strings.Compare(a.Type, b.Type) })
	slices.SortFunc(ts.Asserts, func(a, b Assertion) int { return cmp.Or(strings.Compare(a.From, b.From), strings.Compare(a.To, b.To)) })
	slices.SortFunc(ts.Interfaces, func(a, b Interface) int { return strings.Compare(a.Name, b.Name) })
}

func (c Conversion) compare(o Conversion) int {
	return cmp.Or(strings.Compare(c.Type, o.Type), strings.Compare(c.Iface, o.Iface), strings.Compare(c.Func, o.Func), strings.Compare(c.In, o.In))
}

// TypeName is t as all packages call it.
func TypeName(t types.Type) string {
	t = types.Unalias(t)
	if i, ok := t.Underlying().(*types.Interface); ok && i.Empty() {
		return "any"
	}
	return types.TypeString(t, nil)
}

// Named is the type that TypeName calls name, as pkg or what it imports has it, nil where it is in none of them.
func Named(pkg *types.Package, name string) *types.Named {
	dot := strings.LastIndexByte(name, '.')
	seen := map[*types.Package]bool{}
	for work := []*types.Package{pkg}; len(work) > 0 && dot >= 0; work = work[1:] {
		if seen[work[0]] {
			continue
		}
		seen[work[0]] = true
		if work[0].Path() == name[:dot] {
			if t, ok := work[0].Scope().Lookup(name[dot+1:]).(*types.TypeName); ok {
				n, _ := t.Type().(*types.Named)
				return n
			}
		}
		work = append(work, work[0].Imports()...)
	}
	return nil
}

// Interface notes the methods of the interface type t, and gives its name.
func (ts *Types) Interface(t types.Type) string {
	name := TypeName(t)
	i, ok := t.Underlying().(*types.Interface)
	if !ok || !ts.first("interface "+name) {
		return name
	}
	names := []string{}
	for m := range i.Methods() {
		names = append(names, m.Name())
	}
	slices.Sort(names)
	ts.Interfaces = append(ts.Interfaces, Interface{name, names})
	return name
}

// Assert notes that a value of the interface from may become one of the interface to.
func (ts *Types) Assert(from, to types.Type) {
	if a := (Assertion{ts.Interface(from), ts.Interface(to)}); a.From != a.To && ts.first(a) {
		ts.Asserts = append(ts.Asserts, a)
	}
}

// A Dispatcher says which methods the calls of interface methods may run in one program: those of the types that are
// converted to the interface somewhere, or to one that is asserted to be it (rapid type analysis, Bacon and Sweeney, OOPSLA
// 1996, by interface).
type Dispatcher struct {
	to      map[string][]Conversion // by interface
	from    map[string][]string     // by interface, those that values of it come from by assertion
	wants   map[string][]string     // the methods of each interface
	methods map[string][]Method     // by type
	known   map[string][]Conversion // what Flowing has found
	called  map[string]bool         // what Called has found; nil until it is asked
}

// NewDispatcher is that of the packages with these types, without the conversions in functions for others (In) that are not called.
func NewDispatcher(all []*Types, called func(fn string) bool) *Dispatcher {
	d := &Dispatcher{
		to: map[string][]Conversion{}, from: map[string][]string{}, wants: map[string][]string{},
		methods: map[string][]Method{}, known: map[string][]Conversion{},
	}
	for _, ts := range all {
		for _, c := range ts.Conversions {
			if c.In != "" && !called(c.In) {
				continue
			}
			d.to[c.Iface] = append(d.to[c.Iface], c)
		}
		for _, a := range ts.Asserts {
			if !slices.Contains(d.from[a.To], a.From) {
				d.from[a.To] = append(d.from[a.To], a.From)
			}
		}
		for _, i := range ts.Interfaces {
			d.wants[i.Name] = i.Methods
		}
		for _, t := range ts.Methods {
			d.methods[t.Type] = t.Methods
		}
	}
	return d
}

// Flowing are the conversions whose values may come to the interface, one for each type and function, sorted.
func (d *Dispatcher) Flowing(iface string) []Conversion {
	if out, ok := d.known[iface]; ok {
		return out
	}
	var out []Conversion
	seen := map[string]bool{}
	for work := []string{iface}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		work = append(work, d.from[i]...)
		for _, c := range d.to[i] {
			if i == iface || d.has(c.Type, d.wants[iface]) {
				out = append(out, c)
			}
		}
	}
	slices.SortFunc(out, Conversion.compare)
	out = slices.CompactFunc(out, func(a, b Conversion) bool { return a.Type == b.Type && a.Func == b.Func })
	d.known[iface] = out
	return out
}

// Method is the function that a call of that method runs for a value of type t; empty where it is not in sight.
func (d *Dispatcher) Method(t, name string) string {
	for _, m := range d.methods[t] {
		if m.Name == name {
			return m.Func
		}
	}
	return ""
}

// Implements reports whether the type t, one of the user's own that is converted somewhere, has the methods of the interface.
func (d *Dispatcher) Implements(t, iface string) bool { return d.has(t, d.wants[iface]) }

// has reports whether the type t has all these methods, of which there are some.
func (d *Dispatcher) has(t string, names []string) bool {
	return len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return d.Method(t, n) == "" })
}

// Interface reports whether name is an interface that some package calls or asserts to.
func (d *Dispatcher) Interface(name string) bool { _, ok := d.wants[name]; return ok }

// Called reports whether the function may be run by a call of an interface's method: its type is converted to an interface that
// has a method of its name, or to one from which that may be asserted.
func (d *Dispatcher) Called(fn string) bool {
	if d.called == nil {
		d.called = map[string]bool{}
		for iface, names := range d.wants {
			for _, c := range d.Flowing(iface) {
				for _, n := range names {
					d.called[d.Method(c.Type, n)] = true
				}
			}
		}
	}
	return d.called[fn]
}
