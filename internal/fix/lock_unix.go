//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package fix

import (
	"errors"
	"os"
	"syscall"
)

// lock keeps other runs from writing the file until unlock is called. It does not wait: an error says that another
// run has it. Where the file system knows no locks, there is none, and only the comparison right before the file is
// replaced is left.
func lock(path string) (unlock func(), err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		_ = f.Close() // it was only read
		return nil, errors.New("another run is writing it: run again")
	}
	return func() { _ = f.Close() }, nil // which returns the lock back
}
