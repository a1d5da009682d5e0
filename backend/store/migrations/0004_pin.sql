ALTER TABLE tab ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0; -- stands small at the strip's left
