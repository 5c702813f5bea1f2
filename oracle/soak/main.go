// Command soak compares generated programs for as long as it is let: what the rules say of them, and what they do.
//
//	soak [-from seed] [-count n] [-for duration] [-runs n] [-workers n] [-wide]
//
// Each program has a number, its seed; with -wide, that of another program, which may have more shapes. Printed are the programs, the states that were explored, the runs of real
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

	"github.com/ctrllint/ctrllint/oracle"
)

func main() {
	var s soak
	from := flag.Uint64("from", 0, "the first `seed`")
	count := flag.Int("count", 0, "how many programs are compared; 0 for no limit")
	limit := flag.Duration("for", 0, "how long it takes; 0 for no limit")
	flag.IntVar(&s.runs, "runs", 20, "one program of this many is run as Go; 0 for none")
	flag.IntVar(&s.workers, "workers", 1, "how many programs are compared at once")
	flag.BoolVar(&s.wide, "wide", false, "programs with items, handed-over locks, wait groups and subscribers")
	flag.Parse()
	if flag.NArg() > 0 || s.workers < 1 {
		fmt.Fprintln(os.Stderr, "usage: soak [flags], with at least one worker")
		flag.PrintDefaults()
		os.Exit(2)
	}

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
	if s.compared == 0 {
		fmt.Fprintln(os.Stderr, "soak: no program was compared")
		os.Exit(2)
	}
}

// soak is what has come out so far.
type soak struct {
	runs    int // one program of this many is run
	workers int
	wide    bool

	programs, compared, hang, states, steps, real int
	left                                          map[string]int // programs that were not compared, by reason
	verdicts, demands, blind, known               map[string]int
	runKinds                                      map[string]int
	all                                           []oracle.Known
	open                                          int // disagreements that are not known
	shown                                         map[string]int

	waiting  []*oracle.Program // to be run
	explored []*oracle.Exploration
}

// batch is how many programs are built into one binary.
const batch = 40

// perKind is how many disagreements of one kind are printed.
const perKind = 3

// run compares programs from seed on until count have been compared or ctx ends, and writes what it finds.
func (s *soak) run(ctx context.Context, seed uint64, count int, out io.Writer) error {
	known, err := oracle.AllKnown()
	if err != nil {
		return err
	}
	s.all = known
	s.left, s.verdicts, s.demands, s.blind = map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	s.known, s.runKinds, s.shown = map[string]int{}, map[string]int{}, map[string]int{}
	start := time.Now()
	results, stop := compareAll(ctx, seed, s.workers, s.generator(), known)
	defer stop()
	for r := range results {
		if r.err != nil {
			return fmt.Errorf("seed %d: %w", r.seed, r.err)
		}
		s.add(r, out)
		seed = max(seed, r.seed+1)
		if len(s.waiting) == batch {
			if err := s.execute(ctx, out); err != nil {
				return err
			}
		}
		if count > 0 && s.compared >= count {
			break
		}
	}
	if err := s.execute(ctx, out); err != nil {
		return err
	}
	s.print(out, time.Since(start))
	fmt.Fprintf(out, "next: -from %d\n", seed)
	return nil
}

// generator makes the programs.
func (s *soak) generator() func([]byte) *oracle.Program {
	if s.wide {
		return oracle.GenerateWide
	}
	return oracle.Generate
}

// A result is what came out for one seed.
type result struct {
	seed uint64
	p    *oracle.Program
	c    *oracle.Comparison // nil where it was not compared
	left string             // why it was not
	open []open
	err  error
}

// open is a disagreement that is not known, and a small program that shows it.
type open struct {
	oracle.Disagreement
	small *oracle.Program
}

// compareAll compares the programs of all seeds from the first one on, by so many workers, until ctx ends or stop is called.
// Results come in the order of their seeds, so that where one soak ends another one can go on.
func compareAll(ctx context.Context, first uint64, workers int, generate func([]byte) *oracle.Program, known []oracle.Known) (results <-chan result, stop func()) {
	ctx, stop = context.WithCancel(ctx)
	lanes := make([]chan result, workers)
	for i := range lanes {
		lanes[i] = make(chan result, 4)
		go func() {
			defer close(lanes[i])
			rules, err := oracle.NewRules()
			for seed := first + uint64(i); ctx.Err() == nil; seed += uint64(workers) {
				r := result{seed: seed, err: err}
				if err == nil {
					r.p = generate(oracle.Seeded(seed))
					r.compare(rules, known)
				}
				select {
				case lanes[i] <- r:
				case <-ctx.Done():
				}
			}
		}()
	}
	out := make(chan result)
	go func() {
		defer close(out)
		for i := 0; ; i = (i + 1) % workers {
			r, ok := <-lanes[i]
			if !ok {
				return
			}
			select {
			case out <- r:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out, stop
}

// compare fills in the rest of r.
func (r *result) compare(rules *oracle.Rules, known []oracle.Known) {
	if r.p.Trivial() {
		r.left = "trivial"
		return
	}
	c, err := oracle.Compare(r.p, rules)
	if errors.Is(err, oracle.ErrPanics) || errors.Is(err, oracle.ErrTooBig) {
		r.left = err.Error()
		return
	}
	if err != nil {
		r.err = err
		return
	}
	r.c = c
	for _, d := range c.Disagreements {
		if !slices.ContainsFunc(known, func(k oracle.Known) bool { return k.Covers(d) }) {
			r.open = append(r.open, open{d, oracle.Shrink(r.p, oracle.Shows(rules, d))})
		}
	}
}

// add counts r, and prints what is new in it.
func (s *soak) add(r result, out io.Writer) {
	s.programs++
	if r.c == nil {
		s.left[r.left]++
		return
	}
	c := r.c
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
		if i := slices.IndexFunc(s.all, func(k oracle.Known) bool { return k.Covers(d) }); i >= 0 {
			s.known[s.all[i].Name]++
		}
	}
	for _, o := range r.open {
		s.open++
		if s.shown[o.Key()]++; s.shown[o.Key()] <= perKind {
			fmt.Fprintf(out, "seed %d: %s: %s\nas small as it gets:\n%s\n", r.seed, o.Key(), o.Text, oracle.Emit(o.small, oracle.Form{Package: "program"}).Source)
		}
	}
	if s.runs > 0 && s.compared%s.runs == 0 {
		s.waiting, s.explored = append(s.waiting, r.p), append(s.explored, c.Run)
	}
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
