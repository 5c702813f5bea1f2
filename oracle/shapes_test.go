package oracle

import (
	"errors"
	"slices"
	"testing"
)

// A shape is a small program, and what is known of it.
type shape struct {
	name                string
	p                   *Program
	hangs, ends, panics bool
}

func op(o Op, n int) *Stmt { return &Stmt{Op: o, N: n} }

func styled(o Op, n int, style Style) *Stmt { return &Stmt{Op: o, N: n, Style: style} }

func with(f int, args ...bool) *Stmt {
	s := call(f)
	for _, v := range args {
		s.Args = append(s.Args, Arg{Var: -1, Value: v})
	}
	return s
}

func make1(body ...*Stmt) *Stmt { return &Stmt{Op: Make, N: Own, Body: body} }

func built(f int, body []*Stmt, args ...bool) *Stmt {
	return &Stmt{Op: Make, N: f, Args: with(f, args...).Args, Body: body}
}

func where(body ...*Stmt) *Stmt { return &Stmt{Op: If, Body: body} }

// shapes are those that only wide programs have, each with a way that hangs and one that does not.
func shapes() []shape {
	lock, unlock := op(Acquire, 0), op(Release, 0)
	own, free := op(Acquire, Own), op(Release, Own)
	send, receive := op(Send, Own), op(Receive, Own)
	mutex, two := []Lock{{}}, []Lock{{}, {}}
	fail := &Stmt{Op: Return}
	item := func(i Item, p *Program) *Program { p.Item = &i; return p }
	groups := func(p *Program) *Program { p.Groups = 1; return p }
	conds := func(paced bool, p *Program) *Program { p.Conds, p.Paced = []int{0}, paced; return p }
	var out []shape
	add := func(name string, hangs, ends bool, p *Program) { out = append(out, shape{name, p, hangs, ends, false}) }

	// Literals that take the lock where a parameter says so.
	flagged := func(held bool) *Program {
		f := &Func{Params: 1, Literals: [][]*Stmt{{where(lock)}, {where(unlock)}}, Body: []*Stmt{op(Invoke, 0), op(InvokeLate, 1)}}
		return program(mutex, nil, []*Func{f, {Body: []*Stmt{lock, op(Late, 0), with(0, !held)}}}, []*Stmt{with(0, true), call(1)})
	}
	add("a literal that leaves the lock alone", false, true, flagged(true))
	add("a literal that takes the lock again", true, false, flagged(false))
	for _, v := range []bool{false, true} {
		f := &Func{Literals: [][]*Stmt{{where(lock)}}, Body: []*Stmt{{Op: Set, Value: v}, lock, op(Invoke, 0), unlock}}
		add("a literal and a flag", v, !v, program(mutex, nil, []*Func{f}, []*Stmt{call(0)}))
	}
	f := &Func{Literals: [][]*Stmt{{lock}, {unlock}}, Body: []*Stmt{op(Invoke, 0), op(Invoke, 1), op(Invoke, 0), op(Invoke, 1)}}
	add("literals that run twice", false, true, program(mutex, nil, []*Func{f}, []*Stmt{call(0)}))

	// A channel in an object that is handed down.
	handed := func(given Given, buffer int, sends ...*Stmt) *Program {
		funcs := []*Func{{Body: []*Stmt{lock, make1(op(Go, 1), receive), unlock}}, {Given: given, Body: sends}}
		return item(Item{Buffer: buffer}, program(mutex, nil, funcs, []*Stmt{call(0)}))
	}
	add("a goroutine is given an object and sends", false, true, handed(WholeItem, 0, send))
	add("a goroutine is given a channel and sends", false, true, handed(ItsChannel, 0, send))
	add("a goroutine sends under the lock", true, false, handed(WholeItem, 1, lock, send, unlock))
	once := func(sends ...*Stmt) *Program {
		funcs := []*Func{{Body: []*Stmt{make1(lock, call(1), unlock, receive)}}, {Given: ItsChannel, Body: sends}}
		return item(Item{Buffer: 1}, program(mutex, nil, funcs, []*Stmt{call(0)}))
	}
	add("one send to a buffer of one", false, true, once(send))
	add("two sends to a buffer of one", true, false, once(send, send))
	add("an object for each", true, false, item(Item{}, program(mutex, nil, []*Func{{Given: WholeItem, Body: []*Stmt{send}}}, []*Stmt{make1(call(0))}, []*Stmt{make1(receive)})))

	// A condition whose lock is the one that is held.
	waits := func(style Style, paced bool, around ...*Stmt) *Program {
		first := slices.Concat(around[:len(around)/2], []*Stmt{lock, styled(Wait, 0, style), unlock}, around[len(around)/2:])
		second := slices.Concat(around[:len(around)/2], []*Stmt{lock, styled(Signal, 0, style), unlock}, around[len(around)/2:])
		return conds(paced, program(two, nil, nil, first, second))
	}
	add("a wait in a method", false, true, waits(Wrapped, false))
	add("a condition in an object of its own", false, true, waits(Wrapped, true))
	add("a condition with another lock around it", true, true, waits(Plain, true, op(Acquire, 1), op(Release, 1)))
	for _, embedded := range []bool{false, true} {
		waiter := &Func{Body: []*Stmt{make1(op(Go, 1), own, styled(Wait, Own, Wrapped), free)}}
		add("the condition of an object", false, true, item(Item{Embedded: embedded}, program(nil, nil, []*Func{waiter, {Given: WholeItem, Body: []*Stmt{own, op(Signal, Own), free}}}, []*Stmt{call(0)})))
	}

	// Constructors that fail with their object locked, or give it back so.
	opens := func(body []*Stmt, use []*Stmt, fails bool) *Program {
		return item(Item{}, program(nil, nil, []*Func{{Params: 1, Makes: true, Body: body}}, []*Stmt{built(0, use, fails), built(0, nil, true)}))
	}
	early := []*Stmt{own, where(fail), free}
	add("a constructor that fails locked", false, true, opens(early, []*Stmt{own, free}, true))
	add("a constructor that does not fail", false, true, opens(early, []*Stmt{own, free}, false))
	add("a constructor that gives back a lock", false, true, opens([]*Stmt{own}, []*Stmt{free}, false))
	add("a constructor that gives back a lock, which is taken again", true, false, opens([]*Stmt{own}, []*Stmt{own}, false))

	// Locks that are handed over.
	for _, style := range []Style{Returned, Guarded} {
		for m := range 2 {
			held := &Func{Body: []*Stmt{styled(Acquire, m, style), styled(Late, m, style)}}
			add("a release that is given back", false, true, program(two, nil, []*Func{held}, []*Stmt{call(0), call(0), styled(Acquire, m, style), styled(Release, m, style)}))
			add("a release that is given back, and the lock again", true, false, program(two, nil, []*Func{held}, []*Stmt{styled(Acquire, m, style), call(0), styled(Release, m, style)}))
		}
	}
	add("a goroutine releases", false, true, program(mutex, nil, []*Func{{Body: []*Stmt{unlock}}}, []*Stmt{lock, op(Go, 0), lock, unlock}))
	add("a goroutine takes it instead", true, true, program(mutex, nil, []*Func{{Body: []*Stmt{lock}}}, []*Stmt{lock, op(Go, 0), unlock}, []*Stmt{lock, unlock}))
	add("the caller releases", false, true, program(mutex, nil, []*Func{{Body: []*Stmt{lock}}}, []*Stmt{call(0), unlock, call(0), unlock}))

	// Goroutines that are started in one function, and waited for in another one.
	for _, style := range []Style{Plain, Wrapped, MethodValue} {
		fan := func(body ...*Stmt) *Program {
			start := &Func{Body: []*Stmt{{Op: Loop, N: 2, Body: []*Stmt{styled(Start, 1, style)}}}}
			return groups(program(mutex, nil, []*Func{start, {Body: body}, {Body: []*Stmt{lock, styled(Await, 0, style), unlock}}}, []*Stmt{call(0), call(2)}))
		}
		add("a group that needs no lock", false, true, fan())
		add("a group that needs the lock", true, true, fan(lock, unlock))
	}
	misused := groups(program(mutex, nil, []*Func{{}}, []*Stmt{op(Start, 0), op(Await, 0)}, []*Stmt{op(Start, 0)}))
	out = append(out, shape{"a group that starts anew", misused, false, false, true})

	// Subscribers that need the lock under which they are told.
	told := func(after ...*Stmt) *Program {
		funcs := []*Func{{Given: WholeItem, Body: append([]*Stmt{lock, op(Subscribe, 0), unlock, send}, after...)}, {Body: []*Stmt{lock, op(Publish, 0), unlock}}}
		return item(Item{}, program(mutex, nil, funcs, []*Stmt{make1(op(Go, 0), receive, call(1))}))
	}
	add("a subscriber", false, true, told(receive, lock, unlock))
	add("a subscriber that needs the lock first", true, true, told(lock, unlock, receive))
	return out
}

