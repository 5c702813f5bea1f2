// Package sets has its marks in sets.
package sets

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Orders asks for certificates.
type Orders struct {
	client  client.Client
	mu      sync.Mutex
	ordered sets.Set[string]
	renewed sets.String
	retried map[string]bool
	shown   sets.Set[string]
	cleared sets.Set[string]
}

// SetupWithManager makes the marks.
func (o *Orders) SetupWithManager(mgr ctrl.Manager) error {
	o.client = mgr.GetClient()
	o.ordered = sets.New[string]()
	return nil
}

func (o *Orders) begin(host string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ordered.Has(host) {
		return false
	}
	o.ordered.Insert(host)
	return true
}

func (o *Orders) end(host string) {
	o.mu.Lock()
	o.ordered.Delete(host)
	o.mu.Unlock()
}

func (o *Orders) order(ctx context.Context, host string, secret *corev1.Secret) error {
	if !o.begin(host) {
		return nil
	}
	if err := o.client.Create(ctx, secret); err != nil {
		o.end(host)
		return err
	}
	if err := o.client.Get(ctx, client.ObjectKeyFromObject(secret), secret); err != nil {
		return err // want inflight "(*Orders).order fails here and leaves the mark of ordered that it has set at line 50, and takes off on other ways: what failed is taken to be under way for ever, and whoever tries again is turned away" @50 "the mark is set here"
	}
	o.end(host)
	return nil
}

// whole takes it off on all ways.
func (o *Orders) whole(ctx context.Context, host string, secret *corev1.Secret) error {
	if !o.begin(host) {
		return nil
	}
	err := o.client.Create(ctx, secret)
	o.end(host)
	if err != nil {
		return err // ok: it is off
	}
	return nil
}

// renew makes its set when it is first needed.
func (o *Orders) renew(ctx context.Context, host string, secret *corev1.Secret) error {
	if o.renewed == nil {
		o.renewed = sets.NewString()
	}
	if o.renewed.Has(host) {
		return fmt.Errorf("%s is being renewed", host)
	}
	o.renewed.Insert(host)
	if err := o.client.Update(ctx, secret); err != nil {
		return err // want inflight "(*Orders).renew fails here and leaves the mark of renewed that it has set at line 85, and takes off on other ways: what failed is taken to be under way for ever, and whoever tries again is turned away" @85 "the mark is set here"
	}
	o.renewed.Delete(host)
	return nil
}

// retry has a map that is made when it is first needed, elsewhere.
func (o *Orders) retry(ctx context.Context, host string, secret *corev1.Secret) error {
	o.prepare()
	if o.retried[host] {
		return nil
	}
	o.retried[host] = true
	if err := o.client.Update(ctx, secret); err != nil {
		return err // want inflight "(*Orders).retry fails here and leaves the mark of retried that it has set at line 99, and takes off on other ways: what failed is taken to be under way for ever, and whoever tries again is turned away" @99 "the mark is set here"
	}
	delete(o.retried, host)
	return nil
}

func (o *Orders) prepare() {
	if o.retried == nil {
		o.retried = map[string]bool{}
	}
}

// show has a set that others get.
func (o *Orders) show(ctx context.Context, host string, secret *corev1.Secret) error {
	if o.shown.Has(host) {
		return nil
	}
	o.shown.Insert(host)
	if err := o.client.Update(ctx, secret); err != nil {
		return err // ok: who has the set may take it off
	}
	o.shown.Delete(host)
	return nil
}

// Shown gives the set.
func (o *Orders) Shown() sets.Set[string] { return o.shown.Insert("localhost") }

// clear has a set that is emptied from time to time.
func (o *Orders) clear(ctx context.Context, host string, secret *corev1.Secret) error {
	if o.cleared.Has(host) {
		return nil
	}
	o.cleared.Insert(host)
	if err := o.client.Update(ctx, secret); err != nil {
		return err // ok: the next sweep lets it in
	}
	o.cleared.Delete(host)
	return nil
}

// Sweep is called by a timer.
func (o *Orders) Sweep() {
	o.cleared = sets.New[string]()
}
