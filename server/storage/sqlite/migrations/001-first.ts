// The first schema. A version of a component is content that is stored once by digest, and a placement: the generations
// in which it is current, from `from_gen` up to, but not including, `to_gen`. So history costs only what changed.

export const first = `
CREATE TABLE org (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  lineage TEXT NOT NULL, name TEXT NOT NULL, environment TEXT NOT NULL,
  created_at TEXT NOT NULL, slice_budget INTEGER NOT NULL, active INTEGER NOT NULL
) STRICT;

CREATE TABLE generation (
  generation INTEGER PRIMARY KEY,
  kind TEXT NOT NULL, at TEXT NOT NULL, actor TEXT NOT NULL, rationale TEXT NOT NULL,
  correlation_id TEXT NOT NULL, change_digest TEXT NOT NULL,
  added INTEGER NOT NULL, changed INTEGER NOT NULL, renamed INTEGER NOT NULL, removed INTEGER NOT NULL,
  slice_bytes INTEGER NOT NULL, purged INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE content (digest TEXT NOT NULL PRIMARY KEY, json TEXT NOT NULL) STRICT;

CREATE TABLE placement (
  type TEXT NOT NULL, key TEXT NOT NULL,
  from_gen INTEGER NOT NULL REFERENCES generation, to_gen INTEGER NOT NULL,
  digest TEXT NOT NULL REFERENCES content,
  set_key TEXT, business_key TEXT,
  PRIMARY KEY (type, key, from_gen)
) STRICT, WITHOUT ROWID;
CREATE INDEX placement_by_business_key ON placement (set_key, business_key) WHERE set_key IS NOT NULL;
CREATE INDEX placement_by_from ON placement (from_gen);
CREATE INDEX placement_by_to ON placement (to_gen) WHERE to_gen < 9007199254740991;

CREATE TABLE reference (
  source TEXT NOT NULL, path TEXT NOT NULL, target TEXT NOT NULL, member TEXT, made_by TEXT NOT NULL,
  from_gen INTEGER NOT NULL REFERENCES generation, to_gen INTEGER NOT NULL
) STRICT;
CREATE INDEX reference_by_target ON reference (target);
CREATE INDEX reference_by_source ON reference (source);

CREATE TABLE set_fact (
  set_key TEXT NOT NULL, from_gen INTEGER NOT NULL REFERENCES generation, to_gen INTEGER NOT NULL,
  digest TEXT NOT NULL, bytes INTEGER NOT NULL,
  PRIMARY KEY (set_key, from_gen)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  generation INTEGER REFERENCES generation,
  component TEXT NOT NULL, kind TEXT NOT NULL,
  -- Of a component's change: digests of the content before and after; who, when and why are its generation's.
  before_digest TEXT, after_digest TEXT, hints TEXT,
  -- Of any other fact: as JSON.
  before_json TEXT, after_json TEXT,
  at TEXT, actor TEXT, correlation_id TEXT, rationale TEXT
) STRICT;
CREATE INDEX audit_by_component ON audit (component);
CREATE INDEX audit_by_generation ON audit (generation);

CREATE TABLE draft (
  type TEXT NOT NULL, key TEXT NOT NULL, text TEXT, base_digest TEXT, base_generation INTEGER NOT NULL,
  version INTEGER NOT NULL, author TEXT NOT NULL, updated_at TEXT NOT NULL,
  PRIMARY KEY (type, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE result (
  id TEXT NOT NULL PRIMARY KEY, label TEXT NOT NULL, at TEXT NOT NULL, actor TEXT NOT NULL,
  expression TEXT NOT NULL, inputs TEXT NOT NULL, value TEXT NOT NULL,
  binding TEXT NOT NULL, generation INTEGER, state TEXT NOT NULL
) STRICT;
CREATE INDEX result_by_generation ON result (generation);

CREATE TABLE user (
  key TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, active INTEGER NOT NULL, locale TEXT,
  password_hash TEXT, member_of TEXT NOT NULL, permission_sets TEXT NOT NULL
) STRICT;
CREATE TABLE user_group (key TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE token (
  hash TEXT NOT NULL PRIMARY KEY, client TEXT NOT NULL, user TEXT NOT NULL, expires_at TEXT NOT NULL
) STRICT;
CREATE TABLE setting (name TEXT NOT NULL PRIMARY KEY, json TEXT NOT NULL) STRICT;

CREATE TABLE searchable (id INTEGER PRIMARY KEY, component TEXT NOT NULL UNIQUE) STRICT;
CREATE VIRTUAL TABLE search USING fts5 (words, content = '', contentless_delete = 1, detail = none);
`
