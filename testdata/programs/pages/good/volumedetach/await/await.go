// Package await polls for a state of the cluster.
package await

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// Check says whether something is so.
type Check func(context.Context) (bool, error)

// Until polls until the check holds or the context ends.
func Until(ctx context.Context, what string, every time.Duration, check Check) error {
	if err := wait.PollUntilContextCancel(ctx, every, true, wait.ConditionWithContextFunc(check)); err != nil {
		return fmt.Errorf("waiting for %s: %w", what, err)
	}
	return nil
}
