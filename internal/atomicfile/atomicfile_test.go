package atomicfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ctrllint/ctrllint/internal/atomicfile"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	check := func(content string, mode os.FileMode) {
		t.Helper()
		data, err := os.ReadFile(file)
		if err != nil || string(data) != content {
			t.Errorf("read %q, %v, want %q", data, err, content)
		}
		info, err := os.Lstat(file)
		if err != nil || info.Mode() != mode {
			t.Errorf("mode %v, %v, want %v", info.Mode(), err, mode)
		}
	}

	if err := atomicfile.Write(file, []byte("new")); err != nil {
		t.Fatal(err)
	}
	check("new", 0o644)

	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(file, []byte("again")); err != nil {
		t.Fatal(err)
	}
	check("again", 0o600)

	link := filepath.Join(dir, "link")
	if err := os.Symlink("file", link); err != nil {
		t.Skip(err) // not every system lets everybody make links
	}
	if err := atomicfile.Write(link, []byte("through the link")); err != nil {
		t.Fatal(err)
	}
	check("through the link", 0o600)

	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v: something is left beside the files", entries, err)
	}
}

// What cannot be written leaves nothing behind.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(filepath.Join(dir, "folder"), []byte("x")); err == nil {
		t.Error("a folder was replaced by a file")
	}
	if err := atomicfile.Write(filepath.Join(dir, "missing", "file"), []byte("x")); err == nil {
		t.Error("no error for a folder that is not there")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v: something is left behind", entries, err)
	}
}
