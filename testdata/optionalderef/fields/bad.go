package fields

import (
	"context"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct{ client.Client }

// A struct behind the pointer: one finding, and each other place that it does not dominate.
func (r *reconciler) reconcile(ctx context.Context, key client.ObjectKey) (string, error) {
	gateway := &Gateway{}
	if err := r.Get(ctx, key, gateway); err != nil {
		return "", err
	}
	host := gateway.Spec.Proxy.Host // want unchecked "spec.proxy is optional (types.go:27) and never compared with nil in this module: an object without it panics here; check it, or mark it required" @25 "it panics here, too" @50 "it panics here, too"
	if gateway.Spec.Proxy.Host == "" {
		host = "localhost"
	}
	return host, nil
}

func (r *reconciler) second(gateway *Gateway) string { return gateway.Spec.Proxy.Host }

// The value behind the pointer.
func (r *reconciler) scale(gateway *Gateway) int32 { return *gateway.Spec.Replicas } // want unchecked "spec.replicas is optional (types.go:31) and never compared with nil in this module: an object without it panics here; check it, or mark it required"

// A method that is promoted from a field.
func (r *reconciler) wait(gateway *Gateway) { time.Sleep(gateway.Spec.Timeout.Round(time.Second)) } // want unchecked "spec.timeout is optional (types.go:33) and never compared with nil in this module: an object without it panics here; check it, or mark it required"

// A struct in a list, by value, and one that a copy to another struct says nothing of.
func weights(gateway *Gateway) (sum int32) {
	for _, rule := range gateway.Spec.Rules {
		sum += *rule.Weight // want unchecked "weight of Rule is optional (types.go:62) and never compared with nil in this module: an object without it panics here; check it, or mark it required"
	}
	return sum
}

type limits struct{ limit *int32 }

func limit(rule *Rule) (limits, int32) {
	return limits{limit: rule.Limit}, *rule.Limit // want unchecked "limit of Rule is optional (types.go:63) and never compared with nil in this module: an object without it panics here; check it, or mark it required"
}

// A pointer that is passed to a function which only follows it.
func port(gateway *Gateway) int32 {
	proxy := gateway.Spec.Proxy
	return value(proxy.Port) + *proxy.Port // want unchecked "port of Proxy is optional (types.go:57) and never compared with nil in this module: an object without it panics here; check it, or mark it required"
}

func value(p *int32) int32 { return *p }

// A copy between versions sets nothing.
func convert(in *Old, out *Built) { out.Copied = in.Copied }

func copied(gateway *Gateway) string { return gateway.Spec.Built.Copied.Host } // want unchecked "copied of Built is optional (types.go:85) and never compared with nil in this module: an object without it panics here; check it, or mark it required"

// Two places ask before they follow the pointer, and nobody asks for this one.
func guarded(gateway *Gateway) []string {
	hosts := []string{"localhost"}
	if proxy := gateway.Spec.Guarded; gateway.Name != "" && proxy != nil {
		hosts = append(hosts, proxy.Host)
	}
	return hosts
}

func guardedList(gateway *Gateway) []string {
	if gateway.Spec.Guarded != nil {
		return []string{gateway.Spec.Guarded.Host}
	}
	return nil
}

func unguarded(gateway *Gateway) string { return gateway.Spec.Guarded.Host } // want unchecked "spec.guarded is optional (types.go:47) and not compared with nil here, as elsewhere in this module: an object without it panics; check it"
