-- What stood on the screen a step acted on, as JSON, masked as pictures are: what a run is done again by.
CREATE TABLE recorded_steps (
    run  TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    step INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (run, step)
) STRICT;

-- What an automation repeats, made of the run it names, with what later runs of it learned.
CREATE TABLE recordings (
    automation TEXT PRIMARY KEY REFERENCES automations (id) ON DELETE CASCADE,
    run        TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    json       TEXT NOT NULL
) STRICT;
CREATE INDEX recordings_of_run ON recordings (run);
