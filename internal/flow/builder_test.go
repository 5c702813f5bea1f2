package flow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const built = `package src

func variadic(a int)     { many(a) }
func literal(a int) []int { return []int{a} }
func array(a int) [1]int { return [1]int{a} }
func joined(a, b bool) bool { return a && b }
func chosen(a bool) int {
	x := 1
	if a {
		x = 2
	}
	return x
}
func condition(a, b bool) { if a || b { many(1) } }
func loops(n int)         { for i := 0; i < n; i++ { many(i) } }
func ranges(s []int)      { for _, x := range s { many(x) } }
func endless()            { for { many(1) } }

func many(...int) {}
`

// TestBuilder says what is found in each function; a new x/tools with other names for it fails here.
func TestBuilder(t *testing.T) {
	p := ssatest.Build(t, built)
	for name, want := range map[string]string{
		"variadic":  "argument varargs",
		"literal":   "slicelit",
		"array":     "",
		"joined":    "joins",
		"chosen":    "if x",
		"condition": "argument condition if varargs",
		"loops":     "argument i loop varargs",
		"ranges":    "argument element loop rangeindex varargs",
		"endless":   "argument endless varargs",
	} {
		found := map[string]bool{}
		for _, l := range flow.Loops(p.Func(name)) {
			found["endless"] = found["endless"] || flow.OfEndless(l.Header)
		}
		for _, b := range p.Func(name).Blocks {
			found["if"] = found["if"] || flow.OfIf(b)
			found["condition"] = found["condition"] || flow.OfCondition(b)
			found["loop"] = found["loop"] || flow.TestsLoop(b)
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.Phi:
					if flow.Joins(in) {
						found["joins"] = true
					} else {
						found[flow.RootName(in)] = true
					}
				case *ssa.Alloc:
					found[flow.WrittenOut(in)] = true
				case *ssa.IndexAddr:
					found["argument"] = found["argument"] || flow.Argument(in)
					found["element"] = found["element"] || flow.RangeHeader(in.Index) != nil
				}
			}
		}
		var got []string
		for what, is := range found {
			if is && what != "" {
				got = append(got, what)
			}
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", name, fmt.Sprintf("%q", s), want)
		}
	}
}
