// Package grpc has services of gRPC that wait for caches.
package grpc

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
)

type service struct{ client kubernetes.Interface }

// Count is called for each request.
func (s *service) Count(ctx context.Context, _ *emptypb.Empty) (*wrapperspb.Int64Value, error) {
	return wrapperspb.Int64(int64(s.count())), ctx.Err()
}

func (s *service) count() int {
	factory := informers.NewSharedInformerFactory(s.client, 0)
	pods := factory.Core().V1().Pods()
	pods.Informer()
	factory.Start(nil)
	factory.WaitForCacheSync(nil) // want neverstops "factory.WaitForCacheSync has no timeout: a nil channel is never ready, so it hangs while the API server is down; pass a channel that is closed on shutdown"
	return len(pods.Informer().GetStore().List())
}

// Watch is called for each request, and answers on a stream.
func (s *service) Watch(_ *emptypb.Empty, stream grpc.ServerStreamingServer[wrapperspb.Int64Value]) error {
	factory := informers.NewSharedInformerFactory(s.client, 0)
	pods := factory.Core().V1().Pods()
	pods.Informer()
	factory.Start(nil)
	factory.WaitForCacheSync(context.Background().Done()) // want neverstops "factory.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass the Done channel of a context that ends" @36 "context.Background() is never done"
	return stream.Send(wrapperspb.Int64(int64(len(pods.Informer().GetStore().List()))))
}
