package htmlreport_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/htmlreport"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/source"
)

var update = flag.Bool("update", false, "write the golden file")

const code = `package p

import "sync"

type queue struct {
	mu    sync.Mutex // of the items
	store *store
	name  string
}

func (q *queue) add() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.store.mu.Lock()
	defer q.store.mu.Unlock()
	q.name = "</code><script>alert(1)</script>"
}

type store struct {
	mu    sync.Mutex
	queue *queue
}

// evict is far away from add:
//
// so that its lines
// are
// an excerpt
// of
// their own.
func (s *store) evict() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue.mu.Lock()
	defer s.queue.mu.Unlock()
}
`

// folder is a folder with a file.
func folder(t *testing.T) *source.Files {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "q.go"), []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	return &source.Files{Dir: dir}
}

func place(file string, line, column int) report.Place {
	return report.Place{File: file, Line: line, Column: column}
}

func related(line, column int, message string) report.Related {
	return report.Related{Place: place("q.go", line, column), Message: message}
}

// order is a finding about two locks.
func order() report.Finding {
	return report.Finding{
		Rule: "lockheld", Category: "lockheld/order", Place: place("q.go", 14, 17), EndLine: 14, EndColumn: 17, Package: "example.com/p",
		Function: "(*queue).add", Confidence: "possible", URL: "https://example.com/lockheld.md#order", Message: "lock order: <b>add</b> and evict",
		Related: []report.Related{
			related(12, 11, "q.mu is locked here"), related(14, 17, "p.store.mu is acquired here"),
			related(32, 11, "s.mu is locked here"), related(34, 17, "p.queue.mu is acquired here"),
		},
		Cycle: []report.Step{
			{Place: place("q.go", 14, 17), Function: "(*queue).add", Holds: "p.queue.mu", Takes: "p.store.mu"},
			{Place: place("q.go", 34, 17), Function: "(*store).evict", Holds: "p.store.mu", Takes: "p.queue.mu", Read: true},
		},
	}
}

func written(t *testing.T, r htmlreport.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := htmlreport.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// parsed is the page as a browser reads it.
func parsed(t *testing.T, page string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// all are the elements below n of that name and class, the latter if it is not empty.
func all(n *html.Node, name, class string) (out []*html.Node) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == name && (class == "" || slices.Contains(strings.Fields(attribute(d, "class")), class)) {
			out = append(out, d)
		}
	}
	return out
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// textOf is the text below n, with one space for any number of them.
func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// texts are those of each of nodes.
func texts(nodes []*html.Node) (out []string) {
	for _, n := range nodes {
		out = append(out, textOf(n))
	}
	return out
}

func expect(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// outline has a line for each element with what a reader sees of it.
func outline(n *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node, depth int)
	walk = func(n *html.Node, depth int) {
		if n.Type == html.TextNode {
			if text := strings.Join(strings.Fields(n.Data), " "); text != "" {
				fmt.Fprintf(&b, "%s%q\n", strings.Repeat(" ", depth), text)
			}
			return
		}
		if n.Type == html.ElementNode {
			if n.Data == "style" || n.Data == "script" || n.Data == "defs" {
				return
			}
			fmt.Fprintf(&b, "%s%s", strings.Repeat(" ", depth), n.Data)
			for _, a := range n.Attr {
				if a.Key != "content" { // of the policy, which has the hashes of what is left out here
					fmt.Fprintf(&b, " %s=%q", a.Key, a.Val)
				}
			}
			b.WriteByte('\n')
			depth++
		}
		for c := range n.ChildNodes() {
			walk(c, depth)
		}
	}
	walk(n, 0)
	return b.String()
}

// TestGolden has one of everything. go test -update writes the file anew.
func TestGolden(t *testing.T) {
	files := folder(t)
	rule := func(name string) *analysis.Analyzer {
		return &analysis.Analyzer{Name: name, Doc: name + "s of some kind\n\nMore.", URL: "https://example.com/" + name + ".md"}
	}
	fixed := report.Finding{
		Rule: "startctx", Category: "startctx/loop", Place: place("q.go", 16, 2), EndLine: 16, EndColumn: 8, Package: "example.com/p/q", Message: "a name",
		Severity: "error", Cause: "example.com/p.Name", Builds: []string{"linux/amd64", "tags=e2e"},
		Fixes: []report.Fix{{Message: "Drop the name", Edits: []report.Edit{{
			File: "q.go", Start: strings.Index(code, "\tq.name ="), End: strings.Index(code, "}\n\ntype store"),
		}}}},
	}
	got := outline(parsed(t, written(t, htmlreport.Run{
		Version: "v1.2.3", Rules: []*analysis.Analyzer{rule("lockheld"), rule("startctx"), rule("suppression")},
		Findings: []report.Finding{order(), fixed}, Failures: []string{"example.com/broken: <no>"}, Warnings: []string{"disk full"}, Packages: 7,
		Source: files,
	})))
	const golden = "testdata/golden.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update writes it):\n%s", golden, got)
	}
}

