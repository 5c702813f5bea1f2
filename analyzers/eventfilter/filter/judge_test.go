package filter

import (
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const evalPrelude = `package src

import (
	"reflect"
	"strings"
	"time"
)

type ObjectMeta struct {
	Generation        int64
	ResourceVersion   string
	Finalizers        []string
	Name              string
	Labels            map[string]string
	Annotations       map[string]string
	DeletionTimestamp *time.Time
}

type Spec struct{ Replicas, Paused int }

type Status struct{ Ready int }

type Object struct {
	ObjectMeta
	Spec   Spec
	Status Status
}

func (o *Object) GetAnnotations() map[string]string { return o.Annotations }
func (o *Object) DeepCopy() *Object { c := *o; return &c }

type Other struct{ Object }

type Queue interface{ Add(string) }

var (
	_ = reflect.DeepEqual
	_ = strings.Contains
	keys []string
)

func cond() bool
func enqueue(string)
func GetKey(*Object) string
func IssueFor(*Object) string
func makeKey(*Object) string
`

// judged is what f, whose parameters are the old and the new version of an object, does with c: "pass", "drop" or
// "either".
func judged(t *testing.T, src string, c change) string {
	t.Helper()
	got, _ := judgedWithNotes(t, src, c)
	return got
}

// judgedWithNotes is judged, and what is said of what was cut short.
func judgedWithNotes(t *testing.T, src string, c change) (string, []string) {
	t.Helper()
	pass := ssatest.Pass(t, evalPrelude+src)
	pkg := program.Of(pass)
	fn := pkg.Func("f")
	var params []value
	for i := range fn.Params {
		params = append(params, value{kind: placeValue, side: side(i)})
	}
	got := "either"
	switch v := judge(predicates{pkg: pkg}, fn, params, c); {
	case v.passes():
		got = "pass"
	case v.drops():
		got = "drop"
	}
	return got, pass.ResultOf[program.Analyzer].(*program.Lazy).Notes()
}

func TestJudge(t *testing.T) {
	annotations, status, spec := annotationsChange(""), statusChange(), specChange()
	foreign := spec
	foreign.foreign = true
	for _, test := range []struct {
		name   string
		change change
		src    string
		want   string
	}{
		// Predicates.
		{"always", spec, `func f(old, new *Object) bool { return true }`, "pass"},
		{"never", spec, `func f(old, new *Object) bool { return false }`, "drop"},
		{"what changes", spec, `func f(old, new *Object) bool { return old.Spec != new.Spec }`, "pass"},
		{"what does not change", status, `func f(old, new *Object) bool { return old.Spec != new.Spec }`, "drop"},
		{"a part of what changes", spec, `func f(old, new *Object) bool { return old.Spec.Replicas != new.Spec.Replicas }`, "either"},
		{"equal is turned around", spec, `func f(old, new *Object) bool { return old.Spec == new.Spec }`, "drop"},
		{"the generation, of a spec", spec, `func f(old, new *Object) bool { return old.Generation != new.Generation }`, "pass"},
		{"the generation, of a status", status, `func f(old, new *Object) bool { return old.Generation != new.Generation }`, "drop"},
		{"annotations", annotations, `func f(old, new *Object) bool { return !reflect.DeepEqual(old.GetAnnotations(), new.GetAnnotations()) }`, "pass"},
		{"labels, where annotations change", annotations, `func f(old, new *Object) bool { return !reflect.DeepEqual(old.Labels, new.Labels) }`, "drop"},
		{"a condition that is not known", spec, `func f(old, new *Object) bool { return cond() }`, "either"},
		{"either of two", status, `func f(old, new *Object) bool { return old.Generation != new.Generation || old.Status != new.Status }`, "pass"},
		{"both of two", status, `func f(old, new *Object) bool { return old.Generation != new.Generation && old.Status != new.Status }`, "drop"},

		// Deletion: annotations are set on objects that are on their way out, too.
		{"deleted objects pass, and annotations change", annotations, `func f(old, new *Object) bool { return new.DeletionTimestamp != nil }`, "either"},
		{"deleted objects pass, and the status changes", status, `func f(old, new *Object) bool { return new.DeletionTimestamp != nil }`, "drop"},
		{"deletion", deletionChange(true), `func f(old, new *Object) bool { return old.DeletionTimestamp == nil && new.DeletionTimestamp != nil }`, "pass"},

		// Copies: what was overwritten in one is not known.
		{"copies", status, `func f(old, new *Object) bool { a, b := *old, *new; return a.Status != b.Status }`, "pass"},
		{"an edited copy of one version", status, `func f(old, new *Object) bool { a := *old; a.Status = Status{}; return a.Status != new.Status }`, "either"},
		{"edited copies of both", status, `func f(old, new *Object) bool { a, b := *old, *new; a.Status, b.Status = Status{}, Status{}; return a.Status != b.Status }`, "either"},
		{"an edited copy of one, and the same version", status, `func f(old, new *Object) bool { a := *old; a.Status = Status{}; return a.Status == old.Status }`, "either"},
		{"a deep copy and the other version", status, `func f(old, new *Object) bool { return old.DeepCopy().Status != new.Status }`, "either"},
		{"a deep copy and the same version", status, `func f(old, new *Object) bool { return old.DeepCopy().Status == old.Status }`, "either"},
		{"one version with itself", status, `func f(old, new *Object) bool { return old.Status == old.Status }`, "pass"},
		{"what does not change, in an edited copy", status, `func f(old, new *Object) bool { a := *old; a.Status = Status{}; return a.Spec != new.Spec }`, "drop"},

		{"deep copies without a field, which never have one resource version", spec, `func f(old, new *Object) bool { a, b := old.DeepCopy(), new.DeepCopy(); a.Finalizers, b.Finalizers = nil, nil; return reflect.DeepEqual(a, b) }`, "drop"},
		{"deep copies without a resource version", spec, `func f(old, new *Object) bool { a, b := old.DeepCopy(), new.DeepCopy(); a.ResourceVersion, b.ResourceVersion = "", ""; return reflect.DeepEqual(a, b) }`, "either"},
		{"deep copies that somebody has cleaned", spec, `func f(old, new *Object) bool { a, b := old.DeepCopy(), new.DeepCopy(); clean(a); clean(b); return reflect.DeepEqual(a, b) }; func clean(*Object)`, "either"},
		{"deep copies without metadata", spec, `func f(old, new *Object) bool { a, b := old.DeepCopy(), new.DeepCopy(); a.ObjectMeta, b.ObjectMeta = ObjectMeta{}, ObjectMeta{}; return reflect.DeepEqual(a, b) }`, "either"},

		// What is asked twice.
		{"a test of one version, and the opposite of the other one, of what stays", spec, `func f(old, new *Object) bool { return has(old.Finalizers) && !has(new.Finalizers) }; func has([]string) bool`, "drop"},
		{"the same of what changes", spec, `func f(old, new *Object) bool { return has(&old.Spec) && !has(&new.Spec) }; func has(*Spec) bool`, "either"},
		{"the same of a field that is compared", status, `func f(old, new *Object) bool { if old.Spec.Replicas == 1 { return false }; return new.Spec.Replicas == 1 }`, "drop"},
		{"the same of a helper in sight", status, `func one(o *Object) bool { return o.Spec.Replicas == 1 && keys != nil }; func f(old, new *Object) bool { return one(old) && !one(new) }`, "drop"},
		{"a test of both, and what changes", status, `func f(old, new *Object) bool { return one(old.Spec) && one(new.Spec) && old.Status != new.Status }; func one(Spec) bool`, "either"},
		{"a test whose two ways come together before it is asked again", spec, `func f(old, new *Object) bool { if has(old.Finalizers) { _ = strings.ToUpper(old.Name) }; return !has(new.Finalizers) }; func has([]string) bool`, "either"},
		{"two questions", status, `func f(old, new *Object) bool { return one(old.Spec) && !two(new.Spec) }; func one(Spec) bool; func two(Spec) bool`, "either"},

		// Types.
		{"another type", foreign, `func f(old, new any) bool { _, ok := new.(*Object); return ok }`, "drop"},
		{"another type, turned around", foreign, `func f(old, new any) bool { _, ok := new.(*Object); return !ok }`, "pass"},
		{"the type that is expected", spec, `func f(old, new any) bool { _, ok := new.(*Object); return ok }`, "pass"},

		// Helpers.
		{"a helper", spec, `func differ(a, b *Object) bool { return a.Spec != b.Spec }; func f(old, new *Object) bool { return differ(old, new) }`, "pass"},
		{"a helper with two answers", spec, `func differ(a, b *Object) bool { if cond() { return true }; return false }; func f(old, new *Object) bool { return differ(old, new) }`, "either"},
		{"a helper that calls itself", spec, `func differ(a, b *Object) bool { return differ(b, a) }; func f(old, new *Object) bool { return differ(old, new) }`, "either"},
		{"a literal in a variable", spec, `func f(old, new *Object) bool { changed := func(a, b Spec) bool { return a != b }; return changed(old.Spec, new.Spec) }`, "pass"},
		{"a literal in a variable, and what does not change", status, `func f(old, new *Object) bool { changed := func(a, b Spec) bool { return a != b }; return changed(old.Spec, new.Spec) }`, "drop"},
		{"a literal that has captured both versions", status, `func f(old, new *Object) bool { changed := func() bool { return old.Spec != new.Spec }; return changed() }`, "drop"},
		{"a literal that has captured one of them", spec, `func f(old, new *Object) bool { differs := func(o *Object) bool { return old.Spec != o.Spec }; return differs(new) }`, "pass"},
		{"a literal in a literal", spec, `func f(old, new *Object) bool { changed := func() bool { return func() bool { return old.Spec != new.Spec }() }; return changed() }`, "pass"},
		{"a literal of the function around", spec, `func f(old, new *Object) bool { changed := func(a, b Spec) bool { return a != b }; return func() bool { return changed(old.Spec, new.Spec) }() }`, "pass"},
		{"a literal that has captured a variable with two values", status, `func f(old, new *Object) bool { o := old; if cond() { o = new }; changed := func() bool { return o.Status != new.Status }; return changed() }`, "either"},
		{"one of two literals", spec, `func f(old, new *Object) bool { changed := func() bool { return old.Spec != new.Spec }; if cond() { changed = func() bool { return false } }; return changed() }`, "either"},
		{"a literal that writes what it has captured", spec, `func f(old, new *Object) bool { done := false; do := func() { done = old.Spec != new.Spec }; do(); return done }`, "either"},

		{"a helper that says equal by its name, and looks at a part", spec, `func (a Spec) Equal(b Spec) bool { return a.Replicas == b.Replicas }; func f(old, new *Object) bool { return !old.Spec.Equal(new.Spec) }`, "either"},
		{"a helper that says equal by its name alone", spec, `func Equal(a, b Spec) bool; func f(old, new *Object) bool { return !Equal(old.Spec, new.Spec) }`, "pass"},
		{"a helper that says equal, where nothing changes", status, `func (a Spec) Equal(b Spec) bool { return a.Replicas == b.Replicas && a.Paused == b.Paused }; func f(old, new *Object) bool { return !old.Spec.Equal(new.Spec) }`, "drop"},

		// Handlers: what they do nothing about they drop.
		{"a handler", spec, `func f(old, new *Object) { enqueue(new.Name) }`, "pass"},
		{"a handler that does nothing", spec, `func f(old, new *Object) { }`, "drop"},
		{"a handler that returns", status, `func f(old, new *Object) { if old.Spec == new.Spec { return }; enqueue(new.Name) }`, "drop"},
		{"a handler that looks by its name alone", spec, `func f(old, new *Object) { GetKey(new) }`, "either"},
		{"a handler that issues", spec, `func f(old, new *Object) { IssueFor(new) }`, "pass"},
		{"a handler that only reads, which is in sight", spec, `func issue(o *Object) string { return o.Name }; func f(old, new *Object) { issue(new) }`, "drop"},
		{"a handler that calls anything", spec, `func f(old, new *Object) { makeKey(new) }`, "pass"},
		{"a handler that looks with a package for that", spec, `func f(old, new *Object) { if strings.ToUpper(new.Name) == "A" { return } }`, "drop"},
		{"a handler that asks the time", spec, `func f(old, new *Object) { _ = time.Now() }`, "drop"},
		{"a handler whose helper may do something", spec, `func may(s string) { if cond() { enqueue(s) } }; func f(old, new *Object) { may(new.Name) }`, "pass"},
		{"a handler whose helper does something on its last way", spec, `func may(o *Object) { if o.Name == "" { return }; enqueue(o.Name) }; func f(old, new *Object) { may(new) }`, "either"},
		{"a handler whose helper may do something before it answers", spec, `func may(s string) bool { if keys != nil { enqueue(s) }; return true }; func f(old, new *Object) { may(new.Name) }`, "either"},
		{"a handler that writes", spec, `func f(old, new *Object) { keys[0] = new.Name }`, "pass"},

		// Loops.
		{"a loop that may find something", spec, `func f(old, new *Object) bool { for range keys { if old.Spec != new.Spec { return true } }; return false }`, "either"},
		{"a loop that may note something", spec, `func f(old, new *Object) bool { found := false; for range keys { found = true }; return found }`, "either"},
		{"a loop that may note something in the second turn", spec, `func f(old, new *Object) bool { a, b := false, false; for range keys { a, b = b, true }; return a }`, "either"},
		{"a loop that may note something in the fourth turn", spec, `func f(old, new *Object) bool { a, b, c, d := false, false, false, false; for range keys { a, b, c, d = b, c, d, true }; return a }`, "either"},
		{"a variable that is read before it is stored", spec, `func f(old, new *Object) bool { var a bool; later(func() { println(a) }); b := a; a = true; return b }; func later(func())`, "either"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := judged(t, test.src, test.change); got != test.want {
				t.Errorf("%s: got %s, want %s", test.src, got, test.want)
			}
		})
	}
}

