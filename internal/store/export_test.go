package store

import "time"

// For the tests of package store_test.
const (
	Marker    = marker
	TotalFile = totalFile
)

// Words is words.
var Words = words

// OpenLimited is Open, with other times for which a program is waited for.
func OpenLimited(o Options, handshake, answer, end time.Duration) (*Store, error) {
	return open(o, limits{handshake, answer, end})
}
