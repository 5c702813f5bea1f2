// Package certs has Runnables that look after certificates.
package certs

import (
	"context"
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"os"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Watcher struct {
	mu       sync.Mutex
	cert     *tls.Certificate
	cf, kf   string
	interval time.Duration
}

func (w *Watcher) GetCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) { return w.cert, nil }

func (w *Watcher) Start(ctx context.Context) error { // want leaderonly "Watcher has no NeedLeaderElection method, so it runs on the leader only, but tls.X509KeyPair handles this replica's serving certificate (line 50); add one that returns false" @50 "every replica needs this"
	tick := time.NewTicker(w.interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := w.read(); err != nil {
				return err
			}
		}
	}
}

func (w *Watcher) read() error {
	cert, err := os.ReadFile(w.cf)
	if err != nil {
		return err
	}
	key, err := os.ReadFile(w.kf)
	if err != nil {
		return err
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cert = &pair
	return nil
}

type Minter struct {
	path string
	key  *ecdsa.PrivateKey
}

func (m *Minter) Start(ctx context.Context) error { // want leaderonly "Minter has no NeedLeaderElection method, so it runs on the leader only, but x509.MarshalPKCS8PrivateKey handles this replica's serving certificate (line 66); add one that returns false" @66 "every replica needs this"
	data, err := x509.MarshalPKCS8PrivateKey(m.key)
	if err != nil {
		return err
	}
	return os.WriteFile(m.path, data, 0o600)
}

// Issuer keeps a Secret up to date, which one replica does for all.
type Issuer struct {
	client.Client
	key *ecdsa.PrivateKey
}

func (i *Issuer) Start(ctx context.Context) error { // ok: nothing in it is this replica's own
	data, err := x509.MarshalPKCS8PrivateKey(i.key)
	if err != nil {
		return err
	}
	return i.Update(ctx, &corev1.Secret{Data: map[string][]byte{"tls.key": data}})
}
