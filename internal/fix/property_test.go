package fix_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/fix"
	"github.com/ctrllint/ctrllint/internal/report"
)

// An edit of one line changes that line, in files of whatever form: all other lines keep every byte.
func TestApplyChangesOneLine(t *testing.T) {
	names, err := filepath.Glob("../*/*.go")
	if err != nil || len(names) < 50 {
		t.Fatalf("only %d files (%v)", len(names), err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	tried := 0
	for _, name := range slices.Repeat(names, 3) { // in three forms
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		src = messed(random, src)
		lines := slices.Collect(bytes.Lines(src))
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		var at []int // the lines that are a return without results
		ast.Inspect(file, func(n ast.Node) bool {
			if r, ok := n.(*ast.ReturnStmt); ok {
				if i := fset.PositionFor(r.Return, false).Line - 1; strings.TrimSpace(string(lines[i])) == "return" {
					at = append(at, i)
				}
			}
			return true
		})
		if len(at) == 0 {
			continue
		}
		tried++
		i := at[random.IntN(len(at))]
		start := len(bytes.Join(lines[:i], nil)) + bytes.Index(lines[i], []byte("return"))
		got, err := fix.Apply(src, []report.Edit{{File: name, Start: start, End: start + len("return"), NewText: "if  true {\nreturn}"}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), name, got, 0); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		after := slices.Collect(bytes.Lines(got))
		if len(after) != len(lines)+2 || !slices.EqualFunc(after[:i], lines[:i], bytes.Equal) || !slices.EqualFunc(after[i+3:], lines[i+1:], bytes.Equal) {
			t.Errorf("%s:%d: other lines have changed", name, i+1)
			continue
		}
		end := lines[i][len(bytes.TrimRight(lines[i], "\r\n")):]
		for n, want := range []string{"if true {", "return", "}"} {
			if line := after[i+n]; strings.TrimSpace(string(line)) != want || !bytes.HasSuffix(line, end) || bytes.HasSuffix(line, []byte("\r\n")) != bytes.HasSuffix(end, []byte("\r\n")) {
				t.Errorf("%s:%d: %q, want %q with the end %q", name, i+n+1, line, want, end)
			}
		}
	}
	if tried < 20 {
		t.Errorf("only %d files have a place to edit", tried)
	}
}

// messed is src in another form, by chance: with more white space in front of lines, behind them or between them, or
// with ends of Windows, or without an end of the last line.
func messed(random *rand.Rand, src []byte) []byte {
	inString := bytes.Contains(src, []byte("`"))
	var out bytes.Buffer
	form := random.IntN(4)
	end := "\n"
	if random.IntN(2) == 0 {
		end = "\r\n"
	}
	for line := range bytes.Lines(src) {
		line = bytes.TrimRight(line, "\n")
		if form > 0 && !inString && random.IntN(3) < form {
			switch random.IntN(3) {
			case 0:
				line = append([]byte("  "), line...)
			case 1:
				line = append(bytes.Clone(line), " "...)
			case 2:
				if out.Len() > 0 && !bytes.HasPrefix(bytes.TrimSpace(line), []byte("//")) {
					out.WriteString(end)
				}
			}
		}
		out.Write(line)
		out.WriteString(end)
	}
	if random.IntN(4) == 0 {
		return bytes.TrimSuffix(out.Bytes(), []byte(end))
	}
	return out.Bytes()
}
