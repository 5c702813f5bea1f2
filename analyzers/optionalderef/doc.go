// Package optionalderef defines the rule optionalderef.
//
// # Analyzer optionalderef
//
// optionalderef: optional API fields that are dereferenced unchecked
//
// Principle: A controller expects of an object no more than what the API server demands of it.
//
// The API server stores an object without an optional field, and decoding it leaves nil there. A pointer that the
// controller follows without a test then ends the reconcile with a panic, for each user who leaves the field out. As
// the object stays as it is, so does the panic: the controller restarts, or fails, until somebody changes the object.
//
// # Sub-rules
//
//   - unchecked: an optional field is dereferenced, and nothing in the module compares it with nil or sets it
//
// # Over packages
//
// Types, webhooks and controllers are in different packages, and a webhook may be a program of its own. A finding waits
// until all packages of the modules under analysis are known, and none of them compares the field or sets it. If one of
// them could not be analysed, nothing is reported. Nor is it under go vet and in golangci-lint, which show a rule the
// packages of one program at a time.
//
// # How to suppress
//
// Use `//lint:ignore ctrllint/optionalderef reason` or `//nolint:optionalderef // reason` on the line, above it, or
// above the function; `-optionalderef=false` disables the rule.
package optionalderef
