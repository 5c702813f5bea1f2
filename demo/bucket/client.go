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
type Client struct{ URL, Key string }

var httpClient = &http.Client{Timeout: time.Minute}

// Delete removes an archive. One that is gone already is no error.
func (c *Client) Delete(ctx context.Context, archive string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, c.URL+"/"+url.PathEscape(archive), nil)
	if err != nil {
		return err
	}
	req.SetBasicAuth("backup", c.Key)
	resp, err := httpClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode >= http.StatusMultipleChoices && resp.StatusCode != http.StatusNotFound {
		return fmt.Errorf("deleting %s: %s", archive, resp.Status)
	}
	return nil
}
