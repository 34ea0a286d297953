// Change requests: a change list that waits for approvals, kept as component files.

export const changeRequests = `
CREATE TABLE change_request (
  id TEXT NOT NULL PRIMARY KEY, revision INTEGER NOT NULL, state TEXT NOT NULL,
  title TEXT NOT NULL, rationale TEXT NOT NULL, author TEXT NOT NULL,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  digest TEXT NOT NULL, base_generation INTEGER NOT NULL, prune INTEGER NOT NULL, rollback_to INTEGER,
  apply_on TEXT,
  -- As JSON: what is read with the request and never asked for.
  counts TEXT NOT NULL, touches TEXT NOT NULL, findings TEXT NOT NULL, failure TEXT,
  errors INTEGER NOT NULL, warnings INTEGER NOT NULL,
  generation INTEGER REFERENCES generation
) STRICT;
CREATE INDEX change_request_by_state ON change_request (state);

CREATE TABLE change_request_item (
  request TEXT NOT NULL REFERENCES change_request, position INTEGER NOT NULL,
  type TEXT NOT NULL, key TEXT NOT NULL,
  -- Null removes the component.
  text TEXT, hints TEXT, base_generation INTEGER, draft_version INTEGER,
  PRIMARY KEY (request, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE change_request_approval (
  one INTEGER PRIMARY KEY AUTOINCREMENT,
  request TEXT NOT NULL REFERENCES change_request, approver TEXT NOT NULL, digest TEXT NOT NULL,
  at TEXT NOT NULL, comment TEXT NOT NULL, voided_at TEXT
) STRICT;
CREATE INDEX change_request_approval_by_request ON change_request_approval (request);

CREATE TABLE change_request_event (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  request TEXT NOT NULL REFERENCES change_request, at TEXT NOT NULL, actor TEXT NOT NULL,
  kind TEXT NOT NULL, state TEXT NOT NULL, digest TEXT NOT NULL, text TEXT NOT NULL
) STRICT;
CREATE INDEX change_request_event_by_request ON change_request_event (request);

-- The request that a generation came from, as JSON.
ALTER TABLE generation ADD COLUMN request TEXT;
`
