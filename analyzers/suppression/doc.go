// Package suppression defines the rule suppression.
//
// # Analyzer suppression
//
// suppression: comments that silence findings without need or reason
//
// A finding that somebody has read and wants to keep is silenced where it is, with a reason, in the form of
// staticcheck or of golangci-lint:
//
//	//lint:ignore ctrllint/lockheld the receiver is always there: see newWorker
//	//nolint:lockheld // the receiver is always there: see newWorker
//
// The name is that of a rule, of a sub-rule (`ctrllint/lockheld/leak`), or `ctrllint` for all rules; several are separated
// by commas. The comment covers its line, or the next one where it stands alone, and all of a statement or declaration
// that begins there: in front of a function it covers the function. `//lint:file-ignore` covers the file.
//
// # Sub-rules
//
//   - unused: a comment that silences nothing
//   - noreason: a comment that says no reason
//   - unknown: a comment that names a rule which ctrllint does not have
//
// # Not reported by any sub-rule
//
//   - Under golangci-lint, `//nolint` comments: its own nolintlint has the same checks.
//
// # How to suppress
//
// Say `-suppression=false`. A comment that silences this rule would be one of those that it is about.
package suppression
