package main

import (
	"bytes"
	"os"
	"testing"
)

// What is embedded is what the inference finds. `make summaries` writes it.
func TestTable(t *testing.T) {
	want, err := os.ReadFile("../inplace.txt")
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := write(&got, "../../../testdata"); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("inplace.txt is not what the source of the libraries says: run make summaries\n%s", &got)
	}
}
