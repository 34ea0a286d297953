// The org's storage as engines use it: a reader, and inside a transaction a transactor. Synchronous, like a view of a
// generation: SQLite responds in microseconds, and rules read while they validate.
import type { Component } from '#kernel/components/body-types.ts'
import type { ApplyHints, ComponentId, ComponentType } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Reference } from '#kernel/components/define.ts'
import type { GraphReference } from '#kernel/graph/index.ts'
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { Digest } from '#kernel/change/digest.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { SearchRank } from '#kernel/search/index.ts'
import type { AuditRow, GenerationRow, VersionRow } from '#wire/index.ts'
import type { ChangeRequestReader, ChangeRequestTransactor } from './change-request-store.ts'
import { type DraftReader, type draftTable, type WritableDraftTable } from './draft-table.ts'
import type { ComponentIdentity, IdentityReader, KeyPeriod } from './identities.ts'
import type { RemoteReader, RemoteTransactor } from './remotes.ts'
import type { SignInReader, SignInTransactor } from './sign-ins.ts'
import type { WorkspaceReader, WorkspaceTransactor } from './workspaces.ts'

export type {
  AuditRow,
  DraftSummary,
  DraftRow,
  GenerationKind,
  GenerationRequest,
  GenerationRow,
  VersionRow,
} from '#wire/index.ts'

/** A generation as stored; a viewer can be shown less. */
export interface StoredGeneration extends GenerationRow {
  changeDigest: string
}

export interface OrgProperties {
  /** UUID made at init; identifies the target of a plan. */
  lineage: string
  name: string
  /** dev, test, prod or any other name; the org's own `environment` scope. */
  environment: string
  createdAt: string
  /** The most bytes that the materialised slices of one generation can use. */
  sliceBudget: number
}

export interface AuditFilter {
  component?: string | undefined
  actor?: string | undefined
  kind?: string | undefined
  generation?: number | undefined
  /** Instants; `until` is exclusive. */
  since?: string | undefined
  until?: string | undefined
  /** Any of these users. */
  actors?: readonly string[] | undefined
  /** Only these rows. */
  ids?: readonly string[] | undefined
  before?: string | undefined
  limit?: number
}

/** The searchable part of an audit row, without the content. */
export interface AuditSummary extends Pick<
  AuditRow,
  'id' | 'actor' | 'component' | 'kind' | 'generation' | 'correlationId' | 'rationale'
> {
  /** Label of the component; null if it is not a change of a component. */
  label: string | null
  /** The key before a rename; otherwise the current key. */
  formerKey: string | null
}

/** An audited event of a user or group. */
export interface PrincipalAuditEvent {
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
  /** The evaluation as requested: expression, declared inputs, scope path; and its value. */
  expression: string
  inputs: JsonValue
  /** Canonical JSON text of the value; a replay gives the same bytes. */
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
  /** Each member has them. */
  permissionSets: string[]
}

export interface TokenRow {
  hash: string
  client: string
  user: string
  expiresAt: string
  /** The user of the operating system who made it on the command line, or whose client secret obtained it. */
  operator: string | null
}

/** What the database stores about a set at a generation, without its rows. */
export interface SetSummary {
  set: string
  digest: Digest
  bytes: number
}

export interface GenerationChanges {
  /** Components that it changed, except entries. */
  definitions: ComponentId[]
  /** Sets and flags whose definition or entries it changed. */
  sets: string[]
}

export interface OrgReader
  extends DraftReader, ChangeRequestReader, SignInReader, RemoteReader, WorkspaceReader, IdentityReader {
  properties(): OrgProperties
  activeGeneration(): number
  generation(generation: number): StoredGeneration | undefined
  /** Newest first. */
  generations(options?: { before?: number; limit?: number }): StoredGeneration[]
  /**
   * Reads components on demand. A generation never changes, so the view can be used after the read.
   * @throws AlmanacError generation.not_found
   */
  view(generation: number): ComponentView
  digestOf(generation: number, id: ComponentId): Digest | undefined
  digests(generation: number): Map<ComponentId, Digest>
  /** Only for ids that exist. */
  digestsOf(generation: number, ids: readonly ComponentId[]): Map<ComponentId, Digest>
  /** The next digests after an id, in the order of type name and key; from the first if `after` is null. */
  digestPage(
    generation: number,
    after: ComponentId | null,
    limit: number,
  ): [id: ComponentId, digest: Digest][]
  /**
   * JSON array of the digests of a set's or flag's entries, by entry key ascending: the content of its config digest.
   */
  entryDigests(generation: number, set: string): string
  /** Config digest of a set or flag, as of a generation. */
  setSummary(generation: number, set: string): SetSummary | undefined
  /** The same, after verifying the digest over definition and entries. @throws AlmanacError storage.damaged */
  verifiedSetSummary(generation: number, set: string): SetSummary | undefined
  /** Sets and flags whose definition or entries differ between two generations. */
  changedSetsBetween(from: number, to: number): string[]
  /** Components that differ between two generations, by id. */
  changedComponentsBetween(from: number, to: number): ComponentId[]
  /** What each of the generations changed. */
  generationChanges(generations: readonly number[]): Map<number, GenerationChanges>
  /** Business keys of a set's entries at a generation, ascending; null for entries without one. */
  businessKeys(generation: number, set: string): (string | null)[]
  /** Business keys with an entry that differs between two generations, in either of them; ascending. */
  changedKeysBetween(from: number, to: number, set: string): (string | null)[]
  /** Generations that changed an entry of this key, or the definition of its set or flag; newest first. */
  generationsOfKey(set: string, businessKey: string | null): number[]
  versions(id: ComponentId): VersionRow[]
  /** The version row that applied the component's version active at `generation`. */
  versionAt(generation: number, id: ComponentId): VersionRow | undefined
  /** Edges to `id` at a generation; those from a set's entries only with `entries`. */
  referrers(
    generation: number,
    id: ComponentId,
    options?: { entries?: boolean },
  ): (Reference & { from: ComponentId })[]
  /** All edges of a generation, as in its reference graph. */
  references(generation: number): Map<ComponentId, GraphReference[]>
  audit(filter: AuditFilter): AuditRow[]
  /** The searchable part of the same rows. */
  auditSummaries(filter: AuditFilter): AuditSummary[]
  /** Audit rows of users and groups after the row with this id, oldest first, without sign-ins. */
  principalAuditAfter(id: number): PrincipalAuditEvent[]
  /** Id of the newest audit row; 0 without rows. */
  lastAuditId(): number
  result(id: string): StoredResult | undefined
  results(options?: { before?: string; limit?: number; generation?: number }): StoredResult[]
  /** Generations to which stored results are bound, with counts. */
  boundGenerations(): Map<number, number>
  /** How many bound results read a set or flag, under any key that it had. */
  countBoundResults(spells: readonly KeyPeriod[]): number
  user(key: string): UserRow | undefined
  users(): UserRow[]
  group(key: string): GroupRow | undefined
  groups(): GroupRow[]
  token(hash: string): TokenRow | undefined
  setting(name: string): JsonValue | undefined
  /** Searches keys, labels, values and expressions of the active generation; matches in names come first. */
  search(text: string, ask: SearchOptions): SearchPage
  /** How many components of the active generation a search finds. */
  countSearchHits(text: string, types?: SearchTypes): number
  /** The latest time that the org has seen; empty if none. */
  latestTime(): string
}

