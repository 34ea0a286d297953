// The state of all drafts is read without their texts, which are most of the bytes.
export const draftStates = 'CREATE INDEX draft_state ON draft (type, key, version, updated_at)'
