package filter

import (
	"fmt"
	"go/types"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// many is a function f of a map with format for each number from 0 up to n.
func many(n int, format string) string {
	var b strings.Builder
	b.WriteString("package src\n\nvar x string\n\nfunc f(m map[string]string) {\n")
	for i := range n {
		fmt.Fprintf(&b, format+"\n", i)
	}
	return b.String() + "}\n"
}

// Importing packages are told of 200 keys that a function sets at most, and it is said that there are more.
func TestKeys(t *testing.T) {
	for n, want := range map[int]int{1: 1, 200: 200, 201: 200} {
		pass := ssatest.Pass(t, many(n, `m["k%d"] = x`))
		pkg := program.Of(pass)
		k := &keys{pkg: pkg, fact: none[*accessSummary]}
		if got := len(k.set(pkg.Func("f"))); got != n {
			t.Errorf("%d keys: %d are kept", n, got)
		}
		if got := len(k.summaries()[pkg.Func("f")].Sets); got != want {
			t.Errorf("%d keys: %d are in the summary, want %d", n, got, want)
		}
		if notes := pass.ResultOf[program.Analyzer].(*program.Lazy).Notes(); len(notes) == 1 != (n > want) {
			t.Errorf("%d keys: %q", n, notes)
		}
	}
}

func none[F any](*types.Func) (f F) { return f }

// Importing packages are told of all reads, of each once.
func TestFactReads(t *testing.T) {
	for _, n := range []int{1, 25, 100} {
		pkg := program.Of(ssatest.Pass(t, many(n, `x = m["k%d"]; x = m["again"]`)))
		r := &reader{pkg: pkg, fact: none[*accessSummary]}
		if got := len(r.exported(pkg.Func("f"))); got != n+1 {
			t.Errorf("%d reads: %d are kept", n+1, got)
		}
	}
}

// What functions that call each other do is known of each of them, whoever is asked first.
func TestCycles(t *testing.T) {
	const src = `package src

type object struct { labels map[string]string; next *object }

func ping(n int, key string, m map[string]string, o *object) { pong(n, m, key, o) }
func pong(n int, m map[string]string, key string, o *object) { if n > 0 { pang(n - 1, key, m, o) } }
func pang(n int, key string, m map[string]string, o *object) {
	if m[key] == "" { m[key] = "x"; m["own"] = m["other"]; o.next = nil }
	ping(n, key, m, o)
}
`
	for _, order := range [][]string{{"ping", "pong", "pang"}, {"pong", "pang", "ping"}, {"pang", "pong", "ping"}} {
		pkg := program.Of(ssatest.Pass(t, src))
		k := &keys{pkg: pkg, fact: none[*accessSummary]}
		r := &reader{pkg: pkg, fact: none[*accessSummary]}
		for _, name := range order {
			fn := pkg.Func(name)
			m, key := 2, 1
			if name == "pong" {
				m, key = 1, 2
			}
			if got, want := k.summaries()[fn].String(), fmt.Sprintf("sets own, p%d", key); got != want {
				t.Errorf("%v: %s: %s, want %s", order, name, got, want)
			}
			if got, want := fmt.Sprint(r.exported(fn)), fmt.Sprintf("[key p%d of p%d]", key, m); got != want {
				t.Errorf("%v: %s: %s, want %s", order, name, got, want)
			}
		}
	}
}
