package startctx

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// everywhere is what the Start function fn does that every replica needs, nil where it does nothing of the kind: it
// serves, or it keeps the certificates that the process serves with. n is the type that fn is a method of, nil for a
// function.
func (c *checker) everywhere(fn *ssa.Function, n *types.Named) *operation {
	for in := range c.reached(fn) {
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if s, ok := c.serveOf(call.Common()); ok && !forDebugging(s) {
			return &operation{in, s.What + " serves clients", nil}
		}
		if c.startsServer(call.Common()) {
			return &operation{in, c.called(call) + " starts a server", nil}
		}
	}
	return c.certificates(fn, n)
}

// startsServer reports whether call starts the webhook server of controller-runtime, or a value of a type of another
// package that has a server inside.
func (c *checker) startsServer(call *ssa.CallCommon) bool {
	callee, recv := flow.Callee(call), flow.Recv(call)
	if recv == nil || !kubeapi.IsRunnableStart(callee) {
		return false
	}
	t := flow.Unwrap(recv).Type()
	if isServer(t) {
		return true
	}
	n := kubeapi.Named(t)
	if n == nil || n.Obj().Pkg() == c.pass.Pkg {
		return false
	}
	st, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range st.NumFields() {
		if isServer(st.Field(i).Type()) {
			return true
		}
	}
	return false
}

// isServer reports whether t is a webhook server of controller-runtime, or an HTTP or gRPC server.
func isServer(t types.Type) bool {
	return kubeapi.IsWebhookServer(t) || kubeapi.IsType(t, "net/http", "Server") || kubeapi.GRPCServer.Is(t)
}

// certificates is the place where fn loads or makes a key pair, if it keeps it on this replica: in files, or for the TLS
// handshakes of this process.
func (c *checker) certificates(fn *ssa.Function, n *types.Named) *operation {
	var pair *operation
	file := false
	for in := range c.reached(fn) {
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			continue
		}
		s := kubeapi.SymbolOf(flow.Callee(call.Common()))
		switch {
		case keyPairs[s] && pair == nil:
			pair = &operation{in, s.String() + " handles this replica's serving certificate", nil}
		case localFile(s):
			file = true
		}
	}
	if pair != nil && (file || n != nil && kubeapi.Method(types.NewPointer(n), "GetCertificate") != nil) {
		return pair
	}
	return nil
}

// keyPairs are the functions that load, make or write out a certificate together with its key.
var keyPairs = map[kubeapi.Symbol]bool{
	{Pkg: "crypto/tls", Name: "X509KeyPair"}:             true,
	{Pkg: "crypto/tls", Name: "LoadX509KeyPair"}:         true,
	{Pkg: "crypto/x509", Name: "CreateCertificate"}:      true,
	{Pkg: "crypto/x509", Name: "MarshalPKCS8PrivateKey"}: true,
	{Pkg: "crypto/x509", Name: "MarshalPKCS1PrivateKey"}: true,
	{Pkg: "crypto/x509", Name: "MarshalECPrivateKey"}:    true,
}

// localFile reports whether s is about a file of this machine.
func localFile(s kubeapi.Symbol) bool {
	switch s.Pkg {
	case "os":
		return s.Recv == "" && (s.Name == "Stat" || s.Name == "ReadFile" || s.Name == "WriteFile" || s.Name == "Open" || s.Name == "OpenFile" || s.Name == "Create")
	case "io/ioutil":
		return s.Name == "ReadFile" || s.Name == "WriteFile"
	case "crypto/tls":
		return s.Name == "LoadX509KeyPair"
	}
	return strings.HasSuffix(s.Pkg, "fsnotify/fsnotify") && s.Recv == "Watcher"
}

// keepsCertificates reports whether the Start of n does.
func (c *checker) keepsCertificates(n *types.Named) bool {
	fn := c.startOf(n)
	return fn != nil && fn.Pkg == c.pkg.Package && kubeapi.IsRunnableStart(kubeapi.StartOf(types.NewPointer(n))) && c.certificates(fn, n) != nil
}
