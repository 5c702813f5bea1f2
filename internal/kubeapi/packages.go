package kubeapi

import (
	"go/types"
	"slices"
	"strings"
)

// Import paths.
const (
	ControllerRuntime = "sigs.k8s.io/controller-runtime"
	ControllerUtil    = ControllerRuntime + "/pkg/controller/controllerutil"
	Client            = ControllerRuntime + "/pkg/client"
	Manager           = ControllerRuntime + "/pkg/manager"
	PredicatePkg      = ControllerRuntime + "/pkg/predicate"
	Event             = ControllerRuntime + "/pkg/event"
	CRCache           = ControllerRuntime + "/pkg/cache"
	HandlerPkg        = ControllerRuntime + "/pkg/handler"
	Reconcile         = ControllerRuntime + "/pkg/reconcile"
	MetaV1            = "k8s.io/apimachinery/pkg/apis/meta/v1"
	Wait              = "k8s.io/apimachinery/pkg/util/wait"
	Cache             = "k8s.io/client-go/tools/cache"
	Workqueue         = "k8s.io/client-go/util/workqueue"

	builderPackage    = ControllerRuntime + "/pkg/builder"
	sourcePackage     = ControllerRuntime + "/pkg/source"
	controllerPackage = ControllerRuntime + "/pkg/controller"
	clusterPackage    = ControllerRuntime + "/pkg/cluster"
	webhookPackage    = ControllerRuntime + "/pkg/webhook"
	crLog             = ControllerRuntime + "/pkg/log"
	apiMachinery      = "k8s.io/apimachinery"
	apiErrors         = apiMachinery + "/pkg/api/errors"
	apiMeta           = apiMachinery + "/pkg/api/meta"
	apiTypes          = apiMachinery + "/pkg/types"
	labelsPackage     = apiMachinery + "/pkg/labels"
	fieldsPackage     = apiMachinery + "/pkg/fields"
	runtimePkg        = apiMachinery + "/pkg/runtime"
	utilRuntime       = apiMachinery + "/pkg/util/runtime"
	unstructured      = MetaV1 + "/unstructured"
	leaderElection    = "k8s.io/client-go/tools/leaderelection"
	kubeController    = "k8s.io/kubernetes/pkg/controller"
	coreV1            = "k8s.io/api/core/v1"
	klog              = "k8s.io/klog"
	klogV2            = "k8s.io/klog/v2"
	logr              = "github.com/go-logr/logr"
)

// loggers are packages whose functions and methods print, format and make errors, and nothing that a program goes by.
var loggers = []string{
	"fmt", "log", "log/slog", "errors", "reflect", "strings", "strconv", klog, klogV2, "github.com/golang/glog",
	logr, "github.com/sirupsen/logrus", "go.uber.org/zap", "github.com/pkg/errors", crLog,
	utilRuntime, "k8s.io/client-go/tools/record", "k8s.io/client-go/tools/events",
	"github.com/go-kit/log", "github.com/go-kit/log/level", "github.com/go-kit/kit/log", "github.com/go-kit/kit/log/level",
}

// observers are packages of traces and metrics, with those below them.
var observers = []string{"go.opentelemetry.io/otel", "github.com/prometheus/client_golang/prometheus"}

// pure are packages whose functions, but for the methods named in mutating, change nothing.
var pure = []string{
	"sync", "strings", "strconv", "slices", "maps", "reflect", "sort", "time", "bytes", "errors", "fmt", "context", "math", "regexp",
	MetaV1, labelsPackage, apiMeta, apiTypes, apiErrors, runtimePkg + "/schema",
	apiMachinery + "/pkg/api/equality", apiMachinery + "/pkg/util/sets", apiMachinery + "/pkg/conversion",
	"k8s.io/utils/ptr", "k8s.io/utils/pointer", "github.com/google/go-cmp/cmp", "github.com/samber/lo",
}

// mutating are the methods of sets and of package sync that change their receiver, or run other code.
var mutating = strings.Fields(`Insert Delete Clear PopAny Store Swap CompareAndSwap LoadOrStore LoadAndDelete CompareAndDelete
	Add Done Go Do Signal Broadcast Put`)

// OfPure reports whether fn is of a package that changes nothing, and whether fn changes nothing itself.
func OfPure(fn *types.Func) (of, pureFn bool) {
	s := SymbolOf(fn)
	of = slices.Contains(pure, s.Pkg)
	return of, of && (fn.Signature().Recv() == nil || !slices.Contains(mutating, s.Name))
}

// KeepsNoTime reports whether the functions of the package at path have nothing to do with time.
func KeepsNoTime(path string) bool {
	return path == "sync/atomic" || path != "time" && path != "context" && (slices.Contains(pure, Path(path)) || slices.Contains(loggers, Path(path)))
}

// TestFrameworks are the packages that code for tests imports, and nothing else does.
var TestFrameworks = map[string]bool{
	"gopkg.in/check.v1":                  true,
	"github.com/stretchr/testify/assert": true, "github.com/stretchr/testify/require": true, "github.com/stretchr/testify/suite": true,
	"github.com/stretchr/testify/mock":     true,
	"k8s.io/kubernetes/test/e2e/framework": true, ControllerRuntime + "/pkg/envtest": true, "sigs.k8s.io/e2e-framework/pkg/env": true,
}

// KnownModules are the modules of Kubernetes whose functions are known beforehand, by the beginnings of their paths.
var KnownModules = []string{
	"k8s.io/", ControllerRuntime + "/", "sigs.k8s.io/structured-merge-diff/", "sigs.k8s.io/json/", "sigs.k8s.io/yaml/",
}

// OfKubernetes reports whether the package at path p is of the Kubernetes project.
func OfKubernetes(p string) bool { return Under(p, "k8s.io") || Under(p, "sigs.k8s.io") }

// OfAPIMachinery reports whether pkg is of the module with what all API types share.
func OfAPIMachinery(pkg *types.Package) bool { return pkg != nil && Under(pkg.Path(), apiMachinery) }

// OfListers reports whether pkg is one of generated listers.
func OfListers(pkg *types.Package) bool {
	return pkg != nil && strings.Contains(pkg.Path(), "/listers/")
}

// IsLibrary reports whether the package at path p is of the libraries of Kubernetes, or of controller-runtime.
func IsLibrary(p string) bool { return Under(p, "k8s.io") || Under(p, ControllerRuntime) }

// ListsSet reports whether a method or function of that name makes a slice of a set, as of apimachinery's package sets.
func ListsSet(name string) bool {
	switch name {
	case "List", "UnsortedList", "SortedList", "ToSlice", "Collect", "Sorted":
		return true
	}
	return false
}

// ChangesSet reports whether a method or builtin function of that name adds to a set, or takes something out.
func ChangesSet(name string) (grows, shrinks bool) {
	switch name {
	case "Insert", "Add", "Union":
		return true, false
	case "delete", "Delete", "Remove", "Difference":
		return false, true
	}
	return false, false
}
