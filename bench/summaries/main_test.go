package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// What is embedded is what the inference finds. `make summaries` writes it.
func TestTable(t *testing.T) {
	root := filepath.Join("..", "..")
	want, err := os.ReadFile(filepath.Join(root, "internal", "blocking", "inplace.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := write(&got, filepath.Join(root, "testdata")); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("internal/blocking/inplace.txt is not what bench/summaries finds: run make summaries\n%s", &got)
	}
}
