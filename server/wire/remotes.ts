// HTTP types of remote orgs and their jobs, shared by server, studio and command line
// (docs/reference/pipeline-and-approvals.md). Secrets are only accepted, never returned.
import type { ChangeCounts, ChangeKind } from '#kernel/change/change.ts'
import type { NeedView } from '#kernel/change/closure/index.ts'
import type { ChangeDescription } from '#kernel/change/change-description.ts'
import type { ValueChange } from '#kernel/change/value-diff.ts'
import type { Finding } from '#kernel/errors/finding.ts'

/** Not the only distinction in the studio, which shows the name and the environment next to the colour. */
export type RemoteColour = 'grey' | 'blue' | 'green' | 'amber' | 'red' | 'violet'

/** How a user authenticates to a remote. A password is exchanged for a token and not stored. */
export type RemoteProof =
  | { kind: 'client'; client: string; secret: string }
  | { kind: 'token'; token: string }
  | { kind: 'password'; user: string; password: string }

export type RemoteProofKind = RemoteProof['kind']

/** `POST /setup/v3/remotes`. */
export interface NewRemote {
  key: string
  name: string
  url: string
  colour: RemoteColour
  proof: RemoteProof
}

/** `PUT /setup/v3/remotes/{key}`; omitted properties do not change. */
export type RemoteChange = Partial<Omit<NewRemote, 'key'>>

/** A problem with a remote; `origin` names the remote, `remoteCode` is the code that it returned. */
export interface RemoteProblem {
  code: string
  detail: string
  origin: string
  remoteCode: string | null
  retriable: boolean
}

/** The result of the last contact. */
export type RemoteContact =
  | { state: 'never' }
  | {
      state: 'reached'
      at: string
      ms: number
      generation: number
      /** The user that this org signs in as. */
      user: { key: string; name: string }
      permissions: string[]
      /** How many approvals a change list needs there; 0 if it is applied immediately. */
      approvals: number
      /** Generations since the last seen one that did not come from this org. */
      moved: number
    }
  | { state: 'failed'; at: string; problem: RemoteProblem }

export interface RemoteView {
  key: string
  name: string
  url: string
  colour: RemoteColour
  /** `principal` is the client or the user; `custody` is where the secret is stored. */
  proof: {
    kind: RemoteProofKind
    principal: string | null
    custody: 'file' | 'keychain'
    expiresAt: string | null
  }
  /** The org that was pinned at first contact. */
  org: { name: string; environment: string; lineage: string }
  /** If true, pushes and rollbacks must be confirmed with the org's name. */
  production: boolean
  addedAt: string
  contact: RemoteContact
  /** The state of the remote that comparisons use, and the one that was listed last. */
  seen: RemoteRevision | null
  listed: RemoteRevision | null
  /** Unfinished jobs, newest first. */
  jobs: RemoteJobSummary[]
}

export interface RemoteRevision {
  generation: number
  at: string
}

/** Where secrets are stored; `reason` explains why they cannot be. */
export type CustodyStatus =
  { kind: 'file' | 'keychain'; kept: true } | { kind: 'file' | 'keychain'; kept: false; reason: string }

/** `same`, or how the two sides differ: on this side, on the remote since it was last seen (drift), or on both. */
export type CompareState = 'same' | 'only_local' | 'only_remote' | 'changed_local' | 'changed_remote' | 'both'

/** The local side of a comparison: the active generation, or the drafts over it. */
export type LocalSource = 'active' | 'drafts'

/** One change in words; `hidden` explains why its content is not shown. */
export interface ComparedChange {
  kind: Exclude<ChangeKind, 'renamed'>
  words: ChangeDescription
  values: readonly ValueChange[]
}

export interface CompareRow {
  id: string
  type: string
  key: string
  /** For an entry, its set or flag. */
  set?: string
  state: CompareState
  /** The remote content differs from the last seen one: it was changed there. */
  drift: boolean
  /** The local content differs from the last seen remote content. */
  moved: boolean
  /** The local side is a draft. */
  draft: boolean
  /** What a push would change there; null if nothing, or if the content could not be fetched. */
  push: ComparedChange | null
  /** What others changed there since it was last seen. */
  theirs: ComparedChange | null
}

/** `GET /setup/v3/remotes/{key}/comparison`. */
export interface Comparison {
  remote: string
  local: { source: LocalSource; generation: number; unread: string[] }
  seen: RemoteRevision
  listed: RemoteRevision
  counts: Record<CompareState, number>
  /** How many of them drifted. */
  drift: number
  rows: CompareRow[]
  /** How many rows match the filter. */
  total: number
  nextCursor: string | null
  /** Why the contents of some rows could not be fetched. */
  problem: RemoteProblem | null
}

