// Package probe is what the benchmark and the soak share: a [Site] whose pages
// tell what they received, a bare MCP [Client] that times its calls, and
// readings of processes.
package probe
