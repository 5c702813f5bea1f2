package kubeapi

import "go/types"

// A Type is a defined type.
type Type struct{ Pkg, Name string }

// Is reports whether t, or what it points to, is that type.
func (w Type) Is(t types.Type) bool { return IsType(t, w.Pkg, w.Name) }

// Names of methods and fields.
const (
	AddWithResync      = "AddEventHandlerWithResyncPeriod"
	DeepCopy           = "DeepCopy"
	DeleteStateUnknown = "DeleteStateUnknown"
	Elected            = "Elected"
	ElectionOption     = "LeaderElection"
	GetCache           = "GetCache"
	HasSynced          = "HasSynced"
	Informer           = "Informer"
	Lister             = "Lister"
	LoadBalancer       = "LoadBalancer"
	NeedLeaderElection = "NeedLeaderElection"
	NewManager         = "NewManager"
	ReconcileName      = "Reconcile"
	RunnableFuncName   = "RunnableFunc"
	Shutdown           = "Shutdown"
	Start              = "Start"
	Status             = "Status"
	ValidateDelete     = "ValidateDelete"
	WaitForCacheSync   = "WaitForCacheSync"
	WaitForSync        = "WaitForSync"
)

// Types of the libraries.
var (
	GRPCServer       = Type{grpc, "Server"}
	InformerSynced   = Type{Cache, "InformerSynced"}
	Job              = Type{"k8s.io/api/batch/v1", "Job"}
	Pod              = Type{"k8s.io/api/core/v1", "Pod"}
	ManagerOptions   = Type{Manager, "Options"}
	ReconcileRequest = Type{Reconcile, "Request"}
	RunnableType     = Type{Manager, "Runnable"}
	Selector         = Type{labelsPackage, "Selector"}         // of labels
	Tombstone        = Type{Cache, "DeletedFinalStateUnknown"} // stands for an object whose deletion was missed
	TypeMeta         = Type{MetaV1, "TypeMeta"}
	Unstructured     = Type{unstructured, "Unstructured"} // has a map for its content
)

// Functions and methods of the libraries.
var (
	Accessor          = symbols(apiMeta, "Accessor")
	AlreadyExists     = symbols(apiErrors, "IsAlreadyExists")
	ClientDelete      = symbols(Client, "Writer.Delete")
	Conflict          = symbols(apiErrors, "IsConflict")
	ContextForChannel = symbols(Wait, "ContextForChannel")
	ControllerRef     = symbols(MetaV1, "GetControllerOf")
	CreateOrChange    = symbols(ControllerUtil, "CreateOrUpdate CreateOrPatch")
	DiffPatches       = symbols(Client, "MergeFrom MergeFromWithOptions StrategicMergeFrom")
	Forever           = symbols(Wait, "Forever")
	// IgnoredErrors say that an error is ignored on purpose.
	IgnoredErrors     = symbols(utilRuntime, "HandleError HandleErrorWithContext HandleErrorWithLogger")
	IgnoreNotFound    = symbols(Client, "IgnoreNotFound")
	KeySplitters      = symbols(Cache, "SplitMetaNamespaceKey ParseObjectName")
	ManagerMakers     = symbols(Manager, "New")
	NotFound          = symbols(apiErrors, "IsNotFound")
	RawPatches        = symbols(Client, "RawPatch ConstantPatch")
	RemoveNestedField = symbols(unstructured, "RemoveNestedField")
	Retries           = symbols("k8s.io/client-go/util/retry", "RetryOnConflict OnError") // which return the error of their last argument
	RetryOnConflict   = symbols("k8s.io/client-go/util/retry", "RetryOnConflict")
	StoreMakers       = symbols(Cache, "NewStore NewIndexer NewTTLStore NewThreadSafeStore NewExpirationStore NewFakeExpirationStore")
	UntilSynced       = symbols(CRCache, "BlockUntilSynced")
	CacheMakers       = union(ManagerMakers, symbols(clusterPackage, "New"), symbols(CRCache, "New"))
	Content           = union(symbols(unstructured, "Unstructured.UnstructuredContent"), symbols(runtimePkg, "Unstructured.UnstructuredContent"))
	TimedPolls        = symbols(Wait, `Poll PollImmediate PollWithContext PollImmediateWithContext PollUntilContextTimeout
		ExponentialBackoff ExponentialBackoffWithContext`)
	// ObjectFuncs call their first argument with objects.
	ObjectFuncs = union(predicateMakers, symbols(HandlerPkg, "EnqueueRequestsFromMapFunc TypedEnqueueRequestsFromMapFunc"))
	// MemberStarters run their last argument as a goroutine of a group.
	MemberStarters = union(symbols("sync", "WaitGroup.Go"), symbols("golang.org/x/sync/errgroup", "Group.Go Group.TryGo"),
		symbols(Wait, "Group.Start Group.StartWithChannel Group.StartWithContext"))
	// ContextWrappers return a context that ends when the one that they are given ends.
	ContextWrappers = union(symbols(klogV2, "NewContext"), symbols(logr, "NewContext NewContextWithSlogLogger"),
		symbols(crLog, "IntoContext"), symbols("k8s.io/apiserver/pkg/endpoints/request", "WithRequestInfo"),
		symbols("go.opentelemetry.io/otel/trace", "ContextWithSpan"),
		symbols(grpc+"/metadata", "NewOutgoingContext AppendToOutgoingContext"))
)
