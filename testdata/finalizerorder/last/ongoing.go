package last

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/last/states"
)

type state string

const (
	stateEnding state = "shutting-down"
	stateEnded  state = "terminated"
)

type instance struct{ State state }

type instances interface {
	Find(ctx context.Context, name string) (*instance, error)
	Stop(ctx context.Context, name string) error
}

type nodes struct {
	reconciler
	cloud instances
}

// ended takes a machine that is on its way out for one that is gone.
func (n *nodes) ended(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp == nil {
		return nil
	}
	machine, err := n.cloud.Find(ctx, node.Name)
	if err != nil {
		return err
	}
	switch machine.State {
	case stateEnding, stateEnded:
	default:
		if err := n.cloud.Stop(ctx, node.Name); err != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(node, guard) // want notawaited "node loses its finalizer here while what it guards may still be on its way out: line 42 finds that by State, and comes straight here; come back until it is gone" @42 "it is on its way out here"
	return n.Update(ctx, node)
}

// waited comes back for it.
func (n *nodes) waited(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp == nil {
		return nil
	}
	machine, err := n.cloud.Find(ctx, node.Name)
	if err != nil {
		return err
	}
	if machine.State == stateEnding {
		return errInUse
	}
	controllerutil.RemoveFinalizer(node, guard)
	return n.Update(ctx, node)
}

// stopped asks once more, and that may fail until it is gone.
func (n *nodes) stopped(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp == nil {
		return nil
	}
	machine, err := n.cloud.Find(ctx, node.Name)
	if err != nil {
		return err
	}
	if machine.State != stateEnding {
		return errInUse
	}
	if err := n.cloud.Stop(ctx, node.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(node, guard)
	return n.Update(ctx, node)
}

// gone asks for the end itself.
func (n *nodes) gone(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp == nil {
		return nil
	}
	machine, err := n.cloud.Find(ctx, node.Name)
	if err != nil {
		return err
	}
	if machine.State != stateEnded {
		return errInUse
	}
	controllerutil.RemoveFinalizer(node, guard)
	return n.Update(ctx, node)
}

type volumes interface {
	State(ctx context.Context, id string) (string, error)
	Delete(ctx context.Context, id string) error
}

type disks struct {
	reconciler
	cloud volumes
}

// dropped is told the state alone.
func (d *disks) dropped(ctx context.Context, disk *corev1.PersistentVolume) error {
	if disk.DeletionTimestamp == nil {
		return nil
	}
	st, err := d.cloud.State(ctx, disk.Name)
	if err != nil {
		return err
	}
	if st == "deleting" {
		controllerutil.RemoveFinalizer(disk, guard) // want notawaited "disk loses its finalizer here while what it guards may still be on its way out: line 122 finds that by what State gives, and comes straight here; come back until it is gone" @122 "it is on its way out here"
		return d.Update(ctx, disk)
	}
	return d.cloud.Delete(ctx, disk.Name)
}

// turned has the sides the other way round.
func (d *disks) turned(ctx context.Context, disk *corev1.PersistentVolume) error {
	if disk.DeletionTimestamp == nil {
		return nil
	}
	st, err := d.cloud.State(ctx, disk.Name)
	if err != nil {
		return err
	}
	if "deleting" == st {
		controllerutil.RemoveFinalizer(disk, guard) // want notawaited "disk loses its finalizer here while what it guards may still be on its way out: line 138 finds that by what State gives, and comes straight here; come back until it is gone" @138 "it is on its way out here"
		return d.Update(ctx, disk)
	}
	return d.cloud.Delete(ctx, disk.Name)
}

// held comes back until it is gone.
func (d *disks) held(ctx context.Context, disk *corev1.PersistentVolume) error {
	if disk.DeletionTimestamp == nil {
		return nil
	}
	st, err := d.cloud.State(ctx, disk.Name)
	if err != nil {
		return err
	}
	if st == "deleting" {
		return errInUse
	}
	controllerutil.RemoveFinalizer(disk, guard)
	return d.Update(ctx, disk)
}

func (d *disks) phase(ctx context.Context, name string) (string, error) {
	var ns corev1.Namespace
	err := d.Get(ctx, client.ObjectKey{Name: name}, &ns)
	return string(ns.Status.Phase), err
}

// spaced goes with its namespace.
func (d *disks) spaced(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp == nil {
		return nil
	}
	phase, err := d.phase(ctx, pod.Namespace)
	if err != nil {
		return err
	}
	if phase == "Terminating" {
		controllerutil.RemoveFinalizer(pod, guard)
		return d.Update(ctx, pod)
	}
	return errInUse
}

type teller interface {
	Told(ctx context.Context, pod *corev1.Pod) (string, error)
}

// asked is handed the pod, which may have the state.
func (d *disks) asked(ctx context.Context, pod *corev1.Pod, by teller) error {
	if pod.DeletionTimestamp == nil {
		return nil
	}
	phase, err := by.Told(ctx, pod)
	if err != nil {
		return err
	}
	if phase == "Terminating" {
		controllerutil.RemoveFinalizer(pod, guard)
		return d.Update(ctx, pod)
	}
	return errInUse
}

type parts struct {
	text func(part string) (string, error)
}

// spelled reads a text.
func (d *disks) spelled(ctx context.Context, pod *corev1.Pod, of parts) error {
	if pod.DeletionTimestamp == nil {
		return nil
	}
	phase, err := of.text(pod.Annotations["phase"])
	if err != nil {
		return err
	}
	if phase == "Terminating" {
		controllerutil.RemoveFinalizer(pod, guard)
		return d.Update(ctx, pod)
	}
	return errInUse
}

type tunnels struct {
	reconciler
	all states.Tunnels
}

// down believes another package, which has not waited.
func (t *tunnels) down(ctx context.Context, end *corev1.Endpoints) error {
	if end.DeletionTimestamp == nil {
		return nil
	}
	if down, err := states.Down(ctx, t.all, end.Name); err != nil || !down {
		return errInUse
	}
	controllerutil.RemoveFinalizer(end, guard) // want notawaited "end loses its finalizer here while what it guards may still be on its way out: line 229 finds that by what Down gives, and comes straight here; come back until it is gone" @229 "it is on its way out here"
	return t.Update(ctx, end)
}

// open asks the other way round.
func (t *tunnels) open(ctx context.Context, end *corev1.Endpoints) error {
	if end.DeletionTimestamp == nil {
		return nil
	}
	open, err := states.Open(ctx, t.all, end.Name)
	if err != nil {
		return err
	}
	if open {
		return errInUse
	}
	controllerutil.RemoveFinalizer(end, guard) // want notawaited "end loses its finalizer here while what it guards may still be on its way out: line 241 finds that by what Open gives, and comes straight here; come back until it is gone" @241 "it is on its way out here"
	return t.Update(ctx, end)
}

// phase asks for the state, and has it judged.
func (t *tunnels) phase(ctx context.Context, end *corev1.Endpoints) error {
	if end.DeletionTimestamp == nil {
		return nil
	}
	phase, err := t.all.Phase(ctx, end.Name)
	if err != nil {
		return err
	}
	if !states.Is(phase) {
		return t.all.Cut(ctx, end.Name)
	}
	controllerutil.RemoveFinalizer(end, guard) // want notawaited "end loses its finalizer here while what it guards may still be on its way out: line 265 finds that by what Phase gives, and comes straight here; come back until it is gone" @265 "it is on its way out here"
	return t.Update(ctx, end)
}

// machine has its own judge.
func (t *tunnels) machine(ctx context.Context, end *corev1.Endpoints) error {
	if end.DeletionTimestamp == nil {
		return nil
	}
	machine, err := t.find(ctx, end.Name)
	if err != nil {
		return err
	}
	if !stops(machine) {
		return errInUse
	}
	controllerutil.RemoveFinalizer(end, guard) // want notawaited "end loses its finalizer here while what it guards may still be on its way out: line 281 finds that by State, and comes straight here; come back until it is gone" @281 "it is on its way out here"
	return t.Update(ctx, end)
}

func (t *tunnels) find(ctx context.Context, id string) (*instance, error) {
	phase, err := t.all.Phase(ctx, id)
	if err != nil {
		return nil, err
	}
	return &instance{state(phase)}, nil
}

func stops(machine *instance) bool {
	if machine.State == stateEnded {
		return true
	}
	return machine.State == stateEnding
}

// gone is told that it has to wait.
func (t *tunnels) gone(ctx context.Context, end *corev1.Endpoints) error {
	if end.DeletionTimestamp == nil {
		return nil
	}
	gone, err := states.Gone(ctx, t.all, end.Name)
	if err != nil {
		return err
	}
	if !gone {
		return errInUse
	}
	controllerutil.RemoveFinalizer(end, guard)
	return t.Update(ctx, end)
}

// cut is told of what may fail.
func (t *tunnels) cut(ctx context.Context, end *corev1.Endpoints) error {
	if end.DeletionTimestamp == nil {
		return nil
	}
	gone, err := states.Cut(ctx, t.all, end.Name)
	if err != nil {
		return err
	}
	if !gone {
		return errInUse
	}
	controllerutil.RemoveFinalizer(end, guard)
	return t.Update(ctx, end)
}

// either is told one thing and another.
func (t *tunnels) either(ctx context.Context, end *corev1.Endpoints) error {
	if end.DeletionTimestamp == nil {
		return nil
	}
	gone, err := states.Either(ctx, t.all, end.Name)
	if err != nil {
		return err
	}
	if !gone {
		return errInUse
	}
	controllerutil.RemoveFinalizer(end, guard)
	return t.Update(ctx, end)
}

// other is told the same, and takes it the other way round.
func (t *tunnels) other(ctx context.Context, end *corev1.Endpoints) error {
	if end.DeletionTimestamp == nil {
		return nil
	}
	gone, err := states.Either(ctx, t.all, end.Name)
	if err != nil {
		return err
	}
	if gone {
		return errInUse
	}
	controllerutil.RemoveFinalizer(end, guard)
	return t.Update(ctx, end)
}

// object asks for the state of an object.
func (t *tunnels) object(ctx context.Context, end *corev1.Endpoints) error {
	if end.DeletionTimestamp == nil {
		return nil
	}
	var pod corev1.Pod
	if err := t.Get(ctx, client.ObjectKeyFromObject(end), &pod); err != nil {
		return err
	}
	if !states.Is(string(pod.Status.Phase)) {
		return errInUse
	}
	controllerutil.RemoveFinalizer(end, guard)
	return t.Update(ctx, end)
}

// comes comes back for it.
func (t *tunnels) comes(ctx context.Context, end *corev1.Endpoints) error {
	if end.DeletionTimestamp == nil {
		return nil
	}
	if down, err := states.Down(ctx, t.all, end.Name); err != nil || down {
		return errInUse
	}
	controllerutil.RemoveFinalizer(end, guard)
	return t.Update(ctx, end)
}
