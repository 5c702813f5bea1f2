// Package brokerclient speaks to the admin API of a broker.
package brokerclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	topologyv1 "example.com/pages/bug/queuebinding/topology/v1"
)

var errNotReady = errors.New("broker has no admin URL yet")

type Client struct {
	base string
	http *http.Client
}

// ForReference makes a client for the broker that is referred to.
func ForReference(ctx context.Context, c client.Reader, ref topologyv1.BrokerReference, ns string) (*Client, error) {
	if ref.Namespace != "" {
		ns = ref.Namespace
	}
	broker := &topologyv1.Broker{}
	if err := c.Get(ctx, types.NamespacedName{Namespace: ns, Name: ref.Name}, broker); err != nil {
		return nil, fmt.Errorf("failed to get broker from reference: %w", err)
	}
	if broker.Status.AdminURL == "" {
		return nil, errNotReady
	}
	return &Client{base: broker.Status.AdminURL, http: http.DefaultClient}, nil
}

func (c *Client) do(ctx context.Context, method, path string, ok ...int) error {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, nil)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	for _, code := range ok {
		if resp.StatusCode == code {
			return nil
		}
	}
	return fmt.Errorf("%s %s: %s", method, path, resp.Status)
}

func (c *Client) DeclareBinding(ctx context.Context, source, queue string) error {
	return c.do(ctx, http.MethodPut, "/api/bindings/"+url.PathEscape(source)+"/"+url.PathEscape(queue), 200, 201, 204)
}

func (c *Client) DeleteBinding(ctx context.Context, source, queue string) error {
	return c.do(ctx, http.MethodDelete, "/api/bindings/"+url.PathEscape(source)+"/"+url.PathEscape(queue), 204, 404)
}
