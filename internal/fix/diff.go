package fix

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// context is the number of lines that are shown before and behind a change.
const context = 3

// Diff writes the changes as a unified diff that patch -p1 and git apply take in the working directory. Where a file
// lies above that, it is one for the top folder of the repository: below tells the name of a file from there.
func (p Plan) Diff(w io.Writer, below func(name string) (string, bool)) error {
	above := slices.ContainsFunc(p.Files, func(f File) bool { return strings.HasPrefix(f.Name, "../") })
	for _, f := range p.Files {
		name, header := f.Name, ""
		if above {
			if top, ok := below(name); ok {
				name = top
				header = fmt.Sprintf("diff --git a/%s b/%s\n", name, name)
			}
		}
		if _, err := io.WriteString(w, header+Unified(name, f.Before, f.After)); err != nil {
			return err
		}
	}
	return nil
}

// Unified returns the change of the file with that name as a unified diff.
func Unified(name string, before, after []byte) string {
	end := ""
	if strings.Contains(name, " ") {
		end = "\t" // without it, patch takes the name to end at the space
	}
	return fmt.Sprintf("--- a/%s%s\n+++ b/%s%s\n", name, end, name, end) + hunks(before, after)
}

// hunks returns the changes from before to after, in the unified form. The line numbers are counted here, since those
// of udiff's own unified form are wrong behind a hunk that has taken in two changes.
func hunks(before, after []byte) string {
	old, changed := slices.Collect(strings.Lines(string(before))), slices.Collect(strings.Lines(string(after)))
	diffs := lcs.DiffLines(old, changed)
	var out strings.Builder
	for len(diffs) > 0 {
		n := 1 // changes in this hunk
		for n < len(diffs) && diffs[n].Start-diffs[n-1].End <= 2*context {
			n++
		}
		writeHunk(&out, old, changed, diffs[:n])
		diffs = diffs[n:]
	}
	return out.String()
}

func writeHunk(out *strings.Builder, old, changed []string, diffs []lcs.Diff) {
	first, last := diffs[0], diffs[len(diffs)-1]
	lead := min(context, first.Start)
	tail := min(context, len(old)-last.End)
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(first.Start-lead, last.End+tail), span(first.ReplStart-lead, last.ReplEnd+tail))
	line := func(kind, text string) {
		out.WriteString(kind + text)
		if !strings.HasSuffix(text, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
	at := first.Start - lead
	same := func(end int) {
		for ; at < end; at++ {
			line(" ", old[at])
		}
	}
	for _, d := range diffs {
		same(d.Start)
		for ; at < d.End; at++ {
			line("-", old[at])
		}
		for _, text := range changed[d.ReplStart:d.ReplEnd] {
			line("+", text)
		}
	}
	same(last.End + tail)
}

// span returns the range of the lines from start to end, counted from 0, in the head of a hunk. An empty one stands
// behind the line that it names.
func span(start, end int) string {
	switch n := end - start; n {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	default:
		return fmt.Sprintf("%d,%d", start+1, n)
	}
}
