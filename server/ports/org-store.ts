// The org's storage as engines see it: a reader, and inside a transaction a transactor (architecture; style 8).
// Synchronous, because a view of a generation is: SQLite answers in microseconds and rules read while they judge.
import type { Component } from '#kernel/components/body-types.ts'
import type { ApplyHints, ComponentId, ComponentType } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Reference } from '#kernel/components/define.ts'
import type { GraphReference } from '#kernel/graph/index.ts'
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { Digest } from '#kernel/change/digest.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { SearchRank } from '#kernel/search/index.ts'
import type { AuditRow, GenerationRow, VersionRow } from '#kernel/wire/index.ts'
import type { ChangeRequestReads, ChangeRequestWrites } from './change-request-store.ts'
import { type DraftReads, type draftTable, type WritableDraftTable } from './draft-table.ts'
import type { ComponentIdentity, IdentityReads, KeySpell } from './identities.ts'
import type { RemoteReads, RemoteWrites } from './remotes.ts'
import type { SignInReads, SignInWrites } from './sign-ins.ts'
import type { WorkspaceReads, WorkspaceWrites } from './workspaces.ts'

export type {
  AuditRow,
  DraftBrief,
  DraftRow,
  GenerationKind,
  GenerationRequest,
  GenerationRow,
  VersionRow,
} from '#kernel/wire/index.ts'

/** A generation as the org holds it; a viewer may be shown less of it. */
export interface StoredGeneration extends GenerationRow {
  changeDigest: string
}

export interface OrgFacts {
  /** UUID made at init; identifies the target of a plan (completions 4). */
  lineage: string
  name: string
  /** dev, test, prod or any other name; the org's own `environment` scope. */
  environment: string
  createdAt: string
  /** Bytes of materialised slices that one generation may take (completions 4). */
  sliceBudget: number
}

export interface AuditFilter {
  component?: string | undefined
  actor?: string | undefined
  kind?: string | undefined
  generation?: number | undefined
  /** Instants; `until` itself is not included. */
  since?: string | undefined
  until?: string | undefined
  /** Any of these users. */
  actors?: readonly string[] | undefined
  /** Only these rows. */
  ids?: readonly string[] | undefined
  before?: string | undefined
  limit?: number
}

/** What of an audit row is searched, without the content. */
export interface AuditBrief extends Pick<
  AuditRow,
  'id' | 'actor' | 'component' | 'kind' | 'generation' | 'correlationId' | 'rationale'
> {
  /** Of the component; null if it is not a component's change. */
  label: string | null
  /** The key that a rename took from it; its own otherwise. */
  formerKey: string | null
}

/** That something happened to a user or a group. */
export interface PrincipalFact {
  id: number
  /** `user/mara` */
  component: string
  actor: string
}

export interface StoredResult {
  id: string
  label: string
  at: string
  actor: string
  /** The evaluation as it was asked: expression, declared inputs, scope path; and what came out. */
  expression: string
  inputs: JsonValue
  /** Canonical JSON text of the value; a replay gives these bytes again. */
  value: string
  binding: JsonValue
  state: 'bound' | 'archived'
}

export interface UserRow {
  key: string
  name: string
  active: boolean
  locale: string | null
  passwordHash: string | null
  groups: string[]
  permissionSets: string[]
}

export interface GroupRow {
  key: string
  name: string
  /** Each member holds them. */
  permissionSets: string[]
}

export interface TokenRow {
  hash: string
  client: string
  user: string
  expiresAt: string
  /** The user of the operating system who made it on the command line, or whose client secret got it. */
  operator: string | null
}

/** What the database holds of a set at a generation, without its rows. */
export interface SetFacts {
  set: string
  digest: Digest
  bytes: number
}

export interface GenerationChanges {
  /** Components that it changed, but for entries. */
  definitions: ComponentId[]
  /** Sets and flags whose definition or entries it changed. */
  sets: string[]
}

