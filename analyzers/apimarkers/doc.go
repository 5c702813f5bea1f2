// Package apimarkers defines the rule apimarkers.
//
// # Analyzer apimarkers
//
// apimarkers: markers of API types that name what does not exist
//
// Principle: what a `+kubebuilder:` marker says about a type exists. A path leads to a field of the Go type,
// controller-gen knows the marker, and the values that the code handles are those that a marker allows.
//
// controller-gen copies paths into the CustomResourceDefinition as they are, and drops markers that it does not know,
// as they may be another tool's. Nobody compares the paths with the fields, and the API server reads nothing where
// nothing is, without an error.
//
// # Sub-rules
//
//   - path: a column, a selectable field or the scale subresource reads a field that the type does not have
//   - unknown: controller-gen does not know a marker, so that the schema lacks what it says
//   - reason: the reason or type of a condition is a text that its pattern refuses
//   - enum: the code handles a constant that the enum of its type refuses
//
// # How to suppress
//
// Use `//lint:ignore ctrllint/apimarkers reason` or `//nolint:apimarkers // reason` on the line, above it, or above the
// function; `-apimarkers=false` disables the rule.
package apimarkers
