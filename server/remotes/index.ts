// Remote orgs: stored, compared three ways, pushed to, followed (completions 4; studio: Deploy).
export { demandConfirmed } from './confirmed.ts'
export type { ComparisonAsk } from './comparison.ts'
export { usualTerms, type RemoteNews, type RemoteTerms } from './parts.ts'
export { createRemotes, type Remotes } from './remotes.ts'
