package siblings

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// mapped reports functions that map an object to requests, and go through objects for that, which leave with nothing at the first of those that
// is not of their sort: what was collected before is lost, and the others are not asked.
func mapped(pass *analysis.Pass, pkg *program.Program) {
	for _, fn := range pkg.Funcs {
		obj := mappedBy(fn)
		if obj == nil || !rule.Wanted(pass, fn.Pos()) {
			continue
		}
		for ret := range flow.Returns(fn) {
			if !flow.IsEmpty(ret.Results[0]) {
				continue
			}
			c := collectingAt(fn, obj, ret)
			if c == nil {
				continue
			}
			name := "this function"
			if fn.Parent() == nil {
				name = flow.FuncName(fn)
			}
			of := types.TypeString(c.of, func(p *types.Package) string { return p.Name() })
			rule.Report(pass, rule.Finding{Pos: ret.Pos(), Sub: "siblings", Site: "early-map-return", Message: fmt.Sprintf(
				"%s returns no request because of one %s of which it has not asked yet whether it has to do with the object: what was collected of others is lost, and those behind it are not looked at",
				name, of),
				Related: []analysis.RelatedInformation{{Pos: c.append.Pos(), Message: "requests are collected here"}}})
		}
	}
}

// mappedBy is the object that fn, a function that maps objects to requests, is given; nil where it is none.
func mappedBy(fn *ssa.Function) *ssa.Parameter {
	results := fn.Signature.Results()
	if results.Len() != 1 || !isRequests(results.At(0).Type()) {
		return nil
	}
	var obj *ssa.Parameter
	for i, p := range fn.Params {
		if i == 0 && fn.Signature.Recv() != nil || !kube.IsObject(p.Type()) {
			continue
		}
		if obj != nil {
			return nil
		}
		obj = p
	}
	return obj
}

// isRequests reports whether t is a list of requests.
func isRequests(t types.Type) bool {
	list, ok := t.Underlying().(*types.Slice)
	return ok && kube.IsType(list.Elem(), kube.Reconcile, "Request")
}

// collecting is a loop over objects that collects requests for some of them.
type collecting struct {
	loop   *flow.Loop
	of     types.Type // what it goes through
	append *ssa.Call
	obj    *ssa.Parameter // that the function is given
}

// collectingAt is the loop of fn which ret, that returns nothing, leaves because of the object of one turn; nil where there is none.
func collectingAt(fn *ssa.Function, obj *ssa.Parameter, ret *ssa.Return) *collecting {
	tests := ret.Block().Preds
	if len(tests) == 0 {
		return nil
	}
	c := &collecting{loop: innermost(fn, tests[0]), obj: obj}
	if c.loop == nil || c.loop.Blocks[ret.Block()] || !c.collects(fn) {
		return nil
	}
	first := false
	for _, b := range tests {
		test := flow.Branch(b)
		if test == nil || !c.loop.Blocks[b] || !c.ofElement(test) || c.asksWith(test) {
			return nil
		}
		first = first || c.eachTurn(b)
	}
	if !first || !c.asks(tests) {
		return nil
	}
	return c
}

// innermost is the smallest loop of fn with b, nil where there is none.
func innermost(fn *ssa.Function, b *ssa.BasicBlock) *flow.Loop {
	var found *flow.Loop
	for _, l := range flow.Loops(fn) {
		if l.Blocks[b] && (found == nil || len(l.Blocks) < len(found.Blocks)) {
			found = l
		}
	}
	return found
}

// collects reports whether the loop appends to requests that fn returns, and notes where.
func (c *collecting) collects(fn *ssa.Function) bool {
	c.loop.Instrs(func(in ssa.Instruction) {
		call, ok := in.(*ssa.Call)
		if !ok || c.append != nil || !isRequests(call.Type()) {
			return
		}
		if b, ok := call.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" {
			return
		}
		for ret := range flow.Returns(fn) {
			if grownBy(ret.Results[0], call, map[ssa.Value]bool{}) {
				c.append = call
				return
			}
		}
	})
	return c.append != nil
}

