package cachemutation_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/rest"
	clienttesting "k8s.io/client-go/testing"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/repro/cachemutation/alias"
	"example.com/operators/repro/cachemutation/callee"
	"example.com/operators/repro/cachemutation/deep"
	"example.com/operators/repro/cachemutation/disabled"
	"example.com/operators/repro/cachemutation/returned"
	"example.com/operators/repro/cachemutation/shallow"
	"example.com/operators/repro/cachemutation/write"
	"example.com/operators/repro/process"
)

// program is one main function, run over the bad code and over its good twin, in a process of its own each.
type program struct {
	name      string
	bad, good func()
	cache     string // what is modified by the bad one
}

const (
	nodeCache = "*v1.Node"
	podCache  = "*v1.Pod"
)

func of[T any](name string, main func(context.Context, cluster, T) error, bad, good T, cache string) program {
	with := func(code T) func() {
		return func() {
			execute(func(ctx context.Context, c cluster) error { return main(ctx, c, code) })
		}
	}
	return program{name, with(bad), with(good), cache}
}

var programs = []program{
	of("write", cordon, write.Bad, write.Good, nodeCache),
	of("callee", mark, callee.Bad, callee.Good, podCache),
	of("returned", taint, returned.Bad, returned.Good, nodeCache),
	of("shallow", rename, shallow.Bad, shallow.Good, podCache),
	of("deep", hide, deep.Bad, deep.Good, podCache),
	of("alias", agent, alias.Bad, alias.Good, nodeCache),
	of("disabled", count, disabled.Bad, disabled.Good, nodeCache),
}

// cordon is refused by the server.
func cordon(ctx context.Context, c cluster, f func(context.Context, kubernetes.Interface, corelisters.NodeLister, string) error) error {
	refused := errors.New("refused")
	c.client.PrependReactor("update", "nodes", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, refused })
	if err := f(ctx, c.client, c.nodes(), "node"); !errors.Is(err, refused) {
		return fmt.Errorf("not refused: %w", err)
	}
	return nil
}

func mark(_ context.Context, c cluster, f func(corelisters.PodLister, string, string) (*corev1.Pod, error)) error {
	pod, err := f(c.pods(), "default", "pod")
	return expect(err == nil && pod.Annotations["example.com/seen"] == "true", err)
}

func taint(_ context.Context, c cluster, f func(corelisters.NodeLister) (*corev1.Node, error)) error {
	node, err := f(c.nodes())
	return expect(err == nil && len(node.Spec.Taints) == 1, err)
}

func rename(_ context.Context, c cluster, f func(lister corelisters.PodLister, namespace, name, next string) (*corev1.Pod, error)) error {
	pod, err := f(c.pods(), "default", "pod", "next")
	return expect(err == nil && pod.Name == "next" && pod.Annotations["example.com/was"] == "pod", err)
}

func hide(_ context.Context, c cluster, f func(corelisters.PodLister, string, string) ([]corev1.Container, error)) error {
	containers, err := f(c.pods(), "default", "pod")
	return expect(err == nil && containers[0].Env[0].Value == "hidden", err)
}

func agent(_ context.Context, c cluster, f func(corelisters.NodeLister, string) (*corev1.Pod, error)) error {
	pod, err := f(c.nodes(), "node")
	return expect(err == nil && pod.Labels["example.com/node"] == "node", err)
}

// count reads from a cache of controller-runtime, over an informer of the cluster.
func count(ctx context.Context, c cluster, f func(context.Context, client.Reader) (map[string]bool, error)) error {
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("Node"), meta.RESTScopeRoot)
	reader, err := cache.New(&rest.Config{}, cache.Options{
		Mapper: mapper,
		NewInformer: func(toolscache.ListerWatcher, runtime.Object, time.Duration, toolscache.Indexers) toolscache.SharedIndexInformer {
			return informers.NewSharedInformerFactory(c.client, 0).Core().V1().Nodes().Informer()
		},
	})
	if err != nil {
		return err
	}
	go func() { _ = reader.Start(ctx) }()
	if !reader.WaitForCacheSync(ctx) {
		return errors.New("the cache has not started")
	}
	seen, err := f(ctx, reader)
	return expect(err == nil && seen["node"], err)
}

