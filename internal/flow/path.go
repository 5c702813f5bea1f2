package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Path is an access path: where a value came from, and the fields and elements that lead from there to it. Two equal
// paths in one activation of a function name the same place, as long as nothing on the way was reassigned. The zero
// Path is unknown.
//
// Pointers and what they point to have one path: a program can lock s.mu whether mu is a Mutex or a *Mutex, and no
// place has both.
type Path struct {
	Root ssa.Value // a parameter, global, allocation, call result, phi, or another value that is its own origin
	Sel  string    // ".field", "[index]" and "[*]" steps
}

// Known reports whether p names something.
func (p Path) Known() bool { return p.Root != nil }

// PathOf returns the access path of v.
func PathOf(v ssa.Value) Path { return pathOf(v, 0) }

// pathOf is PathOf(v), where indexes is how many indexes v is part of. It comes to an end, since what a value is
// reached from dominates it: [SingleStore] returns no value that is stored later, and getters are seen through from
// outside only.
func pathOf(v ssa.Value, indexes int) Path {
	var steps []string // from the last one
	for v != nil {
		v = Resolve(v)
		outer, sel, ok := step(v, indexes)
		if !ok {
			break
		}
		if sel != "" {
			steps = append(steps, sel)
		}
		v = outer
	}
	if v == nil {
		return Path{}
	}
	slices.Reverse(steps)
	return Path{v, strings.Join(steps, "")}
}

// step returns the value that v is reached from, and the steps from there; not ok where v is where it came from.
func step(v ssa.Value, indexes int) (outer ssa.Value, sel string, ok bool) {
	switch x := v.(type) {
	case *ssa.FieldAddr:
		return x.X, "." + fieldName(x.X.Type(), x.Field), true
	case *ssa.Field:
		return x.X, "." + fieldName(x.X.Type(), x.Field), true
	case *ssa.UnOp:
		return x.X, "", x.Op == token.MUL
	case *ssa.IndexAddr:
		return x.X, indexStep(x.Index, indexes), true
	case *ssa.Index:
		return x.X, indexStep(x.Index, indexes), true
	case *ssa.Lookup:
		if !x.CommaOk {
			return x.X, indexStep(x.Index, indexes), true
		}
	case *ssa.Extract:
		switch t := x.Tuple.(type) {
		case *ssa.TypeAssert:
			return t.X, "", x.Index == 0
		case *ssa.Lookup:
			if x.Index == 0 {
				return t.X, indexStep(t.Index, indexes), true
			}
		case *ssa.Next: // an element of a map that is ranged over
			if r, ok := t.Iter.(*ssa.Range); ok && x.Index == 2 && !t.IsString {
				return r.X, "[" + x.Name() + "]", true
			}
		}
	case *ssa.Slice:
		return x.X, "", true
	case *ssa.Call:
		return getter(x, indexes)
	case *ssa.Alloc:
		p := spilled(x)
		return p, "", p != nil
	}
	return nil, "", false
}

// spilled returns the parameter that the variable a is the copy of: a struct that is passed by value.
func spilled(a *ssa.Alloc) ssa.Value {
	var from ssa.Value
	for _, r := range *a.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(a) {
			if from != nil {
				return nil
			}
			from = st.Val
		}
	}
	p, ok := from.(*ssa.Parameter)
	if !ok {
		return nil
	}
	if _, ok := p.Type().Underlying().(*types.Struct); !ok {
		return nil
	}
	return p
}

// getter sees through a call of a function of this package that does nothing but return a place reached from its
// parameters: x.mutex() is x.mu.
func getter(call *ssa.Call, indexes int) (outer ssa.Value, sel string, ok bool) {
	fn := StaticCallee(&call.Call)
	if fn == nil || len(fn.Blocks) != 1 || len(fn.FreeVars) > 0 {
		return nil, "", false
	}
	ret, ok := fn.Blocks[0].Instrs[len(fn.Blocks[0].Instrs)-1].(*ssa.Return)
	if !ok || len(ret.Results) != 1 {
		return nil, "", false
	}
	for _, in := range fn.Blocks[0].Instrs {
		switch in.(type) {
		case *ssa.FieldAddr, *ssa.Field, *ssa.UnOp, *ssa.Return, *ssa.ChangeType, *ssa.MakeInterface, *ssa.ChangeInterface:
		default:
			return nil, "", false
		}
	}
	p := pathOf(ret.Results[0], indexes)
	outer, ok = argument(p.Root, fn, call.Call.Args)
	return outer, p.Sel, ok
}

// argument returns what root, where a path of callee starts, is in its caller, where args are the actual arguments
// (receiver first). A package variable is what it is.
func argument(root ssa.Value, callee *ssa.Function, args []ssa.Value) (ssa.Value, bool) {
	switch r := root.(type) {
	case *ssa.Parameter:
		if i := slices.Index(callee.Params, r); i >= 0 && i < len(args) {
			return args[i], true
		}
	case *ssa.Global:
		return r, true
	}
	return nil, false
}

// Substitute rewrites p, a path of the function callee, into the caller's terms, where args are the actual arguments
// (receiver first). It fails for paths that do not start at a parameter or a package variable.
func Substitute(p Path, callee *ssa.Function, args []ssa.Value) (Path, bool) {
	arg, ok := argument(p.Root, callee, args)
	if !ok {
		return Path{}, false
	}
	base := PathOf(arg)
	return Path{base.Root, base.Sel + p.Sel}, base.Known()
}

