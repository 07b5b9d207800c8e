-- A picture is as small as serves who looks at it: a JPEG, where it was a lossless PNG before. Its size is its screen's.
ALTER TABLE frames RENAME COLUMN png TO bytes;
-- The price was not known: the dollars are what such a request usually costs.
ALTER TABLE spending ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
-- What is over, oldest first: what is erased with time.
CREATE INDEX runs_over ON runs (ended_at) WHERE ended_at IS NOT NULL;