// What takes too long is not decided, and it is said so. Neither calls nor ways out are counted by themselves.
func TestJudgeLimits(t *testing.T) {
	for _, test := range []struct {
		name string
		src  string
		want string
		cut  bool
	}{
		{"a long function", "var v int64\nfunc f(old, new *Object) bool {\n" + strings.Repeat("v++\n", 5000) + "return old.Spec != new.Spec }", "pass", false},
		{"a longer function", "var v int64\nfunc f(old, new *Object) bool {\n" + strings.Repeat("v++\n", 7000) + "return old.Spec != new.Spec }", "either", true},
		{"many ways out", "func f(old, new *Object) bool {\n" + strings.Repeat("if cond() { return false }\n", 1000) + "return false }", "drop", false},
		{"ways that double", "func f(old, new *Object) bool {\n" + strings.Repeat("if cond() { keys = nil }\n", 20) + "return false }", "drop", false},
		{"a loop that goes down a list", "type list struct { next *list; o *Object }\nfunc f(old, new *Object) bool { for x := (&list{o: new}).next; x != nil; x = x.next { if cond() { return false } }; return false }", "drop", false},
		{"a list of the object itself", "type list struct { next *list }\nfunc f(old, new *list) bool { for x := new; x != nil; x = x.next { if cond() { return false } }; return false }", "drop", false},
		{"a deep chain of calls", ssatest.Chain(7, "(a, b *Object) bool", "a, b", "return a.Spec != b.Spec") + "func f(old, new *Object) bool { return f1(old, new) }", "pass", false},
		{"a callee that is too long, and does not matter", "var v int64\nfunc g() bool {\n" + strings.Repeat("v++\n", 7000) + "return false }\n" +
			"func f(old, new *Object) bool { g(); return old.Spec != new.Spec }", "pass", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, notes := judgedWithNotes(t, test.src, specChange())
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if len(notes) > 0 != test.cut {
				t.Errorf("notes: %q", notes)
			}
		})
	}
}
