// Imported descriptions of external services, by the hash of their bundle. Compressed texts are base64, because the seal
// of a row covers texts.
export const descriptions = `
CREATE TABLE description (
  hash TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  version TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  imported_at TEXT NOT NULL,
  file_digest TEXT NOT NULL,
  operations TEXT NOT NULL,
  types TEXT NOT NULL,
  bundle TEXT NOT NULL
) STRICT;
`
