// Package analyzers lists the suite. Every front end reads this one list.
package analyzers

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers/apimarkers"
	"github.com/ctrllint/ctrllint/analyzers/cachemutation"
	"github.com/ctrllint/ctrllint/analyzers/cachescope"
	"github.com/ctrllint/ctrllint/analyzers/churn"
	"github.com/ctrllint/ctrllint/analyzers/eventfilter"
	"github.com/ctrllint/ctrllint/analyzers/expectttl"
	"github.com/ctrllint/ctrllint/analyzers/finalizerorder"
	"github.com/ctrllint/ctrllint/analyzers/lockheld"
	"github.com/ctrllint/ctrllint/analyzers/losterror"
	"github.com/ctrllint/ctrllint/analyzers/optionalderef"
	"github.com/ctrllint/ctrllint/analyzers/requestobject"
	"github.com/ctrllint/ctrllint/analyzers/startctx"
	"github.com/ctrllint/ctrllint/analyzers/suppression"
	"github.com/ctrllint/ctrllint/analyzers/unboundedsync"
)

// All returns the rules in the order of their names. One of them, suppression, is about the comments
// that silence the others.
func All() []*analysis.Analyzer {
	rules := []*analysis.Analyzer{
		apimarkers.Analyzer,
		cachemutation.Analyzer,
		cachescope.Analyzer,
		churn.Analyzer,
		eventfilter.Analyzer,
		expectttl.Analyzer,
		finalizerorder.Analyzer,
		lockheld.Analyzer,
		losterror.Analyzer,
		optionalderef.Analyzer,
		requestobject.Analyzer,
		startctx.Analyzer,
		unboundedsync.Analyzer,
	}
	return slices.Insert(rules, len(rules)-1, suppression.New(rules))
}
