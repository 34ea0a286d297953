// The public key of the client whose signature obtained a token, so that the token ends with the key.
export const tokenKeys = `
ALTER TABLE token ADD COLUMN key TEXT;
`
