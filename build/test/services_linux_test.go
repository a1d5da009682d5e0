package main

import (
	"net"
	"os"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"
)

func TestServicesGiveADisplayAndAnUnlockedKeychain(t *testing.T) {
	env, end, err := start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ended := false
	defer func() {
		if !ended {
			end()
		}
	}()
	values := map[string]string{}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		values[name] = value
	}

	t.Setenv("DBUS_SESSION_BUS_ADDRESS", values["DBUS_SESSION_BUS_ADDRESS"])
	if err := keyring.Set("baton-test", "person", "kept"); err != nil {
		t.Fatal(err)
	}
	if got, err := keyring.Get("baton-test", "person"); got != "kept" || err != nil {
		t.Errorf("the keychain gave %q, %v", got, err)
	}

	display := "/tmp/.X11-unix/X" + strings.TrimPrefix(values["DISPLAY"], ":")
	c, err := net.Dial("unix", display)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()

	end()
	ended = true
	if _, err := net.Dial("unix", display); err == nil {
		t.Error("the display outlived the tests")
	}
	if _, err := os.Stat(values["HOME"]); !os.IsNotExist(err) {
		t.Errorf("the tests' home is still there: %v", err)
	}
}
