package main

import (
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

var encoding = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

// tokens counts a text as o200k, the vocabulary of a common family of models.
func tokens(text string) float64 {
	e, err := encoding()
	if err != nil {
		return 0
	}
	n, err := e.Count(text)
	if err != nil {
		return 0
	}
	return float64(n)
}
