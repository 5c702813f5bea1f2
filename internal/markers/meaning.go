package markers

import (
	"strconv"
	"strings"
)

// A Meaning is what a marker says about whether fields are there.
type Meaning uint8

// What markers say.
const (
	Other Meaning = iota
	Optional
	Present // the field is required, or has a default
	Union   // which fields are there depends on others, or on their number
)

// meanings are those of words of controller-gen, of the generators of Kubernetes and of its declarative validation.
var meanings = map[string]Meaning{
	"optional": Optional, "k8s:optional": Optional, "kubebuilder:validation:Optional": Optional,
	"required": Present, "k8s:required": Present, "kubebuilder:validation:Required": Present,
	"default": Present, "k8s:default": Present, "kubebuilder:default": Present,
	"union": Union, "unionDiscriminator": Union, "k8s:unionMember": Union, "k8s:unionDiscriminator": Union,
	"kubebuilder:validation:MinProperties": Union, "kubebuilder:validation:MaxProperties": Union,
	"kubebuilder:validation:ExactlyOneOf": Union, "kubebuilder:validation:AtLeastOneOf": Union, "kubebuilder:validation:AtMostOneOf": Union,
}

// Meaning returns what m means.
func (m Marker) Meaning() Meaning {
	word := m.Word()
	if i := strings.IndexAny(word, " ("); i >= 0 {
		word = word[:i]
	}
	return meanings[strings.TrimSuffix(strings.TrimSuffix(word, ":value"), ":")]
}

// NamesFields reports whether the text of m may name fields: it is a CEL rule, a list of fields, or the default of a
// struct.
func (m Marker) NamesFields() bool {
	return m.Meaning() == Union || m.Meaning() == Present || m.Is("kubebuilder:validation:XValidation")
}

// Enum returns the values that m allows, if it is the marker of an enum: a list with semicolons, or one in braces with
// commas, of texts with or without quotes.
func (m Marker) Enum() (values []string) {
	word, text, _ := strings.Cut(m.Text, "=")
	if strings.TrimSuffix(word, ":") != "+kubebuilder:validation:Enum" {
		return nil
	}
	separator := ";"
	if list, ok := strings.CutPrefix(text, "{"); ok {
		text, separator = strings.TrimSuffix(list, "}"), ","
	}
	for text != "" {
		text = strings.TrimSpace(text)
		quoted, _ := strconv.QuotedPrefix(text)
		value, rest, _ := strings.Cut(text[len(quoted):], separator)
		if quoted != "" {
			value, _ = strconv.Unquote(quoted)
		}
		values, text = append(values, strings.TrimSpace(value)), rest
	}
	return values
}
