// The operators behind a sign-in, a token, a draft and each item of a change request. Also the server start to which a
// session of the one-time link belongs, so that the session ends with the server.

export const operators = `
ALTER TABLE sign_in ADD COLUMN operator TEXT;
ALTER TABLE sign_in ADD COLUMN server_start TEXT;
ALTER TABLE token ADD COLUMN operator TEXT;
ALTER TABLE draft ADD COLUMN changed_operator TEXT;
-- JSON: users, with their operators, who wrote it as a draft; null if the author of the request did.
ALTER TABLE change_request_item ADD COLUMN writers TEXT;
-- JSON: all of them.
ALTER TABLE change_request ADD COLUMN contributors TEXT NOT NULL DEFAULT '[]';
`
