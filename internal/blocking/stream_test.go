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
