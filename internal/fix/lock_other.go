//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package fix

// lock does nothing here: only the comparison right before the file is replaced keeps two runs apart.
func lock(string) (unlock func(), err error) { return func() {}, nil }
