//go:build !linux

package devserver

import (
	"context"
	"time"
)

// usual are the ports that development servers take by themselves.
var usual = []int{1313, 3000, 3001, 4000, 4200, 4321, 5173, 5174, 8000, 8080, 8081, 8888, 9000}

// listening tries the usual ports: this system does not tell what listens.
func listening(ctx context.Context) ([]socket, error) {
	var out []socket
	for _, port := range usual {
		soon, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		if c := dial(soon, port); c != nil {
			c.Close()
			out = append(out, socket{port: port})
		}
		cancel()
	}
	return out, ctx.Err()
}
