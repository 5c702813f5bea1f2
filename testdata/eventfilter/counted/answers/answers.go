// Package answers takes errors apart.
package answers

import (
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// IsGone says yes where there is no such object.
func IsGone(err error) bool { return apierrors.IsNotFound(err) }

// UnlessGone gives no error where there is no such object.
func UnlessGone(err error) (time.Duration, error) {
	if IsGone(err) {
		return 0, nil
	}
	return time.Second, err
}