// grownBy reports whether the list v may have what call appends.
func grownBy(v ssa.Value, call *ssa.Call, seen map[ssa.Value]bool) bool {
	if v == call {
		return true
	}
	if seen[v] {
		return false
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return grownBy(e, call, seen) })
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append" && grownBy(v.Call.Args[0], call, seen)
	}
	return false
}

// eachTurn reports whether no turn of the loop goes on to the next without coming through b.
func (c *collecting) eachTurn(b *ssa.BasicBlock) bool {
	return !slices.ContainsFunc(c.loop.Header.Preds, func(tail *ssa.BasicBlock) bool { return c.loop.Blocks[tail] && !b.Dominates(tail) })
}

// ofElement reports whether test asks about the object of the turn, and nothing about the one that the function is given, or about an error.
func (c *collecting) ofElement(test *ssa.If) bool {
	s := c.sources(test.Cond)
	return s.element && !s.given && !s.failed
}

// asks reports whether the loop tests something of the object that the function is given, at none of these tests.
func (c *collecting) asks(but []*ssa.BasicBlock) bool {
	for b := range c.loop.Blocks {
		if test := flow.Branch(b); test != nil && !slices.Contains(but, b) && c.sources(test.Cond).given {
			return true
		}
	}
	return false
}

// asksWith reports whether test is about what the loop asks about the object that the function is given: a selector, that it is put to further on. Whether
// that can say yes at all is a part of the question.
func (c *collecting) asksWith(test *ssa.If) bool {
	tested := map[ssa.Value]bool{}
	flow.Sources(test.Cond, func(v ssa.Value) bool {
		tested[v] = true
		return true
	})
	asks := false
	c.loop.Instrs(func(in ssa.Instruction) {
		call, ok := in.(*ssa.Call)
		if !ok || flow.Recv(&call.Call) == nil {
			return
		}
		asked := flow.Resolve(flow.Recv(&call.Call))
		from, _ := flow.ResultOf(asked)
		asks = asks || from != nil && tested[asked] && c.sources(asked).element &&
			slices.ContainsFunc(flow.Args(&call.Call), func(a ssa.Value) bool { return c.sources(a).given })
	})
	return asks
}

// sources are what a condition is made of.
type sources struct {
	element bool // the object of the turn
	given   bool // the object that the function is given
	failed  bool // an error, or whether something has the type that is expected
}

// sources are what v is made of.
func (c *collecting) sources(v ssa.Value) sources {
	var s sources
	flow.Sources(v, func(v ssa.Value) bool {
		s.failed = s.failed || flow.IsError(v.Type())
		switch x := v.(type) {
		case *ssa.Parameter:
			s.given = s.given || x == c.obj
		case *ssa.IndexAddr:
			if c.isElement(x) {
				s.element = true
				return false
			}
		case *ssa.TypeAssert:
			s.failed = s.failed || x.CommaOk
		case *ssa.Phi:
			return x.Block() != c.loop.Header // of the turns before
		}
		return true
	})
	return s
}

// isElement reports whether x is the object of the turn, or a pointer to it, and notes its type.
func (c *collecting) isElement(x *ssa.IndexAddr) bool {
	index := x.Index
	if next, ok := index.(*ssa.BinOp); ok {
		index = next.X
	}
	counter, ok := index.(*ssa.Phi)
	if !ok || counter.Block() != c.loop.Header {
		return false
	}
	t := x.Type().Underlying().(*types.Pointer).Elem()
	if _, pointer := t.Underlying().(*types.Pointer); !pointer && !types.IsInterface(t) {
		t = x.Type()
	}
	if !kube.IsObject(t) {
		return false
	}
	if c.of == nil {
		c.of = t
	}
	return true
}
