package optionalderef

import (
	"cmp"
	"fmt"
	"go/ast"
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
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A search finds what a package does with optional fields: it follows each load of a field to its uses, in the function
// and in those of the package that get the pointer as an argument. The analysis is field-based: it does not tell one
// object from another. So a test anywhere, of any object, counts for all dereferences, and there is no guard to be
// looked for at one of them, but for that of a discriminator ([search.chosen]).
//
// Where the pointer goes out of sight, it may be tested: the field counts as checked. Nothing is asked about where an
// object comes from, as that follows: what nobody sets is not nil in objects alone that were decoded.
type search struct {
	unit    *link.Unit[Part]
	p       *program.Program
	fields  map[string]*Field
	checked map[string]bool
	tests   map[string][]*ssa.If // comparisons of the field with nil
	derefs  map[string][]deref
	// entrances says who runs the function of a place.
	entrances func(token.Pos) (called bool, exported []string)
}

// A deref is a dereference of the field that base leads to.
type deref struct {
	in   ssa.Instruction
	path flow.Path
}

func (s *search) run() {
	for in := range flow.InstrsOf[*ssa.Field](s.p.All()...) {
		if f := s.field(in.X.Type(), in.Field); f != "" && !s.copies(in) {
			s.follow(f, in)
		}
	}
	for in := range flow.InstrsOf[*ssa.FieldAddr](s.p.All()...) {
		if f := s.field(in.X.Type(), in.Field); f != "" && !s.copies(in) {
			s.address(f, in)
		}
	}
	for in := range flow.InstrsOf[*ssa.ChangeType](s.p.All()...) {
		s.renames(in)
	}
	s.guards()
	s.unit.Part.Checked = slices.Sorted(maps.Keys(s.checked))
	for _, f := range slices.Sorted(maps.Keys(s.derefs)) {
		if !s.checked[f] {
			s.report(f)
		}
	}
}

// copies reports whether in is code that says nothing of what a person thought of: generated code, such as that of deep
// copies, and tests.
func (s *search) copies(in ssa.Instruction) bool {
	fn := flow.Decl(in.Parent())
	file := rule.FileAt(s.unit.Pass, fn.Pos())
	obj := flow.Object(fn)
	return file == nil || ast.IsGenerated(file) || obj != nil && (kubeapi.IsDeepCopy(obj) || kubeapi.CopiesInto(obj)) ||
		strings.HasSuffix(s.unit.Pass.Fset.Position(file.Pos()).Filename, "_test.go")
}

// renames takes a conversion of a struct to another type, of which the fields are others.
func (s *search) renames(in *ssa.ChangeType) {
	n := kubeapi.Named(in.X.Type())
	if n == nil || n.Obj().Pkg() == nil || s.copies(in) {
		return
	}
	for key, f := range s.fields {
		if f.Struct == nameOf(n.Obj()) {
			s.checked[key] = true
		}
	}
}

// field returns the key of the optional field i of a struct of type t, "" for others.
func (s *search) field(t types.Type, i int) string {
	n, f := kubeapi.Named(t), flow.Field(t, i)
	if n == nil || f == nil || n.Obj().Pkg() == nil {
		return ""
	}
	if key := nameOf(n.Obj()) + "." + f.Name(); s.fields[key] != nil {
		return key
	}
	return ""
}

// address takes what is done with the address of field f. A copy of the field of the same name of another struct, as
// between versions of a kind, does not set it.
func (s *search) address(f string, fa *ssa.FieldAddr) {
	for in := range flow.Referrers[ssa.Instruction](fa) {
		switch in := in.(type) {
		case *ssa.UnOp:
			s.follow(f, in)
		case *ssa.Store:
			from := flow.LoadedFrom(in.Val)
			if in.Addr != ssa.Value(fa) || from == nil || flow.Field(from.X.Type(), from.Field).Name() != s.fields[f].Name || s.field(from.X.Type(), from.Field) == f {
				s.checked[f] = true
			}
		default:
			s.checked[f] = true
		}
	}
}

// follow takes what is done with v, which field f was loaded into.
func (s *search) follow(f string, v ssa.Value) {
	seen := map[ssa.Value]bool{v: true}
	for work := []ssa.Value{v}; len(work) > 0; work = work[1:] {
		x := work[0]
		for in := range flow.Referrers[ssa.Instruction](x) {
			next, known := s.use(f, in, x, x == v)
			if !known {
				s.checked[f] = true
			}
			if next != nil && !seen[next] {
				seen[next], work = true, append(work, next)
			}
		}
	}
}

// use takes one use of x. It returns the value that is x, too, because of it, and whether it is known not to lead to a
// test. The dereferences of parameters are not those of the field: they are in functions for any pointer.
func (s *search) use(f string, in ssa.Instruction, x ssa.Value, own bool) (next ssa.Value, known bool) {
	switch in := in.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.UnOp:
		if own {
			s.derefs[f] = append(s.derefs[f], deref{in, flow.PathOf(x)})
		}
		return nil, true
	case *ssa.ChangeType:
		return in, true
	case *ssa.BinOp:
		_, _, isTest := flow.NilTest(in)
		for branch := range flow.Referrers[ssa.Instruction](in) {
			test, ok := branch.(*ssa.If)
			if ok {
				s.tests[f] = append(s.tests[f], test)
			} else {
				return nil, false
			}
		}
		return nil, isTest && own
	case *ssa.Store: // into an object that is built from this one
		switch addr := in.Addr.(type) {
		case *ssa.FieldAddr:
			return nil, in.Val == x
		case *ssa.IndexAddr:
			return nil, in.Val == x && flow.WrittenOut(addr.X) != "varargs"
		}
	case *ssa.Call:
		fn := s.p.Callee(&in.Call)
		i := slices.Index(flow.AllArgs(&in.Call), x)
		if fn != nil && i >= 0 && i < len(fn.Params) {
			return fn.Params[i], true
		}
	}
	return nil, false
}

