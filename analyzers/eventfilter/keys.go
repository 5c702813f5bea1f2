package eventfilter

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
)

// keysFact is the fact of a function: the keys under which it, or what it calls, puts something into maps of strings.
// What a controller itself writes into the annotations of its object, it need not be told.
type keysFact struct{ Keys []string }

func (*keysFact) AFact() {}

func (f *keysFact) String() string { return "sets " + strings.Join(f.Keys, ", ") }

// keys finds the keys that functions set.
type keys struct {
	pkg  *program.Program
	fact func(*types.Func) *keysFact
	memo map[*ssa.Function][]string
}

const maxKeys = 40

// set are the constant keys that fn sets, without what other functions of this package do, and whether a key is given to
// a function that sets it.
func (k *keys) set(fn *ssa.Function) []string {
	var set []string
	note := func(key string) {
		if key != "" && len(set) < maxKeys && !slices.Contains(set, key) {
			set = append(set, key)
		}
	}
	constant := func(v ssa.Value) {
		key, _ := keyOf(v, fn)
		note(key)
	}
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.MapUpdate:
			if isStringMap(in.Map.Type()) {
				constant(in.Key)
			}
		case ssa.CallInstruction:
			callee := flow.Callee(in.Common())
			if callee == nil {
				continue
			}
			if callee.Pkg() != k.pkg.Pkg {
				if f := k.fact(callee); f != nil {
					for _, key := range f.Keys {
						note(key)
					}
				}
			}
			// SetAnnotation(object, key, value) and the like.
			if strings.Contains(callee.Name(), "Set") || strings.Contains(callee.Name(), "Add") || strings.Contains(callee.Name(), "Ensure") {
				for _, a := range flow.Args(in.Common()) {
					constant(a)
				}
			}
		}
	}
	return set
}

// own are the keys that the functions of the package set for which wanted is true.
func (k *keys) own(wanted func(*ssa.Function) bool) map[string]bool {
	own := map[string]bool{}
	for _, fn := range (predicates{pkg: k.pkg}).all() {
		if wanted(fn) {
			for _, key := range k.set(fn) {
				own[key] = true
			}
		}
	}
	return own
}

// summary are the keys that fn and the functions of this package that it calls set, in order.
func (k *keys) summary(fn *ssa.Function) []string {
	if s, ok := k.memo[fn]; ok {
		return s // nil for a call cycle
	}
	k.memo[fn] = nil
	all := k.set(fn)
	add := func(f *ssa.Function) {
		for _, key := range k.summary(f) {
			if len(all) < maxKeys && !slices.Contains(all, key) {
				all = append(all, key)
			}
		}
	}
	for _, anon := range fn.AnonFuncs {
		add(anon)
	}
	flow.Calls(fn, func(c ssa.CallInstruction) {
		if f := flow.StaticCallee(c.Common()); f != nil && f.Pkg == k.pkg.Package && f.Parent() == nil {
			add(f)
		}
	})
	slices.Sort(all)
	k.memo[fn] = all
	return all
}