// The exploration knows what is known of each shape, what is printed compiles, and Go does the same.
func TestShapes(t *testing.T) {
	all := shapes()
	var programs []*Program
	for _, s := range all {
		programs = append(programs, s.p)
		if _, err := rules(t).Analyse(Emit(s.p, Form{Package: "program"}).Source); err != nil {
			t.Errorf("%s: %v\n%s", s.name, err, Emit(s.p, Form{Package: "program"}).Source)
		}
	}
	r, err := NewRunner(t.TempDir(), programs)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range all {
		x, err := Explore(s.p)
		if s.panics {
			if !errors.Is(err, ErrPanics) {
				t.Errorf("%s: %v", s.name, err)
			}
			continue
		}
		if err != nil || x.Hangs() != s.hangs || x.Ends != s.ends {
			t.Errorf("%s: %+v, %v\n%s", s.name, x, err, Emit(s.p, Form{Package: "program"}).Source)
			continue
		}
		run, err := r.Run(t.Context(), i, 2, 20)
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
		} else if why := x.Contradicts(run); why != "" {
			t.Errorf("%s: %s:\n%s", s.name, why, Emit(s.p, Form{Package: "program"}).Source)
		}
	}
}

// What the rules say of the shapes is borne out, or known not to be.
func TestShapesCompared(t *testing.T) {
	for _, s := range shapes() {
		compare(t, s.p.clone()) // statements that stand in two places have two lines
	}
}

// A program that names what it does not have is none.
func TestUnscoped(t *testing.T) {
	item := &Item{}
	for i, p := range []*Program{
		{Goroutines: [][]*Stmt{{op(Acquire, Own)}}},
		{Item: item, Goroutines: [][]*Stmt{{op(Receive, Own)}}},
		{Item: item, Goroutines: [][]*Stmt{{make1(make1())}}},
		{Item: item, Funcs: []*Func{{}}, Goroutines: [][]*Stmt{{built(0, nil)}}},
		{Item: item, Funcs: []*Func{{Given: WholeItem}}, Goroutines: [][]*Stmt{{call(0)}}},
		{Item: item, Funcs: []*Func{{Given: ItsChannel, Body: []*Stmt{op(Acquire, Own)}}}},
		{Funcs: []*Func{{Body: []*Stmt{op(Invoke, 0)}}}},
		{Funcs: []*Func{{Makes: true}}},
	} {
		if _, err := Explore(p); !errors.Is(err, ErrUnscoped) {
			t.Errorf("program %d: %v", i, err)
		}
		if _, err := Compare(p, rules(t)); !errors.Is(err, ErrUnscoped) {
			t.Errorf("program %d, compared: %v", i, err)
		}
	}
}
