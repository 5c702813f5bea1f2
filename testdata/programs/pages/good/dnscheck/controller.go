// No bug: the channel has no room and the function leaves with the first good answer, but each sender also waits for the context of the race, which the deferred cancel ends.
//
//adv:rule=unboundedsync sub=abandoned claim=no

// Package dnscheck tells in an annotation of Ingresses whether their hosts resolve.
package dnscheck

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	networkingv1 "k8s.io/api/networking/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const resolvedAnnot = "dns.example.org/resolves"

// Resolver is one name server.
type Resolver interface {
	Name() string
	LookupHost(ctx context.Context, host string) ([]string, error)
}

type udpResolver struct {
	addr string
	net.Resolver
}

// NewUDPResolver asks the server at addr.
func NewUDPResolver(addr string) Resolver {
	r := &udpResolver{addr: addr}
	r.PreferGo = true
	r.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
		d := net.Dialer{Timeout: 2 * time.Second}
		return d.DialContext(ctx, network, addr)
	}
	return r
}

func (r *udpResolver) Name() string { return r.addr }

type answer struct {
	by  string
	ips []string
	err error
}

// Reconciler of Ingresses.
type Reconciler struct {
	client.Client
	Resolvers []Resolver
}

// Reconcile implements reconcile.Reconciler.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ing := &networkingv1.Ingress{}
	if err := r.Get(ctx, req.NamespacedName, ing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := ing.DeepCopy()
	for _, rule := range ing.Spec.Rules {
		if rule.Host == "" {
			continue
		}
		first, err := r.race(ctx, rule.Host)
		if err != nil {
			log.FromContext(ctx).Info("host does not resolve", "host", rule.Host, "error", err.Error())
			return ctrl.Result{RequeueAfter: time.Minute}, nil
		}
		if ing.Annotations == nil {
			ing.Annotations = map[string]string{}
		}
		ing.Annotations[resolvedAnnot] = "yes"
		log.FromContext(ctx).V(1).Info("host resolves", "host", rule.Host, "by", first.by, "ips", first.ips)
	}
	if ing.Annotations[resolvedAnnot] != before.Annotations[resolvedAnnot] {
		return ctrl.Result{}, r.Patch(ctx, ing, client.MergeFrom(before))
	}
	return ctrl.Result{RequeueAfter: 10 * time.Minute}, nil
}

// race gives the first good answer of all resolvers.
func (r *Reconciler) race(ctx context.Context, host string) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()

	answers := make(chan answer)
	for _, res := range r.Resolvers {
		go func() {
			ips, err := res.LookupHost(ctx, host)
			select {
			case answers <- answer{by: res.Name(), ips: ips, err: err}:
			case <-ctx.Done():
			}
		}()
	}
	errs := []error{fmt.Errorf("no resolver knows %s", host)}
	for range r.Resolvers {
		select {
		case a := <-answers:
			if a.err == nil && len(a.ips) > 0 {
				return a, nil
			}
			errs = append(errs, a.err)
		case <-ctx.Done():
			return answer{}, ctx.Err()
		}
	}
	return answer{}, errors.Join(errs...)
}

// SetupWithManager registers the reconciler.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.Client = mgr.GetClient()
	return ctrl.NewControllerManagedBy(mgr).Named("dns-check").For(&networkingv1.Ingress{}).Complete(r)
}
