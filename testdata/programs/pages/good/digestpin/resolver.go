// The channel for the registry's answer has room for it, so that the goroutine ends although resolve may have left after its deadline.
//
//adv:rule=unboundedsync sub=abandoned claim=no

package digestpin

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

var errRegistrySlow = errors.New("registry does not answer")

// Registry is the vendor's client, whose calls take no context.
type Registry interface {
	Digest(image string) (string, error)
}

type answer struct {
	digest string
	err    error
}

// PinWebhook replaces tags by digests in new pods.
type PinWebhook struct {
	Registry Registry
	Patience time.Duration

	mu    sync.RWMutex
	known map[string]string
}

func (w *PinWebhook) ask(image string) <-chan answer {
	ch := make(chan answer, 1)
	go func() {
		digest, err := w.Registry.Digest(image)
		ch <- answer{digest: digest, err: err}
	}()
	return ch
}

func (w *PinWebhook) resolve(ctx context.Context, image string) (string, error) {
	w.mu.RLock()
	digest, ok := w.known[image]
	w.mu.RUnlock()
	if ok {
		return digest, nil
	}

	ctx, cancel := context.WithTimeoutCause(ctx, w.Patience, errRegistrySlow)
	defer cancel()
	select {
	case a := <-w.ask(image):
		if a.err != nil {
			return "", fmt.Errorf("digest of %s: %w", image, a.err)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.known == nil {
			w.known = map[string]string{}
		}
		w.known[image] = a.digest
		return a.digest, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// Default implements admission.Defaulter for pods.
func (w *PinWebhook) Default(ctx context.Context, pod *corev1.Pod) error {
	logger := log.FromContext(ctx)
	pin := func(cs []corev1.Container) error {
		for i := range cs {
			if strings.Contains(cs[i].Image, "@") {
				continue
			}
			digest, err := w.resolve(ctx, cs[i].Image)
			if errors.Is(err, errRegistrySlow) {
				logger.Info("image is left as it is", "image", cs[i].Image)
				continue
			}
			if err != nil {
				return err
			}
			name := cs[i].Image
			if colon := strings.LastIndex(name, ":"); colon > strings.LastIndex(name, "/") {
				name = name[:colon]
			}
			cs[i].Image = name + "@" + digest
		}
		return nil
	}
	if err := pin(pod.Spec.InitContainers); err != nil {
		return err
	}
	return pin(pod.Spec.Containers)
}

// SetupWithManager registers the webhook.
func (w *PinWebhook) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(mgr, &corev1.Pod{}).WithDefaulter(w).Complete()
}
