package oracle

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Verdict says what became of a finding.
type Verdict string

// A finding is right; right for other values of bools than the program has; behind a deadlock on every way, so that it is
// not decided; or false. A possible one is where something hangs, or not.
const (
	Right   Verdict = "right"
	Others  Verdict = "right for other arguments"
	Behind  Verdict = "not decided: behind another deadlock"
	Nothing Verdict = "not decided: too many ways"
	False   Verdict = "false"
	Hanging Verdict = "possible, in a program that hangs"
	Idle    Verdict = "possible, in a program that does not hang"
)

// A Disagreement is a finding that no run bears out, or a hang that the rules promise to find and do not.
type Disagreement struct {
	Missed bool
	Sub    string   // the sub-rule that has the finding, or should
	Tags   []string // what is special about it, sorted
	Line   int
	Text   string // the finding, or the hang in words
}

// Key is equal for disagreements of one kind.
func (d Disagreement) Key() string {
	kind := "false "
	if d.Missed {
		kind = "missed "
	}
	return kind + d.Sub + " " + strings.Join(d.Tags, " ")
}

// A Comparison is what came out for one program.
type Comparison struct {
	Text          *Text
	Run           *Exploration // with the program's arguments
	Any           *Exploration // with any, nil where no finding depends on that
	Findings      []Finding
	Verdicts      []Verdict // of each finding
	Demands       []string  // the sub-rules of which a schedule that hangs demands a finding, each once
	Blind         []string  // why hangs without a finding are not promised to be found, each once
	Disagreements []Disagreement
}

// Compare explores p, runs the rules on it, and compares. An error is ErrPanics, ErrTooBig, ErrUnscoped, or a failure of the rules.
func Compare(p *Program, rules *Rules) (*Comparison, error) {
	if !p.scoped() {
		return nil, ErrUnscoped
	}
	c := &Comparison{Text: Emit(p, Form{Package: "program"})}
	k := &comparer{code: compile(p, c.Text), Comparison: c}
	var err error
	if c.Run, err = explore(k.code, false); err != nil {
		return nil, err
	}
	k.alone = judge(k.code)
	if c.Findings, err = rules.Analyse(c.Text.Source); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(c.Findings, k.needsAny) {
		if c.Any, err = explore(k.code, true); err != nil {
			return nil, err
		}
	}
	for _, f := range c.Findings {
		v, tags := k.verdict(f)
		c.Verdicts = append(c.Verdicts, v)
		if v == False {
			k.disagree(Disagreement{Sub: f.Sub, Tags: tags, Line: f.Line, Text: f.String()})
		}
	}
	k.missed()
	return c, nil
}

type comparer struct {
	*code
	*Comparison
	alone *alone
}

// needsAny reports whether the verdict on f depends on what the program does with other arguments.
func (k *comparer) needsAny(f Finding) bool {
	if !f.Certain {
		return !k.Run.Hangs()
	}
	n, ok := k.lockOf(f)
	return ok && f.Sub == "blocking" && !k.stops(k.Run, f, n)
}

func (k *comparer) disagree(d Disagreement) {
	slices.Sort(d.Tags)
	d.Tags = slices.Compact(d.Tags)
	if !slices.ContainsFunc(k.Disagreements, func(o Disagreement) bool { return o.Key() == d.Key() && o.Line == d.Line }) {
		k.Disagreements = append(k.Disagreements, d)
	}
}

// names are how findings spell lock m: its path, and its class.
func (k *comparer) names(m int) (path, class string) {
	if m == Own {
		if k.p.Item.Embedded {
			return "t.Mutex", "T.Mutex"
		}
		return "t.mu", "T.mu"
	}
	l := k.p.Locks[m]
	switch l.Place {
	case Embedded:
		name := "Mutex"
		if l.RW {
			name = "RWMutex"
		}
		return "s." + name, "S." + name
	case Global:
		return fmt.Sprintf("g%d", m), fmt.Sprintf("program.g%d", m)
	case Nested:
		return fmt.Sprintf("s.n%d.mu", m), fmt.Sprintf("S.n%d", m)
	case Pointed:
		inner := "inner.mu"
		if l.RW {
			inner = "innerRW.mu"
		}
		return fmt.Sprintf("s.n%d.mu", m), inner
	}
	return fmt.Sprintf("s.m%d", m), fmt.Sprintf("S.m%d", m)
}

