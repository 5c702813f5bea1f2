package oracle

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
)

// A Known disagreement is one that is not fixed yet, or is meant so. Its program is an example.
type Known struct {
	Name    string `json:"-"`
	Missed  bool   `json:",omitempty"`
	Sub     string
	Tags    []string // all of which a disagreement of this shape has
	Reason  string
	Program *Program
}

//go:embed testdata/known
var knownFiles embed.FS

// AllKnown reads the known disagreements, by name.
func AllKnown() ([]Known, error) {
	const dir = "testdata/known"
	files, err := knownFiles.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []Known
	for _, f := range files {
		if path.Ext(f.Name()) != ".json" {
			continue
		}
		data, err := knownFiles.ReadFile(dir + "/" + f.Name())
		if err != nil {
			return nil, err
		}
		var k Known
		if err := json.Unmarshal(data, &k); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		k.Name = f.Name()[:len(f.Name())-len(".json")]
		out = append(out, k)
	}
	return out, nil
}

// Covers reports whether d has the shape of k.
func (k *Known) Covers(d Disagreement) bool {
	return k.Missed == d.Missed && k.Sub == d.Sub && !slices.ContainsFunc(k.Tags, func(t string) bool { return !slices.Contains(d.Tags, t) })
}
