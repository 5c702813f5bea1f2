// Publish sends to each listener's unbuffered channel with the read lock held, and a listener whose HTTP client has gone waits for the write lock to leave: both hang, and with them the reconciler.
//
//adv:rule=lockheld sub=blocking claim=yes

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"sigs.k8s.io/controller-runtime/pkg/manager"

	"example.com/pages/bug/topicbroker/broker"
)

type topicReconciler struct {
	client.Client
	events *broker.Broker
}

func (r *topicReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	logger := ctrl.LoggerFrom(ctx)
	cm := &corev1.ConfigMap{}
	err := r.Get(ctx, req.NamespacedName, cm)
	if apierrors.IsNotFound(err) {
		r.events.Publish(broker.Event{Topic: req.Name, Deleted: true})
		return ctrl.Result{}, nil
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	partitions, err := strconv.ParseInt(cm.Data["partitions"], 10, 32)
	if err != nil {
		logger.Info("not a number of partitions", "value", cm.Data["partitions"])
		return ctrl.Result{}, nil
	}
	r.events.Publish(broker.Event{Topic: cm.Name, Partitions: int32(partitions)})
	return ctrl.Result{}, nil
}

func (r *topicReconciler) serve(w http.ResponseWriter, req *http.Request) {
	flusher, ok := w.(http.Flusher)
	if !ok {
		http.Error(w, "streaming is not supported", http.StatusNotImplemented)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	enc := json.NewEncoder(w)
	err := r.events.Follow(req.Context(), func(e broker.Event) error {
		if _, err := fmt.Fprint(w, "data: "); err != nil {
			return err
		}
		if err := enc.Encode(e); err != nil {
			return err
		}
		flusher.Flush()
		return nil
	})
	ctrl.Log.WithName("stream").V(1).Info("listener has left", "reason", err)
}

func main() {
	ctrl.SetLogger(klog.NewKlogr())
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		ctrl.Log.Error(err, "unable to make the manager")
		os.Exit(1)
	}
	r := &topicReconciler{Client: mgr.GetClient(), events: broker.New()}
	mux := http.NewServeMux()
	mux.HandleFunc("/topics", r.serve)
	server := &manager.Server{
		Name:   "topics",
		Server: &http.Server{Addr: ":8090", Handler: mux, ReadHeaderTimeout: 5 * time.Second},
	}
	if err := mgr.Add(server); err != nil {
		ctrl.Log.Error(err, "unable to add the server")
		os.Exit(1)
	}
	if err := ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Named("topic").Complete(r); err != nil {
		ctrl.Log.Error(err, "unable to make the controller")
		os.Exit(1)
	}
	if err := mgr.Start(ctrl.SetupSignalHandler()); err != nil {
		os.Exit(1)
	}
}
