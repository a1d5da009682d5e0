package cli

import (
	"context"
	"testing"
	"time"

	"baton/backend/store"
)

// tokenOf reads the MCP endpoint's token as the person's settings have it.
func tokenOf(t *testing.T, d *desk) string {
	t.Helper()
	st, err := store.Open(t.Context(), d.data)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	all, err := st.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if all["http_token"] == "" {
		t.Fatal("no token was made")
	}
	return all["http_token"]
}

func timeout(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithTimeout(t.Context(), d)
}
