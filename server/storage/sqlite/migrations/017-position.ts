// How many transactions have written to the org, so that what was computed from it is known to be current.
export const position = `
CREATE TABLE position (one INTEGER PRIMARY KEY CHECK (one = 1), value INTEGER NOT NULL) STRICT;
INSERT INTO position (one, value) VALUES (1, 0);
`
