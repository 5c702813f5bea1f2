package store_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"honnef.co/go/tools/lintcmd/cache/cacheprog"

	"github.com/ctrllint/ctrllint/internal/store"
)

// fakeProgram is a cache program that keeps bodies in dir, and misbehaves in one way.
func fakeProgram(way, dir string) error {
	out := json.NewEncoder(os.Stdout)
	hello := cacheprog.Response{KnownCommands: []cacheprog.Cmd{cacheprog.CmdGet, cacheprog.CmdPut, cacheprog.CmdClose}}
	switch way {
	case "gets":
		hello.KnownCommands = []cacheprog.Cmd{cacheprog.CmdGet, cacheprog.CmdClose}
	case "puts":
		hello.KnownCommands = []cacheprog.Cmd{cacheprog.CmdPut}
	case "nothing":
		hello.KnownCommands = nil
	case "silent":
		time.Sleep(time.Hour)
	case "gone":
		return nil
	case "noise":
		fmt.Println("Usage: program [flags]")
		time.Sleep(time.Hour)
	case "endless":
		fmt.Print(`{"Err":"`)
		for {
			if _, err := fmt.Print(strings.Repeat("x", 1<<16)); err != nil {
				return err
			}
		}
	}
	if err := out.Encode(hello); err != nil {
		return err
	}
	if way == "deaf" {
		time.Sleep(time.Hour)
	}
	in := json.NewDecoder(os.Stdin)
	for {
		var req cacheprog.Request
		if err := in.Decode(&req); err != nil {
			if way == "stuck" {
				time.Sleep(time.Hour)
			}
			if errors.Is(err, io.EOF) {
				return os.WriteFile(filepath.Join(dir, "closed"), nil, 0o644)
			}
			return err
		}
		var body []byte
		if req.BodySize > 0 {
			if err := in.Decode(&body); err != nil {
				return err
			}
			if int64(len(body)) != req.BodySize {
				return errors.New("the body is not as long as the request says")
			}
		}
		file := filepath.Join(dir, hex.EncodeToString(req.ActionID))
		res := cacheprog.Response{ID: req.ID}
		switch req.Command {
		case cacheprog.CmdPut:
			if err := os.WriteFile(file, body, 0o644); err != nil {
				return err
			}
			if err := os.WriteFile(file+".id", req.OutputID, 0o644); err != nil {
				return err
			}
			res.DiskPath = file
		case cacheprog.CmdGet:
			info, err := os.Stat(file)
			if err != nil {
				res.Miss = true
				break
			}
			id, err := os.ReadFile(file + ".id")
			if err != nil {
				return err
			}
			res.DiskPath, res.Size, res.OutputID = file, info.Size(), id
		case cacheprog.CmdClose:
			if err := os.WriteFile(filepath.Join(dir, "closed"), nil, 0o644); err != nil {
				return err
			}
		}
		if req.Command == cacheprog.CmdClose {
			switch way {
			case "curt": // ends without an answer
				return nil
			case "stuck":
				continue
			}
			err := out.Encode(res)
			if way == "lingers" {
				time.Sleep(time.Hour)
			}
			return err
		}
		switch way {
		case "dies":
			return nil
		case "mute":
			continue
		case "garbage":
			fmt.Println("panic: runtime error")
			continue
		case "stranger":
			res.ID += 1000
		case "fails":
			res = cacheprog.Response{ID: req.ID, Err: "the server is away"}
		case "empty path":
			res.DiskPath = ""
		case "relative path":
			res.DiskPath = filepath.Base(file)
		case "no file":
			res.DiskPath += ".not"
		case "folder":
			res.DiskPath = dir
		case "device":
			res.DiskPath = "/dev/zero"
		case "wrong bytes":
			if err := os.WriteFile(file, make([]byte, 100), 0o644); err != nil {
				return err
			}
		case "no bytes":
			if err := os.WriteFile(file, nil, 0o644); err != nil {
				return err
			}
		case "other key":
			res.DiskPath = filepath.Join(dir, fmt.Sprintf("%x", key(2)))
		}
		if err := out.Encode(res); err != nil {
			return err
		}
	}
}

// program is the command line of a fake program.
func program(t *testing.T, way, dir string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`"%s" program '%s' "%s"`, exe, way, dir)
}

