package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ctrllint/ctrllint/internal/spelling"
)

// A Schema describes a part of the settings. It is the source of the JSON schema, and validates settings.
type Schema struct {
	Meta  string `json:"$schema,omitempty"` // Meta, ID and Title are those of the whole
	ID    string `json:"$id,omitempty"`
	Title string `json:"title,omitempty"`

	Type        string             `json:"type,omitempty"` // object, array, string or boolean
	Description string             `json:"description,omitempty"`
	Properties  map[string]*Schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Items       *Schema            `json:"items,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	MinItems    int                `json:"minItems,omitempty"`

	check func(string) error // a further condition for a string
	rules bool               // its keys are rules
	not   map[string]string  // why keys of other settings are not allowed
}

// MarshalJSON excludes additional properties of objects, as validate does.
func (s *Schema) MarshalJSON() ([]byte, error) {
	type plain Schema
	if s.Type != "object" {
		return json.Marshal((*plain)(s))
	}
	return json.Marshal(struct {
		*plain
		Additional bool `json:"additionalProperties"`
	}{(*plain)(s), false})
}

// An Error is a mistake in the settings.
type Error struct {
	File    string // empty if the settings are not from a file
	Line    int
	Key     string // the path of the mistake, as options.lockheld.slow
	Message string
}

func (e *Error) Error() string {
	text := e.Message
	if e.Key != "" {
		text = e.Key + ": " + text
	}
	if e.File == "" {
		return text
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, text)
}

// validate returns the first mistake of n, whose path is key.
func (s *Schema) validate(n *yaml.Node, key string) *Error {
	bad := func(n *yaml.Node, format string, args ...any) *Error {
		return &Error{Line: n.Line, Key: key, Message: fmt.Sprintf(format, args...)}
	}
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return bad(n, "aliases and anchors are not supported")
	}
	if got := typeOf(n); got != s.Type {
		return bad(n, "want %s, got %s", withArticle(s.Type), withArticle(got))
	}
	switch s.Type {
	case "object":
		return s.validateObject(n, key)
	case "array":
		if len(n.Content) < s.MinItems {
			return bad(n, "an empty list")
		}
		for i, item := range n.Content {
			if err := s.Items.validate(item, fmt.Sprintf("%s[%d]", key, i)); err != nil {
				return err
			}
		}
	case "string":
		if s.Enum != nil && !slices.Contains(s.Enum, n.Value) {
			return bad(n, "unknown value %q: %s", n.Value, instead(n.Value, s.Enum))
		}
		if s.check != nil {
			if err := s.check(n.Value); err != nil {
				return bad(n, "%v", err)
			}
		}
	}
	return nil
}

func (s *Schema) validateObject(n *yaml.Node, key string) *Error {
	seen := make(map[string]bool)
	for i := 0; i < len(n.Content); i += 2 {
		name := n.Content[i]
		bad := func(format string, args ...any) *Error {
			return &Error{Line: name.Line, Key: key, Message: fmt.Sprintf(format, args...)}
		}
		of := s.Properties[name.Value]
		switch {
		case name.Kind != yaml.ScalarNode || name.Tag == "!!merge":
			return bad("keys must be strings")
		case s.not[name.Value] != "":
			return bad("key %q is not allowed here: %s", name.Value, s.not[name.Value])
		case of == nil && s.rules:
			return bad("unknown rule %q: %s", name.Value, instead(name.Value, slices.Sorted(maps.Keys(s.Properties))))
		case of == nil && len(s.Properties) == 0:
			return bad("unknown key %q: no keys are allowed here", name.Value)
		case of == nil:
			return bad("unknown key %q: %s", name.Value, instead(name.Value, slices.Sorted(maps.Keys(s.Properties))))
		case seen[name.Value]:
			return bad("duplicate key %q", name.Value)
		}
		seen[name.Value] = true
		if err := of.validate(n.Content[i+1], strings.TrimPrefix(key+"."+name.Value, ".")); err != nil {
			return err
		}
	}
	for _, name := range s.Required {
		if !seen[name] {
			return &Error{Line: n.Line, Key: key, Message: fmt.Sprintf("key %q is missing", name)}
		}
	}
	return nil
}

// typeOf returns the JSON schema type of n.
func typeOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "object"
	case yaml.SequenceNode:
		return "array"
	}
	switch n.ShortTag() {
	case "!!bool":
		return "boolean"
	case "!!int", "!!float":
		return "number"
	case "!!null":
		return "null"
	}
	return "string"
}

// withArticle returns a type in words.
func withArticle(typ string) string {
	switch typ {
	case "object":
		return "keys with values"
	case "array":
		return "a list"
	case "boolean":
		return "true or false"
	case "null":
		return "nothing"
	case "number":
		return "a number (quote it to make it a string)"
	}
	return "a " + typ
}

// instead suggests a name for written, or lists all.
func instead(written string, names []string) string {
	if question := spelling.DidYouMean(written, names); question != "" {
		return question
	}
	return "want " + oneOf(names)
}

// oneOf lists words.
func oneOf(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}
