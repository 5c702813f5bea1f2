// Package callers is who, in the programs of a module, calls what its packages have for others.
//
// What a function does keeps nobody where nobody calls it. A function that is there for other packages, and that its own does not call, is
// called where a program says so; of what is in no program, nobody knows who calls it. A finding in such a function waits, and each package above notes
// what it does with the function.
package callers

import (
	"cmp"
	"go/types"
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

// Waiting is the part of a package's fact that has its findings which wait, and what it does with the functions of those below.
type Waiting struct {
	Findings []Finding
	Uses     []Use
}

// A Finding is one in the function of that name, which its own package does not call. Or it is one that harms nobody unless other packages call one of the
// functions Beyond.
type Finding struct {
	Func   string
	Beyond []string

	// Outlived says that the finding harms nobody where all who call the function start it to last as long as the process.
	Outlived bool
	link.Kept
}

// A Use says that the function, or the method of an interface, of that name is called, or may be: wherever a call of By leads there, or
// for certain where that is empty.
type Use struct {
	Of, By string
	Lasts  bool // it is to last as long as the process
	Named  bool // by its name, and not through an interface

	in string // the package that says so, where a program comes together
}

// Wait puts off the finding f, in the function fn, where programs say whether anybody calls that, and are there to say it.
func (w *Waiting) Wait(pass *analysis.Pass, fn *ssa.Function, f rule.Finding, outlived bool) bool {
	fn = flow.Decl(fn)
	obj := flow.Object(fn)
	if !rule.Active.Programs || rule.IsDependency(pass) || obj == nil || !obj.Exported() || pass.Pkg.Name() == "main" || len(program.Of(pass).Callers(fn)) > 0 {
		return false
	}
	if k, ok := link.Keep(pass, f); ok {
		w.Findings = append(w.Findings, Finding{Func: obj.FullName(), Outlived: outlived, Kept: k})
	}
	return true
}

// WaitBeyond puts off the finding f, which harms nobody unless another package calls one of the functions beyond, where programs say whether one does. With none of them
// it harms nobody in a program.
func (w *Waiting) WaitBeyond(pass *analysis.Pass, beyond []string, f rule.Finding) bool {
	if !rule.Active.Programs || rule.IsDependency(pass) {
		return false
	}
	if k, ok := link.Keep(pass, f); ok {
		w.Findings = append(w.Findings, Finding{Beyond: beyond, Kept: k})
	}
	return true
}

// functions are those whose callers f waits for.
func (f *Finding) functions() []string {
	if f.Func == "" {
		return f.Beyond
	}
	return []string{f.Func}
}

// Fill notes what the package of pass does with the functions that all, it and those below, have findings of. Lasts reports whether what a call of the
// package starts is to last as long as the process.
func (w *Waiting) Fill(pass *analysis.Pass, all []Part, lasts func(ssa.CallInstruction) bool) {
	a := asking{pass: pass, asked: map[string]bool{}, methods: map[string]bool{}, found: map[Use]bool{}, lasts: lasts}
	for _, b := range all {
		for _, f := range b.Findings {
			for _, fn := range f.functions() {
				a.asked[fn] = true
				a.methods[fn[strings.LastIndexByte(fn, '.')+1:]] = true
			}
		}
	}
	if len(a.asked) == 0 {
		return
	}
	for _, fn := range program.Of(pass).All() {
		for in := range flow.Instrs(fn) {
			a.use(in)
		}
	}
	for id, i := range pass.TypesInfo.Instances {
		params := typeParams(pass.TypesInfo.Uses[id])
		for n := range i.TypeArgs.Len() {
			if n < params.Len() {
				a.becomes(i.TypeArgs.At(n), params.At(n).Constraint())
			}
		}
	}
	for u := range a.found {
		w.Uses = append(w.Uses, u)
	}
	slices.SortFunc(w.Uses, Use.compare)
}

func (u Use) compare(o Use) int {
	return cmp.Or(strings.Compare(u.Of+" "+u.By, o.Of+" "+o.By), falseFirst(u.Lasts, o.Lasts), falseFirst(u.Named, o.Named))
}

func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// typeParams are the type parameters of the function or type obj.
func typeParams(obj types.Object) *types.TypeParamList {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Signature().TypeParams()
	case *types.TypeName:
		if n, ok := obj.Type().(*types.Named); ok {
			return n.TypeParams()
		}
	}
	return nil
}

// asking is the look for the uses of those functions that are asked for, and of methods of their names.
type asking struct {
	pass           *analysis.Pass
	asked, methods map[string]bool
	found          map[Use]bool
	lasts          func(ssa.CallInstruction) bool
}

