-- Every question, newest first: the page of approvals and its export.
CREATE INDEX events_asked ON events (json_extract(json, '$.ask.askedAt')) WHERE what = 'asked';
