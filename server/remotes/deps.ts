// The parts of remotes; server/compose/ connects them.
import type { Sha256 } from '#kernel/change/index.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { RemoteJobSummary } from '#wire/remotes.ts'
import type { Actor, Viewer } from '../access/index.ts'
import type { DraftReading, Org } from '../pipeline/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { OrgReader, OrgStore } from '../ports/org-store.ts'
import type { OrgWrite } from '../ports/org-write.ts'
import type { Outbound, OutboundLimits } from '../ports/outbound.ts'
import type { SecretCustody } from '../ports/secret-custody.ts'

/** For open windows: a remote that changed, or a job that progressed. */
export type RemoteEvent = { remote: string } | { remote: string; job: RemoteJobSummary }

export interface RemotesDeps {
  store: OrgStore
  write: OrgWrite
  clock: Clock
  ids: IdGenerator
  sha256: Sha256
  org: Pick<Org, 'pin' | 'graph' | 'facts' | 'saveDrafts'>
  /** What a user can see here. */
  loadViewer(reader: OrgReader, actor: string): Viewer | null
  /** Stores a description that came with its service, as an apply does. Returns errors. */
  importDescription(service: ComponentOf<'external_service'>, text: string, by: Actor): Promise<Finding[]>
  /** Reads a draft of a service that contains a long description. */
  readLargeDraft: DraftReading
  outbound: Outbound
  custody: SecretCustody
  options: RemoteOptions
  /** Receives unexpected errors of a job. */
  onError?: (error: unknown) => void
}

/** Timeouts and retries for a remote. */
export interface RemoteOptions {
  limits: OutboundLimits
  /** For requests that make the remote work: plans and applies. */
  workMs: number
  /** Milliseconds before each retry of a repeatable request. */
  retries: readonly number[]
  /** Milliseconds between two checks of a change request that waits there. */
  followMs: number
}

export const defaultRemoteOptions: RemoteOptions = {
  limits: {
    connectMs: 10_000,
    responseMs: 30_000,
    chunkMs: 30_000,
    bodyMs: 2 * 60_000,
    bytes: 64 * 1024 * 1024,
  },
  workMs: 10 * 60_000,
  retries: [500, 1000, 2000, 4000, 8000],
  followMs: 20_000,
}