export interface SearchTypes {
  /** Only this type. */
  type?: ComponentType
  /** Every type except this one. */
  excludedType?: ComponentType
}

export interface SearchOptions extends SearchTypes {
  limit: number
  /** Whether a component can be returned. Others are skipped and do not count for `limit`. */
  isIncluded?: (id: ComponentId) => boolean
  /** `next` of the previous page. */
  after?: string
}

export interface SearchPage {
  hits: { id: ComponentId; rank: SearchRank }[]
  /** Where to continue; null on the last page. */
  next: string | null
}

/** One change of one component. Its audit row, with before and after, is derived from it. */
export interface VersionWrite {
  kind: 'added' | 'changed' | 'renamed' | 'removed'
  id: ComponentId
  /** The previous id, if the component is renamed. */
  renamedFrom: ComponentId | null
  /** Of an added component that existed before, as in a rollback; if omitted, it gets a new identity. */
  identity?: ComponentIdentity | undefined
  /** Null if the component is removed. */
  component: Component | null
  digest: Digest | null
  hints: ApplyHints
}

/** All outgoing edges of one component from now on; for an entry, without the edge to its set. */
export interface ReferenceWrite {
  from: ComponentId
  edges: readonly GraphReference[]
}

export interface GenerationWrite {
  row: Omit<StoredGeneration, 'generation'>
  /** Read once, in order, so a hundred thousand need not be in memory. */
  versions: Iterable<VersionWrite>
  /** Only for components whose edges differ from the previous generation. */
  references: Iterable<ReferenceWrite>
}

export interface SetSummariesWrite {
  sets: readonly SetSummary[]
  /** Sets and flags that were removed. */
  removed: readonly string[]
}

/** Reads and writes in one transaction. Throws if used after its end. */
export interface OrgTransactor
  extends OrgReader, ChangeRequestTransactor, SignInTransactor, RemoteTransactor, WorkspaceTransactor {
  /** Writes versions, generation row and audit rows, and activates the generation. Returns its number. */
  writeGeneration(write: GenerationWrite): number
  /** Writes the facts of the sets and flags that a generation touched. */
  writeSetSummaries(generation: number, write: SetSummariesWrite): void
  appendAudit(row: Omit<AuditRow, 'id' | 'request'>): void
  readonly [draftTable]: WritableDraftTable
  putResult(row: StoredResult): void
  putUser(row: UserRow): void
  putGroup(row: GroupRow): void
  deleteGroup(key: string): void
  putToken(row: TokenRow): void
  deleteExpiredTokens(now: string): void
  deleteTokensOf(user: string): void
  /** Moves tokens from old client → new client, all at once; null ends them. */
  moveTokens(moves: ReadonlyMap<string, string | null>): void
  putSetting(name: string, value: JsonValue): void
  deleteSetting(name: string): void
  /** Stores the latest time that the org has seen. An earlier time changes nothing. */
  recordTime(at: string): void
  putProperties(facts: Partial<Omit<OrgProperties, 'lineage' | 'createdAt'>>): void
  /** Deletes versions and generation rows older than `generation` that nothing binds. Throws deploy.history_bound. */
  purgeBefore(generation: number): { generations: number; versions: number }
}

export interface OrgStore {
  /** Reads a page of every table. @throws AlmanacError storage.damaged, storage.failed */
  probe(): void
  /**
   * Reads everything that the active generation serves.
   * @throws AlmanacError storage.damaged naming the first altered component
   */
  verifyActive(): void
  /** Reads everything. Empty if each row is as it was written. Damage is reported as a finding; never throws. */
  checkIntegrity(): Finding[]
  /** One consistent snapshot for the whole of `work`. */
  read<T>(work: (reader: OrgReader) => T): T
  /** One transaction; rolled back completely if `work` throws; durable (fsync) when it returns. */
  write<T>(work: (transactor: OrgTransactor) => T): T
  close(): void
}
