package store_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/internal/store"
)

// No two sequences of parts have one key, where they differ only in where parts begin or of what kind they are.
func TestHash(t *testing.T) {
	seen := make(map[store.Key]string)
	for name, add := range map[string]func(h *store.Hash){
		"nothing":       func(*store.Hash) {},
		"empty":         func(h *store.Hash) { h.String("") },
		"two empty":     func(h *store.Hash) { h.String(""); h.String("") },
		"ab":            func(h *store.Hash) { h.String("ab") },
		"a, b":          func(h *store.Hash) { h.String("a"); h.String("b") },
		"b, a":          func(h *store.Hash) { h.String("b"); h.String("a") },
		"[a b]":         func(h *store.Hash) { h.Strings([]string{"a", "b"}) },
		"[a] b":         func(h *store.Hash) { h.Strings([]string{"a"}); h.String("b") },
		"[a] [b]":       func(h *store.Hash) { h.Strings([]string{"a"}); h.Strings([]string{"b"}) },
		"[]":            func(h *store.Hash) { h.Strings(nil) },
		"[empty]":       func(h *store.Hash) { h.Strings([]string{""}) },
		"0":             func(h *store.Hash) { h.Int(0) },
		"-1":            func(h *store.Hash) { h.Int(-1) },
		"bytes like 97": func(h *store.Hash) { h.Bytes([]byte{'i', 97, 0, 0, 0, 0, 0, 0, 0}) },
		"97":            func(h *store.Hash) { h.Int(97) },
	} {
		h, again := store.NewHash("test"), store.NewHash("test")
		add(h)
		add(again)
		if first := h.Sum(); first != again.Sum() || first != h.Sum() {
			t.Errorf("%s has two keys", name)
		}
		if other, ok := seen[h.Sum()]; ok {
			t.Errorf("%s and %s have one key", name, other)
		}
		seen[h.Sum()] = name
		other := store.NewHash("other")
		add(other)
		if h.Sum() == other.Sum() {
			t.Errorf("%s has one key for two purposes", name)
		}
	}
	s, b := store.NewHash("test"), store.NewHash("test")
	s.String("ab")
	b.Bytes([]byte("ab"))
	if s.Sum() != b.Sum() {
		t.Error("a text and its bytes have two keys")
	}
}
