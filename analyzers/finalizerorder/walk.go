package finalizerorder

import (
	"fmt"
	"go/constant"
	"go/token"
	"regexp"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// maxStates bounds one walk.
const maxStates = 400

// A truth is what is known of a value on a way that a failed call has begun.
type truth int8

const (
	isFalse truth = iota + 1
	isTrue
	present // an error that is not nil, a list that is not empty, a count above 0
	absent  // an error that is nil
)

// A walk follows a function from one instruction, knowing what is so on the way, and asks whether it comes to a goal. An
// error that is known to be there is an ordinary one: not one that says that something is gone already.
type walk struct {
	goal  func(ssa.Instruction) bool
	stop  func(ssa.Instruction) bool                                  // the way ends here
	exit  func(ret *ssa.Return, passed map[ssa.Instruction]bool) bool // the goal is reached by leaving
	turn  func(b, s *ssa.BasicBlock) bool                             // whether to go from b to s where the condition is not known; nil for always
	seen  map[string]bool
	count int
}

// from reports whether it can come to the goal from behind start, where t is what is known of v.
func (w *walk) from(start ssa.Instruction, v ssa.Value, t truth) bool {
	w.seen = map[string]bool{}
	for i, in := range start.Block().Instrs {
		if in == start {
			return w.on(start.Block(), i+1, map[ssa.Value]truth{v: t}, nil)
		}
	}
	return false
}

// on goes on at the i'th instruction of b, knowing env, having passed the defer statements of deferred.
func (w *walk) on(b *ssa.BasicBlock, i int, env map[ssa.Value]truth, deferred map[ssa.Instruction]bool) bool {
	w.count++
	if w.count > maxStates {
		return false
	}
	for _, in := range b.Instrs[i:] {
		if w.goal(in) {
			return true
		}
		if w.stop(in) {
			return false
		}
		switch in := in.(type) {
		case *ssa.Defer:
			next := map[ssa.Instruction]bool{in: true}
			for k := range deferred {
				next[k] = true
			}
			deferred = next
		case *ssa.Return:
			return w.exit(in, deferred)
		case *ssa.If:
			value, known, ok := w.eval(in.Cond, env, 0)
			if !ok {
				return false
			}
			for j, s := range b.Succs {
				if known && value != (j == 0) || !known && w.turn != nil && !w.turn(b, s) {
					continue
				}
				if w.enter(b, s, env, deferred) {
					return true
				}
			}
			return false
		default:
			if !w.learn(in, env) {
				return false
			}
		}
	}
	for _, s := range b.Succs {
		if w.enter(b, s, env, deferred) {
			return true
		}
	}
	return false
}

// enter goes from block b to its successor s.
func (w *walk) enter(b, s *ssa.BasicBlock, env map[ssa.Value]truth, deferred map[ssa.Instruction]bool) bool {
	next := make(map[ssa.Value]truth, len(env))
	for v, t := range env {
		next[v] = t
	}
	edge := 0
	for i, p := range s.Preds {
		if p == b {
			edge = i
		}
	}
	for _, in := range s.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		delete(next, phi)
		if t := known(phi.Edges[edge], env); t != 0 {
			next[phi] = t
		}
	}
	key := spell(s, next, deferred)
	if w.seen[key] {
		return false
	}
	w.seen[key] = true
	return w.on(s, 0, next, deferred)
}

// spell names a state, so that none is walked twice.
func spell(b *ssa.BasicBlock, env map[ssa.Value]truth, deferred map[ssa.Instruction]bool) string {
	parts := make([]string, 0, len(env)+1)
	for v, t := range env {
		parts = append(parts, fmt.Sprintf("%p=%d", v, t))
	}
	sort.Strings(parts)
	return fmt.Sprintf("%d %d %s", b.Index, len(deferred), strings.Join(parts, " "))
}

// known is what env, or the value itself, says of v.
func known(v ssa.Value, env map[ssa.Value]truth) truth {
	if t := env[v]; t != 0 {
		return t
	}
	if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Bool {
		if constant.BoolVal(c.Value) {
			return isTrue
		}
		return isFalse
	}
	return env[flow.Unwrap(v)]
}

var logging = regexp.MustCompile(`(?i)^(error|info|warn|debug|trace|print|sprint|log|event|record|emit|report|mark|set|handleerror|observe|with|v$|string$|annotatedevent)|event`)

