// Words of keys and labels in an index of their own, so that what is named so comes before what merely says so. The word
// xqdefinition marks whatever is no entry: of a set and its hundred thousand entries the set comes first.

export const searchNames = `
CREATE VIRTUAL TABLE search_name USING fts5 (words, content = '', contentless_delete = 1, detail = none);
INSERT INTO search_name (rowid, words)
  SELECT d.id, p.key || ' ' || json_extract(c.json, '$.label') ||
    CASE p.type WHEN 'config_entry' THEN '' ELSE ' xqdefinition' END
  FROM placement p JOIN content c ON c.digest = p.digest JOIN searchable d ON d.component = p.type || '/' || p.key
  WHERE p.to_gen = 9007199254740991;
`
