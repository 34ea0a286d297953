// Registered integration clients: how they authenticate, and how much they can send.
export { createClientSecrets, type ClientSecrets, type IssuedSecret } from './client-secrets.ts'
export { AssertionError } from './assertion-claims.ts'
export { createClientAssertions, type ClientAssertions } from './client-assertions.ts'
export { createClientLimits, type Ceiling, type ClientLimits } from './client-limits.ts'
export { followClients } from './follow-clients.ts'
