package driver

import (
	"cmp"
	"maps"
	"runtime"
	"slices"
	"time"

	"golang.org/x/tools/go/packages"
)

// Cost is the time and memory that a run took.
type Cost struct {
	Phases     []Phase
	Rules      []Spent // by analyzer and by what comes before them, the slowest first
	Packages   []Spent // the slowest ones
	Own        Loaded  // packages of the user
	Parts      Loaded  // packages of dependencies
	Imported   int     // other dependencies
	Signatures int     // packages that were type-checked without function bodies
}

// Loaded is the number of packages, and of those whose results were stored.
type Loaded struct{ All, Stored int }

// Phase is one part of a run.
type Phase struct {
	Name      string
	Wall      time.Duration
	HeapBytes uint64 // on the heap at its end, garbage included
}

// Spent is a share of the time of a run.
type Spent struct {
	What string
	Time time.Duration
}

// maxPackages is the number of packages that [Cost] names.
const maxPackages = 10

// meter gathers a Cost.
type meter struct {
	last   time.Time
	phases []Phase
	rules  map[string]time.Duration
	spent  []Spent
	stored map[*packages.Package]bool
}

func (m *meter) begin() {
	m.last, m.rules, m.stored = time.Now(), make(map[string]time.Duration), make(map[*packages.Package]bool)
}

// phase ends the phase that the last call began.
func (m *meter) phase(name string) {
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	now := time.Now()
	m.phases = append(m.phases, Phase{name, now.Sub(m.last), mem.HeapAlloc})
	m.last = now
}

// add counts the analysis of p, or that its result was stored.
func (m *meter) add(p *packages.Package, u *unit, fresh bool) {
	if !fresh {
		m.stored[p] = true
		return
	}
	var all time.Duration
	for what, t := range u.times {
		if what == "" {
			continue // there is no SSA form
		}
		m.rules[what] += t
		all += t
	}
	m.spent = append(m.spent, Spent{p.ID, all})
}

func (m *meter) sum(r *run) Cost {
	c := Cost{
		Phases: m.phases, Packages: m.spent, Imported: r.graph.Dependencies(), Signatures: r.graph.Signatures(),
	}
	for _, p := range r.graph.Own {
		of := &c.Own
		if r.graph.IsPart(p) {
			of = &c.Parts
		}
		of.All++
		if m.stored[p] {
			of.Stored++
		}
	}
	for _, what := range slices.Sorted(maps.Keys(m.rules)) {
		c.Rules = append(c.Rules, Spent{what, m.rules[what]})
	}
	byTime := func(a, b Spent) int { return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.What, b.What)) }
	slices.SortStableFunc(c.Rules, byTime)
	slices.SortStableFunc(c.Packages, byTime)
	c.Packages = c.Packages[:min(maxPackages, len(c.Packages))]
	return c
}
