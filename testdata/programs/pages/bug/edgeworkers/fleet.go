// remove and ensure stop a site's watcher with the fleet's mutex held, and Stop waits for a goroutine that reports its last state to the fleet, under the same mutex, before it ends.
//
//adv:rule=lockheld sub=blocking claim=yes

package edgeworkers

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const siteFinalizer = "edge.acme.io/site"

// watcher follows one site until it is stopped.
type watcher interface {
	Address() string
	Stop()
}

type fleet struct {
	log    logr.Logger
	pinger Pinger
	every  time.Duration

	lock     sync.Mutex
	watchers map[types.NamespacedName]watcher
	states   map[types.NamespacedName]string
}

func (f *fleet) ensure(site types.NamespacedName, address string, passive bool) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if w, ok := f.watchers[site]; ok {
		if w.Address() == address {
			return
		}
		w.Stop()
		f.log.Info("site has moved", "site", site, "from", w.Address(), "to", address)
	}
	report := func(state string) { f.note(site, state) }
	if passive {
		f.watchers[site] = newHeartbeats(address, 3*f.every, report)
	} else {
		f.watchers[site] = newProbe(f.pinger, address, f.every, report)
	}
}

func (f *fleet) remove(site types.NamespacedName) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if w, ok := f.watchers[site]; ok {
		w.Stop()
		delete(f.watchers, site)
		f.log.Info("site is not watched any more", "site", site)
	}
	delete(f.states, site)
}

func (f *fleet) state(site types.NamespacedName) string {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.states[site]
}

func (f *fleet) note(site types.NamespacedName, state string) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.states[site] != state {
		f.log.V(1).Info("site has changed", "site", site, "state", state)
	}
	f.states[site] = state
}

// ServeHTTP takes the calls of passive sites.
func (f *fleet) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	site := types.NamespacedName{Namespace: req.FormValue("namespace"), Name: req.FormValue("name")}
	f.lock.Lock()
	h, ok := f.watchers[site].(*heartbeats)
	f.lock.Unlock()
	if !ok {
		http.NotFound(w, req)
		return
	}
	h.Beat()
	w.WriteHeader(http.StatusNoContent)
}

// SiteReconciler keeps a worker for each site.
type SiteReconciler struct {
	client.Client
	fleet *fleet
}

func (r *SiteReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	site := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, site); err != nil {
		if apierrors.IsNotFound(err) {
			r.fleet.remove(req.NamespacedName)
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, fmt.Errorf("reading site: %w", err)
	}
	if !site.DeletionTimestamp.IsZero() {
		r.fleet.remove(req.NamespacedName)
		if controllerutil.RemoveFinalizer(site, siteFinalizer) {
			return ctrl.Result{}, r.Update(ctx, site)
		}
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(site, siteFinalizer) {
		return ctrl.Result{}, r.Update(ctx, site)
	}
	r.fleet.ensure(req.NamespacedName, site.Data["address"], site.Data["mode"] == "passive")
	if now := r.fleet.state(req.NamespacedName); now != "" && site.Data["state"] != now {
		base := site.DeepCopy()
		site.Data["state"] = now
		if err := r.Patch(ctx, site, client.MergeFrom(base)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{RequeueAfter: 30 * time.Second}, nil
}

// Setup wires the reconciler.
func Setup(mgr ctrl.Manager, p Pinger) error {
	f := &fleet{
		log:      mgr.GetLogger().WithName("fleet"),
		pinger:   p,
		every:    15 * time.Second,
		watchers: map[types.NamespacedName]watcher{},
		states:   map[types.NamespacedName]string{},
	}
	mgr.GetWebhookServer().Register("/beat", f)
	return ctrl.NewControllerManagedBy(mgr).Named("site").For(&corev1.ConfigMap{}).
		Complete(&SiteReconciler{Client: mgr.GetClient(), fleet: f})
}
