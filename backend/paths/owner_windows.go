package paths

import "io/fs"

// ownedByMe trusts the folder's inherited access list.
func ownedByMe(fs.FileInfo) bool { return true }