// learn takes up what the instruction makes of the known values in env; false where the error is handed to something
// that may see to it.
func (w *walk) learn(in ssa.Instruction, env map[ssa.Value]truth) bool {
	switch in := in.(type) {
	case *ssa.Store:
		t := known(in.Val, env)
		if _, local := in.Addr.(*ssa.Alloc); local {
			if t == 0 {
				delete(env, in.Addr)
			} else {
				env[in.Addr] = t
			}
			return true
		}
		if ix, ok := in.Addr.(*ssa.IndexAddr); ok {
			if arr, ok := ix.X.(*ssa.Alloc); ok { // an argument list, or an array of its own
				if t == present {
					env[arr] = present
				}
				return true
			}
		}
		return t != present
	case *ssa.UnOp:
		if t := env[in.X]; in.Op == token.MUL && t != 0 {
			env[in] = t
		}
	case *ssa.MakeInterface:
		w.copy(in, in.X, env)
	case *ssa.ChangeInterface:
		w.copy(in, in.X, env)
	case *ssa.ChangeType:
		w.copy(in, in.X, env)
	case *ssa.Slice:
		w.copy(in, in.X, env)
	case *ssa.BinOp:
		if c, ok := in.Y.(*ssa.Const); ok && in.Op == token.ADD && c.Value != nil && c.Value.Kind() == constant.Int {
			env[in] = present // a count
		}
	case *ssa.MapUpdate:
		return known(in.Value, env) != present
	case *ssa.Send:
		return known(in.X, env) != present
	case *ssa.Extract:
		if t := env[in.Tuple]; t == isTrue && flow.IsBool(in.Type()) {
			env[in] = t
		}
	case *ssa.Call:
		return w.call(in, env)
	case *ssa.Go:
		for _, arg := range in.Call.Args {
			if known(arg, env) == present {
				return false
			}
		}
	}
	return true
}

func (w *walk) copy(to, from ssa.Value, env map[ssa.Value]truth) {
	if t := known(from, env); t != 0 {
		env[to] = t
	}
}

// call takes up what a call makes of the error.
func (w *walk) call(call *ssa.Call, env map[ssa.Value]truth) bool {
	given := false
	for _, arg := range flow.AllArgs(&call.Call) {
		given = given || known(arg, env) == present
	}
	if !given {
		return true
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" {
			env[call] = present
		}
		return true
	}
	fn := flow.Callee(&call.Call)
	if fn == nil {
		return false
	}
	res := call.Call.Signature().Results()
	switch {
	case res.Len() == 1 && flow.IsError(res.At(0).Type()):
		env[call] = present // wrapped
		return true
	case fn.Name() == "Error" || res.Len() == 1 && (isString(res.At(0).Type()) || flow.IsBool(res.At(0).Type())):
		return true
	}
	return logging.MatchString(fn.Name())
}

var goneName = regexp.MustCompile(`(?i)notfound|not_found|isgone|notexist|nomatch|nokindmatch|alreadydeleted|doesnotexist|missing`)

// eval is the value of the condition cond. ok is false where it asks what kind of error it is: then what follows is a
// decision, not an oversight.
func (w *walk) eval(cond ssa.Value, env map[ssa.Value]truth, depth int) (value, isKnown, ok bool) {
	if depth > 4 {
		return false, false, true
	}
	switch known(cond, env) {
	case isTrue:
		return true, true, true
	case isFalse:
		return false, true, true
	}
	switch c := cond.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			value, isKnown, ok = w.eval(c.X, env, depth+1)
			return !value, isKnown, ok
		}
	case *ssa.BinOp:
		return w.compare(c, env)
	case *ssa.Extract:
		if ta, isAssert := c.Tuple.(*ssa.TypeAssert); isAssert && known(ta.X, env) == present {
			return false, false, false
		}
	case *ssa.Call:
		for _, arg := range flow.AllArgs(&c.Call) {
			if known(arg, env) == absent {
				return false, true, true // no kind of error
			}
			if known(arg, env) != present {
				continue
			}
			fn := flow.Callee(&c.Call)
			if fn == nil {
				return false, false, false
			}
			if goneName.MatchString(fn.Name()) {
				return false, true, true
			}
			if fn.Name() == "Is" || fn.Name() == "As" { // one kind of error among many
				return false, true, true
			}
			return false, false, false
		}
	}
	return false, false, true
}

// compare is eval of a comparison.
func (w *walk) compare(c *ssa.BinOp, env map[ssa.Value]truth) (value, isKnown, ok bool) {
	if x, eq, isNil := flow.NilTest(c); isNil {
		switch known(x, env) {
		case present:
			return !eq, true, true
		case absent:
			return eq, true, true
		}
		return false, false, true
	}
	x, y := c.X, c.Y
	if flow.IsError(x.Type()) && (known(x, env) == present || known(y, env) == present) {
		switch c.Op { // a sentinel
		case token.EQL:
			return false, true, true
		case token.NEQ:
			return true, true, true
		}
	}
	if n, isConst := y.(*ssa.Const); isConst && n.Value != nil && n.Value.Kind() == constant.Int {
		if call, isCall := x.(*ssa.Call); isCall {
			if b, isBuiltin := call.Call.Value.(*ssa.Builtin); isBuiltin && b.Name() == "len" {
				x = call.Call.Args[0]
			}
		}
		if known(x, env) == present && constant.Sign(n.Value) == 0 {
			switch c.Op {
			case token.GTR, token.NEQ:
				return true, true, true
			case token.EQL, token.LEQ:
				return false, true, true
			}
		}
	}
	return false, false, true
}
