package filter

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/values"
)

// lookedAt is a parameter of a function that looks at nothing of this map of strings but what it has under some constant keys: as long as that is the same, so is
// what the function gives.
type lookedAt struct {
	Param int
	Keys  []string
}

// looks finds what functions look at of the maps that they are given.
type looks struct {
	pkg  *program.Program
	fact func(*types.Func) *accessSummary // nil where nothing is known of other packages
}

// known is what is known of fn, of another package, nil for nothing.
func (l looks) known(fn *types.Func) *accessSummary {
	if l.fact == nil || fn == nil {
		return nil
	}
	return l.fact(fn)
}

// exported are the parameters of fn of this sort.
func (l looks) exported(fn *ssa.Function) (all []lookedAt) {
	for i, p := range fn.Params {
		if !isStringMap(p.Type()) {
			continue
		}
		if keys, only := l.keys(p); only && len(keys) > 0 {
			slices.Sort(keys)
			all = append(all, lookedAt{i, slices.Compact(keys)})
		}
	}
	return all
}

// keys are those under which the function looks into the map m, or a function that it hands that to; not only where it may do something else with it.
func (l looks) keys(m ssa.Value) (keys []string, only bool) {
	work := values.From(m)
	for in, m := range work.Uses() {
		switch in := in.(type) {
		case *ssa.Lookup:
			text, ok := flow.Text(in.Index)
			if !ok || in.X != m {
				return nil, false
			}
			keys = append(keys, text)
		case *ssa.Call:
			if own := l.pkg.Callee(&in.Call); own != nil {
				params := values.Parameters(own, &in.Call, m)
				if len(params) == 0 {
					return nil, false
				}
				work.Add(params...)
				continue
			}
			more, ok := l.known(flow.Callee(&in.Call)).of(slices.Index(flow.AllArgs(&in.Call), m))
			if !ok {
				return nil, false
			}
			keys = append(keys, more...)
		default:
			return nil, false
		}
	}
	return keys, true
}

// of are the keys under which the function looks into what it is given as parameter i, not ok where that is not known.
func (f *accessSummary) of(i int) (keys []string, ok bool) {
	if f == nil {
		return nil, false
	}
	for _, p := range f.Looks {
		if p.Param == i {
			return p.Keys, true
		}
	}
	return nil, false
}

// lookedAt is args with what fn looks at in the place of the maps of which it is known.
func (l looks) lookedAt(fn *types.Func, args []value) []value {
	fact := l.known(fn)
	if fact == nil {
		return args
	}
	out := slices.Clone(args)
	for i, a := range args {
		keys, ok := fact.of(i)
		if !ok || a.kind != placeValue {
			continue
		}
		var parts []value
		for _, k := range keys {
			part := a
			part.path = keyed(a.path, k)
			parts = append(parts, part)
		}
		out[i] = derived("entries", parts...)
	}
	return out
}

// askedBy are the keys that the function of another package which common calls looks at.
func (l looks) askedBy(common *ssa.CallCommon) (keys []string) {
	if fact := l.known(flow.Callee(common)); fact != nil {
		for _, p := range fact.Looks {
			keys = append(keys, p.Keys...)
		}
	}
	return keys
}
