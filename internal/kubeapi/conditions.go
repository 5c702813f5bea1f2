package kubeapi

import "regexp"

// Condition is the type of the conditions that the API server checks by the patterns of [ConditionPattern].
var Condition = Type{MetaV1, "Condition"}

var conditionPatterns = map[string]*regexp.Regexp{
	"Reason": regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`),
	"Type":   regexp.MustCompile(`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`),
}

// ConditionPattern returns the pattern of a field of a Condition, which its marker in apimachinery puts into each
// CustomResourceDefinition; nil for none.
func ConditionPattern(field string) *regexp.Regexp { return conditionPatterns[field] }

// IsReason reports whether that field of a Condition is for programs to read, and nobody asks for it by its text.
func IsReason(field string) bool { return field == "Reason" }
