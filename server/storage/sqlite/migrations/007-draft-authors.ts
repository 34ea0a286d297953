// A draft keeps its first author; who changed it last is stored beside.

export const draftAuthors = `
ALTER TABLE draft ADD COLUMN changed_by TEXT NOT NULL DEFAULT '';
UPDATE draft SET changed_by = author;
`
