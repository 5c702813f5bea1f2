// Package io writes to the network with a lock held: one client that reads slowly stops everybody who wants the lock.
// It is reported with -lockheld.slow only.
package io

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"sync"
)

type page struct {
	mu    sync.RWMutex
	lines [][]byte
	conn  net.Conn
	buf   bytes.Buffer
}

// ServeHTTP answers under the lock.
func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	var out io.Writer = w
	if r.Header.Get("Accept-Encoding") == "gzip" {
		out = gzip.NewWriter(w)
	}
	_, _ = out.Write([]byte("begin\n")) // want slow/possible "p.mu (read-locked at line 26) is held across out.Write, which waits for the other end of the connection; unlock first" @26 "p.mu is read-locked here"
}

// Metrics hands the connection to a function that writes.
func (p *page) Metrics(w http.ResponseWriter, _ *http.Request) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.all(w) // want slow/possible "p.mu (read-locked at line 37) is held across fmt.Fprintln (stream.go:66, via (*page).all, line), which waits for the other end of the connection; unlock first" @37 "p.mu is read-locked here" @39 "calls (*page).all" @62 "calls line" @66 "waits here"
}

// Dump hands over memory.
func (p *page) Dump() string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	var b bytes.Buffer
	p.all(&b) // ok: memory
	return b.String()
}

// Snapshot copies under the lock, and writes without it.
func (p *page) Snapshot(w http.ResponseWriter, _ *http.Request) {
	p.mu.RLock()
	var b bytes.Buffer
	p.all(&b)
	p.mu.RUnlock()
	_, _ = b.WriteTo(w) // ok: nothing held
}

func (p *page) all(w io.Writer) { // want all:"is slow in fmt.Fprintln over p1 through line"
	for _, l := range p.lines {
		line(w, l) // ok: the caller knows what w is
	}
}

func line(w io.Writer, l []byte) { _, _ = fmt.Fprintln(w, l) } // want line:"is slow in fmt.Fprintln over p0"

// JSON encodes straight into the answer.
func (p *page) JSON(w http.ResponseWriter, _ *http.Request) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	_ = json.NewEncoder(w).Encode(p.lines) // want slow/possible "p.mu (read-locked at line 70) is held across NewEncoder().Encode, which waits for the other end of the connection; unlock first" @70 "p.mu is read-locked here"
}

// Load reads the body of an answer.
func (p *page) Load(resp *http.Response) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	data, err := io.ReadAll(resp.Body) // want slow/possible "p.mu (locked at line 77) is held across io.ReadAll, which waits for the other end of the connection; unlock first" @77 "p.mu is locked here"
	p.lines = append(p.lines, data)
	return err
}

// Send has the one lock that lets one writer at a time use the connection.
func (p *page) Send(data []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = p.conn.Write(data) // ok: what the lock is there for
	p.buf.Write(data)         // ok: memory
}

// Run waits for a child that nothing stops.
func (p *page) Run(name string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return exec.Command(name).Run() // want slow/possible "p.mu (locked at line 94) is held across Command().Run, which may block forever waiting for a child process to exit; unlock first" @94 "p.mu is locked here"
}
