-- What the person visited: a row an address and day. Nothing of private tabs.
CREATE TABLE visit (
	id      INTEGER PRIMARY KEY,
	profile TEXT NOT NULL,
	url     TEXT NOT NULL,               -- without credentials
	title   TEXT NOT NULL DEFAULT '',
	day     INTEGER NOT NULL,            -- of the person's calendar: days since 1970-01-01
	last    INTEGER NOT NULL,            -- unix milliseconds of the day's last visit
	count   INTEGER NOT NULL DEFAULT 1,  -- visits on the day
	UNIQUE (profile, url, day)
) STRICT;
CREATE INDEX visit_last ON visit (last);

CREATE TABLE icon (
	profile TEXT NOT NULL,
	host    TEXT NOT NULL,
	data    TEXT NOT NULL,               -- a data: address of an image
	PRIMARY KEY (profile, host)
) STRICT;

CREATE TABLE download (
	id       INTEGER PRIMARY KEY AUTOINCREMENT,
	profile  TEXT NOT NULL,
	name     TEXT NOT NULL,
	path     TEXT NOT NULL DEFAULT '',   -- where the finished file lies
	url      TEXT NOT NULL DEFAULT '',   -- where it came from, without credentials
	whole    INTEGER NOT NULL DEFAULT 0, -- url is as it was: it can be asked for again
	state    TEXT NOT NULL,              -- going on, finished, failed, cancelled
	received INTEGER NOT NULL DEFAULT 0, -- bytes
	total    INTEGER NOT NULL DEFAULT 0, -- bytes, 0 when not known
	began    INTEGER NOT NULL            -- unix milliseconds
) STRICT;

-- The person's zoom of a site: 1 is none and has no row.
CREATE TABLE zoom (
	profile TEXT NOT NULL,
	host    TEXT NOT NULL,
	factor  REAL NOT NULL,
	PRIMARY KEY (profile, host)
) STRICT;
