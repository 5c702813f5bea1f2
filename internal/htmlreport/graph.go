package htmlreport

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/ctrllint/ctrllint/internal/report"
)

// graph is a cycle of locks as a picture: the locks, and between them the functions that hold one and wait for the next.
//
// The nodes stand in two columns, down the right one and up the left one, in which a cycle of any length has room on a narrow
// screen, and no two arrows cross.
type graph struct {
	ID            string
	Width, Height int
	Wide          bool   // it scrolls where there is no room, since it could not be read if it were made smaller
	Text          string // the same in words
	Nodes         []node
	Arrows        []arrow
}

// node is a lock or a function.
type node struct {
	Class      string // "lock" or "function"
	X, Y, W, H int
	CX         int // the middle
	Name, Full string
	Place      string // of a function: where it waits
	NameY      int    // of the letters' base line
	PlaceY     int
}

// arrow leads from a node to the next one.
type arrow struct {
	Class          string // "holds" or "waits"
	X1, Y1, X2, Y2 int
	Label          string
	LX, LY         int
	Anchor         string // of the label
}

// The measures of a picture, in pixels.
const (
	letter     = 8 // the width of one, about
	nodeHeight = 46
	rowGap     = 44
	columnGap  = 88
	mostScaled = 460 // the width of a picture that can still be read on a telephone as a whole
	margin     = 8
	longName   = 30 // letters
)

// newGraph draws steps; nil if they are no cycle.
func newGraph(steps []report.Step, id string) *graph {
	if len(steps) < 2 {
		return nil
	}
	var words []string
	var nodes []node
	for i, s := range steps {
		if next := steps[(i+1)%len(steps)]; s.Takes != next.Holds {
			return nil
		}
		nodes = append(nodes,
			node{Class: "lock", Name: shortened(s.Holds), Full: s.Holds},
			node{Class: "function", Name: shortened(s.Function), Full: s.Function})
		if s.File != "" {
			nodes[len(nodes)-1].Place = shortened(fmt.Sprintf("%s:%d", path.Base(s.File), s.Line))
		}
		how := "waits for"
		if s.Read {
			how = "waits to read"
		}
		words = append(words, fmt.Sprintf("%s holds %s and %s %s", s.Function, s.Holds, how, s.Takes))
	}
	g := &graph{ID: "cycle-" + id, Nodes: nodes, Text: strings.Join(words, "; ")}
	g.place()
	g.connect(steps)
	g.Wide = g.Width > mostScaled
	return g
}

// column returns the column of node i, 0 or 1, and its row.
func (g *graph) column(i int) (column, row int) {
	n := len(g.Nodes) / 2
	switch {
	case i == 0:
		return 0, 0
	case i <= n:
		return 1, i - 1
	}
	return 0, 2*n - i
}

// place returns the nodes their places.
func (g *graph) place() {
	var width [2]int
	for i, n := range g.Nodes {
		c, _ := g.column(i)
		letters := max(utf8.RuneCountInString(n.Name), utf8.RuneCountInString(n.Place))
		width[c] = max(width[c], letters*letter+24)
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		c, row := g.column(i)
		n.X, n.Y, n.W, n.H = margin, margin+row*(nodeHeight+rowGap), width[c], nodeHeight
		if c == 1 {
			n.X += width[0] + columnGap
		}
		n.CX = n.X + n.W/2
		n.NameY = n.Y + nodeHeight/2 + 5
		if n.Place != "" {
			n.NameY, n.PlaceY = n.Y+20, n.Y+37
		}
	}
	g.Width = 2*margin + width[0] + columnGap + width[1]
	g.Height = 2*margin + len(g.Nodes)/2*(nodeHeight+rowGap) - rowGap
}

// connect draws an arrow from each node to the next one.
func (g *graph) connect(steps []report.Step) {
	for i := range g.Nodes {
		from, to := g.Nodes[i], g.Nodes[(i+1)%len(g.Nodes)]
		a := arrow{Class: "holds", Label: "held by", Anchor: "start"}
		if from.Class == "function" {
			a.Class, a.Label = "waits", "waits for"
			if steps[i/2].Read {
				a.Label = "waits to read"
			}
		}
		a.X1, a.X2, a.Y1, a.Y2 = from.CX, to.CX, from.Y+from.H/2, to.Y+to.H/2
		switch {
		case from.Y == to.Y && from.X < to.X:
			a.X1, a.X2 = from.X+from.W, to.X
		case from.Y == to.Y:
			a.X1, a.X2 = from.X, to.X+to.W
		case from.Y < to.Y:
			a.Y1, a.Y2 = from.Y+from.H, to.Y
		default:
			a.Y1, a.Y2 = from.Y, to.Y+to.H
		}
		if from.Y == to.Y {
			a.LX, a.LY, a.Anchor = (a.X1+a.X2)/2, a.Y1-7, "middle"
		} else {
			a.LX, a.LY = a.X1+8, (a.Y1+a.Y2)/2+4
		}
		if a.Anchor == "start" {
			g.Width = max(g.Width, a.LX+len(a.Label)*letter)
		}
		g.Arrows = append(g.Arrows, a)
	}
}

// shortened returns a name that fits into a node: the middle of a long one is left out, since what tells names apart
// stands at the ends.
func shortened(name string) string {
	letters := []rune(name)
	if len(letters) <= longName {
		return string(letters)
	}
	return string(letters[:longName/2-1]) + "…" + string(letters[len(letters)-longName/2:])
}
