package htmlreport

import (
	"strings"

	"github.com/ctrllint/ctrllint/internal/fix"
	"github.com/ctrllint/ctrllint/internal/report"
)

// diff is a fix as the change that it makes.
type diff struct {
	Message string
	Lines   []diffLine
	Missing string // why there are no lines
}

// diffLine is a line of a unified diff.
type diffLine struct {
	Class string // "add", "del", "hunk", "file", or nothing
	Text  string
}

// diff returns what x changes, file by file.
func (s *sources) diff(x report.Fix) diff {
	d := diff{Message: x.Message}
	var names []string
	edits := make(map[string][]report.Edit)
	for _, e := range x.Edits {
		if edits[e.File] == nil {
			names = append(names, e.File)
		}
		edits[e.File] = append(edits[e.File], e)
	}
	for _, name := range names {
		t := s.of(name)
		if t == nil {
			return diff{Message: d.Message, Missing: name + " cannot be read."}
		}
		after, err := fix.Apply(t.data, edits[name])
		if err != nil {
			return diff{Message: d.Message, Missing: "It does not fit " + name + " as it is now: " + err.Error() + "."}
		}
		d.Lines = append(d.Lines, diffLines(fix.Unified(name, t.data, after))...)
	}
	return d
}

func diffLines(unified string) []diffLine {
	var out []diffLine
	head := true // of a file, up to its first hunk
	for l := range strings.SplitSeq(strings.TrimSuffix(unified, "\n"), "\n") {
		class := ""
		switch {
		case strings.HasPrefix(l, "@@"):
			class, head = "hunk", false
		case head:
			class = "file"
		case strings.HasPrefix(l, "+"):
			class = "add"
		case strings.HasPrefix(l, "-"):
			class = "del"
		}
		out = append(out, diffLine{class, strings.TrimSuffix(l, "\r")})
	}
	return out
}
