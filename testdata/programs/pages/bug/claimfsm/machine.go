// The state machine reads the claim from the informer's indexer and puts its phase and finalizer on it before the update, so that after a failed update the cache says that the step was taken.
//
//adv:rule=cachemutation sub=write claim=yes

package claimfsm

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type phase string

const (
	phaseNew       phase = ""
	phaseQuiescing phase = "Quiescing"
	phaseSnapshot  phase = "Snapshotting"
	phaseDone      phase = "Done"

	phaseAnnotation = "snapshots.acme.io/phase"
	finalizer       = "snapshots.acme.io/in-progress"
)

// Array is the storage array.
type Array interface {
	Quiesce(ctx context.Context, volume string) (bool, error)
	Snapshot(ctx context.Context, volume string) error
}

type transition func(context.Context, *corev1.PersistentVolumeClaim) (phase, error)

// Machine moves claims from phase to phase.
type Machine struct {
	kube        kubernetes.Interface
	claims      cache.Indexer
	synced      cache.InformerSynced
	queue       workqueue.TypedDelayingInterface[string]
	array       Array
	transitions map[phase]transition
}

// NewMachine makes a machine; the caller starts the factory.
func NewMachine(kube kubernetes.Interface, f informers.SharedInformerFactory, array Array) (*Machine, error) {
	informer := f.Core().V1().PersistentVolumeClaims().Informer()
	m := &Machine{
		kube:   kube,
		claims: informer.GetIndexer(),
		synced: informer.HasSynced,
		queue:  workqueue.NewTypedDelayingQueue[string](),
		array:  array,
	}
	m.transitions = map[phase]transition{
		phaseNew:       m.quiesce,
		phaseQuiescing: m.awaitQuiet,
		phaseSnapshot:  m.snapshot,
	}
	_, err := informer.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool {
			pvc, ok := obj.(*corev1.PersistentVolumeClaim)
			return ok && pvc.Labels["snapshots.acme.io/wanted"] == "true"
		},
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    m.enqueue,
			UpdateFunc: func(_, cur any) { m.enqueue(cur) },
		},
	})
	return m, err
}

func (m *Machine) enqueue(obj any) {
	key, err := cache.MetaNamespaceKeyFunc(obj)
	if err != nil {
		klog.ErrorS(err, "Object without a key")
		return
	}
	m.queue.Add(key)
}

// Run works until the context ends.
func (m *Machine) Run(ctx context.Context) error {
	if !cache.WaitForCacheSync(ctx.Done(), m.synced) {
		return ctx.Err()
	}
	go func() {
		<-ctx.Done()
		m.queue.ShutDown()
	}()
	for {
		key, quit := m.queue.Get()
		if quit {
			return nil
		}
		if err := m.step(ctx, key); err != nil {
			klog.ErrorS(err, "Step failed", "claim", key)
			m.queue.AddAfter(key, 10*time.Second)
		}
		m.queue.Done(key)
	}
}

func (m *Machine) step(ctx context.Context, key string) error {
	obj, exists, err := m.claims.GetByKey(key)
	if err != nil || !exists {
		return err
	}
	pvc, ok := obj.(*corev1.PersistentVolumeClaim)
	if !ok {
		return fmt.Errorf("%s is a %T", key, obj)
	}
	now := phase(pvc.Annotations[phaseAnnotation])
	move, ok := m.transitions[now]
	if !ok {
		return nil
	}
	next, err := move(ctx, pvc)
	if err != nil {
		return fmt.Errorf("leaving phase %q: %w", now, err)
	}
	if next == now {
		m.queue.AddAfter(key, 5*time.Second)
		return nil
	}
	if next == phaseDone {
		controllerutil.RemoveFinalizer(pvc, finalizer)
	} else {
		controllerutil.AddFinalizer(pvc, finalizer)
	}
	if pvc.Annotations == nil {
		pvc.Annotations = map[string]string{}
	}
	pvc.Annotations[phaseAnnotation] = string(next)
	_, err = m.kube.CoreV1().PersistentVolumeClaims(pvc.Namespace).Update(ctx, pvc, metav1.UpdateOptions{})
	return err
}

func (m *Machine) quiesce(context.Context, *corev1.PersistentVolumeClaim) (phase, error) {
	return phaseQuiescing, nil
}

func (m *Machine) awaitQuiet(ctx context.Context, pvc *corev1.PersistentVolumeClaim) (phase, error) {
	quiet, err := m.array.Quiesce(ctx, pvc.Spec.VolumeName)
	if err != nil || !quiet {
		return phaseQuiescing, err
	}
	return phaseSnapshot, nil
}

func (m *Machine) snapshot(ctx context.Context, pvc *corev1.PersistentVolumeClaim) (phase, error) {
	if err := m.array.Snapshot(ctx, pvc.Spec.VolumeName); err != nil {
		return phaseSnapshot, err
	}
	return phaseDone, nil
}
