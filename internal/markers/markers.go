// Package markers reads the comments that tell controller-gen what to write into a CustomResourceDefinition, as it
// does: a comment line that begins with a plus sign belongs to the type or field below it.
package markers

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// A Marker is the text of a comment line without its slashes and the space around it.
type Marker struct {
	Pos    token.Pos // where Text begins
	Text   string    // from the plus sign on
	Spaced bool      // there is space between the slashes and Text
}

// End returns where the marker ends.
func (m Marker) End() token.Pos { return m.Pos + token.Pos(len(m.Text)) }

// Word returns the name of the marker with the name of its first argument, if that follows a colon: for
// `+a:b:c=1,d=2` it is a:b:c. It is "" for a line that is no marker.
func (m Marker) Word() string {
	word, ok := strings.CutPrefix(m.Text, "+")
	if !ok {
		return ""
	}
	word, _, _ = strings.Cut(word, "=")
	return word
}

// Is reports whether m is a marker of that name.
func (m Marker) Is(name string) bool {
	rest, ok := strings.CutPrefix(m.Text, "+"+name)
	return ok && (rest == "" || rest[0] == ':' || rest[0] == '=')
}

// An Arg is the value of an argument, without quotes.
type Arg struct {
	Value    string
	Pos, End token.Pos
	Exact    bool // the source between Pos and End is Value
	source   string
}

// List returns the items of a value that is a list, in either form of controller-gen: `a;b` or `{a,b}`.
func (a Arg) List() (items []string) {
	rest, braces := strings.CutPrefix(strings.TrimSpace(a.source), "{")
	for rest = strings.TrimSpace(rest); rest != "" && rest[0] != '}'; {
		item, err := strconv.QuotedPrefix(rest)
		n := len(item)
		if err == nil {
			item, _ = strconv.Unquote(item)
		} else {
			end := ";"
			if braces {
				end = ",}"
			}
			if n = strings.IndexAny(rest, end); n < 0 {
				n = len(rest)
			}
			item = strings.TrimSpace(rest[:n])
		}
		items = append(items, item)
		rest = strings.TrimLeft(rest[n:], ",; \t")
	}
	return items
}

// Args returns the arguments of a marker of that name.
func (m Marker) Args(name string) map[string]Arg {
	args := map[string]Arg{}
	at := min(len(name)+2, len(m.Text))
	for at < len(m.Text) {
		key, _, ok := strings.Cut(m.Text[at:], "=")
		if !ok {
			break
		}
		at += len(key) + 1
		a := argument(m.Text[at:])
		begin := at
		at += len(a)
		arg := Arg{Value: a, Pos: m.Pos + token.Pos(begin), End: m.Pos + token.Pos(at), Exact: true, source: a}
		if s, err := strconv.Unquote(a); err == nil && len(a) > 1 {
			arg = Arg{Value: s, Pos: arg.Pos + 1, End: arg.End - 1, Exact: s == a[1:len(a)-1], source: a}
		}
		args[strings.TrimSpace(key)] = arg
		at++ // the comma
	}
	return args
}

// argument returns the part of text before the first comma outside of quoted values and of a list in braces.
func argument(text string) string {
	list := strings.HasPrefix(text, "{")
	for at := 0; at < len(text); at++ {
		if quoted, err := strconv.QuotedPrefix(text[at:]); err == nil {
			at += len(quoted)
			if at == len(quoted) && !strings.HasPrefix(text[at:], ";") {
				return quoted
			}
		}
		switch {
		case at >= len(text):
		case list && text[at] == '}':
			return text[:at+1]
		case !list && text[at] == ',':
			return text[:at]
		}
	}
	return text
}

// In returns the lines of comment groups that are comments with two slashes.
func In(groups ...*ast.CommentGroup) (lines []Marker) {
	for _, group := range groups {
		if group == nil {
			continue
		}
		for _, c := range group.List {
			if text, ok := strings.CutPrefix(c.Text, "//"); ok {
				text = strings.TrimLeft(text, " \t")
				lines = append(lines, Marker{c.End() - token.Pos(len(text)), strings.TrimRight(text, " \t\r"), len(text)+2 < len(c.Text)})
			}
		}
	}
	return lines
}

// above returns the lines that belong to a node of file with that documentation: those of the documentation and of the
// last comment group above, unless that lies before the end of what comes before the node.
func above(file *ast.File, before token.Pos, node ast.Node, doc *ast.CommentGroup) []Marker {
	var free *ast.CommentGroup
	for _, group := range file.Comments {
		if group != doc && before < group.Pos() && group.Pos() < node.Pos() {
			free = group
		}
	}
	return In(free, doc)
}

// A Decl is a type that a file declares at its top level, or a field of one, with the lines that belong to it.
type Decl struct {
	Type   *ast.TypeSpec
	Field  *ast.Field // nil for the type itself
	Doc    *ast.CommentGroup
	Lines  []Marker // of Doc and of the comments above
	Fields []Decl   // of a type that is a struct
}

// Types returns the types that file declares.
func Types(file *ast.File) (out []Decl) {
	before := file.Name.End()
	for _, d := range file.Decls {
		gen, _ := d.(*ast.GenDecl)
		for i := 0; gen != nil && gen.Tok == token.TYPE && i < len(gen.Specs); i++ {
			spec := gen.Specs[i].(*ast.TypeSpec)
			decl := Decl{Type: spec, Doc: spec.Doc, Lines: above(file, max(before, gen.Lparen), spec, spec.Doc), Fields: fields(file, spec)}
			if !gen.Lparen.IsValid() {
				decl.Doc, decl.Lines = gen.Doc, above(file, before, gen, gen.Doc)
			}
			out = append(out, decl)
			before = lineEnd(spec.End(), spec.Comment)
		}
		before = max(before, d.End())
	}
	return out
}

func fields(file *ast.File, spec *ast.TypeSpec) (out []Decl) {
	st, ok := spec.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	before := st.Fields.Opening
	for _, f := range st.Fields.List {
		out = append(out, Decl{Type: spec, Field: f, Doc: f.Doc, Lines: above(file, before, f, f.Doc)})
		before = lineEnd(f.End(), f.Comment)
	}
	return out
}

// lineEnd returns the end of the comment behind what ends at end, which belongs to nothing below.
func lineEnd(end token.Pos, comment *ast.CommentGroup) token.Pos {
	if comment != nil {
		return comment.End()
	}
	return end
}
