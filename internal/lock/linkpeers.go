package lock

import (
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/blocking"
)

// peers are those of the wait p in the function holder, completed by the channels with its names and the targets of
// open calls; p itself if some of that is unknown.
func (j *linker) peers(p *Peers, kind blocking.Kind, holder string) *Peers {
	if kind == blocking.Acquire {
		return p // a goroutine past the holder's acquisition may release a share without the lock
	}
	if !p.known() {
		if p.Unknown {
			return p
		}
		known := *p
		known.Contexts, known.idle = j.contexts(p.Contexts, holder)
		return &known
	}
	channels, all := j.channel(p.Names)
	if !all {
		return p
	}
	out := &Peers{Missing: p.Missing, Repeats: true}
	room, receivers, leave := true, 0, true
	for _, c := range channels {
		room = room && !slices.Contains(c.Room, 0)
		receivers += c.Receivers
		leave = leave && (c.Receivers == 0 || len(c.Exits) > 0)
		if kind == blocking.Send {
			out.Contexts = append(out.Contexts, c.Receives...)
			out.Exits = append(out.Exits, c.Exits...)
		} else {
			out.Contexts = append(out.Contexts, c.Sends...)
		}
	}
	if len(out.Contexts) > maxPeers {
		j.cut(tooManyPeers, p)
	}
	if len(out.Contexts) == 0 || len(out.Contexts) > maxPeers {
		return p
	}
	if !leave {
		out.Exits = nil
	}
	out.Buffered = kind == blocking.Send && room
	if out.Contexts, out.idle = j.contexts(out.Contexts, holder); len(out.Contexts) == 0 {
		return p
	}
	return out
}

// contexts are the contexts with the locks that their open calls may acquire. Contexts that only callers in other
// packages lead to are left out if the program has no such caller, with their functions in the second result; and
// those through holder, since other goroutines need its lock to get there.
func (j *linker) contexts(all []Context, holder string) (out []Context, idle []string) {
	for _, c := range all {
		if slices.Contains(c.Funcs, holder) {
			continue
		}
		if j.whole && c.Outside != "" && !j.called(c.Outside) {
			idle = append(idle, shortFunc(c.Outside))
			continue
		}
		c.Takes = slices.Clip(c.Takes)
		for _, o := range c.Opens {
			c.Takes = append(c.Takes, j.takes(&o)...)
		}
		out = append(out, c)
	}
	slices.Sort(idle)
	return out, slices.Compact(idle)
}

// called reports whether the program may call the function from somewhere else than by the calls that its package
// shows.
func (j *linker) called(fn string) bool {
	return j.used[fn] || j.used["~"+fn[strings.LastIndexByte(fn, '.')+1:]] || j.dispatcher.Called(fn)
}

// takes are the locks that the open call may acquire.
func (j *linker) takes(open *OpenTaken) []Taken {
	var out []Taken
	seen, by := map[string]bool{}, open.By
	work := j.targets(&open.Call, by)
	for len(work) > 0 {
		name := work[0]
		work = work[1:]
		s := j.funcs[name]
		if seen[name] || s == nil {
			continue
		}
		if len(seen) == maxTogether {
			j.cut(tooManyTogether, by)
			break
		}
		seen[name] = true
		for i := range s.Acquires {
			if a := &s.Acquires[i]; a.Mode != Once && !chosen(a.Guards) {
				via := by + " via " + shortFunc(name)
				out = append(out, Taken{Class: a.Lock.Class, Mode: a.Mode, By: via, At: a.At, From: open.At})
			}
		}
		for i := range s.Opens {
			if !chosen(s.Opens[i].Guards) {
				work = append(work, j.targets(&s.Opens[i].Call, by)...)
			}
		}
	}
	return out
}

// channel is what all packages have on the channel with these names. It is false if packages that are not part of the
// program may use it.
func (j *linker) channel(names []string) (out []*Channel, all bool) {
	seen := map[string]bool{}
	for work := slices.Clone(names); len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		if !j.analysed[packageOf(n)] {
			return nil, false
		}
		behind, ok := j.implementations(n)
		if !ok {
			return nil, false
		}
		work = append(work, behind...)
		for _, c := range j.channels[n] {
			if c.Stray {
				return nil, false
			}
			if !slices.Contains(out, c) {
				out = append(out, c)
				work = append(work, c.Names...)
			}
		}
	}
	return out, true
}

// implementations are the names of a parameter or result of an interface method in the methods that may implement it;
// none for other names. It is false if they are not all known.
func (j *linker) implementations(name string) ([]string, bool) {
	recv, method, ok := strings.Cut(strings.TrimPrefix(name, "("), ").")
	if !ok || strings.HasPrefix(recv, "*") {
		return nil, true
	}
	i := strings.LastIndexAny(method, "#$")
	if !j.dispatcher.Interface(recv) || i < 0 {
		return nil, true
	}
	targets := j.targets(&OpenCall{Iface: recv, Method: method[:i]}, name)
	var out []string
	for _, t := range targets {
		out = append(out, t+method[i:])
	}
	return out, len(out) > 0
}

// packageOf is the path of the package that a name belongs to.
func packageOf(name string) string {
	name = strings.TrimLeft(name, "(*")
	i := strings.LastIndex(name, "/") + 1
	end := strings.IndexByte(name[i:], '.')
	if end < 0 {
		return name
	}
	return name[:i+end]
}