var subject = regexp.MustCompile(`^(\S+) \((read-)?locked`)

// constructed is how findings spell an item in the function that makes it.
var constructed = regexp.MustCompile(`^(newT|(s\.)?f\d+)\(\)`)

// peer is the place where another goroutine needs the lock.
var peer = regexp.MustCompile(`at program\.go:(\d+) needs the same lock`)

// lockOf is the lock that a finding is about, and whether it is held for reading; the last result is false where the
// message has another form.
func (k *comparer) lockOf(f Finding) (need, bool) {
	m := subject.FindStringSubmatch(f.Message)
	if m == nil {
		return need{}, false
	}
	spelled := strings.TrimPrefix(strings.Replace(m[1], "New()", "s", 1), "g.") // in Run, the object has no other name
	spelled = constructed.ReplaceAllString(spelled, "t")
	for i := range k.p.Locks {
		if path, _ := k.names(i); path == spelled {
			return need{lock: i, read: m[2] != ""}, true
		}
	}
	if k.p.Item != nil {
		if path, _ := k.names(Own); path == spelled {
			return need{lock: Own}, true
		}
	}
	return need{}, false
}

// verdict is that on f, with tags for a false one.
func (k *comparer) verdict(f Finding) (Verdict, []string) {
	if !f.Certain {
		if k.Run.Hangs() || k.Any.Hangs() || len(k.Any.left) > 0 {
			return Hanging, nil
		}
		return Idle, nil
	}
	n, ok := k.lockOf(f)
	if !ok {
		return False, []string{"no-such-lock"}
	}
	var v Verdict
	var tags []string
	switch f.Sub {
	case "relock":
		v = k.relock(f, n)
	case "leak":
		v, tags = k.leak(f, n)
	case "blocking":
		v, tags = k.blocking(f, n)
	default:
		return False, []string{"no-such-sub-rule"}
	}
	if v == False && k.alone.cut {
		v = Nothing
	}
	if v == False {
		tags = append(tags, k.circumstances(f, n)...)
	}
	return v, tags
}

// circumstances are what is special about the lock n of a false finding, and about where it lies.
func (k *comparer) circumstances(f Finding, n need) []string {
	var tags []string
	if n.lock == Own {
		tags = append(tags, "item")
		if strings.Contains(f.Message, "needs the same lock") {
			tags = append(tags, "other-item")
		}
	}
	if strings.Contains(f.Message, "the function literal") {
		tags = append(tags, "through-literal")
	}
	for i := range k.ins {
		if in := &k.ins[i]; in.tried && (in.line == f.Line || slices.Contains(f.Related, in.line)) {
			tags = append(tags, "behind-trylock")
		}
	}
	if m := peer.FindStringSubmatch(f.Message); m != nil {
		line, _ := strconv.Atoi(m[1])
		if slices.ContainsFunc(k.ins, func(in instr) bool { return in.line == line && in.tried }) {
			tags = append(tags, "behind-trylock")
		}
	}
	for m := range k.p.Locks {
		if m != n.lock && k.p.oneType([]int{m, n.lock}) {
			tags = append(tags, "one-type")
		}
	}
	return tags
}

func (k *comparer) relock(f Finding, n need) Verdict {
	v := False
	for _, r := range k.alone.relocks[f.Line] {
		switch {
		case r.lock != n.lock:
		case !r.behind:
			return Right
		default:
			v = Behind
		}
	}
	return v
}

