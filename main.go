// Command baton is the browser that a person shares with their AI agent: the
// host, the programs that attach to it and, built with the tag desktop, the
// window.
package main

import (
	"os"

	"baton/app/cli"
)

// version is set at build time.
var version = "dev"

func main() { os.Exit(cli.Main(os.Args[1:], version)) }