// report defers the findings about field f until it is known that no package checks it: one at a dereference of those of the
// package, the same whatever the order of the source is, and, if a package guards other dereferences, one at those
// that no path condition guards on the way from Reconcile.
func (s *search) report(f string) {
	var all, unguarded []deref
	for _, d := range s.derefs[f] {
		again := func(o deref) bool {
			return o.in != d.in && o.in.Parent() == d.in.Parent() && o.path == d.path && flow.Dominates(o.in, d.in)
		}
		if slices.ContainsFunc(s.derefs[f], again) || s.chosen(f, d.in, false) || !rule.Wanted(s.unit.Pass, d.in.Pos()) {
			continue
		}
		called, exported := s.entrances(d.in.Pos())
		if !called && len(exported) == 0 {
			continue
		}
		all = append(all, d)
		if !s.chosen(f, d.in, true) {
			unguarded = append(unguarded, d)
		}
	}
	field := s.fields[f]
	s.finding(f, all, neverChecked, "unchecked-field", fmt.Sprintf("%s is optional (%s) and never compared with nil in this module: an object without it panics here; check it, or mark it required", field.Shown, field.At))
	s.finding(f, unguarded, onlyGuarded, "unguarded-field", fmt.Sprintf("%s is optional (%s) and not compared with nil here, as elsewhere in this module: an object without it panics; check it", field.Shown, field.At))
}

// finding defers the finding that field f is followed at these places.
func (s *search) finding(f string, all []deref, kind string, site rule.Site, message string) {
	if len(all) == 0 {
		return
	}
	runs := link.Use{Of: link.Condition{Kind: followed, Of: f + " " + s.unit.Path}}
	for _, d := range all {
		called, exported := s.entrances(d.in.Pos())
		runs.Always = runs.Always || called
		for _, name := range exported {
			runs.If = append(runs.If, link.Condition{Kind: link.Called, Of: name})
		}
	}
	name := func(d deref) string { return flow.FuncName(flow.Decl(d.in.Parent())) }
	slices.SortFunc(all, func(a, b deref) int {
		return cmp.Or(strings.Compare(name(a), name(b)), cmp.Compare(a.in.Pos(), b.in.Pos()))
	})
	found := rule.Finding{Pos: all[0].in.Pos(), Sub: "unchecked", Site: site, Message: message}
	for _, d := range all[1:] {
		found.Related = append(found.Related, analysis.RelatedInformation{Pos: d.in.Pos(), Message: "it panics here, too"})
	}
	s.unit.Uses = append(s.unit.Uses, runs)
	s.unit.Defer(found, link.Condition{Kind: kind, Of: runs.Of.Of})
}