func (k *comparer) leak(f Finding, n need) (Verdict, []string) {
	v := False
	all := strings.Contains(f.Message, "nothing in the package releases it") || strings.Contains(f.Message, "does not release it")
	owner := k.Text.owner[f.Line]
	tags := []string{}
	if all && !k.alone.handed[keeps{owner, n.lock}] {
		all = false
	}
	for _, l := range k.alone.leaks {
		switch {
		case l.lock != n.lock || !all && l.owner != owner || all && !l.goroutine:
		case !l.behind:
			return Right, nil
		default:
			v = Behind
		}
	}
	if v == False && all && k.comesBack(n.lock) {
		return Right, nil
	}
	if all {
		tags = append(tags, "all-ways")
	}
	if v == False && k.alone.lostBy[keeps{owner, n.lock}] {
		tags = append(tags, "lost")
	}
	return v, tags
}

// comesBack reports whether a goroutine of the program waits forever for a lock of class m that it has itself: it never gets to its end
// with the lock that was left.
func (k *comparer) comesBack(m int) bool {
	return slices.ContainsFunc(k.Run.stuck, func(w *world) bool {
		for g := range w.gs {
			if x := k.wants(w, g); x >= 0 && k.class(x) == m && w.owns(g, x) {
				return true
			}
		}
		return false
	})
}

// stops reports whether x stops for good at f with its lock held.
func (k *comparer) stops(x *Exploration, f Finding, n need) bool {
	return slices.ContainsFunc(x.stuck, func(w *world) bool {
		for g := range w.gs {
			if w.running(g) && k.has(w, g, n.lock) && slices.Contains(k.lines(w, g), f.Line) && waits(&k.ins[w.top(g).pc]) {
				return true
			}
		}
		return false
	})
}

// has reports whether g has lock m, or that of some item.
func (k *comparer) has(w *world, g, m int) bool {
	for i := range w.locks {
		if k.class(i) == m && w.owns(g, i) {
			return true
		}
	}
	return false
}

func (k *comparer) blocking(f Finding, n need) (Verdict, []string) {
	if k.stops(k.Run, f, n) {
		return Right, nil
	}
	if k.stops(k.Any, f, n) {
		return Others, nil
	}
	line := f.Line
	if len(f.Related) > 1 {
		line = f.Related[len(f.Related)-1]
	}
	var tags []string
	for i := range k.ins {
		in := &k.ins[i]
		if in.line != line || !waits(in) {
			continue
		}
		if k.dynamic(in, n) && !k.decided(in) {
			return Behind, nil
		}
		tags = append(tags, strings.Fields(k.describe(in))...)
		if k.mayTake(in, n) {
			tags = append(tags, "peer-on-some-ways")
		}
		none := strings.Contains(f.Message, "the package has no")
		if none && !k.ended(in) || !none && strings.Contains(f.Message, "needs the same lock to") && !k.freed(in, n, false) {
			if before, ok := k.alone.reached[f.Line]; ok && !before {
				return Behind, nil
			}
			return Right, nil
		}
		if (!k.Any.reached[line] || !k.Any.reached[f.Line]) && (!k.freed(in, need{n.lock, n.read, true}, false) || !k.comesToEnd(in)) {
			return Behind, nil
		}
		if in.op == opAwait && !k.Any.waited[line] {
			tags = append(tags, "never-waits")
		}
	}
	if strings.Contains(f.Message, "once its receiver exits") {
		tags = append(tags, "left")
		if !slices.Contains(k.p.Contexts, Timeout) && !slices.ContainsFunc(k.ins, func(in instr) bool { return in.op == opCancel }) {
			tags = append(tags, "endless-context")
		}
	}
	if before, ok := k.alone.reached[f.Line]; ok && !before {
		return Behind, nil
	}
	return False, tags
}

// comesToEnd reports whether schedules come to something that ends the wait in.
func (k *comparer) comesToEnd(in *instr) bool {
	return slices.ContainsFunc(k.ins, func(by instr) bool { return k.ends(in, &by) && k.Any.reached[by.line] })
}

// dynamic reports whether the schedules alone say what ends the wait in: which item it is about, and which goroutines a
// wait group has, is not in the text.
func (k *comparer) dynamic(in *instr, n need) bool {
	return n.lock == Own || in.op == opAwait || about(in)
}

