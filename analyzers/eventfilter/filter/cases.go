package filter

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/words"
)

// cases reports filters that name kinds or constants one by one, and forget one.
type cases struct {
	pass *analysis.Pass
	ps   predicates
	// controllers are those that the package sets up.
	controllers []*controller
}

func (c *cases) run(handlers []*controllers.Handler) {
	c.watches()
	for _, h := range handlers {
		if h.Type != nil && !h.Informer {
			c.compare(map[string]*ssa.Function{"Create": h.Created.Fn(), "Update": h.Updated.Fn(), "Delete": h.Deleted.Fn()})
		}
	}
	c.constants()
}

// watches reports a kind that is watched through a predicate whose type switch does not know it.
func (c *cases) watches() {
	reported := map[token.Pos]bool{}
	for _, ctl := range c.controllers {
		for _, w := range ctl.watches {
			n := kube.Named(w.Kind)
			if w.Kind == nil || n == nil || n.Obj().Pkg() == nil {
				continue
			}
			given, kind := kindName(n), kindOf(w.Kind)
			if w.Metadata {
				given, kind = kube.MetaV1+".PartialObjectMetadata", w.objects().name
			}
			for _, q := range w.pred.conjuncts() {
				kinds := c.only(q)
				if len(kinds) == 0 || slices.Contains(kinds, given) || reported[w.Pos] {
					continue
				}
				reported[w.Pos] = true
				rule.Report(c.pass, rule.Finding{Pos: w.Pos, Sub: "cases", Site: "excluded-kind", Message: fmt.Sprintf(
					"every update of %s is dropped: %s, which guards this watch, knows only %s", kind, q.Name, short(kinds)),
					Related: []analysis.RelatedInformation{{Pos: q.Pos, Message: "this is the predicate"}}})
			}
		}
	}
}

// short are the names of kinds without the paths of their packages.
func short(kinds []string) string {
	var names []string
	for _, k := range kinds {
		names = append(names, k[strings.LastIndex(k, "/")+1:])
	}
	return strings.Join(names, ", ")
}

// only are the kinds whose updates alone q lets through, none where it does not go by kinds.
func (c *cases) only(q *pred) []string {
	f := q.summary
	if q.Op == controllers.ByHand && q.Fns["Update"] != nil {
		f = summarise(q)
	}
	if f == nil || !f.Foreign {
		return nil
	}
	return f.Kinds
}

// compare reports the one of the methods Create, Update and Delete of a handler or predicate that switches over the kinds of its event's object, and lacks one
// kind that both others have.
func (c *cases) compare(fns map[string]*ssa.Function) {
	kinds := map[string][]string{}
	for name, fn := range fns {
		if fn != nil {
			kinds[name] = c.switched(fn)
		}
		if len(kinds[name]) < 2 {
			return
		}
	}
	names := []string{"Create", "Update", "Delete"}
	for _, name := range names {
		others := slices.DeleteFunc(slices.Clone(names), func(o string) bool { return o == name })
		var missing []string
		for _, k := range kinds[others[0]] {
			if slices.Contains(kinds[others[1]], k) && !slices.Contains(kinds[name], k) {
				missing = append(missing, k)
			}
		}
		if len(missing) != 1 || !rule.Wanted(c.pass, fns[name].Pos()) {
			continue
		}
		other := change{what: "anything", wild: true, bumped: true, foreign: true}
		if v := c.ps.judge(fns[name], other); !v.drops() {
			continue // it does something about kinds that it does not name
		}
		rule.Report(c.pass, rule.Finding{Pos: fns[name].Pos(), Sub: "cases", Site: "missing-case", Message: fmt.Sprintf(
			"%s has no case for %s, which %s and %s have: its events are dropped", flow.FuncName(fns[name]), short(missing), others[0], others[1]),
			Related: []analysis.RelatedInformation{{Pos: fns[others[0]].Pos(), Message: others[0] + " has the case"}, {Pos: fns[others[1]].Pos(), Message: others[1] + " has the case"}}})
	}
}

