// Package proxytest returns tests a module proxy with modules of their own.
package proxytest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// Serve makes the go command, for the time of the test, know no modules but those given: for path@version the text of
// each file, of which one is go.mod. Paths are in lower case. One with nothing but go.mod is known and cannot be
// downloaded, as happens where a proxy has lost a module.
func Serve(t *testing.T, modules map[string]map[string]string) {
	t.Helper()
	proxy := t.TempDir()
	for module, files := range modules {
		dir, version, ok := strings.Cut(module, "@")
		if !ok || files["go.mod"] == "" {
			t.Fatalf("%s has no version or no go.mod", module)
		}
		var archive bytes.Buffer
		z := zip.NewWriter(&archive)
		for name, text := range files {
			w, err := z.Create(path.Join(module, name))
			if err == nil {
				_, err = w.Write([]byte(text))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(proxy, filepath.FromSlash(dir), "@v")
		if err := os.MkdirAll(at, 0o755); err != nil {
			t.Fatal(err)
		}
		served := map[string][]byte{".mod": []byte(files["go.mod"]), ".info": fmt.Appendf(nil, `{"Version": %q}`, version)}
		if len(files) > 1 {
			served[".zip"] = archive.Bytes()
		}
		for suffix, data := range served {
			if err := os.WriteFile(filepath.Join(at, version+suffix), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(proxy))
	for _, direct := range []string{"GOPRIVATE", "GONOPROXY"} { // these would ask the modules' hosts
		t.Setenv(direct, "none")
	}
	t.Setenv("GONOSUMDB", "*")
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOFLAGS", "-modcacherw") // else the test could not remove what it has made
}
