package writer

import (
	"fmt"
	"go/doc/comment"
	"path"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/page"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// repository is where the files of the repository are to be seen.
var repository = strings.TrimSuffix(rule.URLBase, "docs/rules/")

// Page is the page of sub-rule s of a, of which text was written and e was measured.
func Page(a *analysis.Analyzer, s page.Sub, text string, e *Evidence) (string, error) {
	src, err := parse(text)
	if err != nil {
		return "", err
	}
	options := rule.SubOf(a, s.Name)
	if options == nil {
		return "", fmt.Errorf("%s has no sub-rule %s", a.Name, s.Name)
	}
	if tells(a) && src[sure] == "" {
		return "", fmt.Errorf("findings have a confidence, and there is no section %q that says which", sure)
	}
	name := a.Name + "/" + s.Name
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n%s\n", name, madeFrom("analyzers/"+name+".md"), sentence(coded(s.Summary)))
	section := func(heading string, parts ...string) {
		fmt.Fprintf(&b, "\n## %s\n", heading)
		for _, p := range parts {
			if p != "" {
				b.WriteString("\n" + p + "\n")
			}
		}
	}
	section(reports, src[reports])
	section(hurts, src[hurts], fixes(e.Fixes[name], src[hurts]))
	section(bad, src[bad])
	section(good, src[good])
	section(leaves, src[leaves])
	section(sure, consequence(a, options), src[sure], e.doubts(name, options))
	section(measured, e.measured(name, options))
	section(turnOff, switches(a, options), silencing(a, options))
	fmt.Fprintf(&b, "\nMore about the whole rule: [%s](../%s.md).\n", a.Name, a.Name)
	return b.String(), nil
}

func madeFrom(source string) string { return "<!-- Made from " + source + " by `make docs`. -->" }

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// consequence says how severe the findings are, and whether they are asked for.
func consequence(a *analysis.Analyzer, s *rule.Sub) string {
	text := "A finding is an **error**: what it shows hangs, crashes or loses something."
	if s.Severity == rule.Warning {
		text = "A finding is a **warning**: it is true, and often of little consequence. `-severity error` leaves it out."
	}
	if !tells(a) {
		text += " Findings of this rule have no confidence, so `-confidence` leaves none of them out."
	}
	if !s.Default() {
		return text + fmt.Sprintf(" The sub-rule is **off by default**; `-%s.%s` turns it on.", a.Name, s.FlagName())
	}
	return text + " The sub-rule is on by default."
}

// tells reports whether findings of a say how sure they are: its Doc then has a section about that.
func tells(a *analysis.Analyzer) bool { return strings.Contains(a.Doc, "\n# Confidence\n") }

// doubts says why a sub-rule that is doubted is off.
func (e *Evidence) doubts(name string, s *rule.Sub) string {
	if !s.Doubted {
		return ""
	}
	right, all := e.Right(name)
	return fmt.Sprintf("It is off because of what it has said so far: %d of %d findings were right, and a sub-rule is on by default where %d of 10 are.", right, all, bar)
}

// measured says what was found in the code that ctrllint is measured on.
func (e *Evidence) measured(name string, s *rule.Sub) string {
	on := fmt.Sprintf("%d published modules and %d trees of repositories, %d packages", e.Modules, e.Trees, e.Packages)
	var text string
	v, found := e.Verdicts[name]
	switch {
	case s.Off:
		text = "No finding on the measured code, because the sub-rule is off there, as it is by default (" + on + ")."
	case !found:
		text = "No finding on the measured code (" + on + ")."
	default:
		text = fmt.Sprintf("Somebody has read each finding on the measured code (%s) and judged it:\n\n", on) +
			"| right | weak | wrong |\n| --- | --- | --- |\n" + fmt.Sprintf("| %d | %d | %d |\n\n", v.Right, v.Weak, v.Wrong) +
			"Right: it can happen, and matters. Weak: true, and of little consequence or intended. Wrong: it cannot happen."
		if v.Unclear > 0 {
			text += fmt.Sprintf(" Of %d more nobody can tell from the code alone.", v.Unclear)
		}
	}
	if f, found := e.Fresh[name]; found {
		text += "\n\nOn operators to which no rule had been tuned, two readers have judged what it said, and of what it still says, by the lower of their verdicts:\n\n" +
			"| right | weak | wrong |\n| --- | --- | --- |\n" + fmt.Sprintf("| %d | %d | %d |", f.Right, f.Weak, f.Wrong)
	}
	switch n := e.Past[name]; n {
	case 0:
	case 1:
		text += "\n\nIt also finds one bug of the past, in the code just before its fix."
	default:
		text += fmt.Sprintf("\n\nIt also finds %d bugs of the past, in the code just before their fix.", n)
	}
	return text + " How all of this is measured stands in [docs/trust.md](" + repository + "docs/trust.md)."
}

// switches says how the sub-rule is turned off, or on.
func switches(a *analysis.Analyzer, s *rule.Sub) string {
	name := a.Name + "/" + s.Name
	if !s.Default() {
		return fmt.Sprintf("It is off. `-%s.%s` on the command line turns it on, or in `.ctrllint.yml`\n\n```yaml\noptions: {%s: {%s: true}}\n```", a.Name, s.FlagName(), a.Name, s.FlagName())
	}
	return fmt.Sprintf("`-%s.%s=false` on the command line turns it off, or in `.ctrllint.yml`\n\n```yaml\ndisable: [%s]\n```", a.Name, s.FlagName(), name)
}

// silencing says how one finding is silenced.
func silencing(a *analysis.Analyzer, s *rule.Sub) string {
	if a.Name == "suppression" {
		return "A single finding goes with the comment that it is about. Another comment that silences it would be one of those that the\nrule is about, so there is none."
	}
	return fmt.Sprintf("One finding is silenced by a comment with a reason, on its line, alone above it, or above the function:\n\n"+
		"```go\n//lint:ignore ctrllint/%s/%s the reason\n```\n\nor, for the whole rule, as golangci-lint has it, `//nolint:%s // the reason`.", a.Name, s.Name, a.Name)
}

// Overview is the page of the rule a: its Doc, with links to the pages of its sub-rules.
func Overview(a *analysis.Analyzer) string {
	summary, body, _ := strings.Cut(a.Doc, "\n")
	text := "# " + a.Name + "\n\n" + madeFrom("analyzers/"+a.Name+"/doc.go") + "\n\n" + sentence(coded(summary)) + "\n\n"
	printer := &comment.Printer{
		HeadingLevel: 2,
		HeadingID:    func(*comment.Heading) string { return "" }, // GitHub makes its own
	}
	doc := new(comment.Parser).Parse(strings.TrimSpace(body))
	// The list of sub-rules becomes a table.
	for i, block := range doc.Content {
		if _, ok := block.(*comment.List); ok && i > 0 && isListHeading(doc.Content[i-1]) {
			before, after := *doc, *doc
			before.Content, after.Content = doc.Content[:i], doc.Content[i+1:]
			return text + coded(string(printer.Markdown(&before))) + "\n" + table(a) + "\n" + coded(string(printer.Markdown(&after)))
		}
	}
	return text + coded(string(printer.Markdown(doc)))
}

func isListHeading(b comment.Block) bool {
	h, ok := b.(*comment.Heading)
	return ok && len(h.Text) == 1 && h.Text[0] == comment.Plain(page.ListHeading)
}

// table has the sub-rules of a with links to their pages.
func table(a *analysis.Analyzer) string {
	var b strings.Builder
	b.WriteString("| sub-rule | reports | severity | default |\n| --- | --- | --- | --- |\n")
	for _, s := range page.Subs(a) {
		fmt.Fprintf(&b, "| [%s](%s/%s.md) | %s | %s | %s |\n", s.Name, a.Name, s.Name, coded(s.Summary), rule.SeverityOf(a, s.Name), isOn(a, s.Name))
	}
	return b.String()
}

func isOn(a *analysis.Analyzer, sub string) string {
	if s := rule.SubOf(a, sub); s != nil && !s.Default() {
		return "off"
	}
	return "on"
}

// Index is the page that leads to all others.
func Index(rules []*analysis.Analyzer, e *Evidence) string {
	var b strings.Builder
	b.WriteString("# Rules of ctrllint\n\n" + madeFrom("the rules") + "\n\n" +
		"A finding ends with the name of its sub-rule, such as `lockheld/relock`. Each sub-rule has a page: what it reports, why that hurts,\n" +
		"bad and good code, what is left alone, how sure it is, how it was measured, and how to turn it off.\n" +
		"`ctrllint explain lockheld/relock` shows the same page in a terminal.\n\n" +
		fmt.Sprintf("*Measured* counts what readers said of the findings on %d published modules and %d trees of repositories, *fresh* what two of them said of those on operators to which\n", e.Modules, e.Trees) +
		"no rule had been tuned (the lower verdict, of what is still found, without the last measure where there are others): right, weak, wrong. *Fixed* counts bugs that their projects have fixed, and that are found in the code before.\n" +
		fmt.Sprintf("A sub-rule of which fewer than %d of 10 were right, by all of these, is off by default.\n", bar))
	for _, a := range rules {
		summary, _, _ := strings.Cut(a.Doc, "\n")
		fmt.Fprintf(&b, "\n## %s\n\n%s See [the rule](%s.md).\n\n| sub-rule | reports | severity | default | measured | fresh | fixed |\n| --- | --- | --- | --- | --- | --- | --- |\n",
			a.Name, sentence(coded(summary)), a.Name)
		for _, s := range page.Subs(a) {
			name := a.Name + "/" + s.Name
			fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s | %s | %s | %s | %d |\n",
				s.Name, name, coded(s.Summary), rule.SeverityOf(a, s.Name), isOn(a, s.Name), e.Verdicts[name].short(), e.Fresh[name].short(), e.Past[name])
		}
	}
	return b.String()
}

// Navigation is the part of mkdocs.yml that lists the pages.
func Navigation(rules []*analysis.Analyzer) string {
	var b strings.Builder
	b.WriteString("nav:\n  - All rules: README.md\n")
	for _, a := range rules {
		fmt.Fprintf(&b, "  - %s:\n      - About this rule: %s.md\n", a.Name, a.Name)
		for _, s := range page.Subs(a) {
			fmt.Fprintf(&b, "      - %s: %s\n", s.Name, path.Join(a.Name, s.Name+".md"))
		}
	}
	return b.String()
}

var (
	codeSpan = regexp.MustCompile("`[^`\n]*`")
	escape   = regexp.MustCompile(`\\([\\<>*_\[\]#])`)
)

// coded turns the backticks of a Doc, which the printer of comments takes for letters, into those of Markdown.
func coded(markdown string) string {
	return codeSpan.ReplaceAllStringFunc(strings.ReplaceAll(markdown, "\\`", "`"), func(span string) string {
		return escape.ReplaceAllString(span, "$1")
	})
}
