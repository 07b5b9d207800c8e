-- Tasks that are kept. What a person says of one is its JSON; beside it stands what the program counts.
CREATE TABLE automations (
    id       TEXT PRIMARY KEY,
    json     TEXT NOT NULL,
    since    INTEGER NOT NULL, -- up to which moment its schedule was looked at
    failures INTEGER NOT NULL  -- in a row
) STRICT;

-- One row a time that one was due on a phone: written before the phone is touched, and never a second time.
CREATE TABLE occurrences (
    automation TEXT NOT NULL REFERENCES automations (id) ON DELETE CASCADE,
    phone      TEXT NOT NULL,
    due        INTEGER NOT NULL,
    run        TEXT,             -- absent until one is named
    open       INTEGER NOT NULL, -- it waits or runs
    json       TEXT NOT NULL,
    PRIMARY KEY (automation, phone, due)
) STRICT;
CREATE INDEX occurrences_open ON occurrences (due) WHERE open;
CREATE INDEX occurrences_by_time ON occurrences (automation, due);
CREATE INDEX occurrences_of_run ON occurrences (run) WHERE run IS NOT NULL;
