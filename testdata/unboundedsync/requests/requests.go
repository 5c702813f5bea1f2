// Package requests has reconcilers that ask HTTP servers, some of them without an end.
package requests

import (
	"context"
	"net/http"
	"time"

	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/unboundedsync/requests/status"
)

type reconciler struct {
	client.Client
	patient *http.Client
	hasty   *http.Client
	given   *http.Client
	other   *http.Client
}

func newReconciler(given *http.Client, use func(*http.Client)) *reconciler {
	r := &reconciler{patient: &http.Client{}, hasty: &http.Client{Timeout: time.Second}, given: given, other: &http.Client{}}
	use(r.other)
	return r
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	url := "http://" + req.Name
	if !ready(url) || !r.asked(url) {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	if err := r.post(ctx, url); err != nil {
		return ctrl.Result{}, err
	}
	if err := status.Ask(url); err != nil { // want neverstops "http.Get (status.go:12, through Ask) waits for a server to answer and cannot be stopped: it takes no context, and its client has no timeout; one that never answers keeps the worker for good" @38 "asks at status.go:12" @41 "asks the same"
		return ctrl.Result{}, err
	}
	if err := status.Ask(url + "/again"); err != nil { // ok: the same request, of which the first call tells
		return ctrl.Result{}, err
	}
	if err := status.AskFor(ctx, url); err != nil { // ok: it ends with the context
		return ctrl.Result{}, err
	}
	go inTheBackground(url)
	go status.Ask(url)                        // ok: no worker waits for it
	return ctrl.Result{}, status.AskSoon(url) // ok: it has a timeout
}

func ready(url string) bool {
	resp, err := http.Get(url) // want neverstops "http.Get waits for a server to answer and cannot be stopped: it takes no context, and its client has no timeout; one that never answers keeps the worker for good"
	return err == nil && resp.Body.Close() == nil
}

func (r *reconciler) asked(url string) bool {
	resp, err := r.patient.Get(url) // want neverstops "r.patient.Get waits for a server to answer and cannot be stopped: it takes no context, and its client has no timeout; one that never answers keeps the worker for good"
	if err != nil || resp.Body.Close() != nil {
		return false
	}
	for _, c := range []func(string) (*http.Response, error){r.hasty.Get, r.given.Get} {
		klog.InfoS("a client", "client", c)
	}
	resp, err = r.hasty.Get(url) // ok: it has a timeout
	if err != nil || resp.Body.Close() != nil {
		return false
	}
	resp, err = r.given.Get(url) // ok: whoever made it may have given it a timeout
	if err != nil || resp.Body.Close() != nil {
		return false
	}
	resp, err = r.other.Get(url) // ok: others have it
	return err == nil && resp.Body.Close() == nil
}

func (r *reconciler) post(ctx context.Context, url string) error {
	background, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(background) // want neverstops "http.DefaultClient.Do waits for a server to answer and cannot be stopped: context.Background() never ends, and its client has no timeout; one that never answers keeps the worker for good"
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	bounded, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	soon, err := http.NewRequestWithContext(bounded, http.MethodPost, url, nil)
	if err != nil {
		return err
	}
	resp, err = http.DefaultClient.Do(soon) // ok: it has a deadline
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func inTheBackground(url string) {
	if resp, err := http.Get(url); err == nil { // ok: no worker waits for it
		resp.Body.Close()
	}
}

func outside(url string) {
	if resp, err := http.Get(url); err == nil { // ok: who knows who calls it
		resp.Body.Close()
	}
}

var _ = []any{newReconciler, outside}
