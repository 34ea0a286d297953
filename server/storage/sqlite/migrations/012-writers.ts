// Every writer of a draft, and of each text that an item of a change request ever had: a revision that changes an item
// back has its writers again. Also the creator of each invitation.

export const writers = `
-- JSON: users, with their operators, in the order of their first save.
${['draft', 'discarded_draft'].map(writersColumn).join('')}CREATE TABLE change_request_writer (
  request TEXT NOT NULL, type TEXT NOT NULL, key TEXT NOT NULL, text TEXT, writers TEXT NOT NULL
) STRICT;
CREATE INDEX change_request_writer_of ON change_request_writer (request, type, key);
INSERT INTO change_request_writer (request, type, key, text, writers)
  SELECT request, type, key, text, writers FROM change_request_item WHERE writers IS NOT NULL;
ALTER TABLE invitation ADD COLUMN made_by TEXT;
ALTER TABLE invitation ADD COLUMN made_at TEXT;
ALTER TABLE invitation ADD COLUMN operator TEXT;
-- 1 if the maker acted on the org's own folder, which needs no permission.
ALTER TABLE invitation ADD COLUMN from_folder INTEGER NOT NULL DEFAULT 0;
UPDATE invitation SET (made_by, made_at, operator) = (
  SELECT actor, at, operator FROM audit
  WHERE component = 'user/' || invitation.user AND kind = 'user.invited' ORDER BY id DESC LIMIT 1
);
`

/** A column of the table, filled with the author and the last writer. */
export function writersColumn(table: string): string {
  return `ALTER TABLE ${table} ADD COLUMN writers TEXT NOT NULL DEFAULT '[]';
UPDATE ${table} SET writers = CASE WHEN author = changed_by AND operator IS changed_operator
  THEN json_array(json_object('user', author, 'operator', operator))
  ELSE json_array(
    json_object('user', author, 'operator', operator), json_object('user', changed_by, 'operator', changed_operator)
  ) END;
`
}
