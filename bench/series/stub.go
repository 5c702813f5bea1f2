package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// stubs stand for the Kubernetes modules: what the forms use of them. The rules know packages, types and functions by
// their names.
var stubs = map[string]string{
	"k8s.io/client-go/tools/cache": `package cache
type InformerSynced func() bool
type ResourceEventHandler interface { OnAdd(any, bool); OnUpdate(any, any); OnDelete(any) }
type ResourceEventHandlerFuncs struct { AddFunc func(any); UpdateFunc func(any, any); DeleteFunc func(any) }
func (ResourceEventHandlerFuncs) OnAdd(any, bool) {}
func (ResourceEventHandlerFuncs) OnUpdate(any, any) {}
func (ResourceEventHandlerFuncs) OnDelete(any) {}
type SharedInformer interface { AddEventHandler(ResourceEventHandler) (any, error); HasSynced() bool; Run(<-chan struct{}) }
func WaitForCacheSync(<-chan struct{}, ...InformerSynced) bool
`,
	"k8s.io/apimachinery/pkg/apis/meta/v1": `package v1
type Time struct{}
type Object interface { GetName() string; GetGeneration() int64; GetDeletionTimestamp() *Time; GetFinalizers() []string; SetFinalizers([]string) }
`,
	"sigs.k8s.io/controller-runtime/pkg/client": `package client
import ("context"; metav1 "k8s.io/apimachinery/pkg/apis/meta/v1")
type Object interface { metav1.Object }
type UpdateOption interface { u() }
type DeleteOption interface { d() }
type Client interface { Update(context.Context, Object, ...UpdateOption) error; Delete(context.Context, Object, ...DeleteOption) error }
`,
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil": `package controllerutil
import "sigs.k8s.io/controller-runtime/pkg/client"
func AddFinalizer(client.Object, string) bool
func RemoveFinalizer(client.Object, string) bool
func ContainsFinalizer(client.Object, string) bool
`,
	"sigs.k8s.io/controller-runtime/pkg/event": `package event
import "sigs.k8s.io/controller-runtime/pkg/client"
type CreateEvent struct { Object client.Object }
type UpdateEvent struct { ObjectOld, ObjectNew client.Object }
type DeleteEvent struct { Object client.Object }
`,
	"sigs.k8s.io/controller-runtime/pkg/predicate": `package predicate
import "sigs.k8s.io/controller-runtime/pkg/event"
type Funcs struct { CreateFunc func(event.CreateEvent) bool; UpdateFunc func(event.UpdateEvent) bool; DeleteFunc func(event.DeleteEvent) bool }
`,
	"sigs.k8s.io/controller-runtime/pkg/manager": `package manager
import "context"
type Runnable interface { Start(context.Context) error }
type RunnableFunc func(context.Context) error
type Manager interface { Add(Runnable) error; Start(context.Context) error }
`,
	"k8s.io/client-go/informers": `package informers
type SharedInformerFactory interface { Informer() any; Start(<-chan struct{}); WaitForCacheSync(<-chan struct{}) map[string]bool }
`,
}

func stubPaths() []string { return slices.Sorted(maps.Keys(stubs)) }

// stubImporter imports the stubs, and all else from std.
type stubImporter struct {
	fset *token.FileSet
	std  types.Importer
	made map[string]*types.Package
}

func (im *stubImporter) Import(path string) (*types.Package, error) {
	src, ok := stubs[path]
	if !ok {
		return im.std.Import(path)
	}
	if p := im.made[path]; p != nil {
		return p, nil
	}
	f, err := parser.ParseFile(im.fset, path+".go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	conf := types.Config{Importer: im, IgnoreFuncBodies: true}
	p, err := conf.Check(path, im.fset, []*ast.File{f}, nil)
	if err != nil {
		return nil, err
	}
	im.made[path] = p
	return p, nil
}
