package blocking_test

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const streams = `package src

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
)

type keeper struct{ conn net.Conn }

func answer(w http.ResponseWriter)        { w.Write(nil) }
func dialled()                            { c, _ := net.Dial("tcp", ""); c.Write(nil) }
func made(c *net.TCPConn)                 { c.Read(nil) }
func wrapped(w http.ResponseWriter)       { b := bufio.NewWriter(w); b.Flush() }
func flushed(w io.Writer)                 { w.(http.Flusher).Flush() }
func copied(w io.Writer, r *http.Response) { io.Copy(w, r.Body) }
func either(w http.ResponseWriter, ok bool) { var x io.Writer = os.Stdout; if ok { x = w }; x.Write(nil) }

func given(w io.Writer)                   { fmt.Fprintf(w, "") }
func read(r io.Reader)                    { io.ReadAll(r) }

func memory()                             { var b bytes.Buffer; fmt.Fprint(&b); b.Write(nil) }
func file()                               { fmt.Fprintln(os.Stderr); os.Stdout.Write(nil) }
func kept(k *keeper)                      { k.conn.Write(nil) }
func header(w http.ResponseWriter)        { w.Header().Write(os.Stdout) }
func request(r *http.Request)             { r.FormValue("") }
`

func TestStreamOf(t *testing.T) {
	p := ssatest.Build(t, streams)
	for name, want := range map[string]string{
		"answer": "remote", "dialled": "remote", "made": "remote", "wrapped": "remote", "flushed": "w", "copied": "remote", "either": "remote",
		"given": "w", "read": "r",
		"memory": "", "file": "", "kept": "", "header": "", "request": "",
	} {
		found := each(t, p, name, func(in ssa.Instruction) (blocking.Stream, bool) {
			c, ok := in.(ssa.CallInstruction)
			if !ok {
				return blocking.Stream{}, false
			}
			return blocking.StreamOf(c)
		})
		got := ""
		for _, s := range found {
			switch {
			case s.Remote:
				got = "remote"
			case s.Param != nil:
				got = s.Param.Name()
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// Of an encoder, how much it writes is known where all of it is written out.
func TestMuch(t *testing.T) {
	const src = `package src

import (
	"encoding/json"
	"net/http"
)

type answer struct {
	Message string
	Code    int
	More    map[string]int
}

func constants(w http.ResponseWriter)            { json.NewEncoder(w).Encode(answer{Message: "consumed", Code: 1}) }
func pointer(w http.ResponseWriter)              { json.NewEncoder(w).Encode(&answer{Message: "consumed"}) }
func number(w http.ResponseWriter, n int)        { json.NewEncoder(w).Encode(answer{Code: n}) }
func text(w http.ResponseWriter, s string)       { json.NewEncoder(w).Encode(answer{Message: s}) }
func more(w http.ResponseWriter, m map[string]int) { json.NewEncoder(w).Encode(answer{More: m}) }
func table(w http.ResponseWriter)                { json.NewEncoder(w).Encode(map[string]string{"message": "OK"}) }
func filled(w http.ResponseWriter, s string)     { m := map[string]string{"message": "OK"}; m["text"] = s; json.NewEncoder(w).Encode(m) }
func handed(w http.ResponseWriter)               { m := map[string]string{}; fill(m); json.NewEncoder(w).Encode(m) }
func fill(map[string]string)
func kept(w http.ResponseWriter, a *answer)      { json.NewEncoder(w).Encode(a) }
`
	p := ssatest.Build(t, src)
	for name, want := range map[string]bool{
		"constants": false, "pointer": false, "number": false, "table": false,
		"text": true, "more": true, "filled": true, "handed": true, "kept": true,
	} {
		found := each(t, p, name, func(in ssa.Instruction) (blocking.Stream, bool) {
			c, ok := in.(ssa.CallInstruction)
			if !ok {
				return blocking.Stream{}, false
			}
			return blocking.StreamOf(c)
		})
		if len(found) != 1 || !found[0].Remote || found[0].Much != want {
			t.Errorf("%s: got %+v, want one stream with Much %t", name, found, want)
		}
	}
}
