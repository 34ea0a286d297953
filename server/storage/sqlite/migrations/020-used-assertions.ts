// Assertions of clients that were accepted, so that none is accepted twice.
export const usedAssertions = `
CREATE TABLE used_assertion (hash TEXT PRIMARY KEY, expires_at TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX used_assertion_expires ON used_assertion (expires_at);
`
