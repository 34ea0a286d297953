// The metadata audit in storage.
import type { AuditRow } from '#wire/index.ts'

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
  /** Returns only these rows. */
  ids?: readonly string[] | undefined
  before?: string | undefined
  limit?: number
}

/** The searchable part of an audit row, without the content. */
export interface AuditSummary extends Pick<
  AuditRow,
  'id' | 'actor' | 'component' | 'kind' | 'generation' | 'correlationId' | 'rationale'
> {
  /** Label of the component; null if it is not a change to a component. */
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

export interface AuditReader {
  /** Newest first; `before` is the id of a row. */
  list(filter: AuditFilter): AuditRow[]
  /** The searchable part of the same rows. */
  summaries(filter: AuditFilter): AuditSummary[]
  /** Audit rows of users and groups after the row with this id, oldest first, without sign-ins. */
  principalEventsAfter(id: number): PrincipalAuditEvent[]
  /** Id of the newest audit row; 0 without rows. */
  lastId(): number
}

export interface AuditTransactor extends AuditReader {
  append(row: Omit<AuditRow, 'id' | 'request'>): void
}
