// Package cachescope_test has the facts that the rule rests on, with the client and the cache of controller-runtime, and
// an API server that records what they ask it for.
package cachescope_test

import (
	"context"
	"maps"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
)

var (
	web    = client.ObjectKey{Namespace: "web", Name: "web"}
	secret = corev1.SchemeGroupVersion.WithKind("Secret")
)

func get(t *testing.T, r client.Reader, objects ...client.Object) {
	t.Helper()
	for _, o := range objects {
		if err := r.Get(t.Context(), web, o); err != nil {
			t.Fatal(err)
		}
	}
}

// want compares the numbers of requests for Secrets.
func (s *server) want(t *testing.T, gets, lists int) {
	t.Helper()
	if g, l := len(s.got("get secrets")), len(s.got("list secrets")); g != gets || l != lists {
		t.Errorf("%d get and %d list requests, want %d and %d", g, l, gets, lists)
	}
}

func untyped() client.Object {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(secret)
	return u
}

func metadata() client.Object {
	m := &metav1.PartialObjectMetadata{}
	m.SetGroupVersionKind(secret)
	return m
}

func TestCachedReads(t *testing.T) {
	t.Run("without list a cached Get blocks until its context ends", func(t *testing.T) {
		t.Parallel()
		s := serve(t, "list secrets")
		c := s.cluster(t)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		returned := make(chan error, 1)
		go func() { returned <- c.GetClient().Get(ctx, web, &corev1.Secret{}) }()
		await(t, "the list is refused twice", func() bool { return len(s.got("list secrets")) >= 2 })
		select {
		case err := <-returned:
			t.Fatalf("Get has returned %v", err)
		default:
		}
		if n := len(s.got("get secrets")); n != 0 {
			t.Errorf("%d get requests of a cached Get", n)
		}
		get(t, c.GetAPIReader(), &corev1.Secret{})
		cancel()
		if err := <-returned; !apierrors.IsTimeout(err) {
			t.Errorf("Get has returned %v", err)
		}
	})

	// An API server that streams lists asks for the verb watch only.
	t.Run("without list a cached Get returns where the server streams lists", func(t *testing.T) {
		t.Parallel()
		s := serve(t, "list secrets")
		s.streams = true
		get(t, s.cluster(t).GetClient(), &corev1.Secret{}, metadata())
		s.want(t, 0, 0)
	})

	t.Run("without watch a cached Get returns and all objects are listed again and again", func(t *testing.T) {
		t.Parallel()
		s := serve(t, "watch secrets")
		get(t, s.cluster(t).GetClient(), &corev1.Secret{})
		await(t, "three lists", func() bool { return len(s.got("list secrets")) >= 3 })
		for _, r := range s.got("list secrets") {
			if r.path != "/api/v1/secrets" || r.query.Has("fieldSelector") || r.query.Has("labelSelector") {
				t.Errorf("list of %s with %v", r.path, r.query)
			}
		}
	})

	t.Run("with list and watch a cached Get needs no get and lists once", func(t *testing.T) {
		t.Parallel()
		s := serve(t, "get secrets")
		get(t, s.cluster(t).GetClient(), &corev1.Secret{}, &corev1.Secret{})
		s.want(t, 0, 1)
	})

	t.Run("typed reads and reads of metadata are two informers", func(t *testing.T) {
		t.Parallel()
		s := serve(t)
		get(t, s.cluster(t).GetClient(), &corev1.Secret{}, metadata(), &corev1.Secret{}, metadata())
		s.want(t, 0, 2)
		for i, r := range s.got("list secrets") {
			if strings.Contains(r.accept, "as=PartialObjectMetadataList") != (i == 1) {
				t.Errorf("list %d accepts %s", i, r.accept)
			}
		}
	})
}

