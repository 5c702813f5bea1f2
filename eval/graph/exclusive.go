package graph

import (
	"maps"
	"slices"
	"strings"
)

// A Site is a place of the rules that words findings.
type Site struct {
	ID    string
	Rule  string   // the analyzer
	Subs  []string // of the checks of the rule, those that its declaration names
	Node  *Node    // which words it
	Lines int      // that nothing needs but the sites of its node
	With  []string // the other sites of its node
}

// Sites are all sites, with the lines that go with each: declarations of the analyzers from which no other site can be come to, what is not reachable from the
// roots without these, and, to a fixpoint, what exports facts that nobody imports any more. That is the dominator subtree of the site's declaration, and a lower
// bound: one that words several sites goes with all of them. Checks gives the names of the checks of a rule.
func (g *Graph) Sites(checks func(rule string) []string) []*Site {
	c := newCut(g)
	var out []*Site
	for _, n := range g.Nodes {
		if len(n.Sites) == 0 || !strings.HasPrefix(n.Package, "analyzers/") {
			continue
		}
		rule := strings.Split(n.Package, "/")[1]
		lines := c.lines(c.gone(n))
		for _, id := range n.Sites {
			s := &Site{ID: id, Rule: rule, Node: n, Lines: lines}
			for _, check := range checks(rule) {
				if n.words[check] {
					s.Subs = append(s.Subs, check)
				}
			}
			for _, other := range n.Sites {
				if other != id {
					s.With = append(s.With, other)
				}
			}
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b *Site) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// Lines is how many lines ship.
func (g *Graph) Lines() (sum int) {
	for _, n := range g.ByPackage() {
		sum += n
	}
	return sum
}

// ByPackage is how many lines ship of each package, below the module.
func (g *Graph) ByPackage() map[string]int {
	out := map[string]int{}
	for n := range newCut(g).full {
		out[n.Package] += n.Lines
	}
	return out
}

// A cut asks what goes with a site.
type cut struct {
	g       *Graph
	full    map[*Node]bool           // what is reachable
	leadsTo map[*Node]map[*Node]bool // the nodes with sites to which a node of the analyzers leads
	readers map[string]map[*Node]bool
}

func newCut(g *Graph) *cut {
	c := &cut{g: g, leadsTo: map[*Node]map[*Node]bool{}, readers: map[string]map[*Node]bool{}}
	c.full = c.reachable(nil)
	from := map[*Node][]*Node{}
	for _, n := range g.Nodes {
		for t := range n.out {
			from[t] = append(from[t], n)
		}
		if c.full[n] {
			for fact := range n.imports {
				if c.readers[fact] == nil {
					c.readers[fact] = map[*Node]bool{}
				}
				c.readers[fact][n] = true
			}
		}
	}
	for _, site := range g.Nodes {
		if len(site.Sites) == 0 || !c.full[site] {
			continue
		}
		seen := map[*Node]bool{site: true}
		for queue := []*Node{site}; len(queue) > 0; {
			n := queue[0]
			queue = queue[1:]
			if c.leadsTo[n] == nil {
				c.leadsTo[n] = map[*Node]bool{}
			}
			c.leadsTo[n][site] = true
			for _, by := range from[n] {
				if !seen[by] && strings.HasPrefix(by.Package, "analyzers/") {
					seen[by] = true
					queue = append(queue, by)
				}
			}
		}
	}
	return c
}

// reachable are the nodes to which the roots lead without removed ones.
func (c *cut) reachable(removed map[*Node]bool) map[*Node]bool {
	seen := map[*Node]bool{}
	var stack []*Node
	visit := func(n *Node) {
		if !seen[n] && !removed[n] {
			seen[n] = true
			stack = append(stack, n)
		}
	}
	for _, r := range c.g.roots {
		visit(r)
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for t := range n.out {
			visit(t)
		}
	}
	return seen
}

// gone are the nodes that nothing needs without the sites of site.
func (c *cut) gone(site *Node) map[*Node]bool {
	removed := map[*Node]bool{}
	for n, sites := range c.leadsTo {
		if len(sites) == 1 && sites[site] {
			removed[n] = true
		}
	}
	for {
		live := c.reachable(removed)
		read := map[string]map[*Node]bool{}
		for n := range live {
			for fact := range n.imports {
				if read[fact] == nil {
					read[fact] = map[*Node]bool{}
				}
				read[fact][n] = true
			}
		}
		before := len(removed)
		for n := range live {
			if len(n.exports) > 0 && len(c.leadsTo[n]) == 0 && !needed(n, read) && needed(n, c.readers) {
				removed[n] = true
			}
		}
		if len(removed) == before {
			out := maps.Clone(c.full)
			maps.DeleteFunc(out, func(n *Node, _ bool) bool { return live[n] })
			return out
		}
	}
}

// needed reports whether somebody else reads a fact that n exports.
func needed(n *Node, read map[string]map[*Node]bool) bool {
	for fact := range n.exports {
		by := read[fact]
		if len(by) > 1 || len(by) == 1 && !by[n] {
			return true
		}
	}
	return false
}

func (c *cut) lines(nodes map[*Node]bool) (sum int) {
	for n := range nodes {
		sum += n.Lines
	}
	return sum
}
