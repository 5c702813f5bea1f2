// Package suppression defines the rule suppression.
//
// # Analyzer suppression
//
// suppression: comments that suppress nothing, or give no reason
//
// A finding that is accepted is suppressed in the code, with a reason, in the form of staticcheck or of golangci-lint:
//
//	//lint:ignore ctrllint/lockheld the receiver is always there: see newWorker
//	//nolint:lockheld // the receiver is always there: see newWorker
//
// The name is that of a rule, of a sub-rule (`ctrllint/lockheld/leak`), or `ctrllint` for all rules; several are
// separated by commas. The comment covers its line, or the next one if it is alone on its line, and all of a statement
// or declaration that begins there: above a function it covers the function. `//lint:file-ignore` covers the file.
//
// # Sub-rules
//
//   - unused: a suppression comment suppresses nothing
//   - noreason: a suppression comment gives no reason
//   - unknown: a suppression comment names a rule that ctrllint does not have
//
// # Not reported by any sub-rule
//
//   - Under golangci-lint, `//nolint` comments: its own nolintlint has the same checks.
//
// # How to suppress
//
// Set `-suppression=false`. A comment that suppresses this rule would itself be reported.
package suppression