func expect(ok bool, err error) error {
	if !ok {
		return fmt.Errorf("another result than expected, error %w", err)
	}
	return nil
}

// cluster has a node and a pod, and informers that have read them.
type cluster struct {
	client  *fake.Clientset
	factory informers.SharedInformerFactory
}

func (c cluster) nodes() corelisters.NodeLister { return c.factory.Core().V1().Nodes().Lister() }
func (c cluster) pods() corelisters.PodLister   { return c.factory.Core().V1().Pods().Lister() }

func newNode() *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name:        "node",
		Labels:      map[string]string{"zone": "west"},
		Annotations: map[string]string{"example.com/seen": "yesterday"},
	}}
}

func newPod() *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "pod", Annotations: map[string]string{"example.com/owner": "team"}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name: "main", Image: "main:1", Env: []corev1.EnvVar{{Name: "TOKEN", Value: "secret"}},
		}}},
	}
}

func start(ctx context.Context) (cluster, error) {
	client := fake.NewClientset(newNode(), newPod())
	c := cluster{client, informers.NewSharedInformerFactory(client, 0)}
	c.factory.Core().V1().Nodes().Informer()
	c.factory.Core().V1().Pods().Informer()
	c.factory.StartWithContext(ctx)
	return c, c.factory.WaitForCacheSyncWithContext(ctx).Err
}

const (
	detectorVar = "KUBE_CACHE_MUTATION_DETECTOR"

	// looksAgain is two of the detector's periods, and a half.
	looksAgain = 2500 * time.Millisecond
	intact     = "the caches are intact\n"
)

// TestMain makes this binary one program: client-go looks at detectorVar once, when it is loaded, and its detector ends
// the whole process.
func TestMain(m *testing.M) {
	all := make(map[string]func())
	for _, p := range programs {
		all[p.name+"/bad"], all[p.name+"/good"] = p.bad, p.good
	}
	process.Main(m, all)
}

// execute runs f over a cluster, and gives the detector time to look at what f left behind.
func execute(f func(context.Context, cluster) error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := start(ctx)
	if err == nil {
		err = f(ctx, c)
	}
	if err != nil {
		panic(err)
	}
	time.Sleep(looksAgain)
	fmt.Print(intact)
}

// The programs sleep for most of their time, so they all run at once.
func TestPrograms(t *testing.T) {
	var bad, unnoticed, good []<-chan end
	for _, p := range programs {
		bad = append(bad, run(t, p.name+"/bad", true))
		unnoticed = append(unnoticed, run(t, p.name+"/bad", false))
		good = append(good, run(t, p.name+"/good", true))
	}
	for i, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			if end := <-bad[i]; end.err == nil || !strings.Contains(end.output, "panic: cache "+p.cache+" modified") {
				t.Errorf("the detector did not stop the bad program: %v\n%s", end.err, end.output)
			}
			if end := <-unnoticed[i]; end.err != nil || end.output != intact {
				t.Errorf("the bad program, without the detector: %v\n%s", end.err, end.output)
			}
			if end := <-good[i]; end.err != nil || !strings.HasSuffix(end.output, intact) {
				t.Errorf("the good program: %v\n%s", end.err, end.output)
			}
		})
	}
}

type end struct {
	output string
	err    error
}

func run(t *testing.T, name string, detector bool) <-chan end {
	done := make(chan end, 1)
	go func() {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		output, err := process.Run(ctx, name, fmt.Sprintf("%s=%v", detectorVar, detector))
		done <- end{output, err}
	}()
	return done
}
