package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/ctrllint/ctrllint/internal/measure"
)

// straight is how far a point may lie off the line, as a part of its CPU time.
const straight = 0.15

// A point is a subset of a module's packages, and what it costs.
type point struct {
	packages    int
	own, others int // lines of the packages, and of those of other modules that they need
	costs       []measure.Cost
}

// sizes reads the flag -sizes for a module of so many packages: the sizes that are smaller, and the whole module unless
// it is larger than all.
func sizes(spec string, packages int) ([]int, error) {
	var out []int
	for item := range strings.SplitSeq(spec, ",") {
		n, err := strconv.Atoi(item)
		if err != nil || n < 1 || len(out) > 0 && n <= out[len(out)-1] {
			return nil, fmt.Errorf("-sizes %s: want numbers that grow", spec)
		}
		if n >= packages {
			return append(out, packages), nil
		}
		out = append(out, n)
	}
	return out, nil
}

// linear measures ctrllint on the first packages of the module, each size with an empty cache of results, and prints a
// table of its own. A prefix of the listing needs no other package of the module, for each stands behind what it imports.
func (l *lab) linear(ctx context.Context, w io.Writer, m *module, sizes []int) (string, error) {
	points := make([]point, len(sizes))
	for i, n := range sizes {
		points[i].packages = n
		points[i].own, points[i].others = m.lines(m.pkgs[:n])
	}
	for i := range l.runs {
		for j := range points {
			p := &points[j]
			var paths []string
			for _, q := range m.pkgs[:p.packages] {
				paths = append(paths, q.ImportPath)
			}
			label := fmt.Sprintf("%s %s %d/%d, %d packages", m.name, linearRow, i+1, l.runs, p.packages)
			c, err := l.run(ctx, m, row{name: linearRow}, ctrllint, label, paths)
			if err != nil {
				return "", err
			}
			p.costs = append(p.costs, c)
		}
	}
	return table(w, m.name, points), nil
}

// table prints the points of a module, and gives the line of the main table. What is judged is a sum of two products:
// so much for a line of the packages, and so much for a line of the other modules, which are read for their types. CPU
// time over packages alone would show their sizes, and where in the listing a large dependency comes in.
func table(w io.Writer, name string, points []point) string {
	n := len(points)
	packages, own, others, ones, cpu := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i, p := range points {
		packages[i], own[i], others[i], ones[i] = float64(p.packages), float64(p.own)/1000, float64(p.others)/1000, 1
		cpu[i] = measure.Median(p.costs).CPU.Seconds()
	}
	simple, model := fit(packages, ones, cpu), fit(own, others, cpu)
	fmt.Fprintf(w, "\n%s: CPU s = %.3f for 1,000 lines + %.4f for 1,000 lines of other modules; or %.3f for a package + %.2f.\n\n",
		name, model.u, model.v, simple.u, simple.v)
	fmt.Fprintln(w, "| packages | lines | lines of other modules | CPU s | off the sum over lines | off the sum over packages | wall s | peak MiB |\n|---|---|---|---|---|---|---|---|")
	var counts []string
	worst := 0.
	for i, p := range points {
		m := measure.Median(p.costs)
		off := model.off(own[i], others[i], cpu[i])
		worst = max(worst, math.Abs(off))
		fmt.Fprintf(w, "| %d | %d | %d | %.2f | %+.1f %% | %+.1f %% | %.2f | %d |\n", p.packages, p.own, p.others, cpu[i],
			100*off, 100*simple.off(packages[i], 1, cpu[i]), m.Wall.Seconds(), m.Peak/1024)
		counts = append(counts, strconv.Itoa(p.packages))
	}
	verdict := yes(worst <= straight)
	if n < 3 {
		verdict = "too few points" // two always fit
	}
	return fmt.Sprintf("| %s at %s packages | itself | linear in lines of code within %.0f %% | %.3f + %.4f for 1,000 lines | %.1f %% off | | | %s |",
		name, strings.Join(counts, " / "), 100*straight, model.u, model.v, 100*worst, verdict)
}

// A model is what y is said to be: a sum of two products.
type model struct{ u, v float64 }

// off is how far y is above what the model says, as a part of y.
func (m model) off(u, v, y float64) float64 { return (y - m.u*u - m.v*v) / y }

// fit gives the model for which the squares of off are least in sum. Neither factor is below 0: work that takes no time
// cannot be behind that, and a curve that bends upwards would hide in it.
func fit(us, vs, ys []float64) model {
	var uu, uv, vv, u, v float64
	for i, y := range ys {
		a, b := us[i]/y, vs[i]/y
		uu, uv, vv, u, v = uu+a*a, uv+a*b, vv+b*b, u+a, v+b
	}
	// Where one grows as the other does, which of them it is stays open.
	if d := uu*vv - uv*uv; d > 1e-9*uu*vv {
		if m := (model{(u*vv - v*uv) / d, (v*uu - u*uv) / d}); m.u >= 0 && m.v >= 0 {
			return m
		}
	}
	// Else one of them is 0: the sum of squares falls by u*u/uu or by v*v/vv.
	if vv == 0 || uu > 0 && u*u/uu >= v*v/vv {
		return model{u: u / uu}
	}
	return model{v: v / vv}
}
