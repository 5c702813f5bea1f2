package fewer

import "fmt"

type page struct{ rows []string }

type pageOrError struct {
	page
	err error
}

// stores gives up when one page cannot be stored.
func stores(next func() (page, bool), store func(page) error) error {
	pages := make(chan page)
	go func() {
		defer close(pages)
		for {
			p, more := next()
			if !more {
				return
			}
			pages <- p // want abandoned "this send waits forever in the turn after the one for which stores fails and returns (line 26): it receives no more, and nobody else does; select on what ends then, too" @14 "the channel is made here" @26 "this receives no more"
		}
	}()
	for p := range pages {
		if err := store(p); err != nil {
			return fmt.Errorf("a page: %w", err)
		}
	}
	return nil
}

// storesAll goes on to the end.
func storesAll(next func() (page, bool), store func(page) error) (last error) {
	pages := make(chan page)
	go func() {
		defer close(pages)
		for {
			p, more := next()
			if !more {
				return
			}
			pages <- p // ok
		}
	}()
	for p := range pages {
		if err := store(p); err != nil {
			last = err
		}
	}
	return last
}

// storesOrTells lets the other one go.
func storesOrTells(next func() (page, bool), store func(page) error) error {
	pages, gone := make(chan page), make(chan struct{})
	defer close(gone)
	go func() {
		defer close(pages)
		for {
			p, more := next()
			if !more {
				return
			}
			select {
			case pages <- p: // ok
			case <-gone:
				return
			}
		}
	}()
	for p := range pages {
		if err := store(p); err != nil {
			return err
		}
	}
	return nil
}

// storesGiven returns for what the sender says, which ends then.
func storesGiven(next func() (page, error), store func(page) error) error {
	pages := make(chan pageOrError)
	go func() {
		for {
			p, err := next()
			pages <- pageOrError{p, err} // ok: it ends with the error
			if err != nil {
				return
			}
		}
	}()
	for p := range pages {
		if p.err != nil {
			return p.err
		}
		if err := store(p.page); err != nil {
			continue
		}
	}
	return nil
}

// storesRest takes what is left.
func storesRest(next func() (page, bool), store func(page) error) error {
	pages := make(chan page)
	go func() {
		defer close(pages)
		for {
			p, more := next()
			if !more {
				return
			}
			pages <- p // ok: it is taken
		}
	}()
	for p := range pages {
		if err := store(p); err != nil {
			for range pages {
			}
			return err
		}
	}
	return nil
}

var _ = []any{stores, storesAll, storesOrTells, storesGiven, storesRest}
