// Package bucket talks to the service that keeps the archives.
package bucket

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// Client has a key for the service at a URL.
type Client struct {
	base, key string
	http      *http.Client
}

func NewClient(base, key string) *Client {
	return &Client{base: base, key: key, http: &http.Client{Timeout: time.Minute}}
}

// Copy has the service make an archive of a volume. One that is there already is replaced.
func (c *Client) Copy(ctx context.Context, archive, volume string) error {
	return c.do(ctx, http.MethodPut, archive, url.Values{"from": {volume}})
}

// Delete removes an archive. One that is gone already is no error.
func (c *Client) Delete(ctx context.Context, archive string) error {
	return c.do(ctx, http.MethodDelete, archive, nil)
}

func (c *Client) do(ctx context.Context, method, archive string, query url.Values) error {
	req, err := http.NewRequestWithContext(ctx, method, c.base+"/"+url.PathEscape(archive)+"?"+query.Encode(), nil)
	if err != nil {
		return err
	}
	req.SetBasicAuth("backup", c.key)
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	gone := method == http.MethodDelete && resp.StatusCode == http.StatusNotFound
	if resp.StatusCode >= http.StatusMultipleChoices && !gone {
		return fmt.Errorf("%s %s: %s", method, archive, resp.Status)
	}
	return nil
}
