// Package provider looks up the hosted zone of a domain at the DNS vendor.
package provider

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// ErrSlow says that the vendor did not answer in time; the caller should try again.
var ErrSlow = errors.New("dns provider did not answer in time")

// Zone is a hosted zone.
type Zone struct {
	ID     string
	Suffix string
}

// API is the part of the vendor's SDK that is needed here. Its calls take no context.
type API interface {
	ZoneFor(domain string) (Zone, error)
	Upsert(zone, record, target string) error
}

// Zones caches what the vendor said.
type Zones struct {
	api     API
	timeout time.Duration

	mu    sync.Mutex
	known map[string]Zone
}

// NewZones makes a cache of zones.
func NewZones(api API, timeout time.Duration) *Zones {
	return &Zones{api: api, timeout: timeout, known: map[string]Zone{}}
}

func (z *Zones) cached(domain string) (Zone, bool) {
	z.mu.Lock()
	defer z.mu.Unlock()
	zone, ok := z.known[domain]
	return zone, ok
}

// Lookup gives the zone of the domain.
func (z *Zones) Lookup(ctx context.Context, domain string) (Zone, error) {
	domain = strings.TrimSuffix(strings.ToLower(domain), ".")
	if zone, ok := z.cached(domain); ok {
		return zone, nil
	}

	type lookup struct {
		zone Zone
		err  error
	}
	answers := make(chan lookup)
	go func() {
		zone, err := z.api.ZoneFor(domain)
		answers <- lookup{zone, err}
	}()

	timer := time.NewTimer(z.timeout)
	defer timer.Stop()
	select {
	case got := <-answers:
		if got.err != nil {
			return Zone{}, fmt.Errorf("zone of %q: %w", domain, got.err)
		}
		z.mu.Lock()
		z.known[domain] = got.zone
		z.mu.Unlock()
		return got.zone, nil
	case <-timer.C:
		return Zone{}, ErrSlow
	case <-ctx.Done():
		return Zone{}, ctx.Err()
	}
}

// Publish writes one record.
func (z *Zones) Publish(zone Zone, record, target string) error {
	return z.api.Upsert(zone.ID, record, target)
}
