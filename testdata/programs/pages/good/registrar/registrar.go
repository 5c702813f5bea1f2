// keep has a context and polls with context.Background() nevertheless, but only to sign off when its own context has ended, and no longer than its deadline.
//
//adv:rule=startctx sub=replaced claim=no

package registrar

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

const farewell = 15 * time.Second

var errRefused = errors.New("the catalog refused")

// Registrar has this cluster in the company's catalog for as long as it leads.
type Registrar struct {
	Catalog *url.URL
	Cluster string

	nodes  client.Reader
	client *http.Client
	log    logr.Logger
}

func (r *Registrar) SetupWithManager(mgr ctrl.Manager) error {
	if r.Catalog == nil || r.Cluster == "" {
		return errors.New("registrar: catalog and cluster are required")
	}
	r.nodes = mgr.GetClient()
	r.client = &http.Client{Timeout: 4 * time.Second}
	r.log = mgr.GetLogger().WithValues("catalog", r.Catalog.Host)
	return mgr.Add(manager.RunnableFunc(r.keep))
}

func (r *Registrar) keep(ctx context.Context) error {
	if err := r.untilAccepted(ctx, http.MethodPut); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return fmt.Errorf("register: %w", err)
	}
	wait.JitterUntilWithContext(ctx, func(ctx context.Context) {
		if err := r.send(ctx, http.MethodPatch); err != nil {
			r.log.Error(err, "heartbeat was lost")
		}
	}, 30*time.Second, 0.1, true)

	// The manager's context has ended, and signing off needs another one.
	bye, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	if err := r.untilAccepted(bye, http.MethodDelete); err != nil {
		r.log.Error(err, "the catalog will find out by itself")
		return nil
	}
	r.log.Info("signed off")
	return nil
}

func (r *Registrar) untilAccepted(ctx context.Context, method string) error {
	return wait.PollUntilContextCancel(ctx, 2*time.Second, true, func(ctx context.Context) (bool, error) {
		err := r.send(ctx, method)
		if errors.Is(err, errRefused) {
			return false, err
		}
		if err != nil {
			r.log.V(1).Info("catalog is not there", "reason", err.Error())
		}
		return err == nil, nil
	})
}

func (r *Registrar) send(ctx context.Context, method string) error {
	size := 0
	if method != http.MethodDelete {
		nodes := &corev1.NodeList{}
		if err := r.nodes.List(ctx, nodes); err != nil {
			return err
		}
		size = len(nodes.Items)
	}
	u := r.Catalog.JoinPath("clusters", r.Cluster)
	u.RawQuery = url.Values{"nodes": {fmt.Sprint(size)}}.Encode()
	req, err := http.NewRequestWithContext(ctx, method, u.String(), nil)
	if err != nil {
		return err
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode < 300:
		return nil
	case resp.StatusCode == http.StatusForbidden:
		return errRefused
	}
	return fmt.Errorf("catalog says %s", resp.Status)
}
