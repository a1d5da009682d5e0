package app

import "sync"

// outbox holds what waits to be sent to a client. Of an event with a key only
// the newest waits, so a slow client skips to the present.
type outbox struct {
	ready chan struct{}

	mu    sync.Mutex
	queue []*letter
	byKey map[string]*letter
	revs  map[string]int64
	full  bool
}

type letter struct {
	key   string
	reply *Reply
	event string
	data  any
}

func (o *outbox) init() {
	o.ready = make(chan struct{}, 1)
	o.byKey = map[string]*letter{}
	o.revs = map[string]int64{}
}

// reply queues a call's answer.
func (o *outbox) reply(r Reply) { o.add(&letter{reply: &r}) }

// post queues an event. With a key it replaces one of the same key that waits.
func (o *outbox) post(event, key string, data any) {
	if key != "" {
		key = event + " " + key
	}
	o.add(&letter{key: key, event: event, data: data})
}

func (o *outbox) add(l *letter) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if old := o.byKey[l.key]; l.key != "" && old != nil {
		old.data = l.data
		return
	}
	if len(o.queue) >= queueMost {
		o.full = true
	} else {
		o.queue = append(o.queue, l)
		if l.key != "" {
			o.byKey[l.key] = l
		}
	}
	select {
	case o.ready <- struct{}{}:
	default:
	}
}

// take gives what waits, in order; full says that the client is too slow.
func (o *outbox) take() (messages []any, full bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, l := range o.queue {
		if l.reply != nil {
			messages = append(messages, *l.reply)
			continue
		}
		o.revs[l.event]++
		messages = append(messages, Event{Event: l.event, Rev: o.revs[l.event], Data: l.data})
	}
	o.queue = o.queue[:0:0]
	clear(o.byKey)
	return messages, o.full
}
