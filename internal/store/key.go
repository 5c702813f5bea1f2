package store

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// version is part of all keys.
const version = "ctrllint store 1"

// A Key is the hash of all that the data under it was made from.
type Key [sha256.Size]byte

// A Hash makes a Key from parts. Each part is preceded by its kind and length, so that different sequences of parts
// are different bytes.
type Hash struct{ h hash.Hash }

// NewHash begins a key. The purpose keeps the keys of different kinds of data apart.
func NewHash(purpose string) *Hash {
	h := &Hash{sha256.New()}
	h.String(version)
	h.String(purpose)
	return h
}

// String adds a text.
func (h *Hash) String(s string) { h.Bytes([]byte(s)) }

// Bytes adds bytes, like a text of the same bytes.
func (h *Hash) Bytes(b []byte) {
	h.head('b', uint64(len(b)))
	_, _ = h.h.Write(b)
}

// Strings adds a list of texts; nil is an empty list.
func (h *Hash) Strings(list []string) {
	h.head('l', uint64(len(list)))
	for _, s := range list {
		h.String(s)
	}
}

// Int adds a number.
func (h *Hash) Int(n int64) { h.head('i', uint64(n)) }

// Sum returns the key of the parts so far. More may be added afterwards.
func (h *Hash) Sum() Key { return Key(h.h.Sum(nil)) }

func (h *Hash) head(kind byte, n uint64) {
	_, _ = h.h.Write(binary.LittleEndian.AppendUint64([]byte{kind}, n))
}
