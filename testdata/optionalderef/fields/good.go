package fields

import (
	"errors"
	"reflect"

	"k8s.io/utils/ptr"
)

// Each field is compared somewhere, and followed elsewhere.

func compared(gateway *Gateway) bool { return gateway.Spec.Checked.Compared != nil }

func followsCompared(gateway *Gateway) string { return gateway.Spec.Checked.Compared.Host }

func (p *Proxy) enabled() bool { return p != nil && p.Host != "" }

func followsAsked(gateway *Gateway) string {
	if !gateway.Spec.Checked.Asked.enabled() {
		return ""
	}
	return gateway.Spec.Checked.Asked.Host
}

func isSet(p *Proxy) bool { return p != nil }

func followsPassed(gateway *Gateway) string {
	if isSet(gateway.Spec.Checked.Passed) {
		return gateway.Spec.Checked.Passed.Host
	}
	return ""
}

func followsReflected(gateway *Gateway) string {
	if reflect.ValueOf(gateway.Spec.Checked.Reflected).IsNil() {
		return ""
	}
	return gateway.Spec.Checked.Reflected.Host
}

func (c *Checked) got() *Proxy { return c.Got }

func followsGot(gateway *Gateway) string {
	if gateway.Spec.Checked.got() == nil {
		return ""
	}
	return gateway.Spec.Checked.Got.Host
}

func followsSize(gateway *Gateway) int32 {
	if ptr.Deref(gateway.Spec.Checked.Size, 0) == 0 {
		return 0
	}
	return *gateway.Spec.Checked.Size
}

func validate(c Checked) error {
	if c.Valid == nil {
		return errors.New("valid is missing")
	}
	return nil
}

func followsValid(gateway *Gateway) (string, error) {
	if err := validate(gateway.Spec.Checked); err != nil {
		return "", err
	}
	return gateway.Spec.Checked.Valid.Host, nil
}

type kept struct{ proxies map[string]any }

func followsKept(k *kept, gateway *Gateway) string {
	k.proxies["a"] = gateway.Spec.Checked.Kept
	return gateway.Spec.Checked.Kept.Host
}

func followsMerged(gateway *Gateway, fallback *Proxy, all bool) string {
	proxy := fallback
	if all {
		proxy = gateway.Spec.Checked.Merged
	}
	return proxy.Host + gateway.Spec.Checked.Merged.Host
}

func followsCaptured(gateway *Gateway) func() string {
	proxy := gateway.Spec.Checked.Captured
	if len(gateway.Name) == 0 {
		proxy = &Proxy{}
	}
	return func() string { return proxy.Host + gateway.Spec.Checked.Captured.Host }
}

// Each field is set.

func setsStored(gateway *Gateway) { gateway.Spec.Built.Stored = &Proxy{} }

func setsLiteral(gateway *Gateway) { gateway.Spec.Built = Built{Literal: &Proxy{}} }

func set(p **Proxy) { *p = &Proxy{} }

func setsAddressed(gateway *Gateway) { set(&gateway.Spec.Built.Addressed) }

func followsBuilt(gateway *Gateway) string {
	built := &gateway.Spec.Built
	return built.Stored.Host + built.Literal.Host + built.Addressed.Host
}

// The API server sees to it that these are there.
func followsMarkers(gateway *Gateway) string {
	m := &gateway.Spec.Markers
	return m.Default.Host + string(*m.Number) + m.Generated.Host + m.Required.Host + m.Detached.Host + m.Plain.Host + m.Ruled.Host + m.Outer.Inner.Host
}

// Which of these is there depends on the others.
func followsUnions(gateway *Gateway) string {
	return gateway.Spec.Union.First.Host + gateway.Spec.Counted.First.Host + gateway.Spec.Kind.One.Host
}

func followsStore(s *Store) string {
	switch s.Type {
	case "disk":
		return s.Disk.Host
	case "elsewhere":
		return s.Elsewhere.Host
	case "away":
		return followsAway(s)
	}
	return s.Cloud.Host
}

func followsAway(s *Store) string { return s.Away.Host }

// The status is the controller's own.
func followsStatus(gateway *Gateway) int32 { return *gateway.Status.Observed.At }

// Options are no part of a kind.
type Options struct {
	Proxy *Proxy `json:"proxy,omitempty"`
}

func followsOptions(o *Options) string { return o.Proxy.Host }

// The caller asks.
func callsCalled(gateway *Gateway) (hosts []string) {
	if gateway.Spec.Called != nil {
		hosts = append(hosts, gateway.Spec.Called.Host, called(gateway))
	}
	return hosts
}

func called(gateway *Gateway) string { return gateway.Spec.Called.Host }

// The caller learns what came out of the test.
func told(gateway *Gateway) bool {
	if gateway.Spec.Told != nil {
		return gateway.Spec.Told.Host != ""
	}
	return false
}

func followsTold(gateway *Gateway) string {
	if !told(gateway) {
		return ""
	}
	return gateway.Spec.Told.Host
}

// Nobody calls these.
func followsUncalled(gateway *Gateway) int32 { return *gateway.Spec.Uncalled }

// FollowsUncalled is not called either.
func FollowsUncalled(gateway *Gateway) int32 { return *gateway.Spec.Uncalled }
