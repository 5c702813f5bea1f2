package writer

import (
	"fmt"
	"go/doc/comment"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/page"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// repository is where the files of the repository are to be seen.
var repository = strings.TrimSuffix(rule.URLBase, "docs/rules/")

// Page is the page of check s of a: what somebody has written in text, which may be the page as it was, and what is
// added to it.
func Page(a *analysis.Analyzer, s page.Sub, text string, e *Evidence) (string, error) {
	src, err := parse(text)
	if err != nil {
		return "", err
	}
	options := rule.SubOf(a, s.Name)
	if options == nil {
		return "", fmt.Errorf("%s has no check %s", a.Name, s.Name)
	}
	if tells(a) && src[sure] == "" {
		return "", fmt.Errorf("findings have a confidence, and there is no section %q that says which", sure)
	}
	name := a.Name + "/" + s.Name
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n%s\n", name, pageMark, sentence(coded(s.Summary)))
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
	section(works, src[works])
	section(leaves, src[leaves])
	section(sure, consequence(a, options), src[sure])
	section(measured, figures(name))
	section(turnOff, switches(a, options), silencing(a, options))
	return Fill(b.String()), nil
}

// pageMark says who writes which part of a page.
const pageMark = "<!-- The sections up to \"" + leaves + "\" are written here; `make docs` generates the rest. -->"

func madeFrom(source string) string { return "<!-- Made from " + source + " by `make docs`. -->" }

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// consequence says how severe the findings are.
func consequence(a *analysis.Analyzer, s *rule.Sub) string {
	text := consequent + "**error**. A real bug of this kind hangs, crashes or loses data."
	if s.Severity == rule.Warning {
		text = consequent + "**warning**. `-severity error` excludes it."
	}
	if !tells(a) {
		text += " This check has no levels of confidence; `-confidence` does not affect it."
	}
	return text
}

// tells reports whether findings of a say how sure they are: its Doc then has a section about that.
func tells(a *analysis.Analyzer) bool { return strings.Contains(a.Doc, "\n# Confidence\n") }

// figures is the table of the sites of a check, with their levels.
func figures(name string) string {
	text := "A site is one form of evidence, reported by default or, in the nursery, with `-nursery`: see [levels](" + repository + "docs/use.md#levels). Each cell counts findings that reviewers judged right/weak/wrong, " +
		"on the code that the rules were developed on and on code that was new to them: see [docs/trust.md](" + repository + "docs/trust.md). \"fixes\": bugs that other projects fixed and that this check finds in the code before the fix.\n\n" +
		"| site | level | development code | new code | fixes |\n| --- | --- | --- | --- | --- |\n"
	for _, r := range rule.SitesOf(name) {
		level := r.Level.String()
		if r.Ground == "seed" {
			level += ": a bug that ctrllint was written for"
		}
		text += fmt.Sprintf("| %s | %s | %s | %s | %d |\n", r.Site, level, r.Tuned, r.First, r.Fixes)
	}
	return strings.TrimSuffix(text, "\n")
}

// switches says how the check is turned off, or on.
func switches(a *analysis.Analyzer, s *rule.Sub) string {
	name := a.Name + "/" + s.Name
	if !s.Default() {
		return fmt.Sprintf("It is off by default. Enable it with `-%s.%s`, or `options: {%s: {%s: true}}` in `.ctrllint.yml`.", a.Name, s.Name, a.Name, s.Name)
	}
	text := fmt.Sprintf("`-%s.%s=false`, or `disable: [%s]` in `.ctrllint.yml`.", a.Name, s.Name, name)
	if slices.ContainsFunc(rule.SitesOf(name), func(r rule.SiteRow) bool { return r.Level == rule.Nursery }) {
		text += " `-nursery`, or `nursery: true`, also reports the forms that are off by default."
	}
	return text
}

// silencing says how one finding is silenced.
func silencing(a *analysis.Analyzer, s *rule.Sub) string {
	if a.Name == "suppression" {
		return "Delete the comment to remove a single finding."
	}
	return fmt.Sprintf("Suppress one finding with `//lint:ignore ctrllint/%s/%s reason` on its line, alone above it, or above the function. `//nolint:%s // reason` suppresses all findings of %s on that line.", a.Name, s.Name, a.Name, a.Name)
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
			return Fill(text + coded(string(printer.Markdown(&before))) + "\n" + table(a) + "\n" + coded(string(printer.Markdown(&after))))
		}
	}
	return Fill(text + coded(string(printer.Markdown(doc))))
}

func isListHeading(b comment.Block) bool {
	h, ok := b.(*comment.Heading)
	return ok && len(h.Text) == 1 && h.Text[0] == comment.Plain(page.ListHeading)
}

// table has the sub-rules of a with links to their pages.
func table(a *analysis.Analyzer) string {
	var b strings.Builder
	b.WriteString("| check | reports | severity | level |\n| --- | --- | --- | --- |\n")
	for _, s := range page.Subs(a) {
		fmt.Fprintf(&b, "| [%s](%s/%s.md) | %s | %s | %s |\n", s.Name, a.Name, s.Name, coded(s.Summary), rule.SeverityOf(a, s.Name), levelsOf(a, s.Name))
	}
	return b.String()
}

// levelsOf are the levels of the sites of a check.
func levelsOf(a *analysis.Analyzer, check string) string {
	sites := rule.SitesOf(a.Name + "/" + check)
	var words []string
	for _, l := range []rule.Level{rule.Default, rule.Nursery, rule.OptIn} {
		if slices.ContainsFunc(sites, func(r rule.SiteRow) bool { return r.Level == l }) {
			words = append(words, l.String())
		}
	}
	return strings.Join(words, ", ")
}

// Index is the page that leads to all others.
func Index(rules []*analysis.Analyzer) string {
	var b strings.Builder
	b.WriteString("# Rules of ctrllint\n\n" + madeFrom("the rules") + "\n\n" +
		"A finding ends with the name of its check, such as `lockheld/relock`. Each check has a page: what it reports, why that hurts, bad and good code, how it works, what\n" +
		"is left alone, how it was measured, and how to turn it off. `ctrllint explain lockheld/relock` shows the same page in a terminal.\n\n" +
		"What a check reports has one level or more: *default*, *nursery*, which `-nursery` asks for, or *opt-in*, which an option of the rule asks for.\n" +
		"[sites.tsv](../../internal/rule/sites.tsv) has the level of each form of evidence, and what readers said of its findings.\n")
	for _, a := range rules {
		summary, _, _ := strings.Cut(a.Doc, "\n")
		fmt.Fprintf(&b, "\n## %s\n\n%s See [the rule](%s.md).\n\n| check | reports | severity | level |\n| --- | --- | --- | --- |\n",
			a.Name, sentence(coded(summary)), a.Name)
		for _, s := range page.Subs(a) {
			fmt.Fprintf(&b, "| [%s](%s/%s.md) | %s | %s | %s |\n", s.Name, a.Name, s.Name, coded(s.Summary), rule.SeverityOf(a, s.Name), levelsOf(a, s.Name))
		}
	}
	return Fill(b.String())
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
