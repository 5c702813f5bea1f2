package cachescope_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
)

var kinds = map[string]string{"configmaps": "ConfigMap", "pods": "Pod", "secrets": "Secret"}

// A server is an API server on loopback with one object of each kind, web/web, that never changes.
type server struct {
	config  *rest.Config
	streams bool     // a watch may ask for the initial list, as of Kubernetes 1.34
	refused []string // verbs and resources, such as "list secrets"

	mu       sync.Mutex
	requests []request
}

// A request is one that the server has got and answered, or is about to: it is recorded first.
type request struct {
	what, path, accept string
	query              url.Values
}

func serve(t *testing.T, refused ...string) *server {
	s := &server{refused: refused}
	listener := httptest.NewServer(s)
	t.Cleanup(listener.Close)
	s.config = &rest.Config{Host: listener.URL}
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	verb, resource, query := "list", path.Base(r.URL.Path), r.URL.Query()
	if kinds[resource] == "" {
		verb, resource = "get", path.Base(path.Dir(r.URL.Path))
	} else if query.Has("watch") {
		verb = "watch"
	}
	what := verb + " " + resource
	s.mu.Lock()
	s.requests = append(s.requests, request{what, r.URL.Path, r.Header.Get("Accept"), query})
	s.mu.Unlock()

	version, kind := "v1", kinds[resource]
	if strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata") {
		version, kind = "meta.k8s.io/v1", "PartialObjectMetadata"
	}
	const object = `{"kind":%q,"apiVersion":%q,"metadata":{"namespace":"web","name":"web","resourceVersion":"1","annotations":{%s}}}`
	web := fmt.Sprintf(object, kind, version, "")
	w.Header().Set("Content-Type", "application/json")
	switch {
	case slices.Contains(s.refused, what):
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403}`)
	case verb == "get":
		fmt.Fprint(w, web)
	case verb == "list":
		fmt.Fprintf(w, `{"kind":"%sList","apiVersion":%q,"metadata":{"resourceVersion":"1"},"items":[%s]}`, kind, version, web)
	case query.Has("sendInitialEvents") && !s.streams:
		w.WriteHeader(http.StatusUnprocessableEntity)
		fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","code":422}`)
	default:
		if query.Has("sendInitialEvents") {
			end := fmt.Sprintf(object, kind, version, `"k8s.io/initial-events-end":"true"`)
			fmt.Fprintf(w, `{"type":"ADDED","object":%s}{"type":"BOOKMARK","object":%s}`, web, end)
		}
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
}

// got gives the requests so far that are what.
func (s *server) got(what string) (of []request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		if r.what == what {
			of = append(of, r)
		}
	}
	return of
}

// mapper knows the kinds. None of the requests are for them.
func mapper(*rest.Config, *http.Client) (meta.RESTMapper, error) {
	m := meta.NewDefaultRESTMapper([]schema.GroupVersion{corev1.SchemeGroupVersion})
	for _, kind := range kinds {
		m.Add(corev1.SchemeGroupVersion.WithKind(kind), meta.RESTScopeNamespace)
	}
	return m, nil
}

// cluster gives the started client and cache of a manager.
func (s *server) cluster(t *testing.T, options ...cluster.Option) cluster.Cluster {
	t.Helper()
	c, err := cluster.New(s.config, append(options, func(o *cluster.Options) {
		o.Logger, o.MapperProvider = logr.Discard(), mapper
	})...)
	if err != nil {
		t.Fatal(err)
	}
	run(t, c.Start)
	if !c.GetCache().WaitForCacheSync(t.Context()) {
		t.Fatal("the cache has not started")
	}
	return c
}

// run runs start in the background, until the end of the test.
func run(t *testing.T, start func(context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// await waits until condition holds. The limit is for machines that are as good as stopped.
func await(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for start := time.Now(); !condition(); time.Sleep(10 * time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatalf("timed out waiting for: %s", what)
		}
	}
}
