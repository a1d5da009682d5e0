// Package bus carries state to whoever watches it: a subscriber first gets the
// present value, then each newer one. A slow subscriber skips to the newest
// and never holds the publisher.
package bus

import "sync"

// State is a value that can be watched. The zero State holds T's zero value.
type State[T any] struct {
	mu   sync.Mutex
	val  T
	rev  int64
	subs map[chan struct{}]struct{}
}

// Set publishes a new value.
func (s *State[T]) Set(v T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.val = v
	s.rev++
	for c := range s.subs {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// Get gives the present value and its revision.
func (s *State[T]) Get() (T, int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.val, s.rev
}

// Watch gives a channel that is ready at once and again whenever a newer value
// exists (read it with Get), and a func that ends the watch.
func (s *State[T]) Watch() (changed <-chan struct{}, stop func()) {
	c := make(chan struct{}, 1)
	c <- struct{}{}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.subs == nil {
		s.subs = map[chan struct{}]struct{}{}
	}
	s.subs[c] = struct{}{}
	return c, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.subs, c)
	}
}

// Topic hands each published value to every subscriber, in order. A
// subscriber whose buffer is full loses its oldest values.
type Topic[T any] struct {
	mu   sync.Mutex
	subs map[*sub[T]]struct{}
}

type sub[T any] struct{ c chan T }

// Publish hands v to all subscribers and never blocks.
func (t *Topic[T]) Publish(v T) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for s := range t.subs {
		for {
			select {
			case s.c <- v:
			default:
				select {
				case <-s.c:
				default:
				}
				continue
			}
			break
		}
	}
}

// Subscribe gives a channel that buffers up to size values, and a func that
// ends the subscription. The channel is never closed.
func (t *Topic[T]) Subscribe(size int) (values <-chan T, stop func()) {
	s := &sub[T]{c: make(chan T, max(size, 1))}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.subs == nil {
		t.subs = map[*sub[T]]struct{}{}
	}
	t.subs[s] = struct{}{}
	return s.c, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.subs, s)
	}
}