// The places of a chain are shown where they are, and those that are near each other in one excerpt.
func TestExcerpts(t *testing.T) {
	doc := parsed(t, written(t, htmlreport.Run{Findings: []report.Finding{order()}, Source: folder(t)}))
	excerpts := all(doc, "figure", "excerpt")
	if len(excerpts) != 2 {
		t.Fatalf("%d excerpts, want one around add and one around evict", len(excerpts))
	}
	var numbers [2][]string
	for i, e := range excerpts {
		for _, n := range all(e, "span", "no") {
			numbers[i] = append(numbers[i], attribute(n, "data-no"))
		}
	}
	expect(t, "lines of the first", numbers[0], strings.Fields("9 10 11 12 13 14 15 16 17"))
	expect(t, "lines of the second", numbers[1], strings.Fields("29 30 31 32 33 34 35 36"))
	expect(t, "marks", texts(all(doc, "mark", "")), []string{"q.mu.Lock", "q.store.mu.Lock", "s.mu.Lock", "s.queue.mu.Lock"})
	expect(t, "notes", texts(all(doc, "div", "note")), []string{"1 q.mu is locked here", "2 p.store.mu is acquired here", "3 s.mu is locked here", "4 p.queue.mu is acquired here"})
	expect(t, "the line of the finding", texts(all(doc, "div", "bug")), []string{"q.store.mu.Lock()"})
	for _, l := range all(all(doc, "ol", "chain")[0], "a", "") {
		target := strings.TrimPrefix(attribute(l, "href"), "#")
		if n := slices.IndexFunc(all(doc, "div", "note"), func(n *html.Node) bool { return attribute(n, "id") == target }); n < 0 {
			t.Errorf("%q leads to nothing", textOf(l))
		}
	}
}

