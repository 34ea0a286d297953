// Checks a whole org: what the store verifies on its own, and what follows from its components.
export { checkOrg, type CheckReport, type CheckDeps } from './check-org.ts'
export { integrityFinding } from './finding.ts'
export { requireSigningKey, signingKeySetting, signingKeyText } from './signing-key.ts'
