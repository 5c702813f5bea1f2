// Start throws its context away and works off the buffer in drain, a channel that nobody closes, so the manager waits for the relay at each shutdown until the graceful timeout is over.
//
//adv:rule=startctx sub=ignored claim=yes

package eventrelay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Notice is what the audit sink takes.
type Notice struct {
	Namespace string    `json:"namespace"`
	Involved  string    `json:"involved"`
	Reason    string    `json:"reason"`
	At        time.Time `json:"at"`
}

// sender posts notices, one after the other.
type sender struct {
	log      logr.Logger
	endpoint string
	http     *http.Client
	buffer   chan Notice
}

// Relay forwards warning events to an audit sink.
type Relay struct {
	sender
	client client.Client
}

var (
	_ manager.Runnable               = (*Relay)(nil)
	_ manager.LeaderElectionRunnable = (*Relay)(nil)
)

func New(c client.Client, log logr.Logger, endpoint string) *Relay {
	return &Relay{
		client: c,
		sender: sender{
			log:      log.WithName("relay"),
			endpoint: endpoint,
			http:     &http.Client{Timeout: 10 * time.Second},
			buffer:   make(chan Notice, 512),
		},
	}
}

func (r *Relay) SetupWithManager(mgr ctrl.Manager) error {
	if err := mgr.Add(r); err != nil {
		return fmt.Errorf("adding the relay: %w", err)
	}
	warnings := predicate.NewPredicateFuncs(func(o client.Object) bool {
		ev, ok := o.(*corev1.Event)
		return ok && ev.Type == corev1.EventTypeWarning
	})
	return ctrl.NewControllerManagedBy(mgr).
		Named("event-relay").
		For(&corev1.Event{}, builder.WithPredicates(warnings)).
		Complete(r)
}

// NeedLeaderElection: each event is to be sent once.
func (r *Relay) NeedLeaderElection() bool { return true }

func (r *Relay) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ev := &corev1.Event{}
	if err := r.client.Get(ctx, req.NamespacedName, ev); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	n := Notice{
		Namespace: ev.Namespace,
		Involved:  ev.InvolvedObject.Kind + "/" + ev.InvolvedObject.Name,
		Reason:    ev.Reason,
		At:        ev.LastTimestamp.Time,
	}
	select {
	case r.buffer <- n:
		return ctrl.Result{}, nil
	default:
		r.log.Info("buffer is full, trying later", "event", req)
		return ctrl.Result{RequeueAfter: 5 * time.Second}, nil
	}
}

// Start implements manager.Runnable.
func (r *Relay) Start(_ context.Context) error {
	r.log.Info("relay starts", "endpoint", r.endpoint)
	return r.drain()
}

func (s *sender) drain() error {
	failed := 0
	for n := range s.buffer {
		if err := s.post(n); err != nil {
			failed++
			s.log.Error(err, "notice is lost", "reason", n.Reason, "failed", failed)
			continue
		}
		s.log.V(2).Info("sent", "involved", n.Involved)
	}
	return nil
}

func (s *sender) post(n Notice) error {
	body, err := json.Marshal(n)
	if err != nil {
		return err
	}
	resp, err := s.http.Post(s.endpoint, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("sink says %s", resp.Status)
	}
	return nil
}