// Go's words have their colours, in files of any kind.
func TestColours(t *testing.T) {
	files := folder(t)
	if err := os.WriteFile(filepath.Join(files.Dir, "crlf.go"), []byte(strings.ReplaceAll("package p\n\n/* a\nb */ var s = `c\nd` + \"e\" + 'f\n", "\n", "\r\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	doc := parsed(t, written(t, htmlreport.Run{Source: files, Findings: []report.Finding{{Rule: "r", Category: "r/s", Place: place("crlf.go", 4, 10)}}}))
	code := all(doc, "figure", "excerpt")[0]
	expect(t, "keywords", texts(all(code, "span", "k")), []string{"package", "var"})
	expect(t, "comments", texts(all(code, "span", "c")), []string{"/* a", "b */"})
	expect(t, "strings", texts(all(code, "span", "s")), []string{"`c", "d`", `"e"`, "'f"})
	expect(t, "the mark", texts(all(code, "mark", "")), []string{"s"})
	if got := len(all(code, "div", "line")); got != 5 {
		t.Errorf("%d lines, want 5: the end of the last one is none", got)
	}
}

// A long chain has its ends, and each place of these the number that it has in the chain.
func TestLongChain(t *testing.T) {
	f := order()
	f.Related = nil
	for i := range 100 {
		f.Related = append(f.Related, related(1+i%30, 1, fmt.Sprintf("calls f%d", i+1)))
	}
	doc := parsed(t, written(t, htmlreport.Run{Findings: []report.Finding{f}, Source: folder(t)}))
	chain := texts(all(all(doc, "ol", "chain")[0], "li", ""))
	if len(chain) != 41 || chain[20] != "… 60 more calls …" || chain[21] != "81 calls f81 q.go:21:1" || chain[40] != "100 calls f100 q.go:10:1" {
		t.Errorf("the chain has %d places: %q", len(chain), chain)
	}
}

// A picture has a node for each lock and each function, in the order of the cycle; what is no cycle has none.
func TestCycle(t *testing.T) {
	f := order()
	three := order()
	three.Message = "three"
	three.Cycle = []report.Step{
		{Function: "f", Holds: "a", Takes: "b"}, {Function: "g", Holds: "b", Takes: "c"},
		{Function: "a function with a name that is very much too long for a node", Holds: "c", Takes: "a"},
	}
	open := order()
	open.Message, open.Cycle = "open", []report.Step{{Function: "f", Holds: "a", Takes: "b"}, {Function: "g", Holds: "c", Takes: "a"}}
	single := order()
	single.Message, single.Cycle = "single", []report.Step{{Function: "f", Holds: "a", Takes: "a"}}
	doc := parsed(t, written(t, htmlreport.Run{Findings: []report.Finding{f, three, open, single}, Source: folder(t)}))
	pictures := all(doc, "svg", "")
	if len(pictures) != 2 {
		t.Fatalf("%d pictures, want 2", len(pictures))
	}
	nodes := func(n *html.Node) []string { return texts(slices.Concat(all(n, "g", "lock"), all(n, "g", "function"))) }
	expect(t, "nodes", nodes(pictures[0]), []string{
		"p.queue.mu p.queue.mu", "p.store.mu p.store.mu", "(*queue).add (*queue).add q.go:14", "(*store).evict (*store).evict q.go:34",
	})
	expect(t, "arrows", texts(all(pictures[0], "text", "label")), []string{"held by", "waits for", "held by", "waits to read"})
	if got := textOf(all(pictures[0], "title", "")[0]); got != "(*queue).add holds p.queue.mu and waits for p.store.mu; (*store).evict holds p.store.mu and waits to read p.queue.mu" {
		t.Errorf("in words: %s", got)
	}
	expect(t, "nodes of three locks", nodes(pictures[1])[:5], []string{"a a", "b b", "c c", "f f", "g g"})
	if n := nodes(pictures[1])[5]; !strings.HasSuffix(n, " a function wit…long for a node") {
		t.Errorf("the long name is %q", n)
	}
	// No node lies on another one, nor outside.
	for _, p := range pictures {
		type box struct{ x, y, w, h int }
		var boxes []box
		number := func(n *html.Node, name string) (v int) {
			if _, err := fmt.Sscan(attribute(n, name), &v); err != nil {
				t.Fatal(err)
			}
			return v
		}
		for _, r := range all(p, "rect", "") {
			b := box{number(r, "x"), number(r, "y"), number(r, "width"), number(r, "height")}
			if b.x < 0 || b.y < 0 || b.x+b.w > number(p, "width") || b.y+b.h > number(p, "height") {
				t.Errorf("%+v lies outside", b)
			}
			for _, o := range boxes {
				if b.x < o.x+o.w && o.x < b.x+b.w && b.y < o.y+o.h && o.y < b.y+b.h {
					t.Errorf("%+v and %+v lie on each other", b, o)
				}
			}
			boxes = append(boxes, b)
		}
	}
}

// hostile is what an analysed file could have in names and texts to do harm where they are shown.
const hostile = `"'><img src=x onerror=alert(1)></code></script><script>alert(2)</script>{{.}}` + "\x1b[31m\u202e\x00"

// What stands in a file or a message is text.
func TestHostile(t *testing.T) {
	files := folder(t)
	if err := os.WriteFile(filepath.Join(files.Dir, "h.go"), []byte(hostile+"\n"+strings.Repeat("ö", 5000)+"\n\xff\xfe"), 0o644); err != nil {
		t.Fatal(err)
	}
	f := report.Finding{
		Rule: hostile, Category: hostile, Place: place("h.go", 1, 3), EndLine: 2, EndColumn: 1 << 40, Package: hostile, Function: hostile, Message: hostile,
		Confidence: hostile, Severity: hostile, Cause: hostile, URL: "javascript:alert(3)", Builds: []string{hostile},
		Related: []report.Related{
			{Place: place("h.go", 1, 200000), Message: hostile}, {Place: place(hostile, 3, -7), Message: hostile}, {Place: place("h.go", 2, 3001), Message: "x"},
			{Place: place("h.go", -4, 1), Message: "x"}, {Place: place("h.go", 3, 2), Message: "x"},
		},
		Cycle: []report.Step{{Place: place(hostile, 1, 1), Function: hostile, Holds: hostile, Takes: hostile}, {Function: hostile, Holds: hostile, Takes: hostile}},
		Fixes: []report.Fix{{Message: hostile, Edits: []report.Edit{{File: "q.go", NewText: "// " + strings.TrimRight(hostile, "\x00") + "\n"}}}},
	}
	page := written(t, htmlreport.Run{
		Version: hostile, Findings: []report.Finding{f}, Failures: []string{hostile}, Warnings: []string{hostile}, Source: files,
		Rules: []*analysis.Analyzer{{Name: hostile, Doc: hostile, URL: "javascript:alert(4)"}},
	})
	doc := parsed(t, page)
	if n := len(all(doc, "script", "")); n != 1 {
		t.Errorf("%d scripts, want one", n)
	}
	if n := len(all(doc, "img", "")); n != 0 {
		t.Errorf("%d images", n)
	}
	for d := range doc.Descendants() {
		for _, a := range d.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" || strings.Contains(a.Val, "javascript:") {
				t.Errorf("%s has %s=%q", d.Data, a.Key, a.Val)
			}
		}
	}
	if got := len(all(doc, "article", "finding")); got != 1 {
		t.Errorf("%d findings", got)
	}
	if strings.ContainsAny(textOf(all(doc, "article", "finding")[0]), "\x1b\u202e") {
		t.Error("characters that nobody sees are in the page")
	}
	if lines := texts(all(doc, "div", "line")); !strings.HasPrefix(lines[0], `"'><img src=x onerror=alert(1)></code></script><script>`) || !strings.HasSuffix(lines[1], "ö …") {
		t.Errorf("the lines are %.300q", lines)
	}
}

// Where a source is not there any more, what is known of the place is.
func TestMissing(t *testing.T) {
	files := folder(t)
	f := order()
	f.File = "gone.go"
	f.Related = append(f.Related, report.Related{Place: place("gone.go", 1, 1), Message: "in what is gone"}, related(4000, 1, "behind the end"))
	f.Fixes = []report.Fix{
		{Message: "of what is gone", Edits: []report.Edit{{File: "gone.go"}}},
		{Message: "outside", Edits: []report.Edit{{File: "q.go", Start: 1 << 20, End: 1 << 20}}},
		{Message: "no Go", Edits: []report.Edit{{File: "q.go", NewText: "}"}}},
	}
	doc := parsed(t, written(t, htmlreport.Run{Findings: []report.Finding{f}, Source: files}))
	got := texts(all(doc, "p", "missing"))
	want := []string{
		"The source at gone.go:14:17 cannot be read.", "5 in what is gone. The source at gone.go:1:1 cannot be read.", "6 behind the end. The source at q.go:4000:1 cannot be read.",
		"gone.go cannot be read.", "It does not fit q.go as it is now: ",
	}
	for i, w := range want {
		if i >= len(got) || !strings.HasPrefix(got[i], w) {
			t.Errorf("want %q in %q", w, got)
		}
	}
	if len(got) != 6 || len(all(doc, "figure", "excerpt")) != 5 {
		t.Errorf("%d things are missing, in %d excerpts: %q", len(got), len(all(doc, "figure", "excerpt")), got)
	}
}

// The page is whole: it names nothing that a browser would have to fetch.
func TestNoNetwork(t *testing.T) {
	for name, findings := range map[string][]report.Finding{"findings": {order()}, "clean": nil} {
		doc := parsed(t, written(t, htmlreport.Run{Findings: findings, Rules: analyzers.All(), Packages: 3, Source: folder(t)}))
		for d := range doc.Descendants() {
			if slices.Contains([]string{"link", "img", "iframe", "object", "embed", "base", "video", "audio", "source", "image", "use"}, d.Data) {
				t.Errorf("%s: a %s", name, d.Data)
			}
			for _, a := range d.Attr {
				if (a.Key == "src" || a.Key == "srcset" || a.Key == "action" || a.Key == "data" || a.Key == "href" && d.Data != "a") && a.Val != "" {
					t.Errorf("%s: %s has %s=%q", name, d.Data, a.Key, a.Val)
				}
			}
		}
		if css := textOf(all(doc, "style", "")[0]); strings.Contains(css, "url(") || strings.Contains(css, "@import") || css == "" {
			t.Errorf("%s: the style is empty or loads something", name)
		}
		policy := ""
		for _, m := range all(doc, "meta", "") {
			if attribute(m, "http-equiv") == "Content-Security-Policy" {
				policy = attribute(m, "content")
			}
		}
		if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: the policy is %q", name, policy)
		}
	}
}

