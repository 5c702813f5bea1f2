package deps

import "testing"

func TestPart(t *testing.T) {
	for path, want := range map[string][3]bool{ // auto, off, all
		"sync/atomic":                             {false, false, false},
		"k8s.io/client-go/tools/cache":            {false, false, true},
		"k8s.io":                                  {false, false, true},
		"sigs.k8s.io/controller-runtime":          {false, false, true},
		"sigs.k8s.io/controller-runtime/pkg/log":  {false, false, true},
		"sigs.k8s.io/cluster-api/util/conditions": {true, false, true},
		"example.com/m/vendor/k8s.io/api/core/v1": {false, false, true},
		"example.com/m/vendor/example.com/lib":    {true, false, true},
		"golang.org/x/sync/errgroup":              {false, false, true},
		"github.com/rancher/lasso/pkg/controller": {true, false, true},
	} {
		for i, p := range []Policy{"", Off, All} {
			if got := p.Part(path, false); got != want[i] {
				t.Errorf("%s: -deps=%s says %v", path, p.String(), got)
			}
		}
	}
}

func TestMatters(t *testing.T) {
	for text, want := range map[string]bool{
		"var mu sync.Mutex":                             true,
		"c := make(chan int)":                           true,
		"\tgo run()":                                    true,
		"\tgo s.run()":                                  true,
		"import \"k8s.io/api/core/v1\"":                 true,
		"func Each(names []string, f func(string)) {":   true,
		"func Map[T, R any](in []T, f func(T) R) []R {": true,
		"func (s *Set) Each(f func(string)) {":          true,
		"func each(names []string, f func(string)) {":   true,
		"func Twice(n int) int { return 2 * n }":        false,
		"type Visitor func(string)":                     true,
		"// where does it go wrong":                     false,
	} {
		if got := Matters([]byte("package p\n\n" + text + "\n")); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestPolicy(t *testing.T) {
	var p Policy
	if err := p.Set("some"); err == nil || p.String() != "auto" {
		t.Errorf("%v is %s", err, p.String())
	}
	for _, name := range Policies {
		if err := p.Set(name); err != nil || p.String() != name {
			t.Errorf("%s: %v is %s", name, err, p.String())
		}
	}
}
