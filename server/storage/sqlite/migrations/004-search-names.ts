// Words of keys and labels in a separate index, so that a match in a name comes before a match elsewhere. The word
// xqdefinition marks everything that is not an entry: a set is listed before its hundred thousand entries.

export const searchNames = `
CREATE VIRTUAL TABLE search_name USING fts5 (words, content = '', contentless_delete = 1, detail = none);
INSERT INTO search_name (rowid, words)
  SELECT d.id, p.key || ' ' || json_extract(c.json, '$.label') ||
    CASE p.type WHEN 'config_entry' THEN '' ELSE ' xqdefinition' END
  FROM placement p JOIN content c ON c.digest = p.digest JOIN searchable d ON d.component = p.type || '/' || p.key
  WHERE p.to_gen = 9007199254740991;
`
