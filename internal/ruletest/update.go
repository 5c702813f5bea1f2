package ruletest

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"os"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// rewriteWants makes the want comments of a package say what was found: those that are there in their place, and the
// others at the end of their lines. Of facts, only those of objects are written that a comment asks about. No line is
// added or taken away, so that places in messages stay right: a comment that has nothing left to say leaves an empty
// one where it stands alone. An error says that a rule failed or a file could not be written.
func rewriteWants(dir string, one *analysed) error {
	found := make(map[lineKey][]string)
	for _, d := range one.found {
		if d.Category == rule.InternalError {
			return errors.New(d.Message)
		}
		k := one.line(dir, d.Pos)
		found[k] = append(found[k], one.finding(d).String())
	}
	facts := one.facts(dir)
	edits := make(map[*ast.File][]report.Edit)
	for _, c := range one.wantComments(dir) {
		var texts []string
		for i, object := range c.objects {
			if slices.Contains(c.objects[:i], object) {
				continue
			}
			for _, f := range facts[c.lineKey][object] {
				texts = append(texts, f.String())
			}
		}
		slices.Sort(texts)
		texts = append(texts, found[c.lineKey]...) // in the order in which the rule says them
		delete(found, c.lineKey)
		text := strings.Join(texts, " ")
		switch {
		case text == "" && c.from == 0 && one.alone(c.Comment):
			text = "//"
		case text == "":
		case c.delta != "":
			text = wantKeyword + c.delta + " " + text
		default:
			text = wantKeyword + text
		}
		if c.to < len(c.Text) {
			text += " "
		}
		if text != c.Text[c.from:c.to] {
			file := one.file(c.Pos())
			start := one.fset.File(c.Pos()).Offset(c.Pos())
			edits[file] = append(edits[file], report.Edit{Start: start + c.from, End: start + c.to, NewText: text})
		}
	}
	for _, file := range one.Files {
		for k, texts := range found {
			tf := one.fset.File(file.FileStart)
			if one.line(dir, file.FileStart).file != k.file {
				continue
			}
			var end int
			if k.line < tf.LineCount() {
				end = tf.Offset(tf.LineStart(k.line+1)) - 1
			} else { // the last line of a file may have an end or not
				text, err := os.ReadFile(tf.Name())
				if err != nil {
					return err
				}
				end = len(bytes.TrimSuffix(text, []byte("\n")))
			}
			edits[file] = append(edits[file], report.Edit{Start: end, End: end, NewText: " " + wantKeyword + strings.Join(texts, " ")})
		}
	}
	for file, all := range edits {
		if err := rewrite(one.fset.File(file.FileStart).Name(), all); err != nil {
			return err
		}
	}
	return nil
}

// alone reports whether nothing stands in front of the comment on its line.
func (one *analysed) alone(c *ast.Comment) bool {
	alone := true
	ast.Inspect(one.file(c.Pos()), func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return false
		}
		line := one.fset.Position(c.Pos()).Line
		alone = alone && one.fset.Position(n.Pos()).Line != line && one.fset.Position(n.End()).Line != line
		return true
	})
	return alone
}

// rewrite applies edits to a file, and formats it. It is an error if that moves lines, as where a function on one line
// becomes too long for it: the messages name lines as they were.
func rewrite(name string, edits []report.Edit) error {
	before, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	after, err := apply(name, edits)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name, after, 0o644); err != nil {
		return err
	}
	if bytes.Count(before, []byte("\n")) != bytes.Count(after, []byte("\n")) {
		return fmt.Errorf("%s: formatting has moved lines: write the comments once more", name)
	}
	return nil
}
