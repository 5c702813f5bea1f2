// Package brew works with pots, and knows nothing of the cluster.
package brew

import (
	"fmt"
	"log/slog"
	"os"
	"strings"

	"example.com/operators/eventfilter/rendered/tea"
)

// Recipe is made from a pot.
func Recipe(p *tea.Pot) string { return fmt.Sprintf("%s for %s", p.Spec.Leaf, time(&p.Spec)) }

func time(spec *tea.PotSpec) string {
	var b strings.Builder
	fmt.Fprint(&b, spec.Minutes, " minutes")
	return b.String()
}

// Tell tells the log alone, and whoever gets the error.
func Tell(p *tea.Pot) error {
	slog.Info(sweet(p))
	fmt.Fprintln(os.Stderr, p.Spec.Sugar)
	if len(p.Spec.Cups) == 0 {
		return fmt.Errorf("no cups for %d", p.Spec.Sugar)
	}
	return nil
}

func sweet(p *tea.Pot) string { return fmt.Sprintf("a pot with %d", p.Spec.Sugar) }

// Sweeten gives a pot that says nothing of sugar some.
func Sweeten(p *tea.Pot) {
	if p.Spec.Sugar == 0 {
		p.Spec.Sugar = 1
	}
}

// Name is for logs.
func Name(p *tea.Pot) string {
	if p.Spec.Lid.Closed {
		return p.Name + " with a lid"
	}
	return p.Name
}

// Knob looks at a part of what it is given.
func Knob(spec tea.PotSpec) string { return spec.Lid.Knob }
