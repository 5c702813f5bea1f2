package fix

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// bom may stand in front of a Go file.
const bom = "\ufeff"

// text is a file without what go/format would take away: the mark of the byte order in front, and the carriage
// returns at the ends of lines.
type text struct {
	plain []byte
	bom   bool
	ends  []string // of the lines of plain
	gone  []int    // the offsets of the bytes that are not in plain
}

func split(src []byte) *text {
	t := new(text)
	rest := src
	if t.bom = bytes.HasPrefix(src, []byte(bom)); t.bom {
		rest = src[len(bom):]
		for i := range len(bom) {
			t.gone = append(t.gone, i)
		}
	}
	for line := range bytes.Lines(rest) {
		code, end := line, ""
		for _, e := range []string{"\r\n", "\n"} {
			if c, ok := bytes.CutSuffix(line, []byte(e)); ok {
				code, end = c, e
				break
			}
		}
		if end == "\r\n" {
			t.gone = append(t.gone, len(src)-len(rest)+len(code))
		}
		rest = rest[len(line):]
		t.plain = append(t.plain, code...)
		if end != "" {
			t.plain = append(t.plain, '\n')
		}
		t.ends = append(t.ends, end)
	}
	return t
}

// offset returns where the byte at offset o of the file is in t.plain, or what comes behind it there.
func (t *text) offset(o int) int { return o - sort.SearchInts(t.gone, o) }

// restore is after, which was made of t.plain, with what t has taken out: lines that are still there end as they did,
// and new ones as the line before them does.
func (t *text) restore(after []byte) []byte {
	lines := func(text []byte) []string {
		return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
	old, changed := lines(t.plain), lines(after)
	usual := "\n"
	if len(t.ends) > 0 && t.ends[0] != "" {
		usual = t.ends[0]
	}
	ends := slices.Repeat([]string{""}, len(changed))
	behind, at := 0, 0 // in old, and in changed
	same := func(from, to int) {
		for ; from < to && from < len(t.ends); from, at = from+1, at+1 {
			ends[at] = t.ends[from]
		}
	}
	for _, d := range lcs.DiffLines(old, changed) {
		same(behind, d.Start)
		behind, at = d.End, d.ReplEnd
	}
	same(behind, len(old))
	var out bytes.Buffer
	if t.bom {
		out.WriteString(bom)
	}
	for i, line := range changed {
		out.WriteString(line)
		if i == len(changed)-1 && len(t.ends) > 0 && t.ends[len(t.ends)-1] == "" {
			break // as before
		}
		if ends[i] != "" {
			usual = ends[i]
		}
		out.WriteString(usual)
	}
	return out.Bytes()
}
