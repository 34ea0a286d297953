// The org's storage as engines use it: a reader, and inside a transaction a transactor, each in groups. Synchronous,
// like a view of a generation: SQLite responds in microseconds, and rules read while they validate.
import type { Finding } from '#kernel/errors/finding.ts'
import type { AuditReader, AuditTransactor } from './audit.ts'
import type { ChangeRequestReader, ChangeRequestTransactor } from './change-requests.ts'
import type { ComponentReader } from './components.ts'
import type { DescriptionReader, DescriptionTransactor } from './descriptions.ts'
import type { DraftReader, draftTable, WritableDraftTable } from './draft-table.ts'
import type { GenerationReader, GenerationTransactor } from './generations.ts'
import type { IdentityReader } from './identities.ts'
import type { InvitationReader, InvitationTransactor } from './invitations.ts'
import type { PropertyReader, PropertyTransactor } from './org-properties.ts'
import type { PeopleReader, PeopleTransactor } from './people.ts'
import type { RecordFacts } from './record-facts.ts'
import type { RemoteReader, RemoteTransactor } from './remotes.ts'
import type { ResultReader, ResultTransactor } from './results.ts'
import type { SearchReader } from './search.ts'
import type { SetReader, SetTransactor } from './sets.ts'
import type { SettingReader, SettingTransactor } from './settings.ts'
import type { SignInReader, SignInTransactor } from './sign-ins.ts'
import type { TokenReader, TokenTransactor } from './tokens.ts'
import type { WorkspaceReader, WorkspaceTransactor } from './workspaces.ts'

/** Drafts are a group too, but only a module that imports its key can access it. */
export interface OrgReader extends DraftReader {
  readonly properties: PropertyReader
  readonly settings: SettingReader
  readonly generations: GenerationReader
  readonly components: ComponentReader
  readonly descriptions: DescriptionReader
  readonly sets: SetReader
  readonly identities: IdentityReader
  readonly search: SearchReader
  readonly audit: AuditReader
  readonly requests: ChangeRequestReader
  readonly results: ResultReader
  readonly people: PeopleReader
  readonly tokens: TokenReader
  readonly signIns: SignInReader
  readonly invitations: InvitationReader
  readonly workspaces: WorkspaceReader
  readonly remotes: RemoteReader
  readonly recordFacts: RecordFacts
}

/** Reads and writes in one transaction. Throws if used after its end. */
export interface OrgTransactor extends OrgReader {
  readonly [draftTable]: WritableDraftTable
  readonly properties: PropertyTransactor
  readonly settings: SettingTransactor
  readonly generations: GenerationTransactor
  readonly descriptions: DescriptionTransactor
  readonly sets: SetTransactor
  readonly audit: AuditTransactor
  readonly requests: ChangeRequestTransactor
  readonly results: ResultTransactor
  readonly people: PeopleTransactor
  readonly tokens: TokenTransactor
  readonly signIns: SignInTransactor
  readonly invitations: InvitationTransactor
  readonly workspaces: WorkspaceTransactor
  readonly remotes: RemoteTransactor
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
  /**
   * Grows with every transaction that changes something, of this or of another process. What was read stays current
   * while it is the same.
   */
  position(): number
  /** One consistent snapshot for the whole of `work`. */
  read<T>(work: (reader: OrgReader) => T): T
  /** One transaction; rolled back completely if `work` throws; durable (fsync) when it returns. */
  write<T>(work: (transactor: OrgTransactor) => T): T
  close(): void
}
