package store

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"honnef.co/go/tools/lintcmd/cache/cacheprog"
)

// The times after which a program is given up.
const (
	// A program says at once what it can do, but may sign in to its server first.
	handshakeTimeout = 10 * time.Second

	// A get may fetch some megabytes over a slow line.
	answerTimeout = 30 * time.Second

	// A program may upload data when it is closed.
	closeTimeout = 30 * time.Second
)

// limits are the times above, which tests shorten.
type limits struct{ handshake, answer, close time.Duration }

var defaultLimits = limits{handshakeTimeout, answerTimeout, closeTimeout}

// maxAnswer bounds the length of an answer, which has a path and a hash, in bytes.
const maxAnswer = 1 << 20

// A program is a process that keeps data by key, with the protocol of the go command's GOCACHEPROG (package
// cacheprog). At its first failure it is given up: it is killed, and all requests fail with that error. Other clients
// end the run.
type program struct {
	limits limits
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	can    map[cacheprog.Cmd]bool // its commands; not changed after the handshake
	ended  chan struct{}          // closed when the process is gone

	writing sync.Mutex // held to write a request; mu may be taken after it, not before
	to      *bufio.Writer

	mu      sync.Mutex
	last    int64                                // the id of the last request
	waiting map[int64]chan<- *cacheprog.Response // by id; closed when no answer will come
	err     error                                // why it was given up
	closing bool
}

// errEnded is the error of a program that ended, or closed its output.
var errEnded = errors.New("it ended")

// startProgram runs a command line, and waits for the program's commands.
func startProgram(line string, l limits) (*program, error) {
	args, err := words(line)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return nil, errors.New("there is no program in the command line")
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr // as the go command does
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	hello := make(chan *cacheprog.Response, 1)
	p := &program{
		limits:  l,
		cmd:     cmd,
		in:      in,
		out:     out,
		can:     make(map[cacheprog.Cmd]bool),
		ended:   make(chan struct{}),
		to:      bufio.NewWriter(in),
		waiting: map[int64]chan<- *cacheprog.Response{0: hello}, // the first message answers no request
	}
	go p.read()
	timer := p.giveUpAfter(l.handshake, "it did not say what it can do")
	defer timer.Stop()
	res, ok := <-hello
	if !ok {
		return nil, p.failure()
	}
	for _, c := range res.KnownCommands {
		p.can[c] = true
	}
	if len(p.can) == 0 {
		p.giveUp(errors.New("it said that it can do nothing"))
		return nil, p.failure()
	}
	return p, nil
}

// ask sends a request, and returns its answer. After an error, the program is given up.
func (p *program) ask(req cacheprog.Request, body []byte, within time.Duration) (*cacheprog.Response, error) {
	answer := make(chan *cacheprog.Response, 1)
	p.mu.Lock()
	if p.err != nil {
		p.mu.Unlock()
		return nil, p.err
	}
	p.last++
	req.ID = p.last
	p.waiting[req.ID] = answer
	p.mu.Unlock()

	p.writing.Lock()
	// The time includes writing, which blocks if the program does not read, and not the wait for other writers.
	timer := p.giveUpAfter(within, fmt.Sprintf("it did not answer to %q", req.Command))
	defer timer.Stop()
	err := p.write(&req, body)
	p.writing.Unlock()
	if err != nil {
		p.giveUp(err)
	}
	res, ok := <-answer
	if !ok {
		return nil, p.failure()
	}
	return res, nil
}

// write sends a request as the go command does: a line of JSON, an empty one, and the body in base64 in one line.
func (p *program) write(req *cacheprog.Request, body []byte) error {
	req.BodySize = int64(len(body))
	if err := json.NewEncoder(p.to).Encode(req); err != nil {
		return err
	}
	end := "\n"
	if len(body) > 0 {
		if _, err := p.to.WriteString("\n\""); err != nil {
			return err
		}
		enc := base64.NewEncoder(base64.StdEncoding, p.to)
		if _, err := enc.Write(body); err != nil {
			return err
		}
		if err := enc.Close(); err != nil {
			return err
		}
		end = "\"\n"
	}
	if _, err := p.to.WriteString(end); err != nil {
		return err
	}
	return p.to.Flush()
}

// read passes on the answers, until there are no more.
func (p *program) read() {
	defer func() {
		_ = p.cmd.Wait() // its exit code does not matter
		close(p.ended)
	}()
	limited := &io.LimitedReader{R: p.out}
	dec := json.NewDecoder(limited)
	for {
		limited.N = maxAnswer
		res := new(cacheprog.Response)
		err := dec.Decode(res)
		if errors.Is(err, io.EOF) {
			err = errEnded
		}
		p.mu.Lock()
		closing := p.closing
		if err == nil {
			answer, ok := p.waiting[res.ID]
			delete(p.waiting, res.ID)
			if ok {
				answer <- res // has room for it
			} else {
				err = fmt.Errorf("it answered to a request that there is not, %d", res.ID)
			}
		}
		p.mu.Unlock()
		switch {
		case err == nil:
		case closing: // it may go on after it closed its output
			p.fail(err)
			return
		default:
			p.giveUp(err)
			return
		}
	}
}

