// Groups hold permission sets; also the last sign-in of each user, one-time links, and discarded drafts that can be
// restored.

export const people = `
ALTER TABLE user_group ADD COLUMN permission_sets TEXT NOT NULL DEFAULT '[]';
CREATE TABLE last_sign_in (user TEXT NOT NULL PRIMARY KEY, at TEXT NOT NULL) STRICT;
INSERT INTO last_sign_in (user, at)
  SELECT substr(component, 6), MAX(at) FROM audit
  WHERE kind = 'sign_in.opened' AND component LIKE 'user/%' GROUP BY component;
CREATE TABLE invitation (user TEXT NOT NULL PRIMARY KEY, hash TEXT NOT NULL UNIQUE, expires_at TEXT NOT NULL) STRICT;
CREATE TABLE discarded_drafts (
  user TEXT NOT NULL PRIMARY KEY, id TEXT NOT NULL, at TEXT NOT NULL, json TEXT NOT NULL
) STRICT;
`
