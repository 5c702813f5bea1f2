package main

import (
	"fmt"
	"strings"
)

// A form is a shape of code other than a graph of calls: one thing that a program has n times.
type form struct {
	name string
	what string // what there is n of
	code func(g *generator, n int)
}

// write makes the package of form f with n of what it has.
func (f form) write(n int) program {
	g := &generator{}
	g.line("package series")
	g.line("")
	g.line("import (")
	g.line("\t%q", "context")
	g.line("\t%q", "fmt")
	g.line("\t%q", "sync")
	for _, path := range stubPaths() {
		g.line("\t%q", path)
	}
	g.line(")")
	g.line("")
	g.line("%s", formPreamble)
	f.code(g, n)
	g.src = g.b.String()
	return g.program
}

// formPreamble has what makes every rule look into the package, and the names that the forms use.
const formPreamble = `
type S struct {
	mu, nu sync.Mutex
	rw     sync.RWMutex
	ch     chan int
	wg     sync.WaitGroup
	cond   *sync.Cond
	next   *S
	n      int
	ok     bool
	f      func()
	fs     map[string]func()
}

type T struct {
	A, B string
	N    int
	F    func()
}

type Doer interface{ Do(int) }

var (
	mu  sync.Mutex
	set = &Expectations{}
)

type Expectations struct{ m map[string]int }

func (e *Expectations) ExpectCreations(key string, n int)        { e.m[key] = n }
func (e *Expectations) SatisfiedExpectations(key string) bool    { return e.m[key] == 0 }
func (e *Expectations) CreationObserved(key string)              { e.m[key]-- }
func (e *Expectations) DeleteExpectations(key string)            { delete(e.m, key) }

func pick(i int) bool      { return i > 3 }
func use(x ...any)         { fmt.Println(x...) }
func work(s *S, i int) int { return s.n + i }

var (
	_ context.Context
	_ cache.InformerSynced
	_ v1.Object
	_ client.Object
	_ = controllerutil.ContainsFinalizer
	_ event.CreateEvent
	_ predicate.Funcs
	_ manager.Runnable
)

type Factory = informers.SharedInformerFactory
`

func repeat(g *generator, n int, format string) {
	for i := range n {
		g.line("%s", strings.ReplaceAll(strings.ReplaceAll(format, "#+", fmt.Sprint((i+1)%n)), "#", fmt.Sprint(i)))
	}
}

// around writes a block with line n times in it. It opens the block where head does not, and closes what is open behind
// tail.
func around(head, line, tail string) func(*generator, int) {
	return func(g *generator, n int) {
		open := strings.Count(head, "{") - strings.Count(head, "}")
		if open == 0 {
			head, open = head+" {", 1
		}
		g.line("%s", head)
		repeat(g, n, line)
		g.line("%s%s", tail, strings.Repeat("}", max(0, open+strings.Count(tail, "{")-strings.Count(tail, "}"))))
	}
}

// each writes head, and text n times.
func each(head, text string) func(*generator, int) {
	return func(g *generator, n int) {
		g.line("%s", head)
		repeat(g, n, text)
	}
}

// nested writes open n times, and shut as often.
func nested(head, open, middle, shut, tail string) func(*generator, int) {
	return func(g *generator, n int) {
		g.line("%s", head)
		repeat(g, n, open)
		g.line("%s", middle)
		repeat(g, n, shut)
		g.line("%s", tail)
	}
}

func all(parts ...func(*generator, int)) func(*generator, int) {
	return func(g *generator, n int) {
		for _, p := range parts {
			p(g, n)
		}
	}
}

// near are functions that each call the next three of a ring. Calls that lead further would make go/types slow, see sccFunc.
func near(text string) func(*generator, int) {
	return func(g *generator, n int) {
		for i := range n {
			r := strings.NewReplacer("#1", fmt.Sprint((i+1)%n), "#2", fmt.Sprint((i+2)%n), "#3", fmt.Sprint((i+n-1)%n), "#", fmt.Sprint(i))
			g.line("%s", r.Replace(text))
		}
	}
}

// steep are the forms that cost more than their size, and why.
var steep = map[string]string{
	"nesting/for":          "a loop has a set of its blocks, those of the loops in it included",
	"nesting/for lock":     "the same",
	"nesting/closures":     "each function literal is looked at with all that run inside it",
	"nesting/structs":      "each type has the methods of all that it embeds, in go/types as well",
	"kube/waits":           "of each wait it is asked what its function reaches",
	"kube/wait chain":      "the same",
	"kube/predicate terms": "a predicate is evaluated for each way through it",
	"kube/factories":       "behind each wait all later ones are looked at",
	"kube/context chain":   "each runnable is followed through all that it runs, here the whole chain",
}

