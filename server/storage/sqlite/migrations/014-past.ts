// The past by generation: the sets that a generation changed are found without reading all their facts, and a draft or
// a request that restores a removed component identifies it.
export const past = `
CREATE INDEX set_fact_by_from ON set_fact (from_gen);
CREATE INDEX set_fact_by_to ON set_fact (to_gen) WHERE to_gen < 9007199254740991;
ALTER TABLE draft ADD COLUMN restores TEXT;
CREATE INDEX draft_restores ON draft (type, key) WHERE restores IS NOT NULL;
ALTER TABLE discarded_draft ADD COLUMN restores TEXT;
ALTER TABLE change_request_item ADD COLUMN restores TEXT;
`
