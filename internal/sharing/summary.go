package sharing

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Shares is the fact of a function that writes to what its parameters lead to, or returns what they or a cache have.
type Shares struct {
	Writes []Write
	Gives  []Give
	Calls  []Call
	Copies bool // of an interface's method: see copies
}

// A Call is one of a method of an interface that a parameter is, or has at Path: what it does is for the caller to
// say, who knows the type.
type Call struct {
	Param  int
	Path   string
	Method string
}

// A Write is one to what a parameter leads to.
type Write struct {
	Param   int
	Deep    bool   // a reference was followed: a map, say, that the object has
	Path    string // to it
	What    Target
	Sorts   bool // it changes the order of a list
	At      Place
	Set     bool            // by a setter of the object, which writes to the map of an Unstructured
	Content bool            // only of an Unstructured
	When    paths.Condition // the values of a parameter for which it happens
	pos     token.Pos       // the last place of this package on the way to the write
	own     bool            // that is the write
}

// A Give is a result that leads to what a parameter leads to, or to what a cache keeps.
type Give struct {
	Result  int
	Param   int // -1 for a cache
	At      bool
	Within  string
	Ref     bool
	Deep    bool
	Path    string
	Object  bool
	Content bool // only of an Unstructured
	Via     uint8
	Of      string          // the cache
	When    paths.Condition // the values of a parameter for which it does, of what a parameter leads to
	pos     token.Pos       // of the read, in this package
}

