// Package watchended receives from watches that the server ends.
package watchended

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	watchtools "k8s.io/client-go/tools/watch"
	"k8s.io/klog/v2"
)

type pods struct {
	client  kubernetes.Interface
	current watch.Interface
	changed func(*corev1.Pod) bool
	cancel  context.CancelFunc
}

// The event that a closed channel gives has no type.
func (p *pods) untyped(ctx context.Context, w watch.Interface) {
	defer w.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case event := <-w.ResultChan(): // want loop "case <-ResultChan() does not leave the loop: once the server has ended the watch the loop in (*pods).untyped spins, until another case leaves it"
			switch event.Type {
			case watch.Added, watch.Modified:
				if pod, ok := event.Object.(*corev1.Pod); ok && p.changed(pod) {
					return
				}
			case watch.Error:
				return
			}
		}
	}
}

// It has no object, either.
func (p *pods) noObject(ctx context.Context, name string) error {
	w, err := p.client.CoreV1().Pods("").Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	defer w.Stop()
	for {
		event := <-w.ResultChan() // want loop "<-ResultChan() does not leave the loop: once the server has ended the watch the loop in (*pods).noObject spins, and nothing else ends the loop"
		pod, ok := event.Object.(*corev1.Pod)
		if !ok {
			klog.InfoS("not a pod", "object", event.Object)
			continue
		}
		if pod.Name == name {
			return nil
		}
	}
}

// It is asked whether the channel is closed, and gone on.
func (p *pods) asked(ctx context.Context, w *watchtools.RetryWatcher) {
	for {
		select {
		case event, open := <-w.ResultChan(): // want loop "case <-ResultChan() does not leave the loop: once the server has ended the watch the loop in (*pods).asked spins, until another case leaves it"
			if !open {
				klog.Info("the watch has ended")
				continue
			}
			p.changed(event.Object.(*corev1.Pod))
		case <-ctx.Done():
			return
		}
	}
}

// Each turn makes another timer, of which none has the time to come.
func (p *pods) anotherTimer(w watch.Interface) error {
	events := w.ResultChan()
	for {
		select {
		case <-time.After(10 * time.Second):
			return errors.New("no pod")
		case event := <-events: // want loop "case <-ResultChan() does not leave the loop: once the server has ended the watch the loop in (*pods).anotherTimer spins, and nothing else ends the loop"
			if event.Type == watch.Added {
				return nil
			}
		}
	}
}

func (p *pods) leaves(ctx context.Context, w watch.Interface) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case event, open := <-w.ResultChan():
			if !open {
				return errors.New("the watch has ended")
			}
			p.changed(event.Object.(*corev1.Pod))
		}
	}
}

func (p *pods) leavesWithoutObject(w watch.Interface) error {
	for {
		event := <-w.ResultChan()
		pod, ok := event.Object.(*corev1.Pod)
		if !ok {
			return errors.New("the watch has ended")
		}
		if p.changed(pod) {
			return nil
		}
	}
}

// What has no object panics.
func (p *pods) asserted(w watch.Interface) {
	for {
		event := <-w.ResultChan()
		if pod := event.Object.(*corev1.Pod); pod.Name == "" {
			return
		}
	}
}

func (p *pods) another(ctx context.Context, w watch.Interface) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case event := <-w.ResultChan():
			if event.Object == nil {
				var err error
				if w, err = p.client.CoreV1().Pods("").Watch(ctx, metav1.ListOptions{}); err != nil {
					return err
				}
			}
		}
	}
}

// Another one may be put into the field.
func (p *pods) field(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case event := <-p.current.ResultChan():
			if event.Type == watch.Added {
				p.changed(event.Object.(*corev1.Pod))
			}
		}
	}
}

// The wait has an end of its own.
func (p *pods) timed(ctx context.Context, w watch.Interface) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		select {
		case <-ctx.Done():
			return
		case event := <-w.ResultChan():
			if event.Type == watch.Added {
				return
			}
		}
	}
}

func (p *pods) timer(w watch.Interface) {
	end := time.After(time.Minute)
	for {
		select {
		case <-end:
			return
		case event := <-w.ResultChan():
			if event.Type == watch.Added {
				return
			}
		}
	}
}

// The next turn comes later.
func (p *pods) later(ctx context.Context, w watch.Interface) {
	for {
		select {
		case <-ctx.Done():
			return
		case event := <-w.ResultChan():
			if event.Type == watch.Added {
				return
			}
			p.rest()
		}
	}
}

func (p *pods) rest() { time.Sleep(time.Second) }

// What is not known ends the context.
func (p *pods) ends(ctx context.Context, w watch.Interface) {
	for {
		select {
		case <-ctx.Done():
			return
		case event := <-w.ResultChan():
			switch event.Type {
			case watch.Added:
			default:
				p.cancel()
			}
		}
	}
}

// A closed channel ends a range.
func (p *pods) ranges(w watch.Interface) {
	for event := range w.ResultChan() {
		if event.Type == watch.Added {
			return
		}
	}
}

func swaps(ctx context.Context, w watch.Interface) {
	var last, event watch.Event
	for {
		select {
		case <-ctx.Done():
			return
		case event = <-w.ResultChan(): // want loop "case <-ResultChan() does not leave the loop: once the server has ended the watch the loop in swaps spins, until another case leaves it"
			last, event = event, last
			if last.Type == watch.Deleted {
				return
			}
			if event.Type == watch.Deleted {
				return
			}
		}
	}
}
