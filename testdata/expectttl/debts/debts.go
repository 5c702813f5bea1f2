// Package debts pays what it owes to a store of expectations, or something else.
package debts

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A Ledger counts the objects that are to come and to go, and forgets them after a while.
type Ledger struct {
	mu    sync.Mutex
	owed  map[string]owed
	limit time.Duration
}

type owed struct {
	births, deaths int
	since          time.Time
}

// NewLedger makes an empty one.
func NewLedger() *Ledger { return &Ledger{owed: map[string]owed{}, limit: time.Minute} }

func (l *Ledger) add(key string, births, deaths int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.owed[key]
	l.owed[key] = owed{o.births + births, o.deaths + deaths, time.Now()}
}

// ExpectCreations notes that n objects are to come.
func (l *Ledger) ExpectCreations(key string, n int) { l.add(key, n, 0) }

// ExpectDeletions notes that n objects are to go.
func (l *Ledger) ExpectDeletions(key string, n int) { l.add(key, 0, n) }

// RaiseExpectations notes both.
func (l *Ledger) RaiseExpectations(key string, add, del int) { l.add(key, add, del) }

// CreationObserved takes one that was to come off again.
func (l *Ledger) CreationObserved(key string) { l.add(key, -1, 0) }

// DeletionObserved takes one that was to go off again.
func (l *Ledger) DeletionObserved(key string) { l.add(key, 0, -1) }

// LowerExpectations takes several off again.
func (l *Ledger) LowerExpectations(key string, add, del int) { l.add(key, -add, -del) }

// SatisfiedExpectations says whether nothing is owed, or was for too long.
func (l *Ledger) SatisfiedExpectations(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.owed[key]
	return o.births <= 0 && o.deaths <= 0 || time.Since(o.since) > l.limit
}

// Nursery makes pods, and has a ledger for them.
type Nursery struct {
	client.Client
	ledger *Ledger
}

// mixedUp takes off a death where a birth has failed.
func (n *Nursery) mixedUp(ctx context.Context, key string, pod *corev1.Pod) error {
	n.ledger.ExpectCreations(key, 1)
	if err := n.Create(ctx, pod); err != nil {
		n.ledger.DeletionObserved(key)
		return err // want notlowered "n.ledger keeps the expectation set at line 70, but Create failed (line 71): later reconciles of the key wait for it; lower it before this return" @70 "ExpectCreations of n.ledger sets the expectation here" @71 "Create fails here"
	}
	return nil
}

// mixedUpByCount does so where the numbers say what is to come.
func (n *Nursery) mixedUpByCount(ctx context.Context, key string, pod *corev1.Pod) error {
	n.ledger.RaiseExpectations(key, 1, 0)
	err := n.Create(ctx, pod)
	if err != nil {
		n.ledger.DeletionObserved(key)
	}
	return err // want notlowered "n.ledger keeps the expectation set at line 80, but Create failed (line 81): later reconciles of the key wait for it; lower it before this return" @80 "RaiseExpectations of n.ledger sets the expectation here" @81 "Create fails here"
}

// otherWayRound takes off a birth where a death has failed.
func (n *Nursery) otherWayRound(ctx context.Context, key string, pod *corev1.Pod) error {
	n.ledger.ExpectDeletions(key, 1)
	if err := n.Delete(ctx, pod); err != nil {
		n.ledger.CreationObserved(key)
		return err // want notlowered "n.ledger keeps the expectation set at line 90, but Delete failed (line 91): later reconciles of the key wait for it; lower it before this return" @90 "ExpectDeletions of n.ledger sets the expectation here" @91 "Delete fails here"
	}
	return nil
}

// pays takes off what it has put on.
func (n *Nursery) pays(ctx context.Context, key string, pod *corev1.Pod) error {
	n.ledger.ExpectCreations(key, 1)
	if err := n.Create(ctx, pod); err != nil {
		n.ledger.CreationObserved(key)
		return err // ok: a birth for a birth
	}
	return nil
}

// paysByCount takes it off by the number.
func (n *Nursery) paysByCount(ctx context.Context, key string, pod *corev1.Pod) error {
	n.ledger.RaiseExpectations(key, 1, 0)
	if err := n.Create(ctx, pod); err != nil {
		n.ledger.LowerExpectations(key, 1, 0)
		return err // ok: what is lowered is told by the numbers
	}
	return nil
}

