// The generation from which a change request of a rollback or a revert brings fields of objects back.
export const requestRestores = `
ALTER TABLE change_request ADD COLUMN restores_from INTEGER;
UPDATE change_request SET restores_from = rollback_to;
`
