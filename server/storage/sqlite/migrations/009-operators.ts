// Who is behind a sign-in, a token and each item of a change request. And the server start that a session of the one-time
// link belongs to, so that it ends with the server.

export const operators = `
ALTER TABLE sign_in ADD COLUMN operator TEXT;
ALTER TABLE sign_in ADD COLUMN server_start TEXT;
ALTER TABLE token ADD COLUMN operator TEXT;
ALTER TABLE change_request_item ADD COLUMN author TEXT;
ALTER TABLE change_request_item ADD COLUMN operator TEXT;
`
