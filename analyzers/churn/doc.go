// Package churn defines the rule churn.
//
// # Analyzer churn
//
// churn: reconcilers that write although nothing has changed
//
// Principle: As long as its input stays the same, a reconciler computes the same objects, and writes none of them.
//
// A reconciler runs often: on each event of its objects, after each restart, and at each resync. What it computes
// differently each time, though nothing has changed, it writes each time. The API server stores another version, other
// controllers act on it (a Deployment replaces its pods), and the event of the write may start the next reconcile.
//
// # Sub-rules
//
//   - maporder: a list or text in map order is written to the cluster, or compared with what is stored there
//   - pointer: two pointers to numbers, texts, times or quantities are compared by their addresses
//   - loop: each reconcile writes another value into its own object, and the event of the write starts the next one
//
// # Over packages
//
// Builders of objects are often in another package than the reconciler that writes them. A finding in such a builder
// waits for a program in which another package writes its result.
//
// # How to suppress
//
// Use `//lint:ignore ctrllint/churn reason` or `//nolint:churn // reason` on the line, above it, or above the
// function; `-churn=false` disables the rule.
package churn
