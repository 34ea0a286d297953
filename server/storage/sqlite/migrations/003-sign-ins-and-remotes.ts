// Users who sign in with a password, and the remote orgs that this one deploys to. A secret of a remote is never stored
// here: it is in the machine's custody. A listing of a remote is one text, because it is only ever read and written as
// a whole.

export const signInsAndRemotes = `
CREATE TABLE sign_in (
  id TEXT NOT NULL PRIMARY KEY, hash TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, user TEXT NOT NULL,
  label TEXT NOT NULL, created_at TEXT NOT NULL, used_at TEXT NOT NULL, expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX sign_in_by_user ON sign_in (user);

CREATE TABLE remote (key TEXT NOT NULL PRIMARY KEY, json TEXT NOT NULL) STRICT;
CREATE TABLE remote_listing (
  remote TEXT NOT NULL REFERENCES remote ON DELETE CASCADE, which TEXT NOT NULL,
  generation INTEGER NOT NULL, at TEXT NOT NULL, listing TEXT NOT NULL,
  PRIMARY KEY (remote, which)
) STRICT;
CREATE TABLE remote_content (digest TEXT NOT NULL PRIMARY KEY, json TEXT NOT NULL) STRICT;
CREATE TABLE remote_job (
  id TEXT NOT NULL PRIMARY KEY, remote TEXT NOT NULL REFERENCES remote ON DELETE CASCADE,
  state TEXT NOT NULL, json TEXT NOT NULL
) STRICT;
CREATE INDEX remote_job_by_remote ON remote_job (remote, id);
`
