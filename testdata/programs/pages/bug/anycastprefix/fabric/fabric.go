// Package fabric talks to the route servers of the sites.
package fabric

import "context"

// Fabric announces and withdraws routes. Both do nothing where it is done already.
type Fabric interface {
	AnnounceRoute(ctx context.Context, site, cidr string, communities []string) error
	WithdrawRoute(ctx context.Context, site, cidr string) error
}
