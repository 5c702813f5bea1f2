// Start works off a channel without a look at its context meanwhile, but the reader that it starts with the context closes the channel when the context ends or the reading fails.
//
//adv:rule=startctx sub=ignored claim=no

package flowexport

import (
	"context"
	"fmt"
	"sync"
	"time"

	"example.com/pages/good/flowexport/flows"
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Exporter sums up the traffic by the Pods that have it.
type Exporter struct {
	client.Client
	log    logr.Logger
	reader *flows.Reader

	mu    sync.Mutex
	byIP  map[string]types.NamespacedName
	bytes map[types.NamespacedName]uint64
}

func New(mgr ctrl.Manager, table flows.Table) (*Exporter, error) {
	e := &Exporter{
		Client: mgr.GetClient(),
		log:    mgr.GetLogger().WithName("flows"),
		reader: flows.NewReader(table, 15*time.Second),
		byIP:   map[string]types.NamespacedName{},
		bytes:  map[types.NamespacedName]uint64{},
	}
	if err := mgr.Add(e); err != nil {
		return nil, fmt.Errorf("add exporter: %w", err)
	}
	return e, ctrl.NewControllerManagedBy(mgr).Named("flow-pods").For(&corev1.Pod{}).Complete(e)
}

func (e *Exporter) Start(ctx context.Context) error {
	failed := make(chan error, 1)
	go func() { failed <- e.reader.Poll(ctx) }()

	unknown := 0
	for rec := range e.reader.Records() {
		if !e.account(rec) {
			unknown++
		}
	}
	e.log.Info("no more records", "ofUnknownPods", unknown)
	if err := <-failed; err != nil {
		return fmt.Errorf("reading flows: %w", err)
	}
	return nil
}

func (e *Exporter) account(rec flows.Record) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	pod, ok := e.byIP[rec.Src]
	if ok {
		e.bytes[pod] += rec.Bytes
	}
	return ok
}

func (e *Exporter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	err := e.Get(ctx, req.NamespacedName, pod)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for ip, name := range e.byIP {
		if name == req.NamespacedName {
			delete(e.byIP, ip)
		}
	}
	if err != nil {
		delete(e.bytes, req.NamespacedName)
		return ctrl.Result{}, nil
	}
	for _, ip := range pod.Status.PodIPs {
		e.byIP[ip.IP] = req.NamespacedName
	}
	return ctrl.Result{}, nil
}
