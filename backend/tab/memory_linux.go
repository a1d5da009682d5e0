package tab

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
)

// lowMemory tells whether less than a tenth of the computer's memory is left.
func lowMemory() bool {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return false
	}
	var total, free int64
	s := bufio.NewScanner(bytes.NewReader(b))
	for s.Scan() {
		f := bytes.Fields(s.Bytes())
		if len(f) < 2 {
			continue
		}
		n, err := strconv.ParseInt(string(f[1]), 10, 64)
		if err != nil {
			continue
		}
		switch string(f[0]) {
		case "MemTotal:":
			total = n
		case "MemAvailable:":
			free = n
		}
	}
	return total > 0 && free < total/10
}
