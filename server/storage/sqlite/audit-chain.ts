// The audit as a chain: the digest of each row covers its content and the digest of the row before it.
import { hash } from 'node:crypto'
import { all, one, run, type Db } from './db.ts'
import { RowBatch } from './row-batch.ts'

/** A row of the table, by its columns, in the order in which the digest covers them. */
export interface ChainedRow {
  id: number
  generation: number | null
  component: string
  kind: string
  before_digest: string | null
  after_digest: string | null
  hints: string | null
  before_json: string | null
  after_json: string | null
  at: string | null
  actor: string | null
  operator: string | null
  correlation_id: string | null
  rationale: string | null
}

export type NewRow = Omit<ChainedRow, 'id'>

export interface AuditHead {
  id: number
  digest: string
}

/** In the order of the table and of the digest. */
const columns = [
  ...(['id', 'generation', 'component', 'kind', 'before_digest', 'after_digest', 'hints'] as const),
  ...(['before_json', 'after_json', 'at', 'actor', 'operator', 'correlation_id', 'rationale'] as const),
] as const satisfies readonly (keyof ChainedRow)[]

export function chainDigest(before: string, row: ChainedRow): string {
  return hash('sha256', JSON.stringify([before, ...columns.map((column) => row[column])]), 'hex')
}

const columnsWithDigest = [...columns, 'digest'] as const

/** Appends rows within one transaction; the head is written once, at its end. */
export class AuditChain {
  readonly #db: Db
  #head: AuditHead | null = null

  constructor(db: Db) {
    this.#db = db
  }

  append(row: NewRow): void {
    this.appendAll([row])
  }

  appendAll(rows: Iterable<NewRow>): void {
    const batch = new RowBatch(this.#db, 'INSERT INTO audit', columnsWithDigest)
    for (const row of rows) {
      const head = (this.#head ??= auditHead(this.#db))
      const id = head.id + 1
      const chained = { ...row, id }
      const digest = chainDigest(head.digest, chained)
      batch.add({ ...chained, digest })
      this.#head = { id, digest }
    }
    batch.flush()
  }

  finish(): void {
    if (this.#head !== null) putHead(this.#db, this.#head)
  }
}

export function auditHead(db: Db): AuditHead {
  return one<AuditHead>(db, 'SELECT id, digest FROM audit_head') ?? { id: 0, digest: '' }
}

/** Number of rows per step, so that a long audit does not fill the memory. */
const page = 1000

/** Chains the existing rows, for an org that was created before the chain existed. */
export function chainAudit(db: Db): void {
  let head: AuditHead = { id: 0, digest: '' }
  for (const row of chainedRows(db)) {
    head = { id: row.id, digest: chainDigest(head.digest, row) }
    run(db, 'UPDATE audit SET digest = ? WHERE id = ?', head.digest, head.id)
  }
  putHead(db, head)
}

/** Every row of the audit with its digest, oldest first. */
export function* chainedRows(db: Db): Iterable<ChainedRow & { digest: string }> {
  let after = -1
  for (;;) {
    const rows = all<ChainedRow & { digest: string }>(
      db,
      'SELECT * FROM audit WHERE id > ? ORDER BY id LIMIT ?',
      after,
      page,
    )
    yield* rows
    if (rows.length < page) return
    after = rows.at(-1)!.id
  }
}

function putHead(db: Db, { id, digest }: AuditHead): void {
  run(db, 'UPDATE audit_head SET id = ?, digest = ?', id, digest)
}
