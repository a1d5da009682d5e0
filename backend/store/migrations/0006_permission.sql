CREATE TABLE permission (
	profile TEXT NOT NULL,
	origin  TEXT NOT NULL,  -- of the page in the tab: scheme, host and port
	name    TEXT NOT NULL,  -- geolocation, notifications, clipboard-read, camera, microphone
	setting TEXT NOT NULL,  -- allow, deny
	PRIMARY KEY (profile, origin, name)
) STRICT;