// switched are the kinds that fn, or a function of this package that it hands the object to, asserts the object of its
// event to have.
func (c *cases) switched(fn *ssa.Function) []string {
	var kinds []string
	for f := range handed(c.ps.pkg, fn, types.IsInterface) {
		kinds = append(kinds, assertedKinds(f)...)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// constants reports a list of constants of one kind, in a filter, that lacks one which the package uses in the same way
// as the others.
func (c *cases) constants() {
	uses := c.constantUses()
	for _, file := range c.pass.Files {
		for _, decl := range file.Decls {
			fd, ok := decl.(*ast.FuncDecl)
			if !ok || fd.Body == nil || !c.filters(fd) {
				continue
			}
			ast.Inspect(fd.Body, func(n ast.Node) bool {
				lit, ok := n.(*ast.CompositeLit)
				if ok {
					c.list(lit, fd, uses)
				}
				return true
			})
		}
	}
}

// filters reports whether fd is a filter, or one of this package calls it: its result is a bool, and it is given an
// event or an object.
func (c *cases) filters(fd *ast.FuncDecl) bool {
	obj, ok := c.pass.TypesInfo.Defs[fd.Name].(*types.Func)
	if !ok {
		return false
	}
	sig := obj.Type().(*types.Signature)
	for i := range sig.Params().Len() {
		if t := sig.Params().At(i).Type(); kube.IsEvent(t, "") {
			return true
		} else if mayBeObject(t) && !kube.IsAny(t) && sig.Results().Len() == 1 && flow.IsBool(sig.Results().At(0).Type()) && c.calledByFilter(obj) {
			return true
		}
	}
	return false
}

// calledByFilter reports whether a function that is given an event calls fn.
func (c *cases) calledByFilter(fn *types.Func) bool {
	for _, f := range c.ps.pkg.All() {
		if !hasEvent(f) {
			continue
		}
		found := false
		flow.Calls(f, func(call ssa.CallInstruction) { found = found || flow.Callee(call.Common()) == fn })
		if found {
			return true
		}
	}
	return false
}

// useSite is a parameter of a function.
type useSite struct {
	fn    *types.Func
	param int
}

// constantUses are the parameters for which the constants of the package are arguments.
func (c *cases) constantUses() map[*types.Const]map[useSite]bool {
	uses := map[*types.Const]map[useSite]bool{}
	for _, file := range c.pass.Files {
		if strings.HasSuffix(c.pass.Fset.File(file.FileStart).Name(), "_test.go") {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			callee, ok := typeutil.Callee(c.pass.TypesInfo, call).(*types.Func)
			if !ok {
				return true
			}
			for i, a := range call.Args {
				if k := c.constantOf(a); k != nil {
					if uses[k] == nil {
						uses[k] = map[useSite]bool{}
					}
					uses[k][useSite{callee.Origin(), i}] = true
				}
			}
			return true
		})
	}
	return uses
}

// constantOf is the string constant of this package that e names.
func (c *cases) constantOf(e ast.Expr) *types.Const {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	k, ok := c.pass.TypesInfo.Uses[id].(*types.Const)
	if !ok || k.Pkg() != c.pass.Pkg || k.Val().Kind() != constant.String || k.Parent() != c.pass.Pkg.Scope() {
		return nil
	}
	return k
}

// list reports lit where it lacks a constant of the family that it lists.
func (c *cases) list(lit *ast.CompositeLit, fd *ast.FuncDecl, uses map[*types.Const]map[useSite]bool) {
	if len(lit.Elts) < 2 || !rule.Wanted(c.pass, lit.Pos()) {
		return
	}
	var listed []*types.Const
	for _, e := range lit.Elts {
		k := c.constantOf(e)
		if k == nil {
			return
		}
		listed = append(listed, k)
	}
	last := lastWord(listed[0].Name())
	common := map[useSite]int{}
	for _, k := range listed {
		if lastWord(k.Name()) != last {
			return
		}
		for u := range uses[k] {
			common[u]++
		}
	}
	var missing []*types.Const
	var evidence useSite
	for _, name := range c.pass.Pkg.Scope().Names() {
		k, ok := c.pass.Pkg.Scope().Lookup(name).(*types.Const)
		if !ok || slices.Contains(listed, k) || lastWord(name) != last || !types.Identical(k.Type(), listed[0].Type()) {
			continue
		}
		for u := range uses[k] {
			// A function that gets each of the listed ones, and this one.
			if common[u] == len(listed) {
				missing = append(missing, k)
				evidence = u
				break
			}
		}
	}
	if len(missing) != 1 {
		return
	}
	k := missing[0]
	rule.Report(c.pass, rule.Finding{Pos: lit.Pos(), Sub: "cases", Site: "missing-list-entry", Message: fmt.Sprintf(
		"the list in %s lacks %s, which is given to %s as all that it lists are: events that concern it are dropped", fd.Name.Name, k.Name(), evidence.fn.Name()),
		Related: []analysis.RelatedInformation{{Pos: k.Pos(), Message: k.Name() + " is declared here"}}})
}

func lastWord(name string) string {
	w := words.Of(name)
	if len(w) == 0 {
		return ""
	}
	return w[len(w)-1]
}