// What one store put, another one with an empty directory gets through the program.
func TestProgram(t *testing.T) {
	for _, way := range []string{"good", "curt", "puts"} {
		t.Run(way, func(t *testing.T) {
			there := filepath.Join(t.TempDir(), "with spaces")
			if err := os.Mkdir(there, 0o755); err != nil {
				t.Fatal(err)
			}
			s := open(t, store.Options{Dir: t.TempDir(), Program: program(t, way, there)})
			var wg sync.WaitGroup
			for i := range keys {
				wg.Go(func() {
					hasNot(t, s, key(i))
					s.Put(key(i), data(i, 1))
					has(t, s, key(i), data(i, 1))
				})
			}
			wg.Wait()
			s.Put(key(keys), nil)
			s.Close()
			s.Close()
			quiet(t, s)
			if _, err := os.Stat(filepath.Join(there, "closed")); err != nil {
				t.Errorf("the program was not closed: %v", err)
			}

			s = open(t, store.Options{Dir: t.TempDir(), Program: program(t, "gets", there)})
			for i := range keys {
				wg.Go(func() { has(t, s, key(i), data(i, 1)) })
			}
			wg.Wait()
			has(t, s, key(keys), nil)
			hasNot(t, s, key(100))
			s.Put(key(100), []byte("local"))
			has(t, s, key(100), []byte("local"))
			s.Close()
			quiet(t, s)

			s = open(t, store.Options{Dir: t.TempDir(), Program: program(t, way, there)})
			hasNot(t, s, key(100))
			s.Close()
			quiet(t, s)
		})
	}
}

// A run that finds all on the disk does not start the program.
func TestProgramNotNeeded(t *testing.T) {
	dir := t.TempDir()
	s := open(t, store.Options{Dir: dir})
	s.Put(key(1), []byte("one"))
	s = open(t, store.Options{Dir: dir, Program: "not-there"})
	has(t, s, key(1), []byte("one"))
	s.Close()
	quiet(t, s)
}

// Whatever a program does, the disk is used as without one, nothing hangs, and no wrong bytes come back.
func TestBadProgram(t *testing.T) {
	for _, test := range []struct {
		way  string
		want string // in the warning
	}{
		{"nothing", "is given up, and the disk alone is used: it said that it can do nothing"},
		{"silent", "is given up, and the disk alone is used: it did not say what it can do within"},
		{"gone", "it ended"},
		{"noise", "invalid character"},
		{"endless", "is given up"},
		{"deaf", `it did not answer to "`},
		{"dies", "is given up"},
		{"mute", `it did not answer to "get" within`},
		{"garbage", "invalid character"},
		{"stranger", "a request that there is not, 100"},
		{"fails", "fails: the server is away"},
		{"empty path", `fails: "" is not the absolute path`},
		{"relative path", "is not the absolute path"},
		{"no file", "no such file"},
		{"folder", "is not a regular file"},
		{"device", "is not a regular file"},
		{"wrong bytes", "is not what was put"},
		{"no bytes", "is not what was put"},
		{"other key", "is not what was put"},
		{"stuck", `it did not answer to "close" within`},
		{"lingers", "it did not end within"},
	} {
		t.Run(test.way, func(t *testing.T) {
			t.Parallel()
			there, dir := t.TempDir(), t.TempDir()
			s := open(t, store.Options{Dir: t.TempDir(), Program: program(t, "good", there)})
			s.Put(key(1), []byte("one"))
			s.Put(key(2), []byte("two"))
			s.Close()
			quiet(t, s)

			handshake, answer, end := time.Minute, time.Minute, time.Minute
			switch test.way {
			case "silent":
				handshake = time.Second
			case "deaf", "mute":
				answer = time.Second
			case "stuck", "lingers":
				end = time.Second
			}
			s, err := store.OpenLimited(store.Options{Dir: dir, Program: program(t, test.way, there)}, handshake, answer, end)
			if err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			var wg sync.WaitGroup
			for i := range 4 {
				wg.Go(func() {
					if got, ok := s.Get(key(1)); ok && (string(got) != "one" || test.way != "stuck" && test.way != "lingers") {
						t.Errorf("got %q", got)
					}
					s.Put(key(10+i), data(10+i, 1)) // more than a pipe holds
					has(t, s, key(10+i), data(10+i, 1))
				})
			}
			wg.Wait()
			s.Put(key(1), []byte("one"))
			has(t, s, key(1), []byte("one"))
			s.Close()
			if took := time.Since(begin); took > 50*time.Second {
				t.Errorf("it took %v", took)
			}
			warns(t, s, test.want)
		})
	}
}

func TestNoProgram(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{" ", "there is no program"},
		{"not-there -x", "not-there"},
		{"'not-there", "a word that begins with ' does not end"},
	} {
		s := open(t, store.Options{Dir: t.TempDir(), Program: test.line})
		hasNot(t, s, key(1))
		s.Put(key(1), []byte("one"))
		has(t, s, key(1), []byte("one"))
		s.Close()
		warns(t, s, test.want)
	}
}

func TestWords(t *testing.T) {
	for line, want := range map[string][]string{
		"":                    nil,
		" \t":                 nil,
		"a":                   {"a"},
		" a  bc ":             {"a", "bc"},
		`"a b" 'c "d"' ""`:    {"a b", `c "d"`, ""},
		`a"b c"`:              {`a"b`, `c"`},
		`"a"b`:                {"a", "b"},
		"go run ./x\t-v='1' ": {"go", "run", "./x", "-v='1'"},
	} {
		got, err := store.Words(line)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, %v, want %q", line, got, err, want)
		}
	}
	if _, err := store.Words(`a "b`); err == nil {
		t.Error("no error for a quote that does not end")
	}
}
