package analyzers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/filetest"
)

const user = `package user

import (
	"sync"

	"IMPORTED"
)

type C struct {
	x.Base
	mu   sync.Mutex
	cl   x.Client
	done chan struct{}
}

func New(o x.Options) (*C, error) {
	cl, err := x.New(o)
	if err != nil {
		return nil, err
	}
	return &C{cl: cl, done: make(chan struct{})}, nil
}

func (c *C) Run() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, i := range c.cl.Items() {
		c.get(i) // finding
	}
	select { // it is not known who else ends it
	case <-c.cl.Done():
	case <-c.done:
	}
}

func (c *C) get(i x.Item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i.Do()
}

func (c *C) Wait() {
	c.mu.Lock()
	defer c.mu.Unlock()
	<-c.done // finding
}

func (c *C) Close() {
	x.With(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		close(c.done)
	})
}
`

// above has no import that is not there, and says nothing that the type checker finds wrong before it knows what user.Latest is.
const above = `package above

import (
	"sync"

	"example.com/m/user"
)

type T struct {
	mu sync.Mutex
	n  int
}

func (t *T) get() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n
}

func (t *T) Run(done chan string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, i := range user.List(nil) {
		user.Keep(i, *i.Id)
		select {
		case done <- *i.Id:
		default:
		}
		if user.Latest.After(i, func() { close(done) }) {
			t.get() // finding
		}
	}
}
`

// A package whose import has errors, or is not there, is analysed; what touches an unknown type is left alone.
func TestImportsWithErrors(t *testing.T) {
	files := func(imported, source string) map[string]string {
		return map[string]string{
			"user/user.go": strings.Replace(user, "IMPORTED", imported, 1) + source,
			"above/a.go":   "package above\n\nimport \"example.com/m/user\"\n\nfunc F(c *user.C) { c.Run() }\n",
			"x/x.go": "package x\n\ntype Base struct{}\n\ntype Client interface{ Items() []Item; Done() <-chan struct{}; Hand(chan struct{}) }\n\n" +
				"type Item interface{ Do() }\n\ntype Options generated\n\nfunc New(Options) (Client, error) { return nil, nil }\n\nfunc With(f func()) { go f() }\n",
		}
	}
	const giveAway = "\nfunc (c *C) Give() { c.cl.Hand(c.done) }\n"
	relock, wait := "user/user.go:28:8 lockheld/relock", "user/user.go:45:2 lockheld/blocking"
	for _, test := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"a package of one's own", files("example.com/m/x", ""), []string{relock, wait, "failure: example.com/m/x: x/x.go:9:14: undefined: generated", "failure: example.com/m/x: 2 packages that import it were analysed without it"}},
		{"and one who ends the wait", files("example.com/m/x", giveAway), []string{relock, "failure: example.com/m/x: x/x.go:9:14: undefined: generated", "failure: example.com/m/x: 2 packages that import it were analysed without it"}},
		{"a module that is not there", files("example.com/nowhere/x", giveAway), []string{
			relock, "failure: example.com/m/x: x/x.go:9:14: undefined: generated", "failure: example.com/nowhere/x: user/user.go:6:2: no required module provides package example.com/nowhere/x; to add it: go get example.com/nowhere/x",
			"failure: example.com/nowhere/x: 2 packages that import it were analysed without it",
		}},
		{"an error of its own beside that", files("example.com/nowhere/x", "\nvar _ = undeclared\n"), []string{
			"failure: example.com/m/user: user/user.go:56:9: undefined: undeclared",
			"failure: example.com/m/user: 1 package that imports it was analysed without it",
			"failure: example.com/m/x: x/x.go:9:14: undefined: generated",
		}},
		{"used by who imports the importer", map[string]string{
			"user/user.go": "package user\n\nimport \"example.com/nowhere/x\"\n\ntype Items []*x.Item\n\nvar Latest = x.Latest()\n\nfunc List(*x.Client) Items { return nil }\n\nfunc Keep(*x.Item, string) {}\n",
			"above/a.go":   above,
		}, []string{
			"above/a.go:30:9 lockheld/relock", "failure: example.com/nowhere/x: user/user.go:3:8: no required module provides package example.com/nowhere/x; to add it: go get example.com/nowhere/x",
			"failure: example.com/nowhere/x: 2 packages that import it were analysed without it",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := driver.Run(analyzers.All(), driver.Options{Dir: filetest.Module(t, test.files)})
			var got []string
			for _, f := range r.Findings {
				got = append(got, fmt.Sprintf("%s:%d:%d %s", f.File, f.Line, f.Column, f.Category))
			}
			for _, f := range r.Failures {
				got = append(got, "failure: "+f.String())
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			if r.Judged("example.com/m/user") || r.Judged("example.com/m/above") {
				t.Error("a package that was analysed in part counts as analysed whole")
			}
		})
	}
}