// decided reports whether schedules come to the wait in, and to whatever could end it or has to be waited for.
func (k *comparer) decided(in *instr) bool {
	if !k.Any.reached[in.line] || len(k.p.uncalled()) > 0 {
		return false
	}
	return !slices.ContainsFunc(k.ins, func(by instr) bool {
		matters := k.ends(in, &by) || in.op == opAwait && by.op == opStart && by.group == in.n
		return matters && !k.Any.reached[by.line]
	})
}

// missed finds what the stuck states demand and no finding answers.
func (k *comparer) missed() {
	for _, w := range k.Run.stuck {
		for _, d := range k.alone.demands(w) {
			if !slices.Contains(k.Demands, d.sub) {
				k.Demands = append(k.Demands, d.sub)
			}
			if d.sub == "order" && k.p.oneType(d.locks) {
				d.blind = append(d.blind, "one-type")
			}
			if k.answered(d) {
				continue
			}
			slices.Sort(d.blind)
			for _, why := range slices.Compact(d.blind) {
				k.Blind = append(k.Blind, d.sub+" "+why)
			}
			if d.blind == nil {
				tags := strings.Fields(d.what)
				if slices.Contains(d.locks, Own) {
					tags = append(tags, "item")
					if k.lockedResult() {
						tags = append(tags, "locked-result")
					}
				}
				if d.sub == "leak" && k.releasedByLiteral(d.locks[0]) {
					tags = append(tags, "released-by-global-literal")
				}
				k.disagree(Disagreement{Missed: true, Sub: d.sub, Tags: tags, Line: d.top, Text: fmt.Sprintf("line %d: it waits for a %s forever: %s of %s", d.top, d.what, d.sub, k.spell(d.locks))})
			}
		}
	}
	slices.Sort(k.Blind)
	k.Blind = slices.Compact(k.Blind)
	slices.SortStableFunc(k.Disagreements, func(a, b Disagreement) int { return cmp.Compare(a.Key(), b.Key()) })
}

// lockedResult reports whether a function that makes an item can give it back locked.
func (k *comparer) lockedResult() bool {
	return slices.ContainsFunc(k.alone.leaks, func(l leak) bool {
		f := slices.Index(k.Text.funcs, l.owner)
		return l.lock == Own && f >= 0 && k.p.Funcs[f].Makes
	})
}

// releasedByLiteral reports whether a deferred function literal that captures nothing releases lock m.
func (k *comparer) releasedByLiteral(m int) bool {
	found := false
	k.p.each(func(s *Stmt) { found = found || s.Op == Late && s.Style == InLiteral && s.N == m })
	return found && k.p.Locks[m].Place == Global
}

func (k *comparer) spell(locks []int) string {
	var out []string
	for _, m := range locks {
		path, _ := k.names(m)
		out = append(out, path)
	}
	return strings.Join(out, " and ")
}

// answered reports whether a finding tells of the hang.
func (k *comparer) answered(d demand) bool {
	return slices.ContainsFunc(k.Findings, func(f Finding) bool {
		if f.Rule != "lockheld" {
			return false
		}
		switch d.sub {
		case "relock":
			return f.Sub == "relock" && (slices.Contains(d.stack, f.Line) || slices.Contains(f.Related, d.top)) || k.leaks(f, d.locks[0])
		case "leak":
			return k.leaks(f, d.locks[0])
		case "order":
			named := 0
			for _, m := range d.locks {
				if _, class := k.names(m); strings.Contains(f.Message, class+" ") {
					named++
				}
			}
			return f.Sub == "order" && named >= 2
		case "blocking":
			return f.Sub == "blocking" && (slices.Contains(d.stack, f.Line) || slices.Contains(f.Related, d.top))
		}
		return false
	})
}

// leaks reports whether f is about lock m that is left behind.
func (k *comparer) leaks(f Finding, m int) bool {
	n, ok := k.lockOf(f)
	return ok && f.Sub == "leak" && n.lock == m
}

// Shows gives a question for [Shrink]: whether a program still has a disagreement like d.
func Shows(rules *Rules, d Disagreement) func(*Program) bool {
	return func(p *Program) bool {
		c, err := Compare(p, rules)
		return err == nil && slices.ContainsFunc(c.Disagreements, func(o Disagreement) bool { return o.Key() == d.Key() })
	}
}
