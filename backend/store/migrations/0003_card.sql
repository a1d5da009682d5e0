CREATE TABLE card (
	id     INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
	kind   TEXT NOT NULL,                     -- takeover
	agent  TEXT NOT NULL,
	tab    INTEGER NOT NULL,
	reason TEXT NOT NULL,
	until  INTEGER NOT NULL                   -- unix seconds when it expires by itself
) STRICT;
