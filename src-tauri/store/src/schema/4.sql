-- What the page of past runs lists without reading events; `search.rs` fills it.
ALTER TABLE runs ADD COLUMN phone_name TEXT NOT NULL DEFAULT ''; -- as it was called when the run began
ALTER TABLE runs ADD COLUMN how TEXT;                            -- the code of its ending; absent while it goes on
ALTER TABLE runs ADD COLUMN steps INTEGER NOT NULL DEFAULT 0;    -- known at its end
CREATE INDEX runs_by_start ON runs (started_at);
-- What stood on a picture's screen, as JSON, masked as the picture is.
ALTER TABLE frames ADD COLUMN elements TEXT;

-- One row a run, by its number; made of the journal's lines and of nothing else, so it can hold no more than they do.
CREATE VIRTUAL TABLE search USING fts5 (
    task, apps, phone, answer,
    tokenize = "unicode61 remove_diacritics 2",
    prefix = '2 3'
);
-- A word goes from the index with the last run that has it, not when the index is next tidied.
INSERT INTO search (search, rank) VALUES ('secure-delete', 1);
