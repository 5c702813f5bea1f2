// Package stream follows the change log of one database shard.
package stream

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
)

// Follow calls each for each line until ctx ends or the server hangs up.
func Follow(ctx context.Context, url string, each func(line string)) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, resp.Status)
	}
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		each(lines.Text())
	}
	return lines.Err()
}
