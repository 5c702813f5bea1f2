package lock

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/program"
)

// The link phase resolves the open calls that packages make with locks held. Methods are dispatched by the types that
// the program converts to the interface, function values by the stores that flow to them.

// maxTogether bounds the functions that are reached from one open call, through open calls of its targets, too.
// Deadlocks at a greater distance are rarely real (TestJoinLimits).
const (
	maxTogether     = 64
	tooManyTogether = "open calls lead to too many functions to follow"
)

// Linked is something that happens with a lock held which the holder's package does not show. What it happens at has no
// instruction here.
type Linked struct {
	Occurrence

	open *Open
}

// A linker links the packages of a program.
type linker struct {
	pkgs         []*link.Summary[PackageFact]
	dispatcher   *link.Dispatcher
	funcs        map[string]*Summary
	supplies     map[string][]*Supply
	channels     map[string][]*Channel // by name
	analysed     map[string]bool       // the packages
	cut          func(what string, at any)
	joined       func(what string)
	whole        bool            // the packages are a whole program: all callers are known
	singleTakers map[Class]int   // by how many packages one function takes it, and no other one
	many         map[string]bool // types of which a container has objects
	edges        []Edge          // of the order of locks, by what the packages call through others
	below        map[string]map[string]bool
	used         map[string]bool // functions that some package names
	options      map[string]bool // flags in structs that some package sets
}

// newLinker links the packages of a program, if whole is set, or of libraries, whose callers are unknown. It reports
// limits to cut and what it resolves to joined.
func newLinker(pkgs []*link.Summary[PackageFact], whole bool, cut func(what string, at any),
	joined func(what string)) *linker {
	j := &linker{
		pkgs: pkgs, whole: whole, cut: cut, joined: joined,
		funcs: map[string]*Summary{}, supplies: map[string][]*Supply{}, channels: map[string][]*Channel{},
		analysed: map[string]bool{}, many: map[string]bool{}, singleTakers: map[Class]int{},
		used: map[string]bool{}, options: map[string]bool{},
	}
	var all []*link.Types
	for _, s := range pkgs {
		p := &s.Part
		all = append(all, &p.Types)
		j.analysed[s.Path] = true
		for _, t := range p.Many {
			j.many[t] = true
		}
		for _, c := range p.SingleTakers {
			j.singleTakers[c]++
		}
		for _, f := range p.Uses {
			j.used[f] = true
		}
		for _, o := range p.Options {
			j.options[o] = true
		}
		for i := range p.Channels {
			for _, n := range p.Channels[i].Names {
				j.channels[n] = append(j.channels[n], &p.Channels[i])
			}
		}
		for i := range p.Funcs {
			j.funcs[p.Funcs[i].Name] = &p.Funcs[i].Summary
		}
		for i := range p.Supplies {
			s := &p.Supplies[i]
			j.supplies[s.Name] = append(j.supplies[s.Name], s)
		}
	}
	j.dispatcher = link.NewDispatcher(all, func(fn string) bool { return !whole || j.used[fn] })
	return j
}

// join adds to the result what the program does with locks held.
func join(p *link.Program[PackageFact]) {
	res := p.Result.(*Result)
	if res.Dirs == nil {
		return // there is nothing to join
	}
	pkg := program.Of(p.Pass).As("lockheld")
	j := newLinker(p.Packages, !p.Library, pkg.Cut, pkg.Joined)
	for _, s := range p.Packages {
		for i := range s.Part.Held {
			res.Linked = append(res.Linked, j.behind(&s.Part.Held[i])...)
		}
	}
	res.Cycles = append(res.Cycles, j.cycles(func(c Class) bool { return res.Writers[c.Inner()].By != "" })...)
}