export interface OrgReader
  extends DraftReads, ChangeRequestReads, SignInReads, RemoteReads, WorkspaceReads, IdentityReads {
  facts(): OrgFacts
  activeGeneration(): number
  generation(generation: number): StoredGeneration | undefined
  /** Newest first. */
  generations(options?: { before?: number; limit?: number }): StoredGeneration[]
  /** Lazy: reads a component when asked; a generation never changes, so it outlives the read. Throws generation.not_found. */
  view(generation: number): ComponentView
  digestOf(generation: number, id: ComponentId): Digest | undefined
  digests(generation: number): Map<ComponentId, Digest>
  /** Of those named that are there. */
  digestsOf(generation: number, ids: readonly ComponentId[]): Map<ComponentId, Digest>
  /** The next of them after an id, in the order of types' names and keys; from the first where `after` is null. */
  digestPage(
    generation: number,
    after: ComponentId | null,
    limit: number,
  ): [id: ComponentId, digest: Digest][]
  /** JSON array of the digests of a set's or flag's entries, by entry key ascending: what its config digest is made of. */
  entryDigests(generation: number, set: string): string
  /** Config digest of a set or flag, as of a generation (specification 2.6). */
  setFacts(generation: number, set: string): SetFacts | undefined
  /** The same, once the digest is verified over the definition and the entries. @throws AlmanacError storage.damaged */
  verifiedSetFacts(generation: number, set: string): SetFacts | undefined
  /** Sets and flags whose definition or entries differ between two generations. */
  setsChanged(from: number, to: number): string[]
  /** Components that differ between two generations, by id. */
  changedBetween(from: number, to: number): ComponentId[]
  /** What each of some generations changed. */
  generationChanges(generations: readonly number[]): Map<number, GenerationChanges>
  /** Business keys that a set's entries have at a generation, ascending; null of entries without one. */
  businessKeys(generation: number, set: string): (string | null)[]
  /** Business keys of which an entry differs between two generations, in whichever of them; ascending. */
  keysBetween(from: number, to: number, set: string): (string | null)[]
  /** Generations that changed an entry of this key, or the definition of its set or flag; newest first. */
  generationsOfKey(set: string, businessKey: string | null): number[]
  versions(id: ComponentId): VersionRow[]
  /** Who put the version of this component that is active at `generation` there. */
  deployedBy(generation: number, id: ComponentId): VersionRow | undefined
  /** Edges into `id` at a generation. `entries` of a set are left out unless asked for. */
  referrers(
    generation: number,
    id: ComponentId,
    options?: { entries?: boolean },
  ): (Reference & { from: ComponentId })[]
  /** All edges of a generation, as its reference graph holds them. */
  references(generation: number): Map<ComponentId, GraphReference[]>
  audit(filter: AuditFilter): AuditRow[]
  /** The same rows as far as they are searched. */
  auditBriefs(filter: AuditFilter): AuditBrief[]
  /** Audit rows of users and groups after the row with this id, oldest first, without sign-ins. */
  principalAuditAfter(id: number): PrincipalFact[]
  /** Id of the newest audit row; 0 if there is none. */
  lastAuditId(): number
  result(id: string): StoredResult | undefined
  results(options?: { before?: string; limit?: number; generation?: number }): StoredResult[]
  /** Generations that stored results bind, with counts. */
  boundGenerations(): Map<number, number>
  /** How many bound results read a set or flag, under each key that it had. */
  resultsBinding(spells: readonly KeySpell[]): number
  user(key: string): UserRow | undefined
  users(): UserRow[]
  group(key: string): GroupRow | undefined
  groups(): GroupRow[]
  token(hash: string): TokenRow | undefined
  setting(name: string): JsonValue | undefined
  /** Search over keys, labels, values and expressions of the active generation; what is named so first. */
  search(text: string, ask: SearchAsk): SearchPage
  /** How many components of the active generation a search finds. */
  searchTotal(text: string, types?: SearchTypes): number
  /** The latest time that the org has seen; empty if none. */
  seenTime(): string
}

