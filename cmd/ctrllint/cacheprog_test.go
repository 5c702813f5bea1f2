package main

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"honnef.co/go/tools/lintcmd/cache/cacheprog"
)

// cacheServer is the environment variable that makes the test binary a cache program. It has the address of the server
// that keeps what the program is given.
const cacheServer = "CTRLLINT_TEST_CACHE_SERVER"

// A shelf is the server: what was put, by action.
type shelf struct {
	mu   sync.Mutex
	kept map[string]item
	hits int
}

type item struct{ Output, Body []byte }

// An order is what the program asks of the server. Without Item, it asks for what was put.
type order struct {
	Action string
	Item   *item
}

// serve answers on loopback until the test is over.
func (s *shelf) serve(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	t.Cleanup(func() {
		_ = l.Close()
		wg.Wait()
	})
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer conn.Close() //nolint:errcheck // The program is done with it.
				for in, out := gob.NewDecoder(conn), gob.NewEncoder(conn); ; {
					var o order
					if in.Decode(&o) != nil || out.Encode(s.answer(o)) != nil {
						return
					}
				}
			})
		}
	})
	return l.Addr().String()
}

func (s *shelf) answer(o order) item {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o.Item != nil {
		s.kept[o.Action] = *o.Item
		return *o.Item
	}
	i := s.kept[o.Action]
	if i.ours() {
		s.hits++
	}
	return i
}

// ours reports whether i is a result of ctrllint: the go command asks the same program for other things.
func (i item) ours() bool { return bytes.Contains(i.Body, []byte("Suppressed")) }

// results is how many of those there are.
func (s *shelf) results() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, i := range s.kept {
		if i.ours() {
			n++
		}
	}
	return n
}

// serveCache speaks the protocol of the go command on standard input and output, with files in a folder of its own.
func serveCache(address string) int {
	err := func() error {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return err
		}
		dir, err := os.MkdirTemp("", "cacheprog")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir) //nolint:errcheck // It is the system's folder for such things.
		ask, answers := gob.NewEncoder(conn), gob.NewDecoder(conn)
		out := json.NewEncoder(os.Stdout)
		if err := out.Encode(cacheprog.Response{KnownCommands: []cacheprog.Cmd{cacheprog.CmdGet, cacheprog.CmdPut, cacheprog.CmdClose}}); err != nil {
			return err
		}
		for in := json.NewDecoder(os.Stdin); ; {
			var req cacheprog.Request
			if err := in.Decode(&req); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
			if req.Command == cacheprog.CmdClose {
				return out.Encode(cacheprog.Response{ID: req.ID})
			}
			o := order{Action: string(req.ActionID)}
			if req.Command == cacheprog.CmdPut {
				o.Item = &item{Output: req.OutputID}
				if req.BodySize > 0 {
					if err := in.Decode(&o.Item.Body); err != nil {
						return err
					}
				}
			}
			var i item
			if err := ask.Encode(o); err != nil {
				return err
			}
			if err := answers.Decode(&i); err != nil {
				return err
			}
			res := cacheprog.Response{ID: req.ID, Miss: i.Output == nil}
			if !res.Miss {
				res.OutputID, res.Size, res.DiskPath = i.Output, int64(len(i.Body)), filepath.Join(dir, fmt.Sprintf("%x", req.ActionID))
				if err := os.WriteFile(res.DiskPath, i.Body, 0o644); err != nil {
					return err
				}
			}
			if err := out.Encode(res); err != nil {
				return err
			}
		}
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// A machine with an empty cache is answered by what another one has given to the cache program, wherever its checkout
// is.
func TestCacheProgram(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{kept: make(map[string]item)}
	env := []string{cacheServer + "=" + s.serve(t), programVariable + "='" + exe + "'"}
	one, two := row(t, locking), row(t, locking)
	want := one.uncached().run(t)
	one.env, two.env = env, env
	one.gives(t, "one", want, 4)
	if n := s.results(); n != results || s.hits > 0 {
		t.Errorf("the program has %d results, and gave %d", n, s.hits)
	}
	two.gives(t, "two", want, 0)
	if s.hits != results {
		t.Errorf("the program gave %d results", s.hits)
	}

	// What it gave is not kept on this machine's disk; with nothing from the server, all is analysed.
	three := two
	three.env = nil
	three.gives(t, "three", want, 4)

	// A program that hands out other bytes is not believed.
	s.mu.Lock()
	for action, i := range s.kept {
		if i.ours() {
			i.Body = bytes.ToUpper(i.Body)
			s.kept[action] = i
		}
	}
	s.mu.Unlock()
	four := row(t, locking)
	four.env = env
	got, n := four.counted(t)
	if got.stdout != want.stdout || got.code != want.code || n.stored != 0 || !matches(`^ctrllint: warning: the cache program .* fails: .* is not what was put\n$`, got.stderr) {
		t.Errorf("%+v: %v", n, got)
	}
}
