package load

import (
	"math/big"

	"golang.org/x/tools/go/packages"
)

// Reach returns for each own package the other own ones that it imports, directly or not, in the order of g.Own,
// imports first.
func (g *Graph) Reach() map[*packages.Package][]*packages.Package {
	index := make(map[*packages.Package]int, len(g.Own))
	for i, p := range g.Own {
		index[p] = i
	}
	sets := make(map[*packages.Package]*big.Int)
	reach := make(map[*packages.Package][]*packages.Package, len(g.Own))
	packages.Visit(g.Roots, nil, func(p *packages.Package) {
		set := new(big.Int)
		for _, i := range p.Imports {
			if below := sets[i]; below != nil { // nil in a cycle, which the go command reports
				set.Or(set, below)
			}
			if n, ok := index[i]; ok {
				set.SetBit(set, n, 1)
			}
		}
		if n, ok := index[p]; ok {
			for bit := range min(n, set.BitLen()) { // what comes later is imported in a cycle, which is an error
				if set.Bit(bit) == 1 {
					reach[p] = append(reach[p], g.Own[bit])
				}
			}
		}
		sets[p] = set
	})
	return reach
}
