// Package outside has reconcilers that ask HTTP servers, some of them without an end.
package outside

import (
	"context"
	"net"
	"net/http"
	"net/smtp"
	"time"

	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/unboundedsync/outside/status"
)

type Reconciler struct {
	client.Client
	Sources status.Sources // which another package has
	patient *http.Client
	hasty   *http.Client
	given   *http.Client
	other   *http.Client
}

func NewReconciler(given *http.Client, use func(*http.Client)) *Reconciler {
	r := &Reconciler{patient: &http.Client{}, hasty: &http.Client{Timeout: time.Second}, given: given, other: &http.Client{}}
	use(r.other)
	return r
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	url := "http://" + req.Name
	if !ready(url) || !r.asked(url) {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	if err := r.post(ctx, url); err != nil {
		return ctrl.Result{}, err
	}
	if err := status.Ask(url); err != nil { // ok: it is told of where it asks
		return ctrl.Result{}, err
	}
	if err := status.AskFor(ctx, url); err != nil { // ok: it ends with the context
		return ctrl.Result{}, err
	}
	if err := status.AskFor(context.TODO(), url); err != nil { // want outside "http.DefaultClient.Do (status.go:25) waits for a server to answer and cannot be stopped: context.TODO() never ends, and its client has no timeout; one that never does keeps the worker for good" @47 "context.TODO() never ends"
		return ctrl.Result{}, err
	}
	if err := r.Sources.Fetch(url); err != nil { // ok: it is told of where it asks
		return ctrl.Result{}, err
	}
	go inTheBackground(url)
	go status.Ask(url)                          // ok: no worker waits for it
	go status.AskFor(context.Background(), url) // ok
	if err := reach(req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, status.AskSoon(url) // ok: it has a timeout
}

func ready(url string) bool {
	resp, err := http.Get(url) // ok: it is told of once, in alive
	return err == nil && resp.Body.Close() == nil && alive(url)
}

func alive(url string) bool {
	resp, err := http.Get(url + "/alive") // want outside "http.Get waits for a server to answer and cannot be stopped: it takes no context, and its client has no timeout; one that never does keeps the worker for good" @63 "so it is here"
	return err == nil && resp.Body.Close() == nil
}

func (r *Reconciler) asked(url string) bool {
	resp, err := r.patient.Get(url) // want outside "r.patient.Get waits for a server to answer and cannot be stopped: it takes no context, and its client has no timeout; one that never does keeps the worker for good" @28 "the client is made here" @77 "so it is here"
	if err != nil || resp.Body.Close() != nil {
		return false
	}
	resp, err = r.patient.Get(url + "/again") // ok: the same client
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

func (r *Reconciler) post(ctx context.Context, url string) error {
	background, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(background) // want outside "http.DefaultClient.Do waits for a server to answer and cannot be stopped: context.Background() never ends, and its client has no timeout; one that never does keeps the worker for good" @97 "context.Background() never ends"
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	late, err := http.NewRequest(http.MethodPost, url, nil)
	if err != nil {
		return err
	}
	resp, err = http.DefaultClient.Do(late.WithContext(ctx)) // ok: it ends with the context
	if err != nil {
		return err
	}
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

func reach(name string) error {
	conn, err := net.Dial("tcp", name+":22") // want outside "net.Dial tries to reach an address for as long as the kernel does, some two minutes, and cannot be stopped: it takes neither a context nor a timeout; one where nobody answers keeps the worker as long"
	if err != nil {
		return err
	}
	defer conn.Close()
	local, err := net.Dial("unix", "/run/"+name) // ok: nothing is far away
	if err != nil {
		return err
	}
	defer local.Close()
	return smtp.SendMail(name, nil, "a", []string{"b"}, nil) // want outside "smtp.SendMail waits for a server to answer and cannot be stopped: it takes neither a context nor a timeout; one that never does keeps the worker for good"
}

func inTheBackground(url string) {
	if resp, err := http.Get(url); err == nil { // ok: no worker waits for it
		resp.Body.Close()
	}
}

func Aside(url string) {
	if resp, err := http.Get(url); err == nil { // ok: no reconciler comes here
		resp.Body.Close()
	}
}
