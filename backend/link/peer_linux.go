package link

import (
	"fmt"
	"net"
	"os"
	"syscall"
)

// checkPeer refuses a socket whose other end is another user's.
func checkPeer(c net.Conn) error {
	u, ok := c.(*net.UnixConn)
	if !ok {
		return nil
	}
	raw, err := u.SyscallConn()
	if err != nil {
		return err
	}
	var cred *syscall.Ucred
	var inner error
	if err := raw.Control(func(fd uintptr) {
		cred, inner = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	}); err != nil {
		return err
	}
	if inner != nil {
		return inner
	}
	if int(cred.Uid) != os.Getuid() {
		return fmt.Errorf("the socket's other end belongs to user %d", cred.Uid)
	}
	return nil
}

// CheckPeer refuses a client of another user.
func CheckPeer(c net.Conn) error { return checkPeer(c) }
