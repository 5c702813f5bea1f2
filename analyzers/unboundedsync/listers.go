package unboundedsync

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// holdsReader reports whether t is a lister or store, or an object that has one.
func holdsReader(t types.Type) bool {
	if isReader(t) {
		return true
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if isReader(f.Type()) {
			return true
		}
	}
	return false
}

// isReader reports whether t reads an informer's cache.
func isReader(t types.Type) bool {
	n := kube.Named(t)
	if n == nil {
		return false
	}
	name := n.Obj().Name()
	if n.Obj().Pkg() != nil && kube.SamePackage(n.Obj().Pkg().Path(), kube.Cache) {
		return name == "Indexer" || name == "Store" || name == "GenericLister" || name == "GenericNamespaceLister"
	}
	if !strings.HasSuffix(name, "Lister") {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(n, true, n.Obj().Pkg(), "List")
	_, ok := obj.(*types.Func)
	return ok
}

// readMethods are those of listers and stores that look into the cache.
var readMethods = []string{"List", "Get", "GetByKey", "ListKeys", "Index", "IndexKeys", "ByIndex", "ListIndexFuncValues"}

// reads says what call reads from a cache, itself or somewhere behind it; empty where it does not.
func (c *checker) reads(call *ssa.Call) string {
	if recv := flow.Recv(&call.Call); recv != nil && isReader(recv.Type()) {
		if fn := flow.Callee(&call.Call); slices.Contains(readMethods, fn.Name()) {
			return "goes on to read " + flow.PathOf(recv).String()
		}
		return ""
	}
	fn := c.pkg.Own(flow.StaticCallee(&call.Call))
	if fn == nil {
		return ""
	}
	for f := range c.runs(fn) {
		found := false
		flow.Calls(f, func(x ssa.CallInstruction) {
			recv := flow.Recv(x.Common())
			found = found || recv != nil && isReader(recv.Type()) && slices.Contains(readMethods, flow.Callee(x.Common()).Name())
		})
		if found {
			return "goes on to " + fn.Name() + ", which reads a lister"
		}
	}
	return ""
}

// works reports whether a go statement starts something that reads a cache, or takes items from a queue.
func (c *checker) works(spawn *ssa.Go) bool {
	kind, _, known := c.table.Given(flow.Callee(&spawn.Call))
	if known {
		return kind == blocking.Run && flow.Recv(&spawn.Call) == nil // wait.Until, not informer.Run
	}
	fn := c.pkg.Own(flow.StaticCallee(&spawn.Call))
	if fn == nil {
		return false
	}
	for f := range c.runs(fn) {
		found := false
		flow.Calls(f, func(x ssa.CallInstruction) {
			recv := flow.Recv(x.Common())
			if recv == nil {
				return
			}
			name := flow.Callee(x.Common()).Name()
			kind, _, known := c.table.Given(flow.Callee(x.Common()))
			found = found || known && kind == blocking.Queue || isReader(recv.Type()) && slices.Contains(readMethods, name)
		})
		if found {
			return true
		}
	}
	return false
}

// runs are the functions of the package that a call of fn runs on its own goroutine.
func (c *checker) runs(fn *ssa.Function) map[*ssa.Function]bool {
	seen := map[*ssa.Function]bool{fn: true}
	work := []*ssa.Function{fn}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, g := range inPlace(f) {
			flow.Calls(g, func(x ssa.CallInstruction) {
				if _, spawned := x.(*ssa.Go); spawned {
					return
				}
				if callee := c.pkg.Own(flow.StaticCallee(x.Common())); callee != nil && !seen[callee] {
					seen[callee] = true
					work = append(work, callee)
				}
			})
			seen[g] = true
		}
	}
	return seen
}