// Two findings of one kind have names of their own, which stay when lines move.
func TestIDs(t *testing.T) {
	ids := func(shift int) (out []string) {
		a, b := order(), order()
		a.Line, b.Line = a.Line+shift, b.Line+shift+1
		doc := parsed(t, written(t, htmlreport.Run{Findings: []report.Finding{a, b}, Source: folder(t)}))
		for _, n := range all(doc, "article", "finding") {
			out = append(out, attribute(n, "id"))
		}
		seen := make(map[string]bool)
		for d := range doc.Descendants() {
			if id := attribute(d, "id"); id != "" && seen[id] {
				t.Errorf("%s is the name of two elements", id)
			} else {
				seen[id] = true
			}
		}
		return out
	}
	before, after := ids(0), ids(5)
	if len(before) != 2 || before[0] == before[1] {
		t.Errorf("the names are %q", before)
	}
	expect(t, "after lines have moved", after, before)
}

// A clean run says so, and has nothing to choose from.
func TestClean(t *testing.T) {
	doc := parsed(t, written(t, htmlreport.Run{Rules: analyzers.All(), Packages: 1, Source: folder(t)}))
	expect(t, "the head", texts(all(all(doc, "ul", "counts")[0], "li", "")), []string{"0 findings", "1 package", fmt.Sprint(len(analyzers.All()), " rules")})
	if len(all(doc, "form", "")) != 0 || textOf(all(doc, "p", "none")[0]) != "Nothing was found." {
		t.Error("a clean run has filters, or does not say that it is clean")
	}
}
