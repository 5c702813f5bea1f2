// Package losterror defines the rule losterror.
//
// # Analyzer losterror
//
// losterror: functions that return success although a request has failed
//
// Principle: a function of a controller that returns a nil error and a zero `reconcile.Result` tells its caller that all
// is well, and that nobody needs to come back. On no path may it do so after a request of its own has failed.
//
// A reconciler is retried because it returns an error, or a Result that asks for another run. If a failed write is only
// logged, the object stays as it is until another event comes, which may be hours later or never.
//
// # Sub-rules
//
//   - unhandled: errors of a write are asked for some kinds, such as NotFound, and dropped if they are of another kind
//   - nilreturned: another error variable is returned than the one that is not nil
//   - result: a Result that asks for another run is dropped by the caller
//
// # Over packages
//
// That the error of a function may be that of a write is summarized for importing packages.
//
// # Not reported by any sub-rule
//
//   - Requests that read or delete, and cleanups: functions called delete, remove, finalize and the like.
//   - Errors that are passed to a function of the project, stored, sent or appended to a list.
//   - Paths that requeue: they return a Result that is not zero.
//
// # How to suppress
//
// Use `//lint:ignore ctrllint/losterror reason` or `//nolint:losterror // reason` on the line, above it, or above the
// function; `-losterror=false` disables the rule.
package losterror