func TestLiveReads(t *testing.T) {
	t.Run("unstructured reads are live by default", func(t *testing.T) {
		t.Parallel()
		s := serve(t)
		get(t, s.cluster(t).GetClient(), untyped(), untyped())
		s.want(t, 2, 0)
	})

	t.Run("unstructured reads are cached with CacheOptions.Unstructured", func(t *testing.T) {
		t.Parallel()
		s := serve(t)
		c := s.cluster(t, func(o *cluster.Options) { o.Client.Cache = &client.CacheOptions{Unstructured: true} })
		get(t, c.GetClient(), untyped(), &corev1.Secret{}, untyped())
		s.want(t, 0, 2)
	})

	t.Run("client.New without Cache.Reader is live whatever DisableFor says", func(t *testing.T) {
		t.Parallel()
		s := serve(t)
		m, err := mapper(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, options := range []*client.CacheOptions{nil, {}, {DisableFor: []client.Object{&corev1.Pod{}}}} {
			c, err := client.New(s.config, client.Options{Mapper: m, Cache: options})
			if err != nil {
				t.Fatal(err)
			}
			get(t, c, &corev1.Secret{})
		}
		s.want(t, 3, 0)
	})

	t.Run("DisableFor makes reads of the kind live and its informers list all the same", func(t *testing.T) {
		t.Parallel()
		s := serve(t)
		c := s.cluster(t, func(o *cluster.Options) {
			o.Client.Cache = &client.CacheOptions{DisableFor: []client.Object{&corev1.Secret{}}}
		})
		get(t, c.GetClient(), &corev1.Secret{}, metadata())
		s.want(t, 2, 0)
		if _, err := c.GetCache().GetInformer(t.Context(), &corev1.Secret{}); err != nil {
			t.Fatal(err)
		}
		get(t, c.GetClient(), &corev1.Secret{})
		s.want(t, 3, 1)
	})
}

func TestScope(t *testing.T) {
	for name, c := range map[string]struct {
		options  cache.Options
		path     string
		selector map[string]string
	}{
		"without options the list is of the cluster": {path: "/api/v1/secrets"},
		"ByObject.Field is in the request": {
			options:  byObject(cache.ByObject{Field: fields.OneTermEqualSelector("metadata.name", "web")}),
			path:     "/api/v1/secrets",
			selector: map[string]string{"fieldSelector": "metadata.name=web"},
		},
		"ByObject.Label is in the request": {
			options:  byObject(cache.ByObject{Label: labels.SelectorFromSet(labels.Set{"app": "web"})}),
			path:     "/api/v1/secrets",
			selector: map[string]string{"labelSelector": "app=web"},
		},
		"ByObject.Namespaces is in the path": {
			options: byObject(cache.ByObject{Namespaces: map[string]cache.Config{"web": {}}}),
			path:    "/api/v1/namespaces/web/secrets",
		},
		"DefaultNamespaces is in the path": {
			options: cache.Options{DefaultNamespaces: map[string]cache.Config{"web": {}}},
			path:    "/api/v1/namespaces/web/secrets",
		},
		"DefaultNamespaces of an empty name is the cluster": {
			options: cache.Options{DefaultNamespaces: map[string]cache.Config{"": {}}},
			path:    "/api/v1/secrets",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			get(t, s.cluster(t, func(o *cluster.Options) { o.Cache = c.options }).GetClient(), &corev1.Secret{})
			s.want(t, 0, 1)
			await(t, "two watches", func() bool { return len(s.got("watch secrets")) == 2 })
			for _, r := range append(s.got("list secrets"), s.got("watch secrets")...) {
				selector := map[string]string{}
				for _, key := range []string{"fieldSelector", "labelSelector"} {
					if r.query.Has(key) {
						selector[key] = r.query.Get(key)
					}
				}
				if r.path != c.path || !maps.Equal(selector, c.selector) {
					t.Errorf("%s: %s with %v", r.what, r.path, selector)
				}
			}
		})
	}
}

func byObject(o cache.ByObject) cache.Options {
	return cache.Options{ByObject: map[client.Object]cache.ByObject{&corev1.Secret{}: o}}
}
