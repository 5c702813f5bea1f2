package footprint

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// action is what a Helm chart has for the template engine. It may have several lines.
var action = regexp.MustCompile(`(?s)\{\{.*?\}\}`)

// control is an action that writes nothing itself.
var control = regexp.MustCompile(`^\{\{-?\s*(if|else|end|range|with|define|block|break|continue|/\*|\$\w+\s*:?=)`)

// assignment is a control action that names a text.
var assignment = regexp.MustCompile(`^\{\{-?\s*(\$\w+)\s*:?=`)

// otherRules reports whether a role has rules that a template takes from elsewhere, and at which line of the document,
// after [plain]. Rules that values add are not of the repository, unless there are no others.
func otherRules(doc string) (line int, ok bool) {
	before, after, _ := strings.Cut(doc, "\nrules:")
	line = strings.Count(before, "\n") + 1
	if templated(after) && !strings.Contains(after, "apiGroups") {
		return line, true
	}
	for s := range strings.Lines(after) {
		if strings.HasPrefix(strings.TrimSpace(s), "# ‹") && !strings.Contains(s, "toYaml") && !strings.Contains(s, ".Values") {
			return line, true
		}
		line++
	}
	return 0, false
}

// plain returns a template as YAML: lines with nothing but actions are empty, or comments, and in others, ‹text› stands
// for what an action writes, so that equal actions are equal text. ‹› stands between the branches of a line. No line is
// added or removed.
func plain(template string) string {
	if !strings.Contains(template, "{{") {
		return template
	}
	variables := map[string]string{}
	text := action.ReplaceAllStringFunc(template, func(a string) string {
		lines := strings.Repeat("\n", strings.Count(a, "\n"))
		if v := assignment.FindStringSubmatch(a); v != nil {
			_, value, _ := strings.Cut(a, "=")
			variables[v[1]] = expression(value)
		}
		if control.MatchString(a) {
			return "‹›" + lines
		}
		e := expression(a)
		return "‹" + cmp.Or(variables[e], e) + "›" + lines
	})
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		rest := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(rest)]
		switch {
		case !strings.Contains(line, "‹"):
			continue
		case strings.TrimSpace(placeholder.ReplaceAllString(line, "")) == "":
			if rest = strings.ReplaceAll(rest, "‹›", ""); strings.TrimSpace(rest) != "" {
				rest = "# " + rest
			}
		default: // ‹› at the beginning and at the end separates nothing
			for strings.HasPrefix(rest, "‹›") {
				rest = strings.TrimLeft(rest[len("‹›"):], " ")
			}
			for rest = strings.TrimSpace(rest); strings.HasSuffix(rest, "‹›"); rest = strings.TrimSpace(rest) {
				rest = strings.TrimSuffix(rest, "‹›")
			}
			at := len(indent) + len(rest) - len(strings.TrimLeft(rest, "- ")) // where the key of a list's item is
			if key, lead, ok := strings.Cut(rest, ": ‹"); ok && strings.HasSuffix(lead, "›") && deeper(lines[i+1:], at) {
				rest = key + ": # ‹" + lead // it writes the first lines of what the key has
			}
		}
		lines[i] = indent + rest
	}
	return strings.Join(lines, "\n")
}

// deeper reports whether the first of lines that is not empty is indented by more than n spaces.
func deeper(lines []string, n int) bool {
	for _, line := range lines {
		if rest := strings.TrimLeft(line, " "); strings.TrimSpace(placeholder.ReplaceAllString(rest, "")) != "" {
			return len(line)-len(rest) > n
		}
	}
	return false
}

// expression returns the words of an action in one form, without what YAML or ‹› has a meaning for.
func expression(a string) string {
	words := strings.FieldsFunc(a, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`\\:#(){}‹›", r) })
	words = slices.DeleteFunc(words, func(w string) bool { return w == "-" })
	for i, w := range words {
		switch {
		case w == "template":
			words[i] = "include"
		case w == "$" || strings.HasPrefix(w, "$."): // the context of the template, mostly that of the place, too
			words[i] = "." + strings.TrimPrefix(w[1:], ".")
		}
	}
	if len(words) > 2 && words[0] == "include" && strings.ContainsAny(words[2][:1], ".$") {
		words = slices.Delete(words, 2, 3) // the context hardly decides about a name
	}
	return strings.TrimSuffix(strings.Join(words, " "), " | quote")
}

// placeholder is what plain leaves of an action.
var placeholder = regexp.MustCompile(`‹[^›]*›`)

// templated reports whether a part of s is not known.
func templated(s string) bool { return strings.Contains(s, "‹") }

// is reports whether s is a word with some of its branches, or may be any.
func is(s, word string) bool {
	all := placeholder.ReplaceAllString(s, "")
	return all == word || all == "" && s != "" || slices.ContainsFunc(placeholder.Split(s, -1), func(branch string) bool { return strings.TrimSpace(branch) == word })
}

// withoutSchemas leaves the schemas out of a CustomResourceDefinition, which are most of it.
func withoutSchemas(doc string) string {
	if !strings.Contains(doc, kindDefinition) {
		return doc
	}
	var b strings.Builder
	inside := -1 // the indentation of the schema that a line is in
	for line := range strings.Lines(doc) {
		trimmed := strings.TrimLeft(line, " ")
		indent := len(line) - len(trimmed)
		trimmed = strings.TrimRight(trimmed, " \t\r\n")
		switch {
		case inside >= 0 && (trimmed == "" || indent > inside):
			line = "\n"
		case trimmed == "schema:" || trimmed == "validation:":
			inside = indent
		default:
			inside = -1
		}
		b.WriteString(line)
	}
	return b.String()
}

// fields returns the values at the end of a path of keys: several where branches of a template give one key more than
// once.
func fields(n *yaml.Node, keys ...string) []*yaml.Node {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if len(keys) == 0 {
		return []*yaml.Node{n}
	}
	var all []*yaml.Node
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == keys[0] {
			all = append(all, fields(n.Content[i+1], keys[1:]...)...)
		}
	}
	return all
}

// items returns the elements of the list at the end of the path.
func items(n *yaml.Node, keys ...string) (all []*yaml.Node) {
	for _, list := range fields(n, keys...) {
		if list.Kind == yaml.SequenceNode {
			all = append(all, list.Content...)
		}
	}
	return all
}

// text returns the scalar at the end of the path, with ‹› between several.
func text(n *yaml.Node, keys ...string) string {
	return strings.Join(texts(n, keys...), "‹›")
}

// texts returns the scalars at the end of the path, and those of lists there.
func texts(n *yaml.Node, keys ...string) (all []string) {
	for _, v := range fields(n, keys...) {
		if v.Kind == yaml.ScalarNode && v.Tag != "!!null" {
			all = append(all, v.Value)
		}
		for i := 0; v.Kind == yaml.SequenceNode && i < len(v.Content); i++ {
			all = append(all, texts(v.Content[i])...)
		}
	}
	return all
}

// labels returns the entries of maps.
func labels(nodes []*yaml.Node) map[string]string {
	all := map[string]string{}
	for _, n := range nodes {
		for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			all[n.Content[i].Value] = n.Content[i+1].Value
		}
	}
	return all
}
