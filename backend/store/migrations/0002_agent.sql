CREATE TABLE agent (
	name    TEXT PRIMARY KEY,
	access  TEXT NOT NULL DEFAULT '',   -- "" follows the setting; full, ask, off
	bounded INTEGER NOT NULL DEFAULT 0,
	seen    INTEGER NOT NULL            -- unix seconds of its last connection
) STRICT;
