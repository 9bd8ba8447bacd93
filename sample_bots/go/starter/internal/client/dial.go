package client

import (
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"

	"bideuchre.example/bot/internal/options"
)

// dial makes the connection; the first stream opens it.
func dial(settings *options.Options) (*grpc.ClientConn, error) {
	security := insecure.NewCredentials()
	if settings.TLS != nil {
		security = credentials.NewTLS(settings.TLS)
	}
	chosen := []grpc.DialOption{
		grpc.WithTransportCredentials(security),
		grpc.WithDisableServiceConfig(),
		// The connection's own waits must not be longer than ours.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: backoff.Config{
				BaseDelay:  100 * time.Millisecond,
				Multiplier: 1.6,
				Jitter:     0.2,
				MaxDelay:   time.Second,
			},
			MinConnectTimeout: 5 * time.Second,
		}),
	}
	if settings.Address.Local {
		chosen = append(chosen, grpc.WithNoProxy())
	} else {
		chosen = append(chosen, grpc.WithKeepaliveParams(keepalive.ClientParameters{
			Time:    30 * time.Second,
			Timeout: 10 * time.Second,
		}))
	}
	return grpc.NewClient(settings.Address.Target, chosen...)
}