export interface SearchTypes {
  /** This type alone. */
  type?: ComponentType
  /** Every type but this. */
  without?: ComponentType
}

export interface SearchAsk extends SearchTypes {
  limit: number
  /** Whether a component may be found. What is not wanted counts for nothing, also not for `limit`. */
  wanted?: (id: ComponentId) => boolean
  /** `next` of the page before. */
  after?: string
}

export interface SearchPage {
  hits: { id: ComponentId; rank: SearchRank }[]
  /** Where to go on; null where there is no more. */
  next: string | null
}

/** One change of one component. Its audit row, before and after, follows from it. */
export interface VersionWrite {
  kind: 'added' | 'changed' | 'renamed' | 'removed'
  id: ComponentId
  /** The id until now, where the component is renamed. */
  renamedFrom: ComponentId | null
  /** Of an added component that was there before, as a rollback adds it; if omitted, it has a new identity. */
  identity?: ComponentIdentity | undefined
  /** Null where the component is removed. */
  component: Component | null
  digest: Digest | null
  hints: ApplyHints
}

/** All outgoing edges of one component from now on; of an entry only those beyond its set. */
export interface ReferenceWrite {
  from: ComponentId
  edges: readonly GraphReference[]
}

export interface GenerationWrite {
  row: Omit<StoredGeneration, 'generation'>
  /** Read once, in order, so that a hundred thousand need not stand in memory. */
  versions: Iterable<VersionWrite>
  /** Only of components whose edges differ from those of the generation before. */
  references: Iterable<ReferenceWrite>
}

export interface SetFactsWrite {
  sets: readonly SetFacts[]
  /** Sets and flags that are gone. */
  gone: readonly string[]
}

/** Everything a reader gives, inside one transaction, and the writes. Using it after the end throws. */
export interface OrgTransactor
  extends OrgReader, ChangeRequestWrites, SignInWrites, RemoteWrites, WorkspaceWrites {
  /** Writes versions, generation row and audit rows and makes it active. Answers its number. */
  writeGeneration(write: GenerationWrite): number
  /** What the versions of a generation made of its sets and flags; of those alone that it touched. */
  writeSetFacts(generation: number, write: SetFactsWrite): void
  appendAudit(row: Omit<AuditRow, 'id' | 'request'>): void
  readonly [draftTable]: WritableDraftTable
  putResult(row: StoredResult): void
  putUser(row: UserRow): void
  putGroup(row: GroupRow): void
  deleteGroup(key: string): void
  putToken(row: TokenRow): void
  deleteExpiredTokens(now: string): void
  deleteTokensOf(user: string): void
  /** Old client → the client that has its tokens from now on, all at once; null ends them. */
  moveTokens(moves: ReadonlyMap<string, string | null>): void
  putSetting(name: string, value: JsonValue): void
  deleteSetting(name: string): void
  /** The latest time that the org has seen; a write keeps it. An earlier time changes nothing. */
  noteTime(at: string): void
  putFacts(facts: Partial<Omit<OrgFacts, 'lineage' | 'createdAt'>>): void
  /** Forgets versions and generation rows older than `generation` that nothing binds. Throws deploy.history_bound. */
  purgeBefore(generation: number): { generations: number; versions: number }
}

export interface OrgStore {
  /** Reads a page of every table. @throws AlmanacError storage.damaged, storage.failed */
  probe(): void
  /** Reads all that the active generation serves. @throws AlmanacError storage.damaged naming the first component that was altered */
  verifyActive(): void
  /** Reads everything. Empty if each row is as it was written. Damage is a finding; it never throws. */
  integrity(): Finding[]
  /** One consistent snapshot for the whole of `work`. */
  read<T>(work: (reader: OrgReader) => T): T
  /** One transaction; rolled back whole where `work` throws; durable (fsync) when it returns. */
  write<T>(work: (transactor: OrgTransactor) => T): T
  close(): void
}
