// Package foreign2 has comments without need; those of the form of golangci-lint are that linter's business.
package foreign2

//nolint:lockheld
func f() {}

//lint:ignore ctrllint/lockheld nothing here // want unused "the comment suppresses nothing: no finding of lockheld here; delete it"
func g() {}
