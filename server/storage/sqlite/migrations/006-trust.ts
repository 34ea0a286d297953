// Proves that stored rows are unaltered: a digest of each row, and the audit as a chain of digests. Also the operator
// of each write, and the latest time that the org has seen.
import { chainAudit } from '../audit-chain.ts'
import type { Db } from '../db.ts'

const schema = `
CREATE TABLE seal (
  name TEXT NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL,
  PRIMARY KEY (name, id)
) STRICT, WITHOUT ROWID;

-- The last row of the audit, so that a truncated audit is noticed.
CREATE TABLE audit_head (one INTEGER PRIMARY KEY CHECK (one = 1), id INTEGER NOT NULL, digest TEXT NOT NULL) STRICT;
INSERT INTO audit_head (one, id, digest) VALUES (1, 0, '');

CREATE TABLE clock (one INTEGER PRIMARY KEY CHECK (one = 1), at TEXT NOT NULL) STRICT;
INSERT INTO clock (one, at) VALUES (1, '');

ALTER TABLE audit ADD COLUMN operator TEXT;
ALTER TABLE audit ADD COLUMN digest TEXT NOT NULL DEFAULT '';
ALTER TABLE generation ADD COLUMN operator TEXT;
ALTER TABLE draft ADD COLUMN operator TEXT;
ALTER TABLE change_request ADD COLUMN operator TEXT;
-- The number of required approvals that the request proposes; null for a change list.
ALTER TABLE change_request ADD COLUMN proposed_approvals INTEGER;
ALTER TABLE change_request_approval ADD COLUMN operator TEXT;
ALTER TABLE change_request_event ADD COLUMN operator TEXT;
`

export function trust(db: Db): void {
  db.exec(schema)
  chainAudit(db)
  db.exec(`UPDATE clock SET at = coalesce((SELECT max(at) FROM (
    SELECT created_at AS at FROM org UNION ALL SELECT max(at) FROM generation UNION ALL SELECT max(at) FROM audit
    UNION ALL SELECT max(used_at) FROM sign_in)), '')`)
}
