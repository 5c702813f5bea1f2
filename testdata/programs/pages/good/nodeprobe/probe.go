// The goroutines send on a channel that is only read after the wait for them, but it has room for one answer of each.
//
//adv:rule=unboundedsync sub=neverstops claim=no

package nodeprobe

import (
	"context"
	"fmt"
	"net"
	"sort"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

// Prober dials the kubelets of all nodes now and then.
type Prober struct {
	Kube     kubernetes.Interface
	Parallel int
	Timeout  time.Duration
}

// SetupWithManager adds the prober to the manager.
func (p *Prober) SetupWithManager(mgr ctrl.Manager) error {
	kube, err := kubernetes.NewForConfig(mgr.GetConfig())
	if err != nil {
		return err
	}
	p.Kube = kube
	if p.Timeout == 0 {
		p.Timeout = 3 * time.Second
	}
	return mgr.Add(p)
}

// Start probes every minute until the context ends.
func (p *Prober) Start(ctx context.Context) error {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		nodes, err := p.Kube.CoreV1().Nodes().List(ctx, metav1.ListOptions{ResourceVersion: "0"})
		if err != nil {
			klog.ErrorS(err, "Cannot list nodes")
			continue
		}
		if lost := p.round(ctx, nodes.Items); len(lost) > 0 {
			if err := p.report(ctx, lost); err != nil {
				klog.ErrorS(err, "Cannot report", "lost", lost)
			}
		}
	}
}

func (p *Prober) round(ctx context.Context, nodes []corev1.Node) []string {
	var wg sync.WaitGroup
	silent := make(chan string, len(nodes))
	slots := make(chan struct{}, max(1, p.Parallel))
	for i := range nodes {
		node := &nodes[i]
		address := internalIP(node)
		if address == "" {
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			slots <- struct{}{}
			defer func() { <-slots }()
			dialer := net.Dialer{Timeout: p.Timeout}
			conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(address, "10250"))
			if err != nil {
				silent <- node.Name
				return
			}
			_ = conn.Close()
		}()
	}
	wg.Wait()
	close(silent)
	var lost []string
	for name := range silent {
		lost = append(lost, name)
	}
	sort.Strings(lost)
	return lost
}

func (p *Prober) report(ctx context.Context, lost []string) error {
	maps := p.Kube.CoreV1().ConfigMaps("kube-system")
	cm, err := maps.Get(ctx, "node-probe", metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("reading report: %w", err)
	}
	if cm.Data == nil {
		cm.Data = map[string]string{}
	}
	cm.Data["lost"] = strings.Join(lost, ",")
	_, err = maps.Update(ctx, cm, metav1.UpdateOptions{})
	return err
}

func internalIP(node *corev1.Node) string {
	for _, a := range node.Status.Addresses {
		if a.Type == corev1.NodeInternalIP {
			return a.Address
		}
	}
	return ""
}
