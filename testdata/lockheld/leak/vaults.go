package leak

import "example.com/operators/lockheld/leak/vault"

type bank struct {
	vault *vault.Vault
	last  func(string)
}

// Move leaves the vault open where there is nothing.
func (b *bank) Move(name string) error {
	room, shut := b.vault.Open()
	if room[name] == 0 {
		return errClosed // want leak/certain "b.vault.mu (locked at line 12) is still held when (*bank).Move returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @12 "b.vault.mu is locked here"
	}
	shut(name)
	return nil
}

// Count asks the vault that is open.
func (b *bank) Count(name string) int {
	_, shut := b.vault.Open()
	defer shut(name)
	return b.vault.Len() // want relock/certain "b.vault.mu (locked at line 22) is locked again (vault.go:37, via (*Vault).Len), which deadlocks; unlock first, or call a variant that does not lock" @22 "b.vault.mu is locked here" @24 "calls (*Vault).Len" @vault.go:37 "second acquisition"
}

// Counted asks it when it is shut.
func (b *bank) Counted(name string) int {
	_, shut := b.vault.Open()
	shut(name)
	return b.vault.Len() // ok
}

// Again shuts what another function has opened.
func (b *bank) Again(name string) (int, error) {
	room, shut := b.vault.Again()
	if room[name] == 0 {
		shut("")
		return 0, errClosed
	}
	shut(name)
	return b.vault.Len(), nil // ok
}

// Peeked does not know whether it is open.
func (b *bank) Peeked(name string) int {
	n, shut := b.vault.Peek(name)
	shut()
	return n + b.vault.Len() // ok
}

// Deferred shuts it in a literal.
func (b *bank) Deferred(name string) error {
	room, shut := b.vault.Open()
	defer func() { shut(name) }()
	if room[name] == 0 {
		return errClosed // ok
	}
	return nil
}

// Elsewhere lets others shut it.
func (b *bank) Elsewhere(name string, to func(func(string))) int {
	_, shut := b.vault.Open()
	to(shut)
	return b.vault.Len() // ok
}

// Either shuts it by one of two functions.
func (b *bank) Either(name string, quick bool) int {
	_, shut := b.vault.Open()
	end := func(string) { shut("") }
	if quick {
		end = shut
	}
	end(name)
	return b.vault.Len() // ok
}

// Keep shuts it later.
func (b *bank) Keep(name string) {
	room, shut := b.vault.Open()
	if room[name] == 0 {
		shut("")
		return
	}
	b.last = shut // ok
}

// Kept is when it does so.
func (b *bank) Kept(name string) { b.last(name) }

// Spawn lets a goroutine shut it.
func (b *bank) Spawn(name string) int {
	_, shut := b.vault.Open()
	go func() { shut(name) }()
	return b.vault.Len() // ok
}

// Handed hands it on.
func (b *bank) Handed(name string) (int, func(string)) {
	room, shut := b.vault.Open()
	if room[name] == 0 {
		shut("")
		return 0, func(string) {}
	}
	return room[name], shut // ok
}

// Listed shuts all that it has opened.
func (b *bank) Listed(name string, ends []func(string)) int {
	_, shut := b.vault.Open()
	ends = append(ends, shut)
	for _, end := range ends {
		end(name)
	}
	return b.vault.Len() // ok
}

// Strange calls something that it has got together with the lock.
func (b *bank) Strange(name string, pick func() func(string)) int {
	_, _ = b.vault.Open()
	pick()(name)
	return b.vault.Len() // ok: it may have been that
}
