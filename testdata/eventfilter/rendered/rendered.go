// Package rendered has reconcilers that other packages help with what they make of the spec.
package rendered

import (
	"context"
	"fmt"
	"hash"
	"hash/fnv"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/operators/eventfilter/rendered/brew"
	"example.com/operators/eventfilter/rendered/tea"
)

// where is a filter for updates of pots.
func where(changed func(was, is *tea.Pot) bool) builder.Predicates {
	return builder.WithPredicates(predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		return changed(e.ObjectOld.(*tea.Pot), e.ObjectNew.(*tea.Pot))
	}})
}

// Cook has the recipe made elsewhere.
type Cook struct{ client.Client }

func (r *Cook) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pot := &tea.Pot{}
	if err := r.Get(ctx, req.NamespacedName, pot); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	brew.Sweeten(pot)
	if err := brew.Tell(pot); err != nil {
		return ctrl.Result{}, err
	}
	klog.InfoS("cooking", "pot", brew.Name(pot), "what", described(pot))
	note := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: req.Namespace, Name: req.Name}, Data: map[string]string{"recipe": brew.Recipe(pot.DeepCopy())}}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, note))
}

// described is for logs.
func described(pot *tea.Pot) string { return fmt.Sprintf("with a knob of %s", pot.Spec.Lid.Knob) }

func (r *Cook) leaves(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&tea.Pot{}, builder.WithPredicates(predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // want fields "this predicate drops updates of *tea.Pot that change only spec.Minutes, but (*Cook).Reconcile reads it at rendered.go:44: who changes it waits for an unrelated event" @44 "the field is read here"
			was, is := e.ObjectOld.(*tea.Pot), e.ObjectNew.(*tea.Pot)
			return was.Spec.Leaf != is.Spec.Leaf || len(was.Spec.Cups) != len(is.Spec.Cups)
		}})).
		Complete(r)
}

func (r *Cook) both(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&tea.Pot{}, builder.WithPredicates(predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // ok: the sugar is logged, and given to who has none
			was, is := e.ObjectOld.(*tea.Pot), e.ObjectNew.(*tea.Pot)
			return was.Spec.Leaf != is.Spec.Leaf || was.Spec.Minutes != is.Spec.Minutes || len(was.Spec.Cups) != len(is.Spec.Cups)
		}})).
		Complete(r)
}

// Smith works with the lid, in parts and as a whole.
type Smith struct{ client.Client }

func (r *Smith) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pot := &tea.Pot{}
	if err := r.Get(ctx, req.NamespacedName, pot); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if spec := pot.Spec; spec.Leaf == "" {
		return ctrl.Result{}, nil
	}
	note := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: req.Namespace, Name: req.Name}, Data: map[string]string{"knob": brew.Knob(pot.Spec)}}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, note))
}

func (r *Smith) closed(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&tea.Pot{}, builder.WithPredicates(predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // want fields "this predicate drops updates of *tea.Pot that change only spec.Lid.Knob, but (*Smith).Reconcile reads it at rendered.go:80: who changes it waits for an unrelated event" @80 "the field is read here"
			was, is := e.ObjectOld.(*tea.Pot), e.ObjectNew.(*tea.Pot)
			return was.Spec.Leaf != is.Spec.Leaf || was.Spec.Lid.Closed != is.Spec.Lid.Closed
		}})).
		Complete(r)
}

func (r *Smith) lid(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&tea.Pot{}, builder.WithPredicates(predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // ok: the knob is a part of the lid
			was, is := e.ObjectOld.(*tea.Pot), e.ObjectNew.(*tea.Pot)
			return was.Spec.Leaf != is.Spec.Leaf || was.Spec.Lid != is.Spec.Lid
		}})).
		Complete(r)
}

// Potter keeps the lid as it is.
type Potter struct {
	client.Client
	lids map[string]tea.Lid
}

func (r *Potter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pot := &tea.Pot{}
	if err := r.Get(ctx, req.NamespacedName, pot); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pot.Spec.Minutes > 0 {
		r.lids[req.Name] = pot.Spec.Lid
	}
	return ctrl.Result{}, nil
}

// print stands for the parts of a pot that it is filled with.
func print(p *tea.Pot) uint32 {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s %d", p.Name, p.Spec.Minutes)
	for _, cup := range p.Spec.Cups {
		h.Write([]byte(cup))
	}
	return h.Sum32()
}

// whole stands for all of it.
func whole(p *tea.Pot) uint32 {
	h := fnv.New32a()
	write(h, p.Spec)
	return h.Sum32()
}

func write(h hash.Hash, of any) { fmt.Fprint(h, of) }

func (r *Potter) printed(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&tea.Pot{}, builder.WithPredicates(predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // want fields "this predicate drops updates of *tea.Pot that change only spec.Lid, but (*Potter).Reconcile reads it at rendered.go:114: who changes it waits for an unrelated event" @114 "the field is read here"
			return print(e.ObjectOld.(*tea.Pot)) != print(e.ObjectNew.(*tea.Pot))
		}})).
		Complete(r)
}

func (r *Potter) all(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&tea.Pot{}, builder.WithPredicates(predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // ok: the lid is in it
			return whole(e.ObjectOld.(*tea.Pot)) != whole(e.ObjectNew.(*tea.Pot))
		}})).
		Complete(r)
}

// Guest is for the cups alone.
type Guest struct{ client.Client }

func (r *Guest) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pot := &tea.Pot{}
	if err := r.Get(ctx, req.NamespacedName, pot); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if slices.Contains(pot.Spec.Cups, "mine") {
		klog.InfoS("tea")
	}
	return ctrl.Result{}, nil
}

func (r *Guest) printed(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&tea.Pot{}, where(func(was, is *tea.Pot) bool { return print(was) != print(is) })). // ok: the cups are in it
		Complete(r)
}

var _ = []any{(*Cook).leaves, (*Cook).both, (*Smith).closed, (*Smith).lid, (*Potter).printed, (*Potter).all, (*Guest).printed}