// A Place is where something is written, for a message.
type Place struct {
	File string // without its folder
	Line int
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// AFact marks Shares as a fact.
func (*Shares) AFact() {}

func (s *Shares) String() string {
	var parts []string
	if s.Copies {
		parts = append(parts, "gives copies")
	}
	for _, w := range s.Writes {
		text := fmt.Sprintf("writes p%d%s%s", w.Param, w.Path, map[bool]string{true: "->", false: ""}[w.Deep])
		if w.When != (paths.Condition{}) {
			text += " if " + w.When.String()
		}
		parts = append(parts, text)
	}
	for _, g := range s.Gives {
		from := "a cache"
		if g.Param >= 0 {
			from = fmt.Sprintf("p%d%s", g.Param, g.Path)
		}
		text := fmt.Sprintf("r%d%s of %s", g.Result, g.Within, from)
		if g.When != (paths.Condition{}) {
			text += " if " + g.When.String()
		}
		parts = append(parts, text)
	}
	for _, c := range s.Calls {
		parts = append(parts, fmt.Sprintf("calls %s of p%d%s", c.Method, c.Param, c.Path))
	}
	return strings.Join(parts, ", ")
}

func (g Give) share() share {
	return share{at: g.At, within: g.Within, ref: g.Ref, deep: g.Deep, path: g.Path, object: g.Object, content: g.Content, via: Kind(g.Via)}
}

// summarise makes the summaries of all functions of the package, callees first; those on a cycle until nothing new is
// found.
func (a *Sharing) summarise() {
	for _, component := range a.p.BottomUp(program.Calls | program.Dispatches) {
		for again := true; again; {
			again = false
			for _, fn := range component {
				s := a.summary(fn)
				if old := a.sums[fn]; old == nil || s.size() > old.size() {
					a.sums[fn] = s
					again = len(component) > 1
				}
			}
		}
	}
}

// size returns how much s says. It grows with what is known of callees.
func (s *Shares) size() int {
	return len(s.Writes) + len(s.Gives) + len(s.Calls)
}

// summary returns that of fn, as far as those of its callees are known.
func (a *Sharing) summary(fn *ssa.Function) *Shares {
	s := &Shares{}
	writes := map[Write]Write{}   // by all but where and what
	gives := map[Give]token.Pos{} // where the first is
	give := func(e Effect, param int, r Read) {
		g, pos := a.give(e, param, r)
		if old, ok := gives[g]; !ok || pos < old {
			gives[g] = pos
		}
	}
	for i, p := range fn.Params {
		a.trace(fn, p, share{at: refers(p.Type())}, func(e Effect) {
			if e.Deed == returned {
				give(e, i, Read{})
			}
			if e.Deed == called {
				if c := (Call{i, e.sh.path, e.method}); !slices.Contains(s.Calls, c) {
					s.Calls = append(s.Calls, c)
				}
			}
			if !e.Deed.writes() {
				return
			}
			r := Read{At: fn.Blocks[0].Instrs[0], Value: p}
			if !a.remains(r.At, e) || (e.Mixed() || len(a.existing(r, e)) > 0) && !a.feasible(r, e) {
				return
			}
			w := a.write(fn, i, e)
			key := Write{Param: i, Deep: w.Deep, Path: w.Path, Set: w.Set, Content: w.Content, When: w.When}
			if old, ok := writes[key]; !ok || compareWrites(w, old) < 0 {
				writes[key] = w
			}
		})
	}
	for _, r := range a.Reads(fn) {
		if endsWith(r.At) {
			continue
		}
		a.trace(fn, r.Value, r.sh, func(e Effect) {
			if e.Deed == returned && (e.sh.object || !r.Untyped) && a.remains(r.At, e) {
				give(e, -1, r)
			}
		})
	}
	for _, w := range writes {
		s.Writes = append(s.Writes, w)
	}
	for g, pos := range gives {
		g.pos = pos
		s.Gives = append(s.Gives, g)
	}
	slices.SortFunc(s.Calls, func(x, y Call) int {
		return cmp.Or(cmp.Compare(x.Param, y.Param), cmp.Compare(x.Path, y.Path), cmp.Compare(x.Method, y.Method))
	})
	slices.SortFunc(s.Writes, compareWrites)
	slices.SortFunc(s.Gives, func(x, y Give) int {
		return cmp.Or(cmp.Compare(x.Param, y.Param), cmp.Compare(x.Result, y.Result), cmp.Compare(fmt.Sprint(x), fmt.Sprint(y)))
	})
	return s
}

// write returns what the write e, to what parameter i of fn leads to, is to its callers.
func (a *Sharing) write(fn *ssa.Function, i int, e Effect) Write {
	w := Write{Param: i, Deep: e.sh.deep, Path: e.sh.path, What: e.What, Sorts: e.Sorts, At: e.Where, Set: e.setter, Content: e.sh.content, When: e.when, pos: e.At, own: e.Own}
	if w.When == (paths.Condition{}) && flow.Decl(e.In.Parent()) == fn {
		w.When = paths.NearestCondition(e.In)
	}
	if w.At == (Place{}) {
		w.own = true
		pos := a.pass.Fset.Position(flow.Pos(e.In))
		w.At = Place{path.Base(strings.ReplaceAll(pos.Filename, "\\", "/")), pos.Line}
	}
	if !w.pos.IsValid() {
		w.pos = flow.Pos(e.In)
	}
	return w
}

// compareWrites puts what is known of the package before what is elsewhere.
func compareWrites(x, y Write) int {
	yes := func(is bool) int {
		if is {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(x.Param, y.Param), cmp.Compare(x.Path, y.Path), cmp.Compare(yes(x.own), yes(y.own)), cmp.Compare(x.At.File, y.At.File), cmp.Compare(x.At.Line, y.At.Line),
		cmp.Compare(x.What.String(), y.What.String()), cmp.Compare(x.When.Param, y.When.Param), cmp.Compare(x.When.String(), y.When.String()))
}

// give returns what the effect e, of what comes from a parameter, or from a cache by r, says of a result.
func (a *Sharing) give(e Effect, param int, r Read) (g Give, read token.Pos) {
	g = Give{
		Result: e.result, Param: param, At: e.sh.at, Within: e.sh.within, Ref: e.sh.ref, Deep: e.sh.deep, Path: e.sh.path,
		Object: param < 0 && e.sh.object, Content: e.sh.content, Via: uint8(e.sh.via), Of: r.Of,
	}
	if param >= 0 {
		g.When = paths.NearestCondition(e.In)
	}
	if r.At != nil {
		read = cmp.Or(r.From, flow.Pos(r.At))
	}
	return g, read
}

// summaries returns the summaries of the functions that in may run; nil if none is known, so that only the name says
// what it does.
func (a *Sharing) summaries(in ssa.CallInstruction) []*Shares {
	var out []*Shares
	fns, _ := a.p.Callees(in)
	for _, fn := range fns {
		if s := a.sums[fn]; s != nil {
			out = append(out, s)
		} else {
			out = append(out, &Shares{}) // on the same cycle of calls, or a literal
		}
	}
	targets, _ := a.p.Origins().Targets(in) // also those of other packages, called through interfaces
	for _, t := range targets {
		if fn := flow.Object(t.Fn); fn != nil {
			if s := a.fact(fn); s != nil {
				out = append(out, s)
			}
		}
	}
	if out != nil {
		return out
	}
	if fn := flow.Callee(in.Common()); fn != nil {
		if s := a.fact(fn); s != nil {
			return []*Shares{s}
		}
	}
	return nil
}

// fact returns that of a function of another package, nil for none. What Kubernetes' libraries do is known better
// than their bodies tell: they are called by interfaces, and copy by generated code.
func (a *Sharing) fact(fn *types.Func) *Shares {
	if fn.Pkg() == nil || fn.Pkg() == a.pass.Pkg || kubeapi.IsLibrary(fn.Pkg().Path()) && !rule.OfModule(a.pass, fn.Pkg()) {
		return nil
	}
	var s Shares
	if !a.pass.ImportObjectFact(fn.Origin(), &s) || s.Copies {
		return nil
	}
	return &s
}

// elsewhere returns the part of s that is exported to other packages: a position means nothing there, and is not kept
// between runs.
func (s *Shares) elsewhere() *Shares {
	out := &Shares{Writes: slices.Clone(s.Writes), Gives: slices.Clone(s.Gives), Calls: s.Calls}
	for i := range out.Writes {
		out.Writes[i].pos, out.Writes[i].own = token.NoPos, false
	}
	for i := range out.Gives {
		out.Gives[i].pos = token.NoPos
	}
	return out
}

// export leaves the summaries to the packages that import this one.
func (a *Sharing) export() {
	for _, fn := range a.p.Funcs {
		s := a.sums[fn]
		if s == nil || len(s.Writes) == 0 && len(s.Gives) == 0 && len(s.Calls) == 0 || fn.Parent() != nil {
			continue
		}
		if obj := flow.Object(fn); obj != nil {
			a.pass.ExportObjectFact(obj, s.elsewhere())
		}
	}
	a.exportCopies()
}
