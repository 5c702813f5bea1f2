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
		if !templated(line) {
			continue
		} else if strings.TrimSpace(placeholder.ReplaceAllString(rest, "")) != "" {
			rest = outerBranch.ReplaceAllString(rest, "")
		} else if rest = strings.TrimSpace(strings.ReplaceAll(rest, "‹›", "")); rest != "" {
			rest = "# " + rest
		}
		lines[i] = indent + rest
	}
	return strings.Join(lines, "\n")
}

// outerBranch is ‹› at the beginning or the end of a line, where it separates nothing.
var outerBranch = regexp.MustCompile(`^(‹› *)+|(\s*‹›)+\s*$`)

// expression returns the words of an action in one form, without what YAML or ‹› has a meaning for.
func expression(a string) string {
	words := strings.FieldsFunc(a, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`\\:#(){}‹›", r) })
	words = slices.DeleteFunc(words, func(w string) bool { return w == "-" })
	if len(words) > 1 && (words[0] == "include" || words[0] == "template") {
		words[0] = "include"
		if len(words) > 2 && strings.ContainsAny(words[2][:1], ".$") {
			words = slices.Delete(words, 2, 3) // the context hardly decides about a name
		}
	}
	return strings.Join(words, " ")
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
