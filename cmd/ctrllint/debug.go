package main

import (
	"fmt"
	"io"
	"time"

	"github.com/ctrllint/ctrllint/internal/driver"
)

// printDebug writes the output of -debug: limits that were reached, what was joined in the link phase, the sources of
// types, and times, for each build and module.
func printDebug(w io.Writer, result driver.Result) {
	say := func(format string, args ...any) { fmt.Fprintf(w, "ctrllint: debug: "+format+"\n", args...) }
	for _, n := range result.Notes {
		say("%v", n)
	}
	say("%d notes", len(result.Notes))
	for _, j := range result.Joined {
		say("joined: %v", j)
	}
	for _, c := range result.Costs {
		say("packages: %d of the modules under analysis, %d of those answered by the cache; %d of dependencies, %d of those answered by the cache; %d other dependencies; types of %d from their source without function bodies",
			c.Own.All, c.Own.Stored, c.Parts.All, c.Parts.Stored, c.Imported, c.Signatures)
		for _, p := range c.Phases {
			say("phase: %-32s %8s, then %4d MB on the heap", p.Name, round(p.Wall), p.HeapBytes>>20)
		}
		for _, s := range c.Rules {
			say("rule: %-33s %8s", s.What, round(s.Time))
		}
		for _, s := range c.Packages {
			say("package: %8s %s", round(s.Time), s.What)
		}
	}
}

func round(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
