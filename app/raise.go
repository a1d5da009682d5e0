package app

// Raise asks every connected window to come to the front: somebody started
// Baton once more.
func (s *Server) Raise() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.out.post(EventRaise, "", struct{}{})
	}
}
