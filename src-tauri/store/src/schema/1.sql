-- The rules a caller cannot break stand here, so that no code path goes round them.

-- "PkDk": the mark of our files.
PRAGMA application_id = 1349207147;

CREATE TABLE runs (
    number     INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order they began
    id         TEXT NOT NULL UNIQUE,
    phone      TEXT NOT NULL,
    goal       TEXT NOT NULL,
    model      TEXT NOT NULL,
    demo_ai    INTEGER NOT NULL,
    started_at INTEGER NOT NULL,                  -- milliseconds since 1970, like every time here
    owner      TEXT NOT NULL,                     -- whose process it is: the name of a lock file
    ended_at   INTEGER                            -- set by the event that ends it
) STRICT;
CREATE INDEX runs_of_phone ON runs (phone, number);
CREATE INDEX runs_open ON runs (owner) WHERE ended_at IS NULL;

CREATE TABLE events (
    run  TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq  INTEGER NOT NULL CHECK (seq >= 1),
    at   INTEGER NOT NULL,
    what TEXT NOT NULL,                           -- the event's tag, to find it by
    json TEXT NOT NULL,                           -- the whole event, as the window is told it
    PRIMARY KEY (run, seq)
) STRICT;
-- Questions about payments, to find the last one in an app.
CREATE INDEX events_payment ON events (json_extract(json, '$.phone'), json_extract(json, '$.ask.app'), at)
    WHERE what = 'asked' AND json_extract(json, '$.ask.kind') = 'payment';

CREATE TRIGGER events_without_gaps BEFORE INSERT ON events
WHEN NEW.seq <> 1 + (SELECT coalesce(max(seq), 0) FROM events WHERE run = NEW.run)
BEGIN
    SELECT raise(ABORT, 'not the next event of its run');
END;
CREATE TRIGGER events_end_with_their_run BEFORE INSERT ON events
WHEN (SELECT ended_at FROM runs WHERE id = NEW.run) IS NOT NULL
BEGIN
    SELECT raise(ABORT, 'the run has ended');
END;
CREATE TRIGGER events_are_final BEFORE UPDATE ON events
BEGIN
    SELECT raise(ABORT, 'an event is never changed');
END;
-- Erasing a whole run goes through: its row is gone before its events are.
CREATE TRIGGER events_stay BEFORE DELETE ON events
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run)
BEGIN
    SELECT raise(ABORT, 'an event is erased with its run only');
END;

CREATE TABLE frames (
    run    TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    n      INTEGER NOT NULL CHECK (n >= 1),
    digest BLOB NOT NULL,                         -- SHA-256 of size and pixels: the same picture is kept once a run
    width  INTEGER NOT NULL,
    height INTEGER NOT NULL,
    png    BLOB NOT NULL,
    PRIMARY KEY (run, n),
    UNIQUE (run, digest)
) STRICT;

-- Not part of a run: erasing a run must not give the day's money back.
CREATE TABLE spending (
    at            INTEGER NOT NULL,
    input_tokens  INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    dollars       REAL                            -- absent where no price is known
) STRICT;
CREATE INDEX spending_by_time ON spending (at);

CREATE TABLE settings (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    json TEXT NOT NULL
) STRICT;
