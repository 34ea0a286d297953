// Records: which tables and columns contain those of an object, their bindings, history and effects, and the replies to
// requests with an idempotency key, uses by clients, and jobs. The tables of objects are created when the first record is saved.
export const records = `
CREATE TABLE record_table (number INTEGER PRIMARY KEY, object TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE record_column (
  number INTEGER NOT NULL REFERENCES record_table (number),
  field INTEGER NOT NULL,
  type TEXT NOT NULL,
  precision INTEGER,
  scale INTEGER,
  indexed INTEGER NOT NULL,
  bound INTEGER NOT NULL,
  filled INTEGER NOT NULL,
  searched INTEGER NOT NULL,
  worded INTEGER NOT NULL,
  PRIMARY KEY (number, field)
) STRICT, WITHOUT ROWID;
CREATE TABLE record_word (
  number INTEGER NOT NULL,
  field INTEGER NOT NULL,
  word TEXT NOT NULL,
  sort TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (number, field, word, sort, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE record_binding (
  id INTEGER PRIMARY KEY,
  generation INTEGER NOT NULL,
  text TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE record_effect (
  sequence INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  automation TEXT NOT NULL,
  action TEXT NOT NULL,
  record TEXT NOT NULL,
  version INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  actor TEXT NOT NULL,
  at TEXT NOT NULL,
  body TEXT NOT NULL,
  deferred TEXT NOT NULL,
  digest TEXT NOT NULL
) STRICT;
CREATE TABLE record_change (
  sequence INTEGER PRIMARY KEY,
  object TEXT NOT NULL,
  record TEXT NOT NULL,
  version INTEGER NOT NULL,
  operation TEXT NOT NULL,
  at TEXT NOT NULL,
  by TEXT NOT NULL,
  correlation_id TEXT NOT NULL,
  generation INTEGER NOT NULL,
  fields TEXT NOT NULL,
  digest TEXT NOT NULL
) STRICT;
CREATE INDEX record_change_record ON record_change (record, sequence);
CREATE INDEX record_binding_generation ON record_binding (generation);
CREATE TABLE record_reply (
  caller TEXT NOT NULL,
  key TEXT NOT NULL,
  request TEXT NOT NULL,
  at TEXT NOT NULL,
  reply TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (caller, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_reply_at ON record_reply (at);
CREATE TABLE record_use (
  client TEXT NOT NULL,
  object TEXT NOT NULL,
  field INTEGER NOT NULL,
  name TEXT NOT NULL,
  at TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (client, object, field, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_use_object ON record_use (object);
CREATE TABLE record_job (
  id TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  body TEXT NOT NULL,
  digest TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX record_job_state ON record_job (state, id);
`
