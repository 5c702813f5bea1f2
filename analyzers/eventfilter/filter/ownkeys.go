package filter

import (
	"cmp"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/words"
)

// keys finds the keys under which functions, or what they call, put something into maps of strings. What a controller itself writes into the annotations of its object,
// it need not be told.
type keys struct {
	pkg    *program.Program
	fact   func(*types.Func) *accessSummary
	params program.Answers[parameter, bool]
}

// parameter is one of a function, the receiver first.
type parameter struct {
	fn *ssa.Function
	i  int
}

// maxKeys keeps facts small: every function that leads to one which fills a table would tell of all its entries. Nobody has
// that many annotations.
const maxKeys = 200

// isKey matches what the API server takes for a key of an annotation or label.
var isKey = regexp.MustCompile(`^([a-z0-9.-]+/)?[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$`)

// set are the constant keys that fn sets, also by handing them to functions that do.
func (k *keys) set(fn *ssa.Function) []string {
	var set []string
	for in := range flow.Instrs(fn) {
		for _, v := range k.given(in) {
			key, _ := keyOf(v, fn)
			if key = cmp.Or(key, initially(v)); isKey.MatchString(key) && !slices.Contains(set, key) {
				set = append(set, key)
			}
		}
		if c, ok := in.(ssa.CallInstruction); ok && k.pkg.Callee(c.Common()) == nil {
			if f := k.fact(flow.Callee(c.Common())); f != nil {
				set = append(set, f.Sets...)
			}
		}
	}
	return set
}

// initially is the text that v, a variable of a package, is made with, as by Sprintf of constants; empty for other values. Who changes it later writes under another
// key, too.
func initially(v ssa.Value) (text string) {
	load, ok := flow.Resolve(v).(*ssa.UnOp)
	if !ok {
		return ""
	}
	g, ok := load.X.(*ssa.Global)
	if !ok || g.Pkg == nil || g.Pkg.Func("init") == nil {
		return ""
	}
	for st := range flow.InstrsOf[*ssa.Store](g.Pkg.Func("init")) {
		if st.Addr != ssa.Value(g) {
			continue
		}
		text, _ = kubeapi.ConstantText(st.Val)
		return text
	}
	return ""
}

// given are the values that the instruction takes for keys of a map of strings that is written to.
func (k *keys) given(in ssa.Instruction) []ssa.Value {
	switch in := in.(type) {
	case *ssa.MapUpdate:
		if holdsEntries(in.Map.Type()) {
			return []ssa.Value{in.Key}
		}
	case ssa.CallInstruction:
		var out []ssa.Value
		args := flow.AllArgs(in.Common())
		if own := k.pkg.Callee(in.Common()); own != nil {
			for i, a := range args {
				if k.takes(parameter{own, i}) {
					out = append(out, a)
				}
			}
			return out
		}
		callee := flow.Callee(in.Common())
		if f := k.fact(callee); f != nil {
			for _, i := range f.SetParams {
				if i < len(args) {
					out = append(out, args[i])
				}
			}
			return out
		}
		if perhapsSets(callee, args) {
			return args
		}
	}
	return nil
}

// holdsEntries reports whether a map of type t may be the annotations or labels of an object, or of a patch, where nil is for what is taken off.
func holdsEntries(t types.Type) bool {
	m, ok := t.Underlying().(*types.Map)
	return ok && flow.IsString(m.Key()) && (flow.IsString(flow.Pointee(m.Elem())) || kubeapi.IsAny(m.Elem()))
}

// takes reports whether the function sets keys that it is given as this parameter.
func (k *keys) takes(p parameter) bool {
	if p.i >= len(p.fn.Params) || !flow.IsString(p.fn.Params[p.i].Type()) {
		return false
	}
	return k.params.Ask(p, false, func() bool {
		return flow.Any(flow.Instrs(p.fn), func(in ssa.Instruction) bool {
			return slices.ContainsFunc(k.given(in), func(v ssa.Value) bool {
				_, i := keyOf(v, p.fn)
				return i == p.i
			})
		})
	})
}

// perhapsSets reports whether fn, whose body is not in sight, may set a key among its arguments in the metadata of an object or
// in a map that is another one, as SetAnnotation(object, key, value) does. It is only known that it may.
func perhapsSets(fn *types.Func, args []ssa.Value) bool {
	if fn == nil || kubeapi.Logs(fn) || !words.Has(fn.Name(), "set", "add", "ensure") || words.Has(fn.Name(), "finalizer", "finalizers") {
		return false
	}
	return slices.ContainsFunc(args, func(a ssa.Value) bool {
		return isStringMap(a.Type()) || kubeapi.IsObject(a.Type()) || kubeapi.IsObjectMeta(a.Type())
	})
}

// own are the keys that the functions of the package set for which wanted is true.
func (k *keys) own(wanted func(*ssa.Function) bool) map[string]bool {
	own := map[string]bool{}
	for _, fn := range k.pkg.All() {
		if wanted(fn) {
			for _, key := range k.set(fn) {
				own[key] = true
			}
		}
	}
	return own
}

// leads is how a function comes to do what another one does: it calls it, now or as a goroutine, or hands it on.
const leads = program.Calls | program.Spawns | program.Mentions

// summaries are what functions and those of this package that they lead to set.
func (k *keys) summaries() map[*ssa.Function]*accessSummary {
	out, sets := map[*ssa.Function]*accessSummary{}, map[*ssa.Function][]string{}
	if k.pkg.Pkg.Name() == "main" {
		return out // which nobody imports
	}
	for _, fn := range k.pkg.Funcs {
		if keys := k.set(fn); keys != nil {
			sets[fn] = keys
		}
		if params := k.taken(fn); params != nil {
			out[fn] = &accessSummary{SetParams: params}
		}
	}
	if len(sets) == 0 {
		return out // as in most packages: nobody leads to keys
	}
	for _, component := range k.pkg.BottomUp(leads) {
		var all []string
		for _, fn := range component {
			all = append(all, sets[fn]...)
			for _, callee := range k.pkg.Next(leads, fn) {
				if f := out[callee]; f != nil {
					all = append(all, f.Sets...)
				}
			}
		}
		slices.Sort(all)
		if all = slices.Compact(all); len(all) > maxKeys {
			k.pkg.Cut("functions set more keys of maps than importing packages are told of", component[0])
			all = all[:maxKeys]
		}
		for _, fn := range component {
			switch f := out[fn]; {
			case f != nil:
				f.Sets = all
			case all != nil:
				out[fn] = &accessSummary{Sets: all}
			}
		}
	}
	return out
}

// taken are the parameters from which fn takes keys that it sets.
func (k *keys) taken(fn *ssa.Function) []int {
	var out []int
	for i := range fn.Params {
		if k.takes(parameter{fn, i}) {
			out = append(out, i)
		}
	}
	return out
}
