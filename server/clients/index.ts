// Registered integration clients: how they authenticate (specification 5.1; completions 5).
export { createClientSecrets, type ClientSecrets, type IssuedSecret } from './client-secrets.ts'
export { followClients } from './follow-clients.ts'
