// How many writes of records the org has seen, so that an older file of records next to it is noticed.
export const recordsPosition = `
ALTER TABLE position ADD COLUMN records INTEGER NOT NULL DEFAULT 0;
`