// paysBoth replaces one by another.
func (n *Nursery) paysBoth(ctx context.Context, key string, old, young *corev1.Pod) error {
	n.ledger.ExpectCreations(key, 1)
	if err := n.Create(ctx, young); err != nil {
		n.ledger.CreationObserved(key)
		return err // ok: a birth for a birth
	}
	n.ledger.ExpectDeletions(key, 1)
	if err := n.Delete(ctx, old); err != nil {
		n.ledger.DeletionObserved(key)
		return err // ok: a death for a death, and the birth is to come
	}
	return nil
}

// thereAlready waits for the birth of a pod that has been born long ago.
func (n *Nursery) thereAlready(ctx context.Context, key string, pod *corev1.Pod) error {
	n.ledger.ExpectCreations(key, 1)
	err := n.Create(ctx, pod)
	if err != nil && !apierrors.IsAlreadyExists(err) {
		n.ledger.CreationObserved(key)
		return err // ok: lowered
	}
	return nil // want notlowered "n.ledger keeps the expectation set at line 135, but Create failed (line 136): later reconciles of the key wait for it; lower it before this return" @135 "ExpectCreations of n.ledger sets the expectation here" @136 "Create fails here"
}

// thereAlreadyToo tells its caller, and still waits.
func (n *Nursery) thereAlreadyToo(ctx context.Context, key string, pod *corev1.Pod) error {
	n.ledger.ExpectCreations(key, 1)
	err := n.Create(ctx, pod)
	if err != nil && !apierrors.IsAlreadyExists(err) {
		n.ledger.CreationObserved(key)
	}
	return err // want notlowered "n.ledger keeps the expectation set at line 146, but Create failed (line 147): later reconciles of the key wait for it; lower it before this return" @146 "ExpectCreations of n.ledger sets the expectation here" @147 "Create fails here"
}

// whateverItIs lowers on each error.
func (n *Nursery) whateverItIs(ctx context.Context, key string, pod *corev1.Pod) error {
	n.ledger.ExpectCreations(key, 1)
	if err := n.Create(ctx, pod); err != nil {
		n.ledger.CreationObserved(key)
		if apierrors.IsAlreadyExists(err) {
			return nil // ok: lowered before the question
		}
		return err // ok: lowered
	}
	return nil
}

// inTwoWays lowers on both.
func (n *Nursery) inTwoWays(ctx context.Context, key string, pod *corev1.Pod) error {
	n.ledger.ExpectCreations(key, 1)
	if err := n.Create(ctx, pod); apierrors.IsAlreadyExists(err) {
		n.ledger.CreationObserved(key)
		return nil // ok: lowered
	} else if err != nil {
		n.ledger.CreationObserved(key)
		return err // ok: lowered
	}
	return nil
}

// onTheSlate has a ledger of its own, which nobody reads afterwards.
func (n *Nursery) onTheSlate(ctx context.Context, key string, pods []*corev1.Pod) error {
	slate := NewLedger()
	for _, pod := range pods {
		slate.ExpectCreations(key, 1)
		if err := n.Create(ctx, pod); err != nil {
			return err // ok: the slate is gone with this function
		}
	}
	for !slate.SatisfiedExpectations(key) {
		time.Sleep(time.Second)
	}
	return nil
}

// keepsTheSlate does not drop it.
func (n *Nursery) keepsTheSlate(ctx context.Context, key string, pod *corev1.Pod) error {
	slate := NewLedger()
	n.ledger = slate
	slate.ExpectCreations(key, 1)
	if err := n.Create(ctx, pod); err != nil {
		return err // want notlowered "NewLedger() keeps the expectation set at line 199, but Create failed (line 200): later reconciles of the key wait for it; lower it before this return" @199 "ExpectCreations of NewLedger() sets the expectation here" @200 "Create fails here"
	}
	return nil
}

var _ = []any{
	(*Nursery).mixedUp, (*Nursery).mixedUpByCount, (*Nursery).otherWayRound, (*Nursery).pays, (*Nursery).paysByCount, (*Nursery).paysBoth,
	(*Nursery).thereAlready, (*Nursery).thereAlreadyToo, (*Nursery).whateverItIs, (*Nursery).inTwoWays, (*Nursery).onTheSlate, (*Nursery).keepsTheSlate,
}