// use notes what in does with the functions: it names one, calls a method of an interface, or makes an interface of what has one.
func (a *asking) use(in ssa.Instruction) {
	call, isCall := in.(ssa.CallInstruction)
	if isCall && call.Common().IsInvoke() && a.methods[call.Common().Method.Name()] {
		a.found[Use{Of: call.Common().Method.FullName(), Lasts: a.toLast(call)}] = true
	}
	for _, op := range in.Operands(nil) {
		if named, ok := (*op).(*ssa.Function); ok && flow.Object(named) != nil && a.asked[flow.Object(named).FullName()] {
			a.found[Use{Of: flow.Object(named).FullName(), Lasts: isCall && op == &call.Common().Value && a.toLast(call), Named: true}] = true
		}
	}
	switch in := in.(type) {
	case *ssa.MakeInterface:
		a.becomes(in.X.Type(), in.Type())
	case *ssa.ChangeInterface:
		a.becomes(in.X.Type(), in.Type())
	case *ssa.TypeAssert:
		if types.IsInterface(in.AssertedType) {
			a.becomes(in.X.Type(), in.AssertedType)
		}
	}
}

// toLast reports whether call starts what is to last as long as the process.
func (a *asking) toLast(call ssa.CallInstruction) bool { return a.lasts != nil && a.lasts(call) }

// becomes notes that a value of type t may be one of the interface, or of a type parameter with that constraint: who calls a method of that calls the one of t. What becomes one without
// the method may become another one with it.
func (a *asking) becomes(t, iface types.Type) {
	for name := range a.methods {
		var from string
		switch m := a.method(t, name); {
		case types.IsInterface(t):
			from = a.ofInterface(t, name)
		case m != nil && a.asked[m.FullName()]:
			from = m.FullName()
		default:
			continue
		}
		to := a.ofInterface(iface, name)
		if from == to {
			continue
		}
		if m := a.method(iface, name); m != nil && (m.Pkg() == nil || m.Pkg().Path() != packageOf(from)) {
			to = "" // others call it, who may not know of what is asked for
		}
		a.found[Use{Of: from, By: to}] = true
	}
}

// ofInterface is what calls of the method of that name, of values of the interface, are uses of. It is said of interfaces without such a method, too.
func (a *asking) ofInterface(iface types.Type, name string) string {
	if m := a.method(iface, name); m != nil {
		return m.FullName()
	}
	return link.TypeName(iface) + " " + name
}

// packageOf is the path of the package of the method that is named so.
func packageOf(method string) string {
	recv, _, _ := strings.Cut(strings.TrimLeft(method, "(*"), ").")
	return recv[:max(0, strings.LastIndexByte(recv, '.'))]
}

// method is the method of t, or of what points to it, of that name, which is an exported one; nil where there is none.
func (a *asking) method(t types.Type, name string) *types.Func {
	if m := kubeapi.Method(t, name); m != nil {
		return m.Origin()
	}
	return nil
}

// Come says in the program of pass what all, the facts of its packages, whose files are in dirs, have put off in functions that are called there, or may be. Of what is
// in no program that is not known.
func Come(pass *analysis.Pass, dirs link.Dirs, all []Part, say func(rule.Finding)) {
	uses := map[string][]Use{}
	for _, p := range all {
		for _, u := range p.Uses {
			u.in = p.Path
			uses[u.Of] = append(uses[u.Of], u)
		}
	}
	for _, p := range all {
		for _, f := range p.Findings {
			if !link.Judges(pass, p.Path) || pass.Pkg.Path() != link.Libraries && !f.comes(p.Path, uses) {
				continue
			}
			if finding := f.Finding(pass, dirs); finding.Pos.IsValid() {
				say(finding)
			}
		}
	}
}

// A Part is what the package with that path has for programs.
type Part struct {
	Path string
	*Waiting
}

// comes reports whether somebody calls what f, of the package at path, waits for: of the functions beyond, one of another package.
func (f *Finding) comes(path string, uses map[string][]Use) bool {
	if f.Func != "" {
		return called(f.Func, f.Outlived, uses, map[string]bool{})
	}
	return slices.ContainsFunc(f.Beyond, func(name string) bool {
		return slices.ContainsFunc(uses[name], func(u Use) bool {
			return u.By == "" && (u.in != path || !u.Named) || u.By != "" && called(u.By, false, uses, map[string]bool{})
		})
	})
}

// called reports whether the function of that name, or the method of an interface, is called by these uses; where outlived, by another one than those that
// last as long as the process.
func called(name string, outlived bool, uses map[string][]Use, asked map[string]bool) bool {
	if asked[name] {
		return false
	}
	asked[name] = true
	return slices.ContainsFunc(uses[name], func(u Use) bool {
		if u.By != "" {
			return called(u.By, outlived, uses, asked)
		}
		return !outlived || !u.Lasts
	})
}
