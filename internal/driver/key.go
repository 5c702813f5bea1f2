package driver

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/load"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/signature"
	"github.com/ctrllint/ctrllint/internal/store"
)

// toolID identifies this program, its version included.
var toolID = sync.OnceValues(func() (string, error) {
	// On Linux, this is what runs even if its file has been replaced since.
	f, err := os.Open("/proc/self/exe")
	if err != nil {
		name, err := os.Executable()
		if err != nil {
			return "", err
		}
		if f, err = os.Open(name); err != nil {
			return "", err
		}
	}
	defer f.Close() //nolint:errcheck // It was only read.
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return string(h.Sum(nil)), nil
})

// keys computes the keys under which results are stored.
type keys struct {
	graph *load.Graph
	names *portable
	base  store.Key // of what is the same for all packages of a run

	mu         sync.Mutex
	signatures map[*packages.Package]store.Key // by mu

	readers  []rule.Reader
	readMu   sync.Mutex
	readSums map[string]store.Key // by readMu: of what the readers read, by folder of the module
}

// newKeys returns the keys for runs of the analyzers. It fails if this program cannot be identified.
func newKeys(g *load.Graph, names *portable, analyzers []*analysis.Analyzer) (*keys, error) {
	id, err := toolID()
	if err != nil {
		return nil, err
	}
	h := store.NewHash("run")
	h.Strings([]string{id, g.Env.GOVERSION, g.Env.GOOS, g.Env.GOARCH, g.Env.GOEXPERIMENT})
	h.Strings([]string{g.Env.CGO_ENABLED, g.Env.CC, g.Env.CGO_CFLAGS, g.Env.CGO_CPPFLAGS, g.Env.CGO_LDFLAGS, g.Env.PKG_CONFIG})
	for _, a := range analyzers {
		h.String(a.Name)
		a.Flags.VisitAll(func(f *flag.Flag) { h.Strings([]string{f.Name, f.Value.String()}) })
	}
	active := &rule.Active
	h.Strings([]string{fmt.Sprint(active.Tests, active.Generated, active.Golangci, active.Confidence, active.Severity, active.Nursery, active.Named), active.Blocks.String(), active.Stores.String(), active.Deps.String()})
	for pattern := range strings.SplitSeq(active.Exclude.String(), ",") {
		portable := names.encode(pattern)
		h.String(portable)
		if pattern != "" && portable == pattern {
			// What it matches depends on the folders of the modules.
			h.Strings(names.dirs())
		}
	}
	return &keys{
		graph: g, names: names, base: h.Sum(), signatures: make(map[*packages.Package]store.Key),
		readers: rule.Readers(analyzers), readSums: make(map[string]store.Key),
	}, nil
}

// read returns the key of the files that the analyzers read for the programs of the module in the folder dir.
func (k *keys) read(dir string) (store.Key, error) {
	k.readMu.Lock()
	defer k.readMu.Unlock()
	if known, ok := k.readSums[dir]; ok {
		return known, nil
	}
	h := store.NewHash("read")
	for _, r := range k.readers {
		names, err := r.Reads(dir)
		if err != nil {
			return store.Key{}, err
		}
		for _, name := range names {
			rel, err := filepath.Rel(dir, name)
			if err != nil {
				return store.Key{}, err
			}
			src, err := k.graph.Read(name)
			if err != nil {
				return store.Key{}, err
			}
			h.String(filepath.ToSlash(rel))
			h.Bytes(src)
		}
	}
	k.readSums[dir] = h.Sum()
	return k.readSums[dir], nil
}

