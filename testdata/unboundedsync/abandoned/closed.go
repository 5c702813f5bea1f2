package abandoned

import (
	"time"
)

// answered closes the channel on its way out: who sends later panics.
func answered(fetch func(string) error, name string) error {
	failed := make(chan error)
	defer close(failed)
	go func() {
		if err := fetch(name); err != nil {
			failed <- err // want abandoned "this send panics where answered has returned before, as it does when a time has passed (line 16): it has closed the channel then; leave it open, and make it with room for one" @9 "the channel is made here" @16 "this may take another way" @10 "the channel is closed here"
		}
	}()
	select {
	case err := <-failed:
		return err
	case <-time.After(time.Second):
		return nil
	}
}