/** Components that differ in the same way; `ids` are in the order of the comparison. */
export interface DifferingGroup {
  state: Exclude<CompareState, 'same'>
  drift: boolean
  ids: string[]
}

/** `GET /setup/v3/remotes/{key}/comparison/index`: everything that differs, so a selection can cover unloaded rows. */
export interface ComparisonIndex {
  local: LocalSource
  differing: DifferingGroup[]
}

/**
 * `GET /setup/v3/remotes/{key}/texts/{type}/{component}`; null for a side without it, or if it could not be fetched.
 */
export interface RemoteTexts {
  id: string
  local: string | null
  seen: string | null
  listed: string | null
}

export type RemoteJobKind = 'retrieve' | 'compare' | 'push' | 'rollback'

/**
 * `review`: validated there, and waits for a user. `waiting`: a change request there waits for approval.
 * `interrupted`: the connection or this server was lost; nothing is sent again until a user resumes it.
 */
export type RemoteJobState =
  'running' | 'review' | 'waiting' | 'done' | 'failed' | 'interrupted' | 'cancelled'

export type RemoteJobStep =
  'contact' | 'list' | 'fetch' | 'compare' | 'plan' | 'send' | 'confirm' | 'approval' | 'finish'

/** A job as reported by the event stream. */
export interface RemoteJobSummary {
  id: string
  remote: string
  kind: RemoteJobKind
  state: RemoteJobState
  step: RemoteJobStep
  done: number
  /** Null if it is not known. */
  total: number | null
}

export interface RemotePlannedChange extends ComparedChange {
  id: string
  /** Permissions that are missing there; null if none. */
  lacks: string | null
}

/** The remote's plan of a push before it is applied. */
export interface RemotePlan {
  base: number
  /** Null for a user who cannot see everything that it changes. */
  changeDigest: string | null
  counts: ChangeCounts
  /** The first changes; `total` is their number. */
  changes: RemotePlannedChange[]
  total: number
  findings: Finding[]
  /** How many findings there are if the list is truncated. */
  findingsTotal: number
  /** Whether a finding is an error, or a permission is missing. */
  refused: boolean
  budget: { used: number; added: number; limit: number; left: number }
  /** Components that the selection needs, and why. */
  cameAlong: NeedView[]
  /** How many approvals it needs there; 0 if it is applied immediately. */
  approvals: number
}

/** The change request that a push became. */
export interface RemoteRequest {
  id: string
  state: string
  approvals: number
  required: number
  applyOn: string | null
}

export interface RemoteJob extends RemoteJobSummary {
  startedAt: string
  updatedAt: string
  actor: string
  rationale: string
  plan: RemotePlan | null
  request: RemoteRequest | null
  /** The result: the new generation there, or null if there was nothing to change. */
  outcome: { generation: number | null; changes: number; fetched: number } | null
  problem: RemoteProblem | null
}

/** `POST /setup/v3/remotes/{key}/push`. */
export interface PushRequest {
  /**
   * What to push; if omitted, everything that changed only here. Components that only the remote has are removed there.
   */
  ids?: string[]
  /** Without `ids`: what to exclude from the default. */
  except?: string[]
  /** Without `ids`: what to add to the default. */
  also?: string[]
  local?: LocalSource
  /** Stop for a review after the remote has validated it. */
  review?: boolean
  rationale?: string
  /** Title of the change request, if the remote requires one. */
  title?: string
  applyOn?: string
  /** The typed name of the remote org, if it is production. */
  confirm?: string
}

export interface RemoteGeneration {
  generation: number
  kind: 'init' | 'apply' | 'rollback' | 'revert'
  at: string
  actor: string
  rationale: string
  counts: ChangeCounts
  /** Pushed or rolled back from this org. */
  ours: boolean
}

/** `GET /setup/v3/remotes/{key}/generations`. */
export interface RemoteHistory {
  active: number
  generations: RemoteGeneration[]
}

/** `GET /setup/v3/remotes/{key}/generations/{generation}`. */
export interface RemoteGenerationChanges {
  generation: RemoteGeneration
  changes: (ComparedChange & { id: string })[]
  total: number
}

/** `GET /setup/v3/remotes/{key}/drift`: what others changed there since it was last seen. */
export interface RemoteDrift {
  seen: RemoteRevision
  active: number
  /** Newest first; `more` is true if there are further ones. */
  generations: RemoteGeneration[]
  more: boolean
  components: {
    id: string
    kind: ChangeKind
    words: ChangeDescription
    generation: number
    actor: string
    at: string
  }[]
}
