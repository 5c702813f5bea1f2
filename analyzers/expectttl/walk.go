package expectttl

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// A known value on a way through a function: a bool's value, or whether an error or a pointer is nil.
type truth uint8

const (
	unknown truth = iota
	yes           // true, or nil
	no            // false, or not nil
)

func (t truth) not() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return unknown
}

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// facts are what is known on one way, by register, or by the variable that a closure shares.
type facts map[ssa.Value]truth

// A walker follows the feasible ways from an instruction to the returns: a bool or an error that is tested twice has
// one outcome on each way, also through the phis where ways meet.
//
//	deleted := false
//	if err := get(); err != nil { deleted = true }
//	if !deleted { … }            ← not on the way of the error
type walker struct {
	// at looks at an instruction, may add to the facts, and says whether the way ends here.
	at func(in ssa.Instruction, known facts) (stop bool)
	// returns is called for a return that a way comes to.
	returns func(ret *ssa.Return, known facts)

	seen  map[string]bool
	steps int
	cut   bool // the search was given up: what it has not found means nothing
}

const maxSteps = 3000

// from follows the ways from after in. What the conditions on all ways to in say is known there.
func (w *walker) from(in ssa.Instruction, known facts) {
	w.seen = map[string]bool{}
	for test, t := range flow.Decided(in.Block()) {
		if t != flow.Either {
			known = known.with(test.Cond, truthOf(t == flow.Yes))
		}
	}
	w.block(in.Block(), slices.Index(in.Block().Instrs, in)+1, known)
}

// step follows the ways from the start of b, which is come to from pred.
func (w *walker) step(b, pred *ssa.BasicBlock, known facts) {
	known = clone(known)
	edge := slices.Index(b.Preds, pred)
	met := facts{}
	for _, in := range b.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		met[phi] = known.eval(phi.Edges[edge])
	}
	for v, t := range met {
		known[v] = t
	}
	// What was computed in this block on an earlier pass is not known any more.
	for _, in := range b.Instrs {
		if v, ok := in.(ssa.Value); ok {
			if _, phi := in.(*ssa.Phi); !phi {
				delete(known, v)
			}
		}
	}
	key := known.key(b)
	if w.seen[key] {
		return
	}
	w.seen[key] = true
	w.block(b, 0, known)
}

func (w *walker) block(b *ssa.BasicBlock, from int, known facts) {
	if w.steps++; w.steps > maxSteps {
		w.cut = true
		return
	}
	for _, in := range b.Instrs[from:] {
		if st, ok := in.(*ssa.Store); ok {
			if alloc, ok := st.Addr.(*ssa.Alloc); ok {
				known[alloc] = known.eval(st.Val)
			}
		}
		if w.at(in, known) {
			return
		}
		switch in := in.(type) {
		case *ssa.Return:
			w.returns(in, known)
			return
		case *ssa.If:
			t := known.eval(in.Cond)
			if t != no {
				w.step(b.Succs[0], b, known.with(in.Cond, yes))
			}
			if t != yes {
				w.step(b.Succs[1], b, known.with(in.Cond, no))
			}
			return
		case *ssa.Jump:
			w.step(b.Succs[0], b, known)
			return
		}
	}
}

func clone(f facts) facts {
	out := make(facts, len(f)+1)
	for v, t := range f {
		if t != unknown {
			out[v] = t
		}
	}
	return out
}

// key identifies the facts at b.
func (f facts) key(b *ssa.BasicBlock) string {
	var parts []string
	for v, t := range f {
		if t != unknown {
			parts = append(parts, fmt.Sprintf("%p%d", v, t))
		}
	}
	slices.Sort(parts)
	return fmt.Sprint(b.Index, strings.Join(parts, ","))
}

// eval is what is known of v.
func (f facts) eval(v ssa.Value) truth {
	if t := f[v]; t != unknown {
		return t
	}
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return truthOf(v.IsNil())
		}
		if v.Value.Kind() == constant.Bool {
			return truthOf(constant.BoolVal(v.Value))
		}
	case *ssa.MakeInterface, *ssa.Alloc, *ssa.MakeClosure, *ssa.MakeMap, *ssa.MakeSlice:
		return no // not nil
	case *ssa.ChangeInterface:
		return f.eval(v.X)
	case *ssa.Call:
		if makesError(flow.Callee(&v.Call)) {
			return no
		}
	case *ssa.UnOp:
		switch v.Op {
		case token.NOT:
			return f.eval(v.X).not()
		case token.MUL:
			return f[v.X]
		}
	case *ssa.BinOp:
		if x, isNil, ok := flow.NilTest(v); ok {
			if isNil {
				return f.eval(x)
			}
			return f.eval(x).not()
		}
	}
	return unknown
}

// makesError reports whether fn gives an error that is never nil.
func makesError(fn *types.Func) bool {
	return kube.Symbol{Pkg: "errors", Name: "New"}.Is(fn) || kube.Symbol{Pkg: "fmt", Name: "Errorf"}.Is(fn)
}

// with adds that cond is t.
func (f facts) with(cond ssa.Value, t truth) facts {
	f = clone(f)
	for range 4 {
		f[cond] = t
		switch v := cond.(type) {
		case *ssa.UnOp:
			if v.Op == token.NOT {
				cond, t = v.X, t.not()
				continue
			}
			if alloc, ok := v.X.(*ssa.Alloc); ok && v.Op == token.MUL {
				f[alloc] = t
			}
		case *ssa.BinOp:
			if x, isNil, ok := flow.NilTest(v); ok {
				if !isNil {
					t = t.not()
				}
				cond = x
				continue
			}
		}
		break
	}
	return f
}
