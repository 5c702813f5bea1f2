// Start takes no more than a logger from its context and then serves until the listener fails; nobody shuts the server down, so each rollout hangs until the manager's graceful timeout.
//
//adv:rule=startctx sub=ignored claim=near

package scrapeproxy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// Proxy lets Prometheus scrape the database Pods through one address.
type Proxy struct {
	client.Client
	Addr string

	mu      sync.RWMutex
	targets map[string]*url.URL
}

func (p *Proxy) SetupWithManager(mgr ctrl.Manager) error {
	p.Client = mgr.GetClient()
	p.targets = map[string]*url.URL{}
	if err := mgr.Add(p); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).Named("scrapeproxy").For(&corev1.Pod{}).Complete(p)
}

// NeedLeaderElection says that each replica proxies.
func (*Proxy) NeedLeaderElection() bool { return false }

func (p *Proxy) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	key := req.Namespace + "/" + req.Name
	pod := &corev1.Pod{}
	err := p.Get(ctx, req.NamespacedName, pod)
	switch {
	case client.IgnoreNotFound(err) != nil:
		return ctrl.Result{}, err
	case err != nil, pod.Labels["db.example.com/engine"] == "", pod.Status.PodIP == "":
		p.mu.Lock()
		delete(p.targets, key)
		p.mu.Unlock()
		return ctrl.Result{}, nil
	}
	port := pod.Annotations["prometheus.io/port"]
	if port == "" {
		port = "9187"
	}
	u, err := url.Parse("http://" + net.JoinHostPort(pod.Status.PodIP, port))
	if err != nil {
		log.FromContext(ctx).Error(err, "port annotation is no port", "port", port)
		return ctrl.Result{}, nil
	}
	p.mu.Lock()
	p.targets[key] = u
	p.mu.Unlock()
	return ctrl.Result{}, nil
}

func (p *Proxy) Start(ctx context.Context) error {
	logger := log.FromContext(ctx).WithName("scrapeproxy").WithValues("addr", p.Addr)

	l, err := net.Listen("tcp", p.Addr)
	if err != nil {
		return fmt.Errorf("scrape proxy: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/scrape/{namespace}/{pod}", func(w http.ResponseWriter, req *http.Request) {
		p.mu.RLock()
		target := p.targets[req.PathValue("namespace")+"/"+req.PathValue("pod")]
		p.mu.RUnlock()
		if target == nil {
			http.NotFound(w, req)
			return
		}
		req.URL.Path = "/metrics"
		httputil.NewSingleHostReverseProxy(target).ServeHTTP(w, req)
	})
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}

	logger.Info("serving")
	if err := srv.Serve(l); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("scrape proxy: %w", err)
	}
	logger.Info("served")
	return nil
}
