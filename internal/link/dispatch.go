package link

import (
	"cmp"
	"go/types"
	"slices"
	"strings"
)

// A Conversion is a conversion of a value of a concrete type to an interface.
type Conversion struct {
	Type  string // as types.TypeString has it, with the paths of packages
	Iface string // "any" for the empty one
	Func  string // for a function type: the function that is the value, if it is known
	In    string // the function that contains it, if only other packages call that; otherwise empty
}

// A Method is a method of a concrete type: its name, and the function that it is.
type Method struct{ Name, Func string }

// Types is how one package uses interfaces.
type Types struct {
	Conversions []Conversion
	Methods     []Concrete  // of the user's own types that are converted
	Asserts     []Assertion // between interfaces
	Interfaces  []Interface // that are asserted to, or called

	seen map[any]bool
}

// first reports whether x is seen for the first time.
func (ts *Types) first(x any) bool {
	if ts.seen == nil {
		ts.seen = map[any]bool{}
	}
	was := ts.seen[x]
	ts.seen[x] = true
	return !was
}

// Convert adds a conversion. It reports whether it is the first one of the type, whose methods are to be added then.
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

// Sort makes the order independent of the source.
func (ts *Types) Sort() {
	slices.SortFunc(ts.Conversions, Conversion.compare)
	slices.SortFunc(ts.Methods, func(a, b Concrete) int { return strings.Compare(a.Type, b.Type) })
	slices.SortFunc(ts.Asserts, func(a, b Assertion) int { return cmp.Or(strings.Compare(a.From, b.From), strings.Compare(a.To, b.To)) })
	slices.SortFunc(ts.Interfaces, func(a, b Interface) int { return strings.Compare(a.Name, b.Name) })
}

func (c Conversion) compare(o Conversion) int {
	return cmp.Or(strings.Compare(c.Type, o.Type), strings.Compare(c.Iface, o.Iface), strings.Compare(c.Func, o.Func), strings.Compare(c.In, o.In))
}

// TypeName returns the name of t in all packages.
func TypeName(t types.Type) string {
	t = types.Unalias(t)
	if i, ok := t.Underlying().(*types.Interface); ok && i.Empty() {
		return "any"
	}
	return types.TypeString(t, nil)
}

// Named returns the type with that TypeName of pkg or of what it imports, nil if there is none.
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

// Interface adds the interface type t, and returns its name.
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

// Assert adds an assertion of a value of the interface from to the interface to.
func (ts *Types) Assert(from, to types.Type) {
	if a := (Assertion{ts.Interface(from), ts.Interface(to)}); a.From != a.To && ts.first(a) {
		ts.Asserts = append(ts.Asserts, a)
	}
}

// A Dispatcher resolves calls of interface methods in a program to the types that are converted to the interface, or
// to one that is asserted to it (rapid type analysis, Bacon and Sweeney, OOPSLA 1996, by interface).
type Dispatcher struct {
	to      map[string][]Conversion // by interface
	from    map[string][]string     // by interface, those that are asserted to it
	wants   map[string][]string     // the methods of each interface
	methods map[string][]Method     // by type
	known   map[string][]Conversion // results of Flowing
	called  map[string]bool         // results of Called; nil before the first
}

// NewDispatcher returns the dispatcher of packages with these types, without the conversions in functions (In) that
// are not called.
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

// Flowing returns the conversions whose values may be of the interface, one for each type and function, sorted.
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

// Method returns the method of that name of type t; empty if it is not known.
func (d *Dispatcher) Method(t, name string) string {
	for _, m := range d.methods[t] {
		if m.Name == name {
			return m.Func
		}
	}
	return ""
}

// Implements reports whether t, a type of the user's own that is converted, has the methods of the interface.
func (d *Dispatcher) Implements(t, iface string) bool { return d.has(t, d.wants[iface]) }

// has reports whether t has all these methods, at least one.
func (d *Dispatcher) has(t string, names []string) bool {
	return len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return d.Method(t, n) == "" })
}

// Interface reports whether name is an interface that some package calls or asserts to.
func (d *Dispatcher) Interface(name string) bool { _, ok := d.wants[name]; return ok }

// Called reports whether a call of an interface method may run the function.
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
