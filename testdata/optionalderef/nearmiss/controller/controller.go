// Package controller tests what is optional, or does not need to.
package controller

import (
	"log"

	"example.com/operators/optionalderef/nearmiss/api"
	"example.com/operators/optionalderef/nearmiss/tls"
)

// Run runs all functions.
func Run(site *api.Site) {
	_ = asked(site) + generic(site) + provided(site) + converted(site)
	_ = names(site)
	_ = total(positive(site.Spec.Rules))
}

func asked(site *api.Site) string {
	if !site.Spec.Asked.Enabled() {
		return ""
	}
	return site.Spec.Asked.Name
}

func isSet[T any](p *T) bool { return p != nil }

func generic(site *api.Site) string {
	if !isSet(site.Spec.Generic) {
		return ""
	}
	return site.Spec.Generic.Name
}

// The discriminator is in the struct above.
func provided(site *api.Site) string {
	if site.Spec.Provider == "own" {
		return site.Spec.Hosting.Own.Name
	}
	return ""
}

type spec api.SiteSpec

func (s *spec) complete() bool { return s.Converted != nil }

func converted(site *api.Site) string {
	if s := spec(site.Spec); !s.complete() {
		return ""
	}
	return site.Spec.Converted.Name
}

// The callee is in another package.
func names(site *api.Site) (all []string) {
	if site.Spec.TLS != nil {
		all = append(all, site.Spec.TLS.Name, tls.Ensure(site))
	}
	return all
}

// Those that pass the test are kept.
func positive(rules []api.Rule) (kept []api.Rule) {
	for _, rule := range rules {
		if rule.Weight != nil && *rule.Weight > 0 {
			kept = append(kept, rule)
		}
		log.Println(rule)
	}
	return kept
}

func total(kept []api.Rule) (sum int32) {
	for _, rule := range kept {
		sum += *rule.Weight
	}
	return sum
}
