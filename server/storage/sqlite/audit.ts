// The metadata audit. The row of a component's change contains digests; its generation contains author, time and
// rationale.
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { ApplyHints } from '#kernel/components/component.ts'
import type {
  AuditFilter,
  AuditReader,
  AuditSummary,
  AuditTransactor,
  PrincipalAuditEvent,
} from '../../ports/audit.ts'
import type { AuditRow, GenerationRequest } from '#wire/index.ts'
import type { AuditChain } from './audit-chain.ts'
import { all, one, type Db } from './db.ts'
import { requireDigest } from './verified-content.ts'

interface Stored {
  id: number
  at: string
  actor: string
  operator: string | null
  correlation_id: string
  generation: number | null
  component: string
  kind: string
  before_digest: string | null
  after_digest: string | null
  before: string | null
  after: string | null
  hints: string | null
  rationale: string
  request: string | null
}

type StoredBrief = Pick<
  Stored,
  'id' | 'actor' | 'correlation_id' | 'component' | 'kind' | 'generation' | 'rationale'
> & {
  label: string | null
  former_key: string | null
}

const columns = `SELECT a.id, coalesce(a.at, g.at) AS at, coalesce(a.actor, g.actor) AS actor,
  coalesce(a.operator, g.operator) AS operator,
  coalesce(a.correlation_id, g.correlation_id) AS correlation_id, a.generation, a.component, a.kind,
  a.before_digest, a.after_digest, coalesce(a.before_json, b.json) AS before, coalesce(a.after_json, n.json) AS after, a.hints,
  coalesce(a.rationale, g.rationale) AS rationale, g.request
  FROM audit a LEFT JOIN generation g ON g.generation = a.generation
  LEFT JOIN content b ON b.digest = a.before_digest LEFT JOIN content n ON n.digest = a.after_digest`

const briefColumns = `SELECT a.id, coalesce(a.actor, g.actor) AS actor, a.component, a.kind, a.generation,
  coalesce(a.correlation_id, g.correlation_id) AS correlation_id, coalesce(a.rationale, g.rationale) AS rationale,
  coalesce(n.json ->> '$.label', b.json ->> '$.label') AS label, b.json ->> '$.key' AS former_key
  FROM audit a LEFT JOIN generation g ON g.generation = a.generation
  LEFT JOIN content b ON b.digest = a.before_digest LEFT JOIN content n ON n.digest = a.after_digest`

const conditions: Record<Exclude<keyof AuditFilter, 'limit'>, string> = {
  component: 'a.component = ?',
  actor: 'coalesce(a.actor, g.actor) = ?',
  kind: 'a.kind = ?',
  generation: 'a.generation = ?',
  since: 'coalesce(a.at, g.at) >= ?',
  until: 'coalesce(a.at, g.at) < ?',
  actors: 'coalesce(a.actor, g.actor) IN (SELECT value FROM json_each(?))',
  ids: 'a.id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))',
  before: 'a.id < CAST(? AS INTEGER)',
}

export function auditReader(db: Db): AuditReader {
  return {
    list: (filter) => selectRows<Stored>(db, columns, filter).map(rowOf),
    summaries: (filter) => summaries(db, filter),
    principalEventsAfter: (id) => principalEventsAfter(db, id),
    lastId: () => one<{ id: number }>(db, 'SELECT coalesce(max(id), 0) AS id FROM audit')!.id,
  }
}

export function auditTransactor(chain: AuditChain, reader: AuditReader): AuditTransactor {
  return { ...reader, append: (row) => append(chain, row) }
}

/** The columns of the same rows that are searched. */
function summaries(db: Db, filter: AuditFilter): AuditSummary[] {
  return selectRows<StoredBrief>(db, briefColumns, filter).map(
    ({ id, correlation_id: correlationId, former_key: formerKey, ...brief }) => ({
      ...brief,
      id: String(id),
      correlationId,
      formerKey,
    }),
  )
}

function principalEventsAfter(db: Db, id: number): PrincipalAuditEvent[] {
  return all<PrincipalAuditEvent>(
    db,
    `SELECT id, component, actor FROM audit
     WHERE id > ? AND kind NOT LIKE 'sign_in.%' AND (component LIKE 'user/%' OR component LIKE 'group/%') ORDER BY id`,
    id,
  )
}

function selectRows<Row>(db: Db, select: string, filter: AuditFilter): Row[] {
  const names = (Object.keys(conditions) as (keyof typeof conditions)[]).filter(
    (name) => filter[name] !== undefined,
  )
  const where = names.length === 0 ? '' : ` WHERE ${names.map((name) => conditions[name]).join(' AND ')}`
  const values = names.map((name) => {
    const value = filter[name]
    return Array.isArray(value) ? JSON.stringify(value) : value
  })
  return all<Row>(db, `${select}${where} ORDER BY a.id DESC LIMIT ?`, ...values, filter.limit ?? 100)
}

function append(chain: AuditChain, row: Omit<AuditRow, 'id' | 'request'>): void {
  chain.append({
    generation: row.generation,
    component: row.component,
    kind: row.kind,
    before_digest: null,
    after_digest: null,
    hints: row.hints === undefined ? null : JSON.stringify(row.hints),
    before_json: row.before === null ? null : JSON.stringify(row.before),
    after_json: row.after === null ? null : JSON.stringify(row.after),
    at: row.at,
    actor: row.actor,
    operator: row.operator ?? null,
    correlation_id: row.correlationId,
    rationale: row.rationale,
  })
}

function rowOf(row: Stored): AuditRow {
  for (const [digest, json] of [
    [row.before_digest, row.before],
    [row.after_digest, row.after],
  ] as const)
    if (digest !== null && json !== null) requireDigest(row.component, digest, json)
  const audit: AuditRow = {
    id: String(row.id),
    at: row.at,
    actor: row.actor,
    correlationId: row.correlation_id,
    generation: row.generation,
    component: row.component,
    kind: row.kind,
    before: parseJson(row.before),
    after: parseJson(row.after),
    rationale: row.rationale,
  }
  if (row.operator !== null) audit.operator = row.operator
  if (row.hints !== null) audit.hints = JSON.parse(row.hints) as ApplyHints
  if (row.request !== null) audit.request = JSON.parse(row.request) as GenerationRequest
  return audit
}

function parseJson(json: string | null): JsonValue {
  return json === null ? null : (JSON.parse(json) as JsonValue)
}
