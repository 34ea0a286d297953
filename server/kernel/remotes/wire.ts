// Remote orgs and what is done with them, as the server tells it and the studio and the command line read it: types
// only (completions 4; studio: Deploy). A secret goes in and never comes out.
import type { ChangeCounts, ChangeKind } from '../change/change.ts'
import type { NeedView } from '../change/closure/index.ts'
import type { ChangeWords } from '../change/words.ts'
import type { ValueChange } from '../change/value-diff.ts'
import type { Finding } from '../errors/finding.ts'

/** Told apart in the studio by more than this: the name and the environment stand beside it. */
export type RemoteColour = 'grey' | 'blue' | 'green' | 'amber' | 'red' | 'violet'

/** How somebody proves to a remote who they are. For a password the remote gives a token; the password is not kept. */
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

/** `PUT /setup/v3/remotes/{key}`; what is left out stays. */
export type RemoteChange = Partial<Omit<NewRemote, 'key'>>

/** What went wrong with a remote; `origin` names it, `remoteCode` is what it said itself. */
export interface RemoteProblem {
  code: string
  detail: string
  origin: string
  remoteCode: string | null
  retriable: boolean
}

/** What the last contact found. */
export type RemoteContact =
  | { state: 'never' }
  | {
      state: 'reached'
      at: string
      ms: number
      generation: number
      /** Who we are there. */
      user: { key: string; name: string }
      permissions: string[]
      /** How many approvals a change list needs there; 0 where it is applied at once. */
      approvals: number
      /** Generations since the last seen one that other hands made. */
      moved: number
    }
  | { state: 'failed'; at: string; problem: RemoteProblem }

export interface RemoteView {
  key: string
  name: string
  url: string
  colour: RemoteColour
  /** `principal` is the client or the user; `custody` says where the secret is. */
  proof: {
    kind: RemoteProofKind
    principal: string | null
    custody: 'file' | 'keychain'
    expiresAt: string | null
  }
  /** The org that was pinned at first contact. */
  org: { name: string; environment: string; lineage: string }
  /** Pushes and rollbacks ask for the org's name. */
  production: boolean
  addedAt: string
  contact: RemoteContact
  /** The state of the remote that comparisons stand on, and the one that was listed last. */
  seen: RemoteMoment | null
  listed: RemoteMoment | null
  /** The job that is not done yet, newest first where there are several. */
  jobs: RemoteJobBrief[]
}

export interface RemoteMoment {
  generation: number
  at: string
}

/** Where secrets are kept; `reason` says why they cannot be. */
export type CustodyStatus =
  { kind: 'file' | 'keychain'; kept: true } | { kind: 'file' | 'keychain'; kept: false; reason: string }

/** `same` and the three ways to differ: here, there since it was last seen (drift), or both. */
export type CompareState = 'same' | 'only_local' | 'only_remote' | 'changed_local' | 'changed_remote' | 'both'

/** What stands on this side: the active generation, or the drafts over it. */
export type LocalSource = 'active' | 'drafts'

/** One change in words; `hidden` says why nothing is told of it. */
export interface ComparedChange {
  kind: Exclude<ChangeKind, 'renamed'>
  words: ChangeWords
  values: readonly ValueChange[]
}

export interface CompareRow {
  id: string
  type: string
  key: string
  /** Of an entry: its set or flag. */
  set?: string
  state: CompareState
  /** It differs there from what was last seen: other hands. */
  drift: boolean
  /** It differs here from what was last seen there. */
  moved: boolean
  /** This side is a draft. */
  draft: boolean
  /** What a push would change there; null where nothing would, or the content could not be fetched. */
  push: ComparedChange | null
  /** What other hands changed there since it was last seen. */
  theirs: ComparedChange | null
}

/** `GET /setup/v3/remotes/{key}/comparison`. */
export interface Comparison {
  remote: string
  local: { source: LocalSource; generation: number; unread: string[] }
  seen: RemoteMoment
  listed: RemoteMoment
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

/** `GET /setup/v3/remotes/{key}/comparison/index`: everything that differs, so that a selection covers rows not loaded. */
export interface ComparisonIndex {
  local: LocalSource
  differing: DifferingGroup[]
}

/** `GET /setup/v3/remotes/{key}/texts/{type}/{component}`; null on a side that does not have it, or could not be had. */
export interface RemoteTexts {
  id: string
  local: string | null
  seen: string | null
  listed: string | null
}

export type RemoteJobKind = 'retrieve' | 'compare' | 'push' | 'rollback'

/**
 * `review`: validated there, and waits for a person. `waiting`: a change request there waits for approval.
 * `interrupted`: the connection or this server was lost; nothing is sent again before somebody resumes it.
 */
export type RemoteJobState =
  'running' | 'review' | 'waiting' | 'done' | 'failed' | 'interrupted' | 'cancelled'

export type RemoteJobStep =
  'contact' | 'list' | 'fetch' | 'compare' | 'plan' | 'send' | 'confirm' | 'approval' | 'finish'

/** As the event stream tells it. */
export interface RemoteJobBrief {
  id: string
  remote: string
  kind: RemoteJobKind
  state: RemoteJobState
  step: RemoteJobStep
  done: number
  /** Null where it is not known. */
  total: number | null
}

export interface RemotePlannedChange extends ComparedChange {
  id: string
  /** Permissions that we lack there; null where none. */
  lacks: string | null
}

/** What the remote says of a push before it is applied. */
export interface RemotePlan {
  base: number
  /** Null for a user who may not see all that it changes. */
  changeDigest: string | null
  counts: ChangeCounts
  /** The first of them; `total` says how many there are. */
  changes: RemotePlannedChange[]
  total: number
  findings: Finding[]
  /** Of the jobs of older releases there is none; they held every finding. */
  findingsTotal?: number
  /** Whether a finding is an error, or a permission is lacking. */
  refused: boolean
  budget: { used: number; added: number; limit: number; left: number }
  /** What comes along with what was picked, and why. */
  cameAlong: NeedView[]
  /** How many approvals it needs there; 0 where it is applied at once. */
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

export interface RemoteJob extends RemoteJobBrief {
  startedAt: string
  updatedAt: string
  actor: string
  rationale: string
  plan: RemotePlan | null
  request: RemoteRequest | null
  /** What came of it: the generation there, or null where nothing was to change. */
  outcome: { generation: number | null; changes: number; fetched: number } | null
  problem: RemoteProblem | null
}

/** `POST /setup/v3/remotes/{key}/push`. */
export interface PushAsk {
  /** What goes; everything that differs here and not there where left out. What only the remote has is removed there. */
  ids?: string[]
  /** Without `ids`: what stays, although it would go by default. */
  except?: string[]
  /** Without `ids`: what goes, although it would stay by default. */
  also?: string[]
  local?: LocalSource
  /** Stop once the remote has validated it, for a person to look. */
  review?: boolean
  rationale?: string
  /** Of the change request, where the remote wants one. */
  title?: string
  applyOn?: string
  /** The name of the remote org, typed, where it is production. */
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

/** `GET /setup/v3/remotes/{key}/drift`: what other hands did there since it was last seen. */
export interface RemoteDrift {
  seen: RemoteMoment
  active: number
  /** Newest first; `more` where there are further ones. */
  generations: RemoteGeneration[]
  more: boolean
  components: {
    id: string
    kind: ChangeKind
    words: ChangeWords
    generation: number
    actor: string
    at: string
  }[]
}
