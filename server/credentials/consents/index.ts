// Consents of users to calls in their name.
export { createConsents, type Consents } from './consents.ts'
export { replaceConsentSlot } from './consent-content.ts'