// unit returns the key of the result for p. Below are the units of the packages that p reaches.
func (k *keys) unit(p *packages.Package, reach []*packages.Package, below map[*packages.Package]*unit) (store.Key, error) {
	h := store.NewHash("unit")
	h.Bytes(k.base[:])
	h.Strings([]string{p.ID, p.PkgPath, p.Name})
	if m := p.Module; m != nil {
		h.Strings([]string{m.Path, m.Version, m.GoVersion})
		if len(k.readers) > 0 && p.Name == "main" && m.Dir != "" {
			sum, err := k.read(m.Dir)
			if err != nil {
				return store.Key{}, err
			}
			h.Bytes(sum[:])
		}
	}
	version := k.version(p)
	h.String(version)
	names, err := p.GoFiles, error(nil)
	if version == "" {
		if names, err = k.graph.SourceFiles(p); err != nil {
			return store.Key{}, err
		}
	}
	for _, name := range names {
		h.String(k.names.encode(name))
		if version != "" {
			continue // it stands for the contents
		}
		src, err := k.graph.Read(name)
		if err != nil {
			return store.Key{}, err
		}
		h.Bytes(src)
	}
	for _, name := range slices.Concat(p.OtherFiles, p.IgnoredFiles) {
		h.String(k.names.encode(name))
	}
	for _, e := range p.Errors {
		h.Strings([]string{k.names.encode(e.Pos), e.Msg})
	}
	k.mu.Lock()
	err = k.imports(h, p)
	k.mu.Unlock()
	if err != nil {
		return store.Key{}, err
	}
	for _, i := range reach {
		// Neither types nor facts show that it could not be analysed.
		h.Strings([]string{i.ID, strconv.FormatBool(below[i] != nil && len(below[i].Errors) > 0)})
		sum := below[i].sum()
		h.Bytes(sum[:])
	}
	return h.Sum(), nil
}

// imports adds to h what p sees of its imports. The caller holds k.mu.
func (k *keys) imports(h *store.Hash, p *packages.Package) error {
	for _, path := range slices.Sorted(maps.Keys(p.Imports)) {
		s, err := k.signature(p.Imports[path])
		if err != nil {
			return err
		}
		h.String(path)
		h.Bytes(s[:])
	}
	return nil
}

// signature returns the key of what importing packages see of p. The version of a package of the standard library or
// of the module cache stands for its contents. The caller holds k.mu.
func (k *keys) signature(p *packages.Package) (store.Key, error) {
	if known, ok := k.signatures[p]; ok {
		return known, nil
	}
	h := store.NewHash("signature")
	version := k.version(p)
	h.Strings([]string{p.ID, p.PkgPath, p.Name, load.GoVersion(p), version})
	for _, name := range p.GoFiles {
		h.String(k.names.encode(name))
	}
	if version == "" {
		if err := k.declarations(h, p); err != nil {
			return store.Key{}, err
		}
	}
	for _, e := range p.Errors {
		h.Strings([]string{k.names.encode(e.Pos), e.Msg})
	}
	if err := k.imports(h, p); err != nil {
		return store.Key{}, err
	}
	sum := h.Sum()
	k.signatures[p] = sum
	return sum, nil
}

// declarations adds to h what the source of p declares.
func (k *keys) declarations(h *store.Hash, p *packages.Package) error {
	files := p.GoFiles
	if k.graph.IsOwn(p) { // for others, cgo was not run
		var err error
		if files, err = k.graph.SourceFiles(p); err != nil {
			return err
		}
	}
	cgo := false
	for _, name := range files {
		src, err := k.graph.Read(name)
		if err != nil {
			return err
		}
		if k.graph.IsOwn(p) || !bytes.Contains(src, []byte(`"C"`)) {
			src = signature.Elide(src)
		} else { // the comments declare something, and so may headers
			cgo = true
		}
		h.Bytes(src)
	}
	if !cgo {
		return nil
	}
	for _, name := range p.OtherFiles {
		src, err := k.graph.Read(name)
		if err != nil {
			return err
		}
		h.Bytes(src)
	}
	return nil
}

// version stands for the contents of p; empty if nothing does.
func (k *keys) version(p *packages.Package) string {
	in := func(dir string) bool {
		return dir != "" && len(p.GoFiles) > 0 && strings.HasPrefix(p.GoFiles[0], dir+string(filepath.Separator))
	}
	m := p.Module
	if m != nil && m.Replace != nil {
		m = m.Replace
	}
	switch {
	case k.graph.IsOwn(p):
	case m == nil && in(filepath.Join(k.graph.Env.GOROOT, "src")):
		if v := k.graph.Env.GOVERSION; !strings.Contains(v, "devel") {
			return v
		}
	case m != nil && m.Version != "" && in(k.graph.Env.GOMODCACHE):
		return m.Path + "@" + m.Version
	}
	return ""
}
