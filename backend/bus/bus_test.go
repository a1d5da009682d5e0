package bus

import "testing"

func TestAWatcherGetsThePresentAndSkipsToTheNewest(t *testing.T) {
	var s State[int]
	s.Set(1)
	changed, stop := s.Watch()
	<-changed
	if v, rev := s.Get(); v != 1 || rev != 1 {
		t.Fatalf("present: %d, revision %d", v, rev)
	}
	for i := 2; i <= 100; i++ {
		s.Set(i)
	}
	<-changed
	if v, rev := s.Get(); v != 100 || rev != 100 {
		t.Fatalf("newest: %d, revision %d", v, rev)
	}
	select {
	case <-changed:
		t.Error("it was told twice of one state")
	default:
	}
	stop()
	s.Set(101)
	select {
	case <-changed:
		t.Error("it was told after it stopped")
	default:
	}
}

func TestASlowSubscriberLosesTheOldest(t *testing.T) {
	var topic Topic[int]
	slow, stop := topic.Subscribe(2)
	defer stop()
	for i := range 10 {
		topic.Publish(i)
	}
	if a, b := <-slow, <-slow; a != 8 || b != 9 {
		t.Errorf("kept %d, %d", a, b)
	}
}
