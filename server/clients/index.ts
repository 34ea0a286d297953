// Registered integration clients: how they authenticate.
export { createClientSecrets, type ClientSecrets, type IssuedSecret } from './client-secrets.ts'
export { followClients } from './follow-clients.ts'