// forms are the shapes of code in the order of the table.
func forms() []form {
	return []form{
		{"ring/shared", "mutually recursive functions that take one lock", near("func (s *S) f#(k int) { s.mu.Lock(); defer s.mu.Unlock(); if k > 0 { s.f#1(k-1); s.f#2(k-1); s.f#3(k-1) } }")},
		{"ring/single", "functions in a circle that take one lock", near("func f#(k int) { mu.Lock(); defer mu.Unlock(); if k > 0 { f#1(k-1) } }")},
		{"ring/own", "mutually recursive functions with a lock each", near("var mu# sync.Mutex\nfunc f#(k int) { mu#.Lock(); defer mu#.Unlock(); if k > 0 { f#1(k-1); f#2(k-1); f#3(k-1) } }")},
		{"ring/field", "mutually recursive methods with a lock each", all(around("type R struct", "\tmu# sync.Mutex", ""), near("func (r *R) f#(k int) { r.mu#.Lock(); defer r.mu#.Unlock(); if k > 0 { r.f#1(k-1); r.f#2(k-1); r.f#3(k-1) } }"))},
		{"ring/after", "mutually recursive functions that call without the lock", near("var mu# sync.Mutex\nfunc f#(s *S, k int) { mu#.Lock(); mu#.Unlock(); <-s.ch; if k > 0 { f#1(s, k-1); f#2(s, k-1); f#3(s, k-1) } }")},
		{"line/own", "functions in a line, a lock each held", near("var mu# sync.Mutex\nfunc f#(k int) { mu#.Lock(); defer mu#.Unlock(); if # < #1 { f#1(k-1) } }")},

		{"literal/strings", "strings", around("var lit = []string", "\t\"k#\",", "")},
		{"literal/functions", "functions in a map", all(each("", "func g#() { mu.Lock(); mu.Unlock() }"), around("var lit = map[string]func()", "\t\"k#\": g#,", ""))},
		{"literal/same function", "function values in a map", all(each("", ""), around("func g() { mu.Lock(); mu.Unlock() }\nvar lit = map[string]func()", "\t\"k#\": g,", ""))},
		{"literal/closures", "function literals in a map", around("var lit = map[string]func()", "\t\"k#\": func() { mu.Lock(); mu.Unlock() },", "")},
		{"literal/structs", "structs", around("var lit = []T", "\t{A: \"a#\", B: \"b#\", N: #},", "")},
		{"literal/pointers", "structs behind pointers, with functions", around("func g() {}\nvar lit = []*T", "\t{A: \"a#\", B: \"b#\", N: #, F: g},", "")},
		{"literal/map", "structs in a map", around("func g() {}\nvar lit = map[string]T", "\t\"k#\": {A: \"a#\", B: \"b#\", F: g},", "")},
		{"literal/any", "values of an interface", around("var lit = []any", "\t\"a#\", #, T{N: #}, &T{N: #},", "")},
		{"literal/channels", "channels in a map", all(around("var lit = map[string]chan int", "\t\"k#\": make(chan int),", ""), each("", "func g#() { mu.Lock(); lit[\"k#\"] <- 1; mu.Unlock() }"))},
		{"literal/local", "structs in a function", around("func (s *S) lit() []*T { s.mu.Lock(); defer s.mu.Unlock(); return []*T{", "\t{A: \"a#\", B: \"b#\", N: #, F: s.f},", "}")},
		{"literal/nested", "maps in a map", around("var lit = map[string]map[string][]string", "\t\"k#\": {\"a#\": {\"b#\", \"c\"}},", "")},

		{"straight/assign", "assignments under a lock", around("func f(s *S)", "\ts.mu.Lock(); s.n = work(s, #); s.mu.Unlock()", "")},
		{"straight/locals", "local variables", around("func f(s *S) { s.mu.Lock(); defer s.mu.Unlock(); v := 1", "\tv# := v + work(s, #); use(v#, &v#)", "")},
		{"straight/locks", "locks taken and released", around("func f(s *S)", "\ts.mu.Lock(); s.nu.Lock(); s.nu.Unlock(); s.mu.Unlock()", "")},
		{"straight/held", "calls with one lock held", around("func g(s *S) { s.nu.Lock(); s.nu.Unlock() }\nfunc f(s *S) { s.mu.Lock()", "\tg(s)", "\ts.mu.Unlock()")},
		{"straight/relock", "locks of a lock that is held", around("func f(s *S) { s.mu.Lock()", "\ts.mu.Lock()", "\ts.mu.Unlock()")},
		{"straight/sends", "sends with a lock held", around("func r(s *S) { for range s.ch {} }\nfunc f(s *S) { s.mu.Lock()", "\ts.ch <- #", "\ts.mu.Unlock()")},
		{"straight/receives", "receives", around("func w(s *S) { s.ch <- 1 }\nfunc f(s *S) { s.mu.Lock()", "\t<-s.ch", "\ts.mu.Unlock()")},
		{"straight/different", "different locks taken and released", all(each("", "var mu# sync.Mutex"), around("func f()", "\tmu#.Lock(); mu#.Unlock()", ""))},
		{"straight/together", "locks held together", all(each("", "var mu# sync.Mutex"), around("func f()", "\tmu#.Lock(); defer mu#.Unlock()", ""))},
		{"straight/defers", "deferred calls", around("func f(s *S) { s.mu.Lock()", "\tdefer work(s, #)", "\ts.mu.Unlock()")},
		{"straight/values", "function values called", around("func f(s *S, fs []func()) { s.mu.Lock()", "\tfs[#]()", "\ts.mu.Unlock()")},
		{"straight/print", "formatted values", around("func f(s *S) { s.mu.Lock()", "\tuse(s, #); fmt.Printf(\"%v\", s)", "\ts.mu.Unlock()")},

		{"branches/if", "conditions in a row, under a lock", around("func f(s *S) { s.mu.Lock()", "\tif pick(#) { work(s, #) }", "\ts.mu.Unlock()")},
		{"branches/lock", "conditional locks in a row", around("func f(s *S)", "\tif pick(#) { s.mu.Lock(); s.mu.Unlock() }", "")},
		{"branches/flag", "tests of one flag", around("func f(s *S, ok bool) {  ", "\tif ok { s.mu.Lock() }; work(s, #); if ok { s.mu.Unlock() }", "}")},
		{"branches/flags", "flags that are tested twice", around("func f(s *S) ", "\tok# := pick(#); if ok# { s.mu.Lock() }; work(s, #); if ok# { s.mu.Unlock() }", "")},
		{"branches/both", "flags set first and tested later", func(g *generator, n int) {
			g.line("func f(s *S) {")
			repeat(g, n, "\tok# := pick(#); if ok# { s.mu.Lock() }")
			repeat(g, n, "\tif ok# { s.mu.Unlock() }")
			g.line("}")
		}},
		{"branches/return", "returns, with a lock held", around("func f(s *S) int { s.mu.Lock()", "\tif pick(#) { s.mu.Unlock(); return # }", "\ts.mu.Unlock(); return 0")},
		{"branches/leaks", "returns, all with the lock held", around("func f(s *S) int { s.mu.Lock(); if pick(0) { s.mu.Unlock(); return 0 }", "\tif pick(#) { return # }", "\treturn 0")},
		{"branches/errors", "tests of an error", around("func g() error { return nil }\nfunc f(s *S) error { s.mu.Lock(); defer s.mu.Unlock()", "\tif err := g(); err != nil { return err }", "\treturn nil")},
		{"branches/error", "tests of one error variable", around("func g() error { return nil }\nfunc f(s *S) error { s.mu.Lock(); var err error", "\tif err == nil { err = g() }", "\ts.mu.Unlock(); return err")},
		{"branches/stop", "tests of a parameter before an event", around("func g(s *S, a bool) { if a { s.mu.Lock(); s.mu.Unlock() } }\nfunc f(s *S, a bool)", "\tif a { g(s, a) }", "")},
		{"branches/guards", "different locks behind conditions", all(each("", "var mu# sync.Mutex"), around("func f()", "\tif pick(#) { mu#.Lock() }", ""))},

		{"cases/switch", "cases", around("func f(s *S, i int) { s.mu.Lock(); switch i {", "\tcase #: work(s, #)", "\t}; s.mu.Unlock()")},
		{"cases/locks", "cases that lock", around("func f(s *S, i int) { switch i {", "\tcase #: s.mu.Lock(); work(s, #); s.mu.Unlock()", "\t}")},
		{"cases/strings", "cases of a string with returns", around("func f(s *S, i string) int { s.mu.Lock(); switch i {", "\tcase \"#\": s.mu.Unlock(); return work(s, #)", "\t}; s.mu.Unlock(); return 0")},
		{"cases/types", "cases of a type switch", all(each("", "type t# struct{ a int }"), around("func f(s *S, i any) { s.mu.Lock(); switch i.(type) {", "\tcase *t#: work(s, #)", "\t}; s.mu.Unlock()"))},
		{"cases/select", "cases of a select", all(around("type C struct", "\tc# chan int", ""), around("func f(s *S, c *C) { s.mu.Lock(); select {", "\tcase <-c.c#: work(s, #)", "\t}; s.mu.Unlock()"))},
		{"cases/one channel", "cases of a select on one channel", around("func g(s *S) { s.mu.Lock(); s.ch <- 1; s.mu.Unlock() }\nfunc f(s *S) { s.mu.Lock(); select {", "\tcase <-s.ch: work(s, #)", "\t}; s.mu.Unlock()")},
		{"cases/selects", "selects", around("func g(ctx context.Context, s *S) { s.mu.Lock(); s.ch <- 1; s.mu.Unlock() }\nfunc f(ctx context.Context, s *S) {", "\tselect { case <-s.ch: case <-ctx.Done(): return }", "}")},

		{"nesting/if", "conditions in one another", nested("func f(s *S) { s.mu.Lock()", "if pick(#) {", "work(s, 1)", "}", "s.mu.Unlock() }")},
		{"nesting/if lock", "locks in one another's conditions", nested("func f(s *S) {", "if pick(#) { s.mu.Lock(); s.mu.Unlock()", "work(s, 1)", "}", "}")},
		{"nesting/for", "loops in one another", nested("func f(s *S) { s.mu.Lock()", "for pick(#) {", "work(s, 1)", "}", "s.mu.Unlock() }")},
		{"nesting/for lock", "loops in one another with locks", nested("func f(s *S) {", "for pick(#) { s.mu.Lock(); s.mu.Unlock()", "work(s, 1)", "}", "}")},
		{"nesting/closures", "function literals in one another", nested("func f(s *S) {", "func() { s.mu.Lock(); s.mu.Unlock()", "work(s, 1)", "}()", "}")},
		{"nesting/calls", "calls in one another", nested("func f(s *S) { s.mu.Lock(); v := work(s,", "work(s,", "1,", "),", "); s.mu.Unlock(); _ = v }")},
		{"nesting/parens", "sums in one another", nested("func f(s *S) int { s.mu.Lock(); return 1 +", "(s.n +", "1 +", "0) +", "0 }")},
		{"nesting/sum", "terms of a sum", nested("func f(s *S) string { s.mu.Lock(); return \"\" +", "fmt.Sprint(s.n) +", "\"\"", "", "}")},
		{"nesting/and", "terms of a conjunction", nested("func f(s *S) bool { s.mu.Lock(); defer s.mu.Unlock(); return s.ok &&", "pick(#) &&", "true", "", "}")},
		{"nesting/fields", "steps of a path", nested("func f(s *S) { s.mu.Lock(); s = s.", "next.", "next", "", "s.mu.Unlock() }")},
		{"nesting/structs", "structs that embed one another", func(g *generator, n int) {
			g.line("type e%d struct { sync.Mutex }", n)
			for i := range n {
				g.line("type e%d struct { e%d }", i, i+1)
			}
			g.line("func f(e *e0) { e.Lock(); e.Unlock() }")
		}},

		{"many/types", "struct types with a lock and methods", each("", "type t# struct { mu sync.Mutex; ch chan int; n int }\nfunc (t *t#) a() { t.mu.Lock(); defer t.mu.Unlock(); t.n++ }\nfunc (t *t#) b() { t.a(); t.ch <- 1 }")},
		{"many/generic", "generic types", each("", "type t#[E any] struct { mu sync.Mutex; e E }\nfunc (t *t#[E]) a() { t.mu.Lock(); defer t.mu.Unlock() }\nfunc g#() { var t t#[int]; t.a() }")},
		{"many/instances", "instances of one generic type", each("type t[E any] struct { mu sync.Mutex; e E }\nfunc (t *t[E]) a() { t.mu.Lock(); defer t.mu.Unlock() }", "type x# int; func g#() { var t t[x#]; t.a() }")},
		{"many/fields", "fields of one struct", all(around("type R struct", "\tmu# sync.Mutex; n# int", ""), each("", "func (r *R) f#() { r.mu#.Lock(); r.n# = 1; r.mu#.Unlock() }"))},
		{"many/parameters", "parameters of one function", func(g *generator, n int) {
			g.line("func f(")
			repeat(g, n, "\tm# *sync.Mutex,")
			g.line(") {")
			repeat(g, n, "\tm#.Lock(); m#.Unlock()")
			g.line("}\nfunc g(s *S) { f(")
			repeat(g, n, "\t&s.mu,")
			g.line(") }")
		}},
		{"many/methods", "methods of one type", each("", "func (s *S) f#() { s.mu.Lock(); defer s.mu.Unlock(); s.nu.Lock(); s.nu.Unlock() }\nfunc (s *S) h#() { s.f#() }")},
		{"many/directives", "comments that silence nothing", each("func (s *S) g() {}", "func f#() { mu.Lock(); mu.Unlock() } //nolint:lockheld // because")},
		{"many/silenced", "findings that comments silence", each("", "func f#() { mu.Lock(); mu.Lock() } //nolint:lockheld // because")},
		{"many/findings", "findings", each("", "func f#() { mu.Lock(); mu.Lock() }")},
		{"many/globals", "variables with an initial value", each("func mk(i int) chan int { return make(chan int, i) }", "var g# = mk(#); func f#() { mu.Lock(); g# <- 1; mu.Unlock() }")},

		{"closures/called", "function literals called", around("func f(s *S)", "\tfunc() { s.mu.Lock(); defer s.mu.Unlock(); work(s, #) }()", "")},
		{"closures/kept", "function literals in variables", around("func f(s *S)", "\tf# := func() { s.mu.Lock(); defer s.mu.Unlock(); work(s, #) }; f#(); use(f#)", "")},
		{"closures/captured", "function literals that share variables", around("func f(s *S) { v := 0; ch := make(chan int)", "\tgo func() { s.mu.Lock(); v++; s.mu.Unlock(); ch <- v }()", "\tfor range ch {}")},
		{"closures/appended", "function literals in a slice", around("func f(s *S) { var fs []func()", "\tfs = append(fs, func() { s.mu.Lock(); s.mu.Unlock() })", "\tfor _, f := range fs { f() }")},
		{"closures/calls", "calls of one function literal", around("func f(s *S) { g := func() { s.mu.Lock(); s.mu.Unlock() }", "\tg()", "")},
		{"closures/field", "function literals stored to one field", each("func call(s *S) { s.mu.Lock(); s.f(); s.mu.Unlock() }", "func f#(s *S) { s.f = func() { s.mu.Lock(); s.mu.Unlock() } }")},
		{"closures/field calls", "stores to and calls of one field", each("", "func f#(s *S) { s.f = func() { s.nu.Lock(); s.nu.Unlock() } }\nfunc g#(s *S) { s.mu.Lock(); s.f(); s.mu.Unlock() }")},
		{"closures/field, two", "calls of a field that has two functions", each("func a(s *S) { s.f = func() { s.nu.Lock(); s.nu.Unlock() } }\nfunc b(s *S) { s.f = func() { s.ch <- 1 } }", "func g#(s *S) { s.mu.Lock(); s.f(); s.mu.Unlock() }")},
		{"closures/setter", "calls of a setter of one field", each("func (s *S) set(f func()) { s.f = f }\nfunc call(s *S) { s.mu.Lock(); s.f(); s.mu.Unlock() }", "func g#(s *S) { s.set(func() { s.mu.Lock(); s.mu.Unlock() }) }")},
		{"closures/passed", "function literals passed to one function", each("func with(s *S, f func()) { s.mu.Lock(); f(); s.mu.Unlock() }", "func g#(s *S) { with(s, func() { s.nu.Lock(); s.nu.Unlock() }) }")},
		{"closures/steps", "functions that pass one on", near("func p#(s *S, f func()) { if # < #1 { p#1(s, f) } else { f() } }\nfunc q#(s *S) { p#(s, func() { s.mu.Lock(); s.mu.Unlock() }) }")},

		{"channel/goroutines", "goroutines on one channel", around("func f(s *S) { ch := make(chan int)", "\tgo func() { s.mu.Lock(); ch <- #; s.mu.Unlock() }()", "\ts.mu.Lock(); <-ch; s.mu.Unlock()")},
		{"channel/senders", "functions that send on one channel", each("func r(s *S) { s.mu.Lock(); <-s.ch; s.mu.Unlock() }", "func f#(s *S) { s.mu.Lock(); s.ch <- #; s.mu.Unlock() }")},
		{"channel/both", "senders and receivers of one channel", each("func mk() *S { return &S{ch: make(chan int)} }", "func f#(s *S) { s.mu.Lock(); s.ch <- #; s.mu.Unlock() }\nfunc g#(s *S) { s.mu.Lock(); <-s.ch; s.mu.Unlock() }")},
		{"channel/buffered", "senders of a channel with a buffer", each("func mk() *S { return &S{ch: make(chan int, 10)} }\nfunc g(s *S) { <-s.ch }", "func f#(s *S) { s.mu.Lock(); if !s.ok { s.ok = true; s.ch <- # }; s.mu.Unlock() }")},
		{"channel/selects", "selects on one channel with a way out", each("func mk() *S { return &S{ch: make(chan int)} }", "func f#(s *S) { s.mu.Lock(); s.ch <- #; s.mu.Unlock() }\nfunc g#(ctx context.Context, s *S) { for { select { case <-s.ch: s.mu.Lock(); s.mu.Unlock(); case <-ctx.Done(): return } } }")},
		{"channel/makes", "channels made for one field", each("func w(s *S) { s.mu.Lock(); <-s.ch; s.mu.Unlock() }", "func f#(s *S) { s.ch = make(chan int); go func() { close(s.ch) }() }")},
		{"channel/closers", "functions that close one channel", each("func w(s *S) { s.mu.Lock(); <-s.ch; s.mu.Unlock() }", "func f#(s *S) { s.mu.Lock(); close(s.ch); s.mu.Unlock() }")},
		{"channel/own", "channels with a sender and a receiver each", each("", "var ch# = make(chan int); func f#(s *S) { s.mu.Lock(); ch# <- #; s.mu.Unlock() }\nfunc g#(s *S) { s.mu.Lock(); <-ch#; s.mu.Unlock() }")},
		{"channel/pipeline", "channels handed from one to the next", near("func p#(s *S, in chan int) { out := make(chan int); go func() { s.mu.Lock(); for v := range in { out <- v }; s.mu.Unlock() }(); if # < #1 { p#1(s, out) } }")},
		{"channel/flag", "stores to a flag and a guarded send", each("func mk() *S { return &S{ch: make(chan int, 1)} }\nfunc r(s *S) { <-s.ch; s.ok = false }", "func f#(s *S) { s.mu.Lock(); if s.ok { s.mu.Unlock(); return }; s.ok = true; s.ch <- 1; s.mu.Unlock() }")},
		{"group/one", "functions with one wait group", each("", "func f#(s *S) { s.wg.Add(1); go func() { defer s.wg.Done(); s.mu.Lock(); s.mu.Unlock() }() }\nfunc g#(s *S) { s.mu.Lock(); s.wg.Wait(); s.mu.Unlock() }")},
		{"group/local", "goroutines of one wait group", around("func f(s *S) { var wg sync.WaitGroup", "\twg.Add(1); go func() { defer wg.Done(); s.mu.Lock(); s.mu.Unlock() }()", "\ts.mu.Lock(); wg.Wait(); s.mu.Unlock()")},
		{"group/waits", "waits for one group", around("func f(s *S) { var wg sync.WaitGroup; wg.Add(1); go func() { defer wg.Done(); s.mu.Lock(); s.mu.Unlock() }(); s.mu.Lock()", "\twg.Wait()", "\ts.mu.Unlock()")},
		{"cond/one", "functions with one condition variable", each("func mk() *S { s := &S{}; s.cond = sync.NewCond(&s.mu); return s }", "func f#(s *S) { s.mu.Lock(); for s.n == 0 { s.cond.Wait() }; s.mu.Unlock() }\nfunc g#(s *S) { s.nu.Lock(); s.mu.Lock(); s.n++; s.cond.Signal(); s.mu.Unlock(); s.nu.Unlock() }")},
		{"lock/one", "functions that take one lock", each("", "func f#(s *S) { s.mu.Lock(); defer s.mu.Unlock(); s.n = # }")},
		{"lock/readers", "readers of one lock", each("func w(s *S) { s.rw.Lock(); s.rw.Unlock() }", "func f#(s *S) { s.rw.RLock(); s.rw.RLock(); s.rw.RUnlock(); s.rw.RUnlock() }")},
		{"lock/changes", "functions that change one variable", each("", "func f#(s *S) { s.mu.Lock(); s.n = #; s.mu.Unlock() }\nfunc g#(s *S) { s.mu.Lock(); for s.n < # { }; s.mu.Unlock() }")},
		{"lock/elements", "elements put into one map", each("type E struct { owner *S; mu sync.Mutex }\ntype M struct { mu sync.Mutex; m map[string]*E }", "func f#(m *M, s *S) { m.m[\"#\"] = &E{owner: s}; m.m[\"#\"].owner.mu.Lock(); m.m[\"#\"].owner.mu.Unlock() }")},
		{"lock/pairs", "pairs of locks, in both orders", each("", "var a#, b# sync.Mutex; func f#() { a#.Lock(); b#.Lock(); b#.Unlock(); a#.Unlock() }\nfunc g#() { b#.Lock(); a#.Lock(); a#.Unlock(); b#.Unlock() }")},
		{"lock/star", "locks taken under one, and it under them", each("", "var a# sync.Mutex; func f#() { a#.Lock(); mu.Lock(); mu.Unlock(); a#.Unlock() }\nfunc g#() { mu.Lock(); a#.Lock(); a#.Unlock(); mu.Unlock() }")},
		{"lock/line", "locks, each taken under the one before", near("var a# sync.Mutex; func f#() { a#.Lock(); a#1.Lock(); a#1.Unlock(); a#.Unlock() }")},
		{"lock/dense", "locks, each taken under three others", near("var a# sync.Mutex; func f#() { a#.Lock(); a#1.Lock(); a#1.Unlock(); a#2.Lock(); a#2.Unlock();  a#3.Lock(); a#3.Unlock(); a#.Unlock() }")},
		{"lock/returned", "functions that return with a lock", each("func l(s *S) { s.mu.Lock() }\nfunc u(s *S) { s.mu.Unlock() }", "func f#(s *S) { l(s); work(s, 1); u(s) }")},

		{"calls/one", "callers of one function, with a lock held", each("func g(s *S) { s.nu.Lock(); s.nu.Unlock(); <-s.ch }", "func f#(s *S) { s.mu.Lock(); g(s); s.mu.Unlock() }")},
		{"calls/send", "callers of one function that waits", each("func g(s *S) { s.ch <- 1 }\nfunc r(s *S) { s.mu.Lock(); <-s.ch; s.mu.Unlock() }", "func f#(s *S) { s.mu.Lock(); g(s); s.mu.Unlock() }")},
		{"calls/inner", "callers of callers of one function", each("func g(s *S) { s.nu.Lock(); s.nu.Unlock() }\nfunc h(s *S) { g(s) }", "func f#(s *S) { s.mu.Lock(); h(s); s.mu.Unlock() }\nfunc e#(s *S) { f#(s); h(s) }")},
		{"calls/ladder", "functions that call the next one twice", near("func f#(s *S) { s.mu.Lock(); s.mu.Unlock(); if # < #1 { f#1(s); f#1(s.next) } }")},
		{"calls/callees", "callees of one function", all(each("", "func g#(s *S) { s.nu.Lock(); s.nu.Unlock() }"), around("func f(s *S) { s.mu.Lock()", "\tg#(s)", "\ts.mu.Unlock()"))},
		{"calls/getter", "calls of a getter", around("func (s *S) get() *S { return s.next }\nfunc f(s *S)", "\ts.get().mu.Lock(); s.get().mu.Unlock()", "")},
		{"calls/constructor", "calls of a constructor", each("func newS(n *S) *S { return &S{next: n} }", "func f#(s *S) { t := newS(s); t.next.mu.Lock(); t.next.mu.Unlock() }")},
		{"interface/implementers", "implementers and calls of one interface", each("", "type i# struct{ mu sync.Mutex }\nfunc (i *i#) Do(int) { i.mu.Lock(); i.mu.Unlock() }\nfunc c#(d Doer) { mu.Lock(); d.Do(#); mu.Unlock() }")},
		{"interface/values", "values of one interface variable, and calls", each("var d Doer", "type i# struct{ mu sync.Mutex }\nfunc (i *i#) Do(int) { i.mu.Lock(); i.mu.Unlock() }\nfunc s#() { d = &i#{} }\nfunc c#() { mu.Lock(); d.Do(#); mu.Unlock() }")},
		{"interface/local", "interfaces with an implementer each", each("", "type j# interface { do#() }\ntype i# struct{ mu sync.Mutex }\nfunc (i *i#) do#() { i.mu.Lock(); i.mu.Unlock() }\nfunc c#(d j#) { mu.Lock(); d.do#(); mu.Unlock() }")},
		{"interface/registered", "values registered in one slice", each("var ds []Doer", "type i# struct{ mu sync.Mutex }\nfunc (i *i#) Do(int) { i.mu.Lock(); i.mu.Unlock() }\nfunc s#() { ds = append(ds, &i#{}) }\nfunc c#() { mu.Lock(); for _, d := range ds { d.Do(#) }; mu.Unlock() }")},
		{"interface/moved", "variables that one is moved through", near("var d# Doer; func m#() { d#1 = d#; mu.Lock(); d#.Do(1); mu.Unlock() }")},
		{"interface/few", "calls of an interface with two implementers", each("type ia struct{ mu sync.Mutex }\nfunc (i *ia) Do(int) { i.mu.Lock(); i.mu.Unlock() }\ntype ib struct{ mu sync.Mutex }\nfunc (i *ib) Do(int) { i.mu.Lock(); i.mu.Unlock() }\nvar d Doer\nfunc x() { d = &ia{}; d = &ib{} }", "func c#() { mu.Lock(); d.Do(#); mu.Unlock() }")},
		{"values/variable", "stores of functions to one variable, and calls", each("var h func()", "func g#() { mu.Lock(); mu.Unlock() }\nfunc s#() { h = g# }\nfunc c#() { mu.Lock(); h(); mu.Unlock() }")},
		{"values/moved", "function variables that one is moved through", near("var h# func(); func g#() { mu.Lock(); mu.Unlock() }\nfunc m#() { h# = g#; h#1 = h#; h#() }")},

		{"loops/row", "loops in a row", around("func f(s *S) { s.mu.Lock()", "\tfor pick(#) { work(s, #) }", "\ts.mu.Unlock()")},
		{"loops/locks", "loops in a row that lock", around("func f(s *S)", "\tfor i := range # { s.mu.Lock(); work(s, i); s.mu.Unlock() }", "")},
		{"loops/body", "statements in a loop", around("func f(s *S) { for {", "\ts.mu.Lock(); work(s, #); s.mu.Unlock()", "}")},
		{"loops/receives", "receives in a loop", around("func w(s *S) { s.mu.Lock(); s.ch <- 1; s.mu.Unlock() }\nfunc f(s *S) { for {", "\t<-s.ch", "}")},
		{"loops/breaks", "ways out of a loop", around("func w(s *S) { s.mu.Lock(); s.ch <- 1; s.mu.Unlock() }\nfunc f(s *S) { for {", "\tif pick(#) { break }; <-s.ch", "}")},
		{"loops/endless", "loops in a row that receive", around("func w(s *S) { s.mu.Lock(); s.ch <- 1; s.mu.Unlock() }\nfunc f(s *S) { ", "\tfor range # { <-s.ch; if pick(#) { break } }", "")},
		{"loops/phis", "variables set in a loop", func(g *generator, n int) {
			g.line("func f(s *S) {")
			repeat(g, n, "\tv# := false")
			g.line("\tfor pick(1) { s.mu.Lock(); s.mu.Unlock()")
			repeat(g, n, "\tif pick(#) { v# = true }")
			g.line("\t}")
			repeat(g, n, "\tif v# { work(s, #) }")
			g.line("}")
		}},
		{"goto/labels", "labels that are jumped to", around("func f(s *S) { s.mu.Lock()", "\tif pick(#) { goto l# }; work(s, #)\nl#:", "\ts.mu.Unlock()")},

		{"kube/waits", "waits for caches", each("", "func f#(ctx context.Context, s *S, i cache.InformerSynced) { s.mu.Lock(); cache.WaitForCacheSync(ctx.Done(), i); s.mu.Unlock() }")},
		{"kube/waits, one function", "waits for caches in one function", around("func f(ctx context.Context, s *S, i cache.InformerSynced)", "\tif !cache.WaitForCacheSync(ctx.Done(), i) { return }", "")},
		{"kube/wait chain", "callers of a wait, one of the next", near("func f#(s *S, stop <-chan struct{}, i cache.InformerSynced) { if # < #1 { f#1(s, stop, i) } else { cache.WaitForCacheSync(stop, i) } }\nfunc g#(s *S, i cache.InformerSynced) { s.mu.Lock(); f#(s, make(chan struct{}), i); s.mu.Unlock() }")},
		{"kube/handlers", "event handlers", each("", "func f#(i cache.SharedInformer, s *S) { i.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(o any) { s.n++ }, UpdateFunc: func(a, b any) { if a == b { return }; s.n++ }, DeleteFunc: func(o any) { p := o.(*T); use(p) }}) }")},
		{"kube/handlers, one function", "event handlers in one function", around("func f(i cache.SharedInformer, s *S)", "\ti.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(o any) { s.n++ }, UpdateFunc: func(a, b any) { if a == b { return }; s.n++ }, DeleteFunc: func(o any) { p := o.(*T); use(p) }})", "")},
		{"kube/predicates", "predicates", each("", "var p# = predicate.Funcs{CreateFunc: func(e event.CreateEvent) bool { return pick(#) }, UpdateFunc: func(e event.UpdateEvent) bool { return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration() }}")},
		{"kube/conditions", "conditions of one predicate", around("var p = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {", "\tif e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration() { return true }; if e.ObjectOld.GetName() == \"#\" { return false }", "\treturn false }}")},
		{"kube/predicate terms", "terms of one predicate", nested("var p = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { return false ||", "e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration() && pick(#) ||", "false", "", "}}")},
		{"kube/finalizers", "reconcilers with a finalizer", each("", "func f#(c client.Client, o client.Object) error { if o.GetDeletionTimestamp() != nil { if err := clean#(o); err != nil { return err }; controllerutil.RemoveFinalizer(o, \"f#\"); return c.Update(context.Background(), o) }; controllerutil.AddFinalizer(o, \"f#\"); return c.Update(context.Background(), o) }\nfunc clean#(o client.Object) error { use(o); return nil }")},
		{"kube/finalizers, one function", "finalizers in one function", around("func f(c client.Client, o client.Object) error", "\tif o.GetDeletionTimestamp() != nil { controllerutil.RemoveFinalizer(o, \"f#\"); if err := c.Update(context.Background(), o); err != nil { return err } } else { controllerutil.AddFinalizer(o, \"f#\") }", "\treturn nil")},
		{"kube/finalizer chain", "functions on the way to a finalizer", near("func f#(c client.Client, o client.Object) error { if # < #1 { return f#1(c, o) }; controllerutil.RemoveFinalizer(o, \"f\"); return c.Update(context.Background(), o) }")},
		{"kube/finalizer ring", "functions in a circle around a finalizer", near("func f#(c client.Client, o client.Object) error { controllerutil.RemoveFinalizer(o, \"f\"); if pick(#) { return f#1(c, o) }; if pick(2) { f#2(c, o) }; return c.Update(context.Background(), o) }")},
		{"kube/writes, one function", "writes of an object in one function", around("func f(ctx context.Context, c client.Client, o client.Object)", "\to.SetFinalizers(nil); c.Update(ctx, o); c.Delete(ctx, o)", "")},
		{"kube/runnables", "runnables", each("", "type r# struct { s *S }\nfunc (r *r#) Start(ctx context.Context) error { for { select { case <-r.s.ch: r.s.n++; case <-ctx.Done(): return nil } } }\nfunc a#(m manager.Manager, s *S) { m.Add(&r#{s}) }")},
		{"kube/start loops", "loops of one runnable", around("type r struct { s *S }\nfunc (r *r) Start(ctx context.Context) error", "\tgo func() { for { select { case <-r.s.ch: case <-ctx.Done(): return } } }(); for pick(#) { <-r.s.ch }", "\treturn nil")},
		{"kube/start calls", "functions that a runnable calls", all(around("type r struct { s *S }\nfunc (r *r) Start(ctx context.Context) error", "\tgo g#(ctx, r.s)", "\t<-ctx.Done(); return nil"), each("", "func g#(ctx context.Context, s *S) { for { s.n++; if pick(#) { return } } }"))},
		{"kube/context chain", "functions that pass a context on", near("func g#(ctx context.Context, s *S) { if # < #1 { g#1(ctx, s) } else { <-ctx.Done() } }\ntype r# struct { s *S }\nfunc (r *r#) Start(ctx context.Context) error { g#(context.Background(), r.s); return nil }")},
		{"kube/expectations", "uses of an expectation store", each("", "func f#(k string) { if set.SatisfiedExpectations(k) { set.ExpectCreations(k, 1); use(k); set.CreationObserved(k) } }")},
		{"kube/expectations, one function", "uses of an expectation store in one function", around("func f(k string)", "\tif set.SatisfiedExpectations(k) { set.ExpectCreations(k, 1); use(k); set.CreationObserved(k) }", "")},
		{"kube/expectation chain", "functions on the way to an expectation", near("func f#(k string) bool { if # < #1 { return f#1(k) }; return set.SatisfiedExpectations(k) }\nfunc g#(k string) { if f#(k) { set.ExpectCreations(k, 1) } }")},
		{"kube/factories", "informers of one factory", around("func f(ctx context.Context, i cache.SharedInformer, fac Factory) ", "\tfac.Informer(); fac.Start(ctx.Done()); fac.WaitForCacheSync(ctx.Done())", "")},
	}
}
