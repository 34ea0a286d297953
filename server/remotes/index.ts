// Remote orgs: stored, compared three ways, pushed to, followed.
export { requireConfirmation } from './confirmation.ts'
export type { ComparisonQuery } from './comparison.ts'
export { defaultRemoteOptions, type RemoteEvent, type RemoteOptions } from './deps.ts'
export { createRemotes, type Remotes } from './remotes.ts'
