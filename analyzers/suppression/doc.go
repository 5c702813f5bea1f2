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
// The name is that of a rule, of a sub-rule (ctrllint/lockheld/leak), or ctrllint for all rules; several are separated
// by commas. The comment covers its line, or the next one where it stands alone, and all of a statement or declaration
// that begins there: in front of a function it covers the function. //lint:file-ignore covers the file.
//
// # unused
//
// The comment names a rule of ctrllint, and no finding of that rule is there. The code has changed, or the comment
// stands in the wrong place; left alone, it will hide the next bug. A //nolint that names no linter is left alone.
//
// # noreason
//
// The comment gives no reason. It silences all the same.
//
// # unknown
//
// The comment names a rule that ctrllint does not have, so it silences nothing.
//
// # Why it hurts
//
// A suppression is a decision that the next reader cannot see through: without a reason it cannot be checked, and when
// the code moves on, it goes on hiding what is found there.
//
// # Bad
//
//	//nolint:lockheld
//	q.items <- item
//
// # Good
//
//	//nolint:lockheld // the buffer has room for every item, see newQueue
//	q.items <- item
//
// # Not reported
//
//   - Under golangci-lint, //nolint comments: its own nolintlint has the same checks.
//   - Comments for a finding that only shows with other flags, build tags or another operating system count as unused.
//
// # How to suppress
//
// Say -suppression=false. A comment that silences this rule would be one of those that it is about.
package suppression
