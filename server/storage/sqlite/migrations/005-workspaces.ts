// How each user left the studio: tabs, sides, cursors.

export const workspaces = `
CREATE TABLE workspace (user TEXT NOT NULL PRIMARY KEY, json TEXT NOT NULL) STRICT;
`
