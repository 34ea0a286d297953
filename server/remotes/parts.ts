// What remotes are made of; compose.ts brings the parts together.
import type { Sha256 } from '#kernel/change/index.ts'
import type { RemoteJobBrief } from '#kernel/remotes/wire.ts'
import type { ActorSight } from '../access/index.ts'
import type { Org } from '../pipeline/index.ts'
import type { Clock, Ids } from '../ports/clock.ts'
import type { OrgReader, OrgStore } from '../ports/org-store.ts'
import type { OrgWrite } from '../ports/org-write.ts'
import type { Outbound, OutboundLimits } from '../ports/outbound.ts'
import type { SecretCustody } from '../ports/secret-custody.ts'

/** For windows that are open: a remote that is another than before, or a job that went on. */
export type RemoteNews = { remote: string } | { remote: string; job: RemoteJobBrief }

export interface RemotesParts {
  store: OrgStore
  write: OrgWrite
  clock: Clock
  ids: Ids
  sha256: Sha256
  org: Pick<Org, 'pin' | 'graph' | 'facts' | 'saveDrafts'>
  /** What somebody may see here. */
  sight(reader: OrgReader, actor: string): ActorSight | null
  outbound: Outbound
  custody: SecretCustody
  terms: RemoteTerms
  /** Hears of what nobody foresaw in a job. */
  onError?: (error: unknown) => void
}

/** How patient we are with a remote. */
export interface RemoteTerms {
  limits: OutboundLimits
  /** For what the other side must work on: plans and applies. */
  workMs: number
  /** Milliseconds before each further attempt at what can be asked again. */
  retries: readonly number[]
  /** Milliseconds between two looks at a change request that waits there. */
  followMs: number
}

export const usualTerms: RemoteTerms = {
  limits: {
    connectMs: 10_000,
    answerMs: 30_000,
    pieceMs: 30_000,
    bodyMs: 2 * 60_000,
    bytes: 64 * 1024 * 1024,
  },
  workMs: 10 * 60_000,
  retries: [500, 1000, 2000, 4000, 8000],
  followMs: 20_000,
}
