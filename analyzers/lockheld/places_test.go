package lockheld_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	expected = regexp.MustCompile(`(blocking|relock)[\w-]*/(?:certain|possible) ("(?:[^"\\]|\\.)*")((?: @(?:[\w.]+:)?\d+ "(?:[^"\\]|\\.)*")*)`)
	claim    = regexp.MustCompile(` at ([\w.]+\.go):(\d+)`)
)

// What a finding says of the other side, "(*T).M at t.go:12 needs the same lock", is among its related places, for a reader to check. The
// examples have their findings, with the related places, in their want comments, which another test holds against what is found.
func TestPlaces(t *testing.T) {
	claims := 0
	err := filepath.WalkDir("../../testdata/lockheld", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, want := range expected.FindAllStringSubmatch(string(text), -1) {
			for _, c := range claim.FindAllStringSubmatch(want[2], -1) {
				claims++
				file, line := c[1], c[2]
				here := file == filepath.Base(path) && strings.Contains(want[3], " @"+line+" ")
				if !here && !strings.Contains(want[3], " @"+file+":"+line+" ") && !strings.Contains(want[3], "("+file+":"+line+")") {
					t.Errorf("%s: %s\n\tnothing is related at %s:%s", path, want[2], file, line)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if claims < 50 {
		t.Errorf("only %d claims", claims)
	}
}
