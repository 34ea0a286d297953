// What the tables of change requests run against: the engine in this process, and the same behind a real server.
import type {
  ChangeRequestAction,
  ChangeRequestDetailOf,
  ChangeRequestSummary,
} from '#kernel/requests/index.ts'
import type { SpecOutcome } from './target.ts'

export type RequestOutcome =
  | { ok: true; request: ChangeRequestSummary }
  | { ok: false; code: string; message: string; details: unknown[] }

export interface SentRequest {
  components?: readonly unknown[]
  removals?: readonly string[]
  /** Rolls back to this generation. */
  generation?: number
  rationale?: string
  base?: number
  changeDigest?: string
  applyOn?: string
}

export type LookedAt = ChangeRequestDetailOf<
  { id: string; before: unknown; after: unknown; lacks: string | null }[]
>

/**
 * One org with the users `ann` (edits, approves), `ben` (approves), `cal` (sees what exists, not its values) and `dan`
 * (nothing).
 */
export interface RequestOrg {
  /** By `admin`, without a change request. */
  apply(components: readonly unknown[], actor?: string): Promise<SpecOutcome>
  rollback(generation: number): Promise<SpecOutcome>
  create(by: string, sent: SentRequest): Promise<RequestOutcome>
  /** `body` in the form of the surface; what it omits stays as in the request. */
  act(by: string, action: ChangeRequestAction, id: string, body?: object): Promise<RequestOutcome>
  look(by: string, id: string): Promise<LookedAt>
  list(by: string, states?: readonly string[]): Promise<ChangeRequestSummary[]>
  require(required: number): Promise<void>
  assign(user: string, permissionSets: readonly string[]): Promise<void>
  applyDue(): Promise<void>
  activeGeneration(): Promise<number>
  close(): Promise<void>
}

export interface RequestTarget {
  name: string
  start(): Promise<RequestOrg>
}

/** Users and what they hold; `editors` has the edit grants of the ground. */
export const people: Readonly<Record<string, readonly string[]>> = {
  ann: ['authors', 'approvers', 'editors'],
  ben: ['approvers'],
  cal: ['shapers'],
  dan: [],
}

const holding = (key: string, systemPermissions: readonly string[]): object => ({
  type: 'permission_set',
  key,
  label: key,
  body: { systemPermissions },
})

export const peopleSets: readonly object[] = [
  holding('authors', ['config.author', 'metadata.author']),
  holding('approvers', ['deploy.approve']),
  holding('shapers', ['metadata.author']),
]

/** What an action sends if the test does not specify it. */
export function usualBody(action: ChangeRequestAction, request: ChangeRequestSummary): object {
  switch (action) {
    case 'edit':
      return { revision: request.revision, title: 'Edited' }
    case 'approve':
      return { digest: request.digest }
    case 'reject':
      return { reason: 'Not now.' }
    case 'comment':
      return { text: 'Why?' }
    case 'schedule':
      return { applyOn: '2099-01-01' }
    case 'withdraw':
    case 'apply':
      return {}
  }
}