// giveUpAfter returns the program up after a time, unless the timer is stopped.
func (p *program) giveUpAfter(d time.Duration, what string) *time.Timer {
	return time.AfterFunc(d, func() { p.giveUp(fmt.Errorf("%s within %v", what, d)) })
}

// giveUp ends all requests, and the process.
func (p *program) giveUp(err error) {
	p.fail(err)
	// Blocked reads and writes return with an error.
	_ = p.cmd.Process.Kill()
	_ = p.in.Close()
	_ = p.out.Close()
}

// fail ends all requests. The first error stays.
func (p *program) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return
	}
	p.err = err
	for _, answer := range p.waiting {
		close(answer)
	}
	p.waiting = nil
}

func (p *program) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// close asks the program to end, and waits. It fails if the program does not end, or was given up before.
func (p *program) close() error {
	p.mu.Lock()
	err, again := p.err, p.closing
	p.closing = true
	p.mu.Unlock()
	if again {
		return nil
	}
	if err != nil {
		return err
	}
	deadline := time.After(p.limits.close)
	if p.can[cacheprog.CmdClose] {
		_, err := p.ask(cacheprog.Request{Command: cacheprog.CmdClose}, nil, p.limits.close)
		if err != nil && !errors.Is(err, errEnded) { // it may end without an answer
			return err
		}
	}
	_ = p.in.Close() // for one without the command
	select {
	case <-p.ended:
		return nil
	case <-deadline:
		err := fmt.Errorf("it did not end within %v", p.limits.close)
		p.giveUp(err)
		return err
	}
}

// words splits a command line as the go command does: at spaces, except in quoted words. Quotes cannot be escaped.
func words(line string) ([]string, error) {
	const space = " \t\n\r"
	var list []string
	for line = strings.TrimLeft(line, space); line != ""; line = strings.TrimLeft(line, space) {
		ends := space
		if line[0] == '"' || line[0] == '\'' {
			ends, line = line[:1], line[1:]
		}
		i := strings.IndexAny(line, ends)
		switch {
		case i >= 0:
			list, line = append(list, line[:i]), line[i+1:]
		case ends != space:
			return nil, fmt.Errorf("a word that begins with %s does not end", ends)
		default:
			list, line = append(list, line), ""
		}
	}
	return list, nil
}

// helper returns the program, nil if there is none, or it does not have c.
func (s *Store) helper(c cacheprog.Cmd) *program {
	s.start.Do(func() {
		if s.command == "" {
			return
		}
		p, err := startProgram(s.command, s.limits)
		if err != nil {
			s.warnGone(err)
			return
		}
		s.program = p
	})
	if s.program == nil || !s.program.can[c] { // it may have one of them only
		return nil
	}
	return s.program
}

func (s *Store) getProgram(key Key) ([]byte, bool) {
	p := s.helper(cacheprog.CmdGet)
	if p == nil {
		return nil, false
	}
	res, err := p.ask(cacheprog.Request{Command: cacheprog.CmdGet, ActionID: key[:]}, nil, s.limits.answer)
	switch {
	case err != nil:
		s.warnGone(err)
		return nil, false
	case res.Err != "":
		s.warnErrs(res.Err)
		return nil, false
	case res.Miss:
		return nil, false
	case !filepath.IsAbs(res.DiskPath):
		s.warnErrs(fmt.Sprintf("%q is not the absolute path of a file", res.DiskPath))
		return nil, false
	}
	sealed, err := readRegular(res.DiskPath)
	if err != nil {
		s.warnErrs(err.Error())
		return nil, false
	}
	data, ok := unseal(key, sealed)
	if !ok {
		s.warnErrs(res.DiskPath + " is not what was put")
	}
	return data, ok
}

func (s *Store) putProgram(key Key, sealed []byte) {
	p := s.helper(cacheprog.CmdPut)
	if p == nil {
		return
	}
	hash := sha256.Sum256(sealed)
	res, err := p.ask(cacheprog.Request{Command: cacheprog.CmdPut, ActionID: key[:], OutputID: hash[:]}, sealed, s.limits.answer)
	switch {
	case err != nil:
		s.warnGone(err)
	case res.Err != "":
		s.warnErrs(res.Err)
	}
}

func (s *Store) warnGone(err error) {
	s.warn(programGone, fmt.Sprintf("the cache program %s is given up, and the disk alone is used: %v", s.command, err))
}

func (s *Store) warnErrs(text string) {
	s.warn(programErrs, fmt.Sprintf("the cache program %s fails: %s", s.command, text))
}
