CREATE TABLE setting (
	name  TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT;

CREATE TABLE tab (
	id       INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
	position INTEGER NOT NULL,
	owner    TEXT NOT NULL,                     -- "person", or "agent:" and its name
	profile  TEXT NOT NULL,
	url      TEXT NOT NULL,
	title    TEXT NOT NULL DEFAULT '',
	private  INTEGER NOT NULL DEFAULT 0,
	hold     TEXT NOT NULL DEFAULT '',          -- "", touch, button
	history  TEXT NOT NULL DEFAULT '[]',        -- JSON: [{"url","title"}], at most 32
	entry    INTEGER NOT NULL DEFAULT 0,        -- index of the present entry in history
	closed   INTEGER NOT NULL DEFAULT 0         -- unix seconds when closed by the person, for reopening; else 0
) STRICT;
