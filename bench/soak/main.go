// Command soak compares generated programs for as long as it is let: what the rules say of them, and what they do.
//
//	soak [-from seed] [-count n] [-for duration] [-runs n]
//
// Each program has a number, its seed. Printed are the programs, the states that were explored, the runs of real
// binaries, the findings by kind and verdict, the hangs by kind, the known disagreements by name, and each disagreement
// that is not known as a Go program that is as small as it gets. The last line names the seed with which another run goes
// on. The exit status is 1 where there is such a disagreement, and 2 where soak itself failed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"time"

	"github.com/ctrllint/ctrllint/internal/oracle"
)

func main() {
	var s soak
	from := flag.Uint64("from", 0, "the first `seed`")
	count := flag.Int("count", 0, "how many programs are compared; 0 for no limit")
	limit := flag.Duration("for", 0, "how long it takes; 0 for no limit")
	flag.IntVar(&s.runs, "runs", 20, "one program of this many is run as Go; 0 for none")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, *limit)
		defer cancel()
	}
	if err := s.run(ctx, *from, *count, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(2)
	}
	if s.open > 0 {
		os.Exit(1)
	}
}

// soak is what has come out so far.
type soak struct {
	runs int // one program of this many is run

	programs, compared, hang, states, steps, real int
	left                                          map[string]int // programs that were not compared, by reason
	verdicts, demands, blind, known               map[string]int
	runKinds                                      map[string]int
	open                                          int // disagreements that are not known
	shown                                         map[string]int

	waiting  []*oracle.Program // to be run
	explored []*oracle.Exploration
}

// batch is how many programs are built into one binary.
const batch = 40

// perKind is how many disagreements of one kind are made small and printed.
const perKind = 3

// run compares programs from seed on until count have been compared or ctx ends, and writes what it finds.
func (s *soak) run(ctx context.Context, seed uint64, count int, out io.Writer) error {
	rules, err := oracle.NewRules()
	if err != nil {
		return err
	}
	known, err := oracle.AllKnown()
	if err != nil {
		return err
	}
	s.left, s.verdicts, s.demands, s.blind = map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	s.known, s.runKinds, s.shown = map[string]int{}, map[string]int{}, map[string]int{}
	start := time.Now()
	for ; ctx.Err() == nil && (count == 0 || s.compared < count); seed++ {
		p := oracle.Generate(oracle.Seeded(seed))
		if err := s.one(p, seed, rules, known, out); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
		if len(s.waiting) == batch {
			if err := s.execute(ctx, out); err != nil {
				return err
			}
		}
	}
	if err := s.execute(ctx, out); err != nil {
		return err
	}
	s.print(out, time.Since(start))
	fmt.Fprintf(out, "next: -from %d\n", seed)
	return nil
}

// one compares the program p of seed.
func (s *soak) one(p *oracle.Program, seed uint64, rules *oracle.Rules, known []oracle.Known, out io.Writer) error {
	s.programs++
	if p.Trivial() {
		s.left["trivial"]++
		return nil
	}
	c, err := oracle.Compare(p, rules)
	if errors.Is(err, oracle.ErrPanics) || errors.Is(err, oracle.ErrTooBig) {
		s.left[err.Error()]++
		return nil
	}
	if err != nil {
		return err
	}
	s.compared++
	s.states += c.Run.States
	s.steps += c.Run.Steps
	if c.Any != nil {
		s.states += c.Any.States
		s.steps += c.Any.Steps
	}
	if c.Run.Hangs() {
		s.hang++
	}
	for i, f := range c.Findings {
		s.verdicts[f.Sub+": "+string(c.Verdicts[i])]++
	}
	for _, d := range c.Demands {
		s.demands[d]++
	}
	for _, b := range c.Blind {
		s.blind[b]++
	}
	for _, d := range c.Disagreements {
		i := slices.IndexFunc(known, func(k oracle.Known) bool { return k.Covers(d) })
		if i >= 0 {
			s.known[known[i].Name]++
			continue
		}
		s.open++
		if s.shown[d.Key()]++; s.shown[d.Key()] <= perKind {
			small := oracle.Shrink(p, oracle.Shows(rules, d))
			fmt.Fprintf(out, "seed %d: %s: %s\nas small as it gets:\n%s\n", seed, d.Key(), d.Text, oracle.Emit(small, oracle.Form{Package: "program"}).Source)
		}
	}
	if s.runs > 0 && s.compared%s.runs == 0 {
		s.waiting, s.explored = append(s.waiting, p), append(s.explored, c.Run)
	}
	return nil
}

// execute runs the programs that wait for it.
func (s *soak) execute(ctx context.Context, out io.Writer) error {
	if len(s.waiting) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	r, err := oracle.NewRunner(dir, s.waiting)
	if err != nil {
		return err
	}
	for i, x := range s.explored {
		for _, procs := range []int{1, 2, 4, 8} {
			run, err := r.Run(ctx, i, procs, 30)
			if ctx.Err() != nil {
				break
			}
			why := ""
			if err != nil {
				why = err.Error()
			} else {
				why = x.Contradicts(run)
			}
			s.real++
			if why != "" {
				s.open++
				fmt.Fprintf(out, "GOMAXPROCS=%d: %s:\n%s\n", procs, why, oracle.Emit(s.waiting[i], oracle.Form{Package: "program"}).Source)
				break
			}
			kind := "may hang"
			if !x.Hangs() {
				kind = "safe"
			} else if !x.Ends {
				kind = "always hangs"
			}
			s.runKinds[kind+": "+map[oracle.Run]string{oracle.RunEnds: "ended", oracle.RunHangs: "hung"}[run]]++
		}
	}
	s.waiting, s.explored = nil, nil
	return nil
}

func (s *soak) print(out io.Writer, took time.Duration) {
	fmt.Fprintf(out, "%d programs, %d compared, %d of them hang; %d states, %d steps, in %s\n", s.programs, s.compared, s.hang, s.states, s.steps, took.Round(time.Second))
	fmt.Fprintf(out, "%d runs of binaries, each of 30 times\n", s.real)
	for _, part := range []struct {
		title string
		n     map[string]int
	}{
		{"not compared", s.left}, {"runs", s.runKinds}, {"findings", s.verdicts}, {"programs with a hang that demands a finding", s.demands},
		{"programs with a hang that is not promised to be found", s.blind}, {"known disagreements", s.known},
	} {
		fmt.Fprintf(out, "%s:\n", part.title)
		for _, k := range slices.Sorted(maps.Keys(part.n)) {
			fmt.Fprintf(out, "\t%6d %s\n", part.n[k], k)
		}
	}
	fmt.Fprintf(out, "open disagreements: %d\n", s.open)
	for _, k := range slices.Sorted(maps.Keys(s.shown)) {
		fmt.Fprintf(out, "\t%6d %s\n", s.shown[k], k)
	}
}
