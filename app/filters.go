package app

import (
	"mime"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// families are the endings that whole families of files have.
var families = map[string][]string{
	"image/*": {".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".bmp", ".ico", ".tif", ".tiff", ".heic", ".heif"},
	"audio/*": {".mp3", ".m4a", ".aac", ".ogg", ".oga", ".opus", ".flac", ".wav", ".weba"},
	"video/*": {".mp4", ".m4v", ".mov", ".webm", ".mkv", ".avi", ".ogv", ".mpeg", ".mpg", ".3gp"},
	"text/*":  {".txt", ".csv", ".md", ".html", ".htm", ".css", ".js", ".json", ".xml", ".log", ".tsv"},
	// Of these the system's own list often names rare endings only.
	"image/jpeg": {".jpg", ".jpeg"}, "text/plain": {".txt"}, "audio/mpeg": {".mp3"}, "application/zip": {".zip"}, "text/csv": {".csv"},
}

var ending = regexp.MustCompile(`^\.[\p{L}\p{N}._+-]{1,20}$`)

// patterns gives the file patterns that a page's accept attribute means, in
// both cases since dialogs look at it; none when any file will do or when a
// kind of file has no known ending.
func patterns(accept []string) []string {
	var ends []string
	for _, kind := range accept {
		kind = strings.ToLower(strings.TrimSpace(kind))
		switch known := families[kind]; {
		case known != nil:
			ends = append(ends, known...)
		case ending.MatchString(kind):
			ends = append(ends, kind)
		case strings.Contains(kind, "/"):
			more, err := mime.ExtensionsByType(kind)
			if err != nil || len(more) == 0 {
				return nil
			}
			ends = append(ends, more...)
		default:
			return nil
		}
	}
	var out []string
	for _, e := range ends {
		for _, p := range []string{"*" + e, "*" + strings.ToUpper(e)} {
			if !slices.Contains(out, p) && !strings.ContainsFunc(p, unicode.IsSpace) {
				out = append(out, p)
			}
		}
	}
	return out
}