// guards sorts the fields that the package compares with nil into those that are checked and those that are guarded: at
// each comparison, the side on which the pointer is not nil follows it, and then goes on where the other side does, with
// no other values than lists to tell them apart, or the other one returns lists. So nobody else learns the outcome. A list
// of values of the module's own types tells it: it may have what passed the test.
func (s *search) guards() {
	for f, tests := range s.tests {
		for _, test := range tests {
			_, isNil, _ := flow.NilTest(test.Cond)
			nilSide, other := flow.Side(test, flow.TruthOf(isNil)), flow.Side(test, flow.TruthOf(!isNil))
			follows := slices.ContainsFunc(s.derefs[f], func(d deref) bool { return other.Dominates(d.in.Block()) })
			if len(other.Preds) != 1 || !follows || flow.Any(flow.Phis(nilSide), func(phi *ssa.Phi) bool { return s.tells(phi) }) || !goesOn(other, nilSide) && !s.returnsLists(nilSide) {
				s.checked[f] = true
			}
		}
		if !s.checked[f] {
			s.unit.Part.Guarded = append(s.unit.Part.Guarded, f)
		}
	}
	slices.Sort(s.unit.Part.Guarded)
}

// goesOn reports whether all paths from b to a return pass to: it postdominates b.
func goesOn(b, to *ssa.BasicBlock) bool {
	for b := range flow.BlocksAlong(func(_, next *ssa.BasicBlock) bool { return next != to }, b) {
		if flow.ReturnOf(b) != nil {
			return false
		}
	}
	return true
}

// returnsLists reports whether b does no more than to return lists.
func (s *search) returnsLists(b *ssa.BasicBlock) bool {
	ret := flow.ReturnOf(b)
	return ret != nil && len(ret.Results) > 0 && !slices.ContainsFunc(ret.Results, s.tells)
}

// tells reports whether v may say which objects passed a test.
func (s *search) tells(v ssa.Value) bool {
	list, isList := v.Type().Underlying().(*types.Slice)
	if !isList {
		return true
	}
	n := kubeapi.Named(list.Elem())
	return n != nil && n.Obj().Pkg() != nil && rule.OfModule(s.unit.Pass, n.Obj().Pkg())
}

// chosen reports whether in runs for some objects alone: field f, or a text in a struct of its package, which may be a
// discriminator, is compared there, or at all calls in the package of a function that leads to in. With open, it may
// also be compared by the callers that are not known: those of all functions but Reconcile that the package does not
// call.
func (s *search) chosen(f string, in ssa.Instruction, open bool) bool {
	var always program.Always[ssa.Instruction]
	api := s.fields[f].Struct[:strings.LastIndexByte(s.fields[f].Struct, '.')]
	return always.Holds(in, func(in ssa.Instruction) (decided, holds bool, above []ssa.Instruction) {
		for test, truth := range flow.PathCondition(in.Block()) {
			if x, _, ok := flow.NilTest(test.Cond); ok && truth != flow.Unknown {
				if t, i := loaded(x); t != nil && s.field(t, i) == f {
					return true, true, nil
				}
			}
			if bin, ok := test.Cond.(*ssa.BinOp); ok && truth != flow.Unknown && (bin.Op == token.EQL || bin.Op == token.NEQ) && (textOf(bin.X, api) || textOf(bin.Y, api)) {
				return true, true, nil
			}
		}
		if kubeapi.IsReconcile(flow.Object(in.Parent())) {
			return true, false, nil
		}
		for _, call := range s.p.Callers(in.Parent()) {
			above = append(above, call)
		}
		return len(above) == 0, open, above
	})
}

// loaded returns the struct and the index of the field that v is loaded from; nil for other values.
func loaded(v ssa.Value) (t types.Type, i int) {
	v = flow.Resolve(v)
	if fa := flow.LoadedFrom(v); fa != nil {
		return fa.X.Type(), fa.Field
	}
	if field, ok := v.(*ssa.Field); ok {
		return field.X.Type(), field.Field
	}
	return nil, 0
}

// textOf reports whether v is a text loaded from a field of a struct of the package with that path.
func textOf(v ssa.Value, api string) bool {
	t, _ := loaded(v)
	if t == nil || !flow.IsString(v.Type()) {
		return false
	}
	n := kubeapi.Named(t)
	return n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == api
}
