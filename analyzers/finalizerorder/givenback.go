package finalizerorder

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// "obj, err = r.release(ctx, obj)" names one object all along: a function that writes an object often gives it back.

// given is the value that v is, wherever it is not nil: v is a variable that gets the same object on all ways, or what a function of the package has been handed and
// gives back. It is v itself where there is more than one.
func given(v ssa.Value) ssa.Value {
	if !isPointer(v.Type()) {
		return v
	}
	switch v.(type) {
	case *ssa.Phi, *ssa.Call, *ssa.Extract:
		if of := (identity{map[ssa.Value]bool{}, map[backKey]*ssa.Parameter{}}).only(v); of != nil {
			return of
		}
	}
	return v
}

// An identity follows values to what they are, each of them once.
type identity struct {
	seen map[ssa.Value]bool
	back map[backKey]*ssa.Parameter // what functions give back; nil for nothing, and while that is found out
}

// A backKey is a result of a function.
type backKey struct {
	fn     *ssa.Function
	result int
}

// only is the one value that v may be, nil where it may be several, or none but nil.
func (s identity) only(v ssa.Value) ssa.Value {
	var found []ssa.Value
	s.collect(v, &found)
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// collect adds to found what v may be, up to two of them.
func (s identity) collect(v ssa.Value, found *[]ssa.Value) {
	v = flow.Resolve(v)
	if s.seen[v] || flow.IsNil(v) || len(*found) > 1 {
		return
	}
	s.seen[v] = true
	if phi, ok := v.(*ssa.Phi); ok {
		for _, e := range phi.Edges {
			s.collect(e, found)
		}
	} else if arg := s.handedBack(v); arg != nil {
		s.collect(arg, found)
	} else {
		*found = append(*found, v)
	}
}

// handedBack is the argument that a function of the package gives back as v, or nothing; nil for other values.
func (s identity) handedBack(v ssa.Value) ssa.Value {
	call, i := flow.ResultOf(v)
	if call == nil {
		return nil
	}
	callee := flow.StaticCallee(&call.Call)
	if callee == nil || len(callee.Blocks) == 0 {
		return nil
	}
	of := s.givesBack(backKey{callee, i})
	if j := flow.ParamIndex(callee, of); of != nil && j >= 0 && j < len(call.Call.Args) {
		return call.Call.Args[j]
	}
	return nil
}

// givesBack is the parameter that the result k is, wherever that is not nil; nil for none.
func (s identity) givesBack(k backKey) *ssa.Parameter {
	if of, known := s.back[k]; known {
		return of
	}
	s.back[k] = nil
	var of *ssa.Parameter
	for ret := range flow.Returns(k.fn) {
		if k.result >= len(ret.Results) {
			return nil
		}
		gives := flow.Resolve(ret.Results[k.result])
		if flow.IsNil(gives) {
			continue
		}
		p, ok := (identity{map[ssa.Value]bool{}, s.back}).only(gives).(*ssa.Parameter)
		if !ok || p.Parent() != k.fn || of != nil && of != p {
			return nil
		}
		of = p
	}
	s.back[k] = of
	return of
}