// targets are the names of the functions that an open call may run; none where there are more than are followed inside
// of a package (TestJoinLimits).
func (j *linker) targets(c *OpenCall, at any) []string {
	var out []string
	add := func(name string) {
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	most, many := origin.MaxTargets, false
	if c.Method != "" {
		for _, t := range j.dispatcher.Flowing(c.Iface) {
			add(j.dispatcher.Method(t.Type, c.Method))
		}
		if len(out) > most { // narrow the targets by the types that are stored there
			out, most, many = nil, origin.MaxHandlers, true
			for s := range j.flowing(c.Names) {
				for _, t := range s.Types {
					if f := j.dispatcher.Method(t, c.Method); !j.funcs[f].empty() {
						add(f)
					}
				}
			}
		}
	} else {
		for s := range j.flowing(c.Names) {
			for _, f := range s.Funcs {
				add(f)
			}
		}
	}
	if len(out) > most || many && len(out) == 0 {
		j.cut("calls may run too many functions of the program to follow", at)
		return nil
	}
	slices.Sort(out)
	return out
}

// flowing yields what flows to the places with these names, in any package.
func (j *linker) flowing(names []string) iter.Seq[*Supply] {
	return func(yield func(*Supply) bool) {
		seen := map[string]bool{}
		for work := slices.Clone(names); len(work) > 0; {
			n := work[len(work)-1]
			work = work[:len(work)-1]
			if seen[n] {
				continue
			}
			seen[n] = true
			for _, s := range j.supplies[n] {
				if !yield(s) {
					return
				}
				work = append(work, s.From...)
			}
		}
	}
}

// A reached is a function on the way from an open call, with the calls that lead there.
type reached struct {
	name   string
	hops   []Hop
	passed []HeldRef // taken on every way there
}

// A search follows one open call.
type search struct {
	*linker
	from *Open
	out  []Linked
	seen map[string]bool
	work []reached

	// delegates says that the holder calls through an interface that its own type implements, and so another object of
	// that kind: the objects form a chain that was built in one order, and no edge between their classes follows.
	delegates bool
}

// behind are the waits that the open call or wait o leads to. Acquisitions there are edges of the program's lock-order
// graph.
func (j *linker) behind(o *Open) []Linked {
	s := &search{linker: j, from: o, seen: map[string]bool{}, delegates: j.implements(o.Name, o.Call.Iface)}
	j.logJoined(o)
	if o.Wait != nil {
		s.block(*o.Wait, o.Hops, o.Passed)
	} else {
		s.next(&o.Call, o.Hops, o.Ends, o.Passed)
	}
	for ; len(s.work) > 0; s.work = s.work[1:] {
		if len(s.seen) > maxTogether {
			j.cut(tooManyTogether, o.At)
			break
		}
		r := s.work[0]
		sum := j.funcs[r.name]
		if sum == nil {
			continue
		}
		for i := range sum.Acquires {
			if sum.Acquires[i].Mode == Once {
				continue
			}
			s.acquire(&sum.Acquires[i], r.hops)
		}
		for _, b := range sum.Blocks {
			s.block(b, r.hops, r.passed)
		}
		for i := range sum.Opens {
			c := &sum.Opens[i]
			if !chosen(c.Guards) {
				s.next(&c.Call, slices.Concat(r.hops, c.Chain), c.At, slices.Concat(r.passed, c.Passed))
			}
		}
	}
	return s.out
}

// implements reports whether the method of that name belongs to a type that has the methods of the interface.
func (j *linker) implements(method, iface string) bool {
	recv, _, ok := strings.Cut(strings.TrimPrefix(method, "("), ").")
	return ok && iface != "" && j.dispatcher.Implements(recv, iface)
}

// next adds the targets of the open call c, at the place at.
func (s *search) next(c *OpenCall, hops []Hop, at link.At, passed []HeldRef) {
	for _, t := range s.targets(c, s.from.At) {
		if len(hops) >= maxHops {
			s.cut("call chains were cut", at)
			return
		}
		if !s.seen[t] {
			s.seen[t] = true
			s.work = append(s.work, reached{t, append(slices.Clip(hops), Hop{Func: shortFunc(t), At: at}), passed})
		}
	}
}

// block adds the wait b, which is reached through hops. A lock that is acquired again on every path there is not held
// across the wait: its holder deadlocks before.
func (s *search) block(b BlockEvent, hops []Hop, passed []HeldRef) {
	if b.Limit == blocking.Deadline || chosen(b.Guards) || b.Option != "" && !s.chosen(b.Option) {
		return
	}
	b.Event.Chain = slices.Concat(hops, b.Event.Chain)
	held := slices.DeleteFunc(s.heldAround(s.from, &b.Event), func(h Hold) bool {
		return slices.ContainsFunc(slices.Concat(passed, b.Passed), func(r HeldRef) bool {
			return r.Class == h.Class && (r.Mode == Write || h.Mode == Write)
		})
	})
	if b.Peers != nil {
		b.Peers = s.peers(b.Peers, b.Kind, s.from.Name)
	} else {
		held = s.contended(held)
	}
	s.out = append(s.out, Linked{
		Occurrence: Occurrence{Held: held, Block: &b, Bound: blocking.Bound{Limit: b.Limit, Why: b.Why}},
		open:       s.from,
	})
}

// logJoined logs what o is resolved to.
func (j *linker) logJoined(o *Open) {
	what, with := "", []string(nil)
	if o.Wait != nil && o.Wait.Peers == nil {
		return // it is looked up only whether it happens
	}
	if o.Wait != nil {
		channels, all := j.channel(o.Wait.Peers.Names)
		what = o.Wait.What
		if !all {
			with = []string{"others, which are not in sight"}
		}
		for _, c := range channels {
			with = append(with, fmt.Sprintf("%s with %d receivers", strings.Join(c.Names, " "), c.Receivers))
		}
	} else {
		what = cmp.Or(o.Call.Method, "a function")
		for _, t := range j.targets(&o.Call, o.At) {
			with = append(with, shortFunc(t))
		}
	}
	if with != nil {
		j.joined(fmt.Sprintf("%s at %s in %s, with %s held: %s",
			what, o.At, o.Func, o.Held[0].Name, strings.Join(with, ", ")))
	}
}

// heldAround is the lock set at ev behind the open call o. It keeps lock classes with one instance in the program:
// those of objects in maps or lists have several.
func (j *linker) heldAround(o *Open, ev *Event) []Hold {
	var out []Hold
	for _, h := range o.Held {
		if !j.many[h.Class.owner()] &&
			!slices.ContainsFunc(ev.Dropped, func(r Ref) bool { return r.Class.same(h.Class) }) {
			out = append(out, Hold{Class: h.Class, Mode: h.Mode, Name: h.Name, By: h.By, At: h.At, Taken: h.Taken})
		}
	}
	return out
}

// contended are the locks of held that more than one function acquires.
func (j *linker) contended(held []Hold) []Hold {
	return slices.DeleteFunc(held, func(h Hold) bool { return j.singleTakers[h.Class] == 1 })
}

// At is the place of the call with the locks held.
func (l *Linked) At() link.At { return l.open.At }

// shortFunc is the name of a function without the path of its package; of the function around it, for a literal.
func shortFunc(name string) string {
	name, _, _ = strings.Cut(name, "$")
	recv, method, ok := strings.Cut(name, ").")
	if !ok {
		return name[strings.LastIndexAny(name, "./")+1:]
	}
	star := ""
	if recv = strings.TrimPrefix(recv, "("); strings.HasPrefix(recv, "*") {
		star = "*"
	}
	t := recv[strings.LastIndexAny(recv, "./")+1:]
	if star == "" {
		return t + "." + method
	}
	return "(*" + t + ")." + method
}
