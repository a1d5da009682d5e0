package devserver

import (
	"bufio"
	"context"
	"encoding/hex"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
)

// listening reads what listens on loopback or everywhere, on ports that were
// chosen by name: the kernel's own choices are left out, and what belongs to
// other people.
func listening(context.Context) ([]socket, error) {
	low, high := givenOut()
	var out []socket
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if os.IsNotExist(err) {
			continue // a kernel without IPv6
		}
		if err != nil {
			return nil, fmt.Errorf("reading what listens here: %w", err)
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			s, uid, ok := row(lines.Text())
			mine := uid == os.Getuid() || uid == 0 // what runs in containers may be root's
			if ok && mine && s.port >= 1024 && (s.port < low || s.port > high) {
				out = append(out, s)
			}
		}
		err = lines.Err()
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("reading what listens here: %w", err)
		}
	}
	slices.SortFunc(out, func(a, b socket) int { return a.port - b.port })
	return out, nil
}

// row reads a line of the kernel's table; ok is false unless it listens where
// this computer reaches it.
func row(line string) (s socket, uid int, ok bool) {
	const address, state, owner, inode = 1, 3, 7, 9
	f := strings.Fields(line)
	if len(f) <= inode || f[state] != "0A" {
		return s, 0, false
	}
	where, port, found := strings.Cut(f[address], ":")
	raw, err := hex.DecodeString(where)
	if !found || err != nil {
		return s, 0, false
	}
	for i := 0; i+4 <= len(raw); i += 4 { // words in the processor's order
		slices.Reverse(raw[i : i+4])
	}
	at, valid := netip.AddrFromSlice(raw)
	at = at.Unmap()
	n, err := strconv.ParseUint(port, 16, 16)
	if !valid || err != nil || !at.IsLoopback() && !at.IsUnspecified() {
		return s, 0, false
	}
	uid, err = strconv.Atoi(f[owner])
	if err != nil {
		return s, 0, false
	}
	number, err := strconv.ParseUint(f[inode], 10, 64)
	return socket{port: int(n), number: number}, uid, err == nil
}

// givenOut is the range of ports that the kernel gives to those who ask for any.
func givenOut() (low, high int) {
	b, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range")
	if err == nil {
		if _, err = fmt.Sscan(string(b), &low, &high); err == nil {
			return low, high
		}
	}
	return 32768, 60999
}
