// A draft keeps its first author; the user who changed it last is stored separately.

export const draftAuthors = `
ALTER TABLE draft ADD COLUMN changed_by TEXT NOT NULL DEFAULT '';
UPDATE draft SET changed_by = author;
`