// maxIndexes is how many indexes are written out inside of each other: what is written may be twice as long at each
// level. Further inside, an index goes by its value.
const maxIndexes = 2

// indexStep returns the step to the element at ix, by the path of ix.
func indexStep(ix ssa.Value, indexes int) string {
	ix = Resolve(ix)
	if c, ok := ix.(*ssa.Const); ok && c.Value != nil {
		return "[" + c.Value.ExactString() + "]"
	}
	if load, ok := ix.(*ssa.UnOp); ok && load.Op == token.MUL {
		switch load.X.(type) {
		case *ssa.Alloc, *ssa.FreeVar: // a variable that a closure sees: another element after each store
			return "[*]"
		}
	}
	if indexes == maxIndexes {
		return "[" + ix.Name() + "]"
	}
	if p := pathOf(ix, indexes+1); p.Known() {
		return "[" + p.Root.Name() + p.Sel + "]"
	}
	return "[*]"
}

// A Step is one step of a path: ".field" or "[index]", and the field, which is nil for an element, and where the type
// of the step before does not tell.
type Step struct {
	Text  string
	Field *types.Var
}

// Steps returns those of p.
func (p Path) Steps() []Step {
	if !p.Known() {
		return nil
	}
	var out []Step
	t, sel := p.Root.Type(), p.Sel
	for sel != "" {
		var step Step
		step, t = FirstStep(t, sel)
		sel = sel[len(step.Text):]
		out = append(out, step)
	}
	return out
}

// FirstStep returns the first step of sel, in a value of type t or in what that points to, and the type of what is
// there; nil for what is not known.
func FirstStep(t types.Type, sel string) (Step, types.Type) {
	for t != nil {
		ptr, ok := t.Underlying().(*types.Pointer)
		if !ok {
			break
		}
		t = ptr.Elem()
	}
	step := Step{Text: sel[:stepEnd(sel)]}
	step.Field, t = enter(t, step.Text)
	return step, t
}

// Below returns the way from p to q: "" where they are one place; false where q is not p, nor a part of it.
func (p Path) Below(q Path) (way string, ok bool) {
	way, ok = strings.CutPrefix(q.Sel, p.Sel)
	return way, ok && p.Root == q.Root && (way == "" || way[0] == '.' || way[0] == '[')
}

// stepEnd returns where the first step of sel ends: a field, or an index with its brackets.
func stepEnd(sel string) int {
	depth := 0
	for i := range len(sel) {
		switch c := sel[i]; {
		case c == '[':
			if depth == 0 && i > 0 {
				return i
			}
			depth++
		case c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case c == '.' && depth == 0 && i > 0:
			return i
		}
	}
	return len(sel)
}

// enter returns the field of t that step names, and the type of what is there; nil for what is not known.
func enter(t types.Type, step string) (*types.Var, types.Type) {
	if t == nil {
		return nil, nil
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if "."+f.Name() == step {
				return f.Origin(), f.Type()
			}
		}
	case interface{ Elem() types.Type }: // an array, a slice, a map
		return nil, u.Elem()
	}
	return nil, nil
}

// Field returns the struct field that a FieldAddr or Field of a value of type t selects; nil for odd types.
func Field(t types.Type, i int) *types.Var {
	t = t.Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	if tp, ok := t.(*types.TypeParam); ok {
		t = tp.Constraint().Underlying()
	}
	if s, ok := t.(*types.Struct); ok && i < s.NumFields() {
		return s.Field(i)
	}
	return nil
}

// LoadedFrom returns the address of the field that v was loaded from, nil for other values.
func LoadedFrom(v ssa.Value) *ssa.FieldAddr {
	if load, ok := Resolve(v).(*ssa.UnOp); ok && load.Op == token.MUL {
		fa, _ := load.X.(*ssa.FieldAddr)
		return fa
	}
	return nil
}

func fieldName(t types.Type, i int) string {
	if f := Field(t, i); f != nil {
		return f.Name()
	}
	return strconv.Itoa(i)
}

// String spells p for a message: the source name of the root where it has one, then the steps.
func (p Path) String() string {
	if p.Root == nil {
		return "?"
	}
	return RootName(p.Root) + temporary.ReplaceAllString(p.Sel, "[...]")
}

// temporary matches an index that has no name in the source.
var temporary = regexp.MustCompile(`\[t[0-9]+[^\]]*\]`)

// RootName returns the name a reader of the source would use for v.
func RootName(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Parameter:
		return v.Name()
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.Global:
		return v.Name()
	case *ssa.Alloc, *ssa.Phi:
		if name := variable(v); name != "" {
			return name
		}
	case *ssa.Call:
		if fn := Callee(&v.Call); fn != nil {
			return fn.Name() + "()"
		}
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return RootName(c)
		}
	}
	if n := Named(v.Type()); n != "" {
		return n
	}
	return fmt.Sprintf("a %s", types.TypeString(v.Type(), func(p *types.Package) string { return p.Name() }))
}

// Named returns the bare name of the defined type behind t, "" where it has none.
func Named(t types.Type) string {
	t = types.Unalias(t)
	for {
		p, ok := t.(*types.Pointer)
		if !ok {
			break
		}
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// Elements returns the values of a slice that is written out, as the variadic arguments of a call are; nil for any
// other.
func Elements(v ssa.Value) []ssa.Value {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	array, ok := s.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var out []ssa.Value
	for ia := range Referrers[*ssa.IndexAddr](array) {
		for st := range StoresTo(ia) {
			out = append(out, st.Val)
		}
	}
	return out
}
