package program

import (
	"fmt"
	"slices"
	"sync"
)

// cuts are the places at which analyzers gave up, by analyzer and reason.
type cuts struct {
	mu     sync.Mutex
	places map[cut]map[any]bool
	joined []string
}

type cut struct{ asker, what string }

// Cut records that the analyzer gave up at a place, such as a function or an instruction, because of a limit. What
// names several of them, as in "searches were given up after 3,000 steps". What was found until then proves nothing
// about the rest.
func (p *Program) Cut(what string, at any) {
	p.cuts.mu.Lock()
	defer p.cuts.mu.Unlock()
	if p.cuts.places == nil {
		p.cuts.places = map[cut]map[any]bool{}
	}
	k := cut{p.asker, what}
	if p.cuts.places[k] == nil {
		p.cuts.places[k] = map[any]bool{}
	}
	p.cuts.places[k][at] = true
}

// Joined records what the analyzer has joined of several packages, as text.
func (p *Program) Joined(what string) {
	p.cuts.mu.Lock()
	defer p.cuts.mu.Unlock()
	p.cuts.joined = append(p.cuts.joined, p.asker+": "+what)
}

// notes returns a line for each reason of each analyzer, with the number of places.
func (c *cuts) notes() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []string
	for k, places := range c.places {
		out = append(out, fmt.Sprintf("%s: %d %s", k.asker, len(places), k.what))
	}
	slices.Sort(out)
	return out
}
