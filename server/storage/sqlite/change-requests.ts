// Change requests, their change lists, approvals and events.
import type { ChangeCounts } from '#kernel/change/change.ts'
import type { Digest } from '#kernel/change/digest.ts'
import { splitId, type ApplyHints, type ComponentType } from '#kernel/components/component.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { ChangeRequestFailure, Contributor } from '#kernel/requests/index.ts'
import type {
  ApprovalRow,
  ChangeRequestEventRow,
  ChangeRequestFilter,
  ChangeRequestItem,
  ChangeRequestReader,
  ChangeRequestRow,
  ChangeRequestTargets,
  ChangeRequestTransactor,
  StoredChangeRequestState,
} from '../../ports/change-requests.ts'
import type { ComponentIdentity } from '../../ports/identities.ts'
import { all, one, run, type Db } from './db.ts'

interface Stored {
  id: string
  revision: number
  state: StoredChangeRequestState
  title: string
  rationale: string
  author: string
  operator: string | null
  proposed_approvals: number | null
  created_at: string
  updated_at: string
  digest: Digest
  change_digest: Digest
  salt: string
  base_generation: number
  prune: number
  rollback_to: number | null
  restores_from: number | null
  apply_on: string | null
  counts: string
  touches: string
  findings: string
  failure: string | null
  errors: number
  warnings: number
  generation: number | null
  contributors: string
}

interface StoredItem {
  type: ComponentType
  key: string
  text: string | null
  hints: string | null
  base_generation: number | null
  draft_version: number | null
  writers: string | null
  restores: ComponentIdentity | null
}

export function changeRequestReader(db: Db): ChangeRequestReader {
  return {
    get: (id) => {
      const row = one<Stored>(db, 'SELECT * FROM change_request WHERE id = ?', id)
      return row === undefined ? undefined : rowOf(row)
    },
    list: (filter) => changeRequests(db, filter),
    items: (id) =>
      all<StoredItem>(db, 'SELECT * FROM change_request_item WHERE request = ? ORDER BY position', id).map(
        itemOf,
      ),
    contributedTexts: (id) =>
      all<Pick<StoredItem, 'type' | 'key' | 'text' | 'writers'>>(
        db,
        'SELECT type, key, text, writers FROM change_request_writer WHERE request = ?',
        id,
      ).map(({ type, key, text, writers }) => ({ id: `${type}/${key}`, text, writers: writersOf(writers) })),
    approvals: (request) =>
      all<ApprovalRow>(
        db,
        `SELECT request, approver, operator, digest, at, comment, voided_at AS voidedAt
         FROM change_request_approval WHERE request = ? ORDER BY one`,
        request,
      ),
    events: (request) =>
      all<ChangeRequestEventRow>(
        db,
        'SELECT * FROM change_request_event WHERE request = ? ORDER BY seq',
        request,
      ),
    eventsAfter: (seq) =>
      all<ChangeRequestEventRow>(db, 'SELECT * FROM change_request_event WHERE seq > ? ORDER BY seq', seq),
    lastEventSeq: () =>
      one<{ seq: number }>(db, 'SELECT coalesce(max(seq), 0) AS seq FROM change_request_event')!.seq,
  }
}

export function changeRequestTransactor(db: Db, reader: ChangeRequestReader): ChangeRequestTransactor {
  return {
    ...reader,
    put: (row) => putChangeRequest(db, row),
    putItems: (id, items) => putItems(db, id, items),
    putApproval: ({ request, approver, operator = null, digest, at, comment }) =>
      void run(
        db,
        `INSERT INTO change_request_approval (request, approver, operator, digest, at, comment)
         VALUES (@request, @approver, @operator, @digest, @at, @comment)`,
        { request, approver, operator, digest, at, comment },
      ),
    voidApprovals: (request, at) =>
      run(
        db,
        'UPDATE change_request_approval SET voided_at = ? WHERE request = ? AND voided_at IS NULL',
        at,
        request,
      ),
    appendEvent: ({ request, at, actor, operator = null, kind, state, digest, text }) =>
      void run(
        db,
        `INSERT INTO change_request_event (request, at, actor, operator, kind, state, digest, text)
         VALUES (@request, @at, @actor, @operator, @kind, @state, @digest, @text)`,
        { request, at, actor, operator, kind, state, digest, text },
      ),
  }
}

function changeRequests(
  db: Db,
  { states, author, dueBy, before = '\u{10ffff}', limit }: ChangeRequestFilter,
): ChangeRequestRow[] {
  // One statement for every choice of states, so that it is compiled once.
  const sql = `SELECT * FROM change_request WHERE id < @before
    AND (@states IS NULL OR state IN (SELECT value FROM json_each(@states))) AND author = coalesce(@author, author)
    AND (@dueBy IS NULL OR apply_on <= @dueBy)
    ORDER BY id DESC LIMIT @limit`
  return all<Stored>(db, sql, {
    before,
    states: states === undefined ? null : JSON.stringify(states),
    author: author ?? null,
    dueBy: dueBy ?? null,
    limit,
  }).map(rowOf)
}

function putChangeRequest(db: Db, row: ChangeRequestRow): void {
  run(
    db,
    `INSERT INTO change_request (id, revision, state, title, rationale, author, operator, created_at, updated_at, digest,
       change_digest, salt, base_generation, prune, rollback_to, restores_from, proposed_approvals, apply_on, counts, touches, findings, failure, errors,
       warnings, generation, contributors)
     VALUES (@id, @revision, @state, @title, @rationale, @author, @operator, @createdAt, @updatedAt, @digest,
       @changeDigest, @salt, @base, @prune, @rollbackTo, @restoresFrom, @proposedApprovals, @applyOn, @counts, @touches, @findings, @failure, @errors,
       @warnings, @generation, @contributors)
     ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, state = excluded.state, title = excluded.title,
       rationale = excluded.rationale, updated_at = excluded.updated_at, digest = excluded.digest,
       change_digest = excluded.change_digest, salt = excluded.salt,
       base_generation = excluded.base_generation, prune = excluded.prune, rollback_to = excluded.rollback_to,
       restores_from = excluded.restores_from,
       apply_on = excluded.apply_on, counts = excluded.counts, touches = excluded.touches,
       findings = excluded.findings, failure = excluded.failure, errors = excluded.errors,
       warnings = excluded.warnings, generation = excluded.generation, contributors = excluded.contributors`,
    {
      ...row,
      prune: row.prune ? 1 : 0,
      counts: JSON.stringify(row.counts),
      touches: JSON.stringify(row.touches),
      findings: JSON.stringify(row.findings),
      contributors: JSON.stringify(row.contributors),
      failure: row.failure === null ? null : JSON.stringify(row.failure),
    },
  )
}

function putItems(db: Db, id: string, items: Iterable<ChangeRequestItem>): void {
  run(db, 'DELETE FROM change_request_item WHERE request = ?', id)
  let position = 0
  for (const item of items) {
    const { type, key } = splitId(item.id)
    run(
      db,
      `INSERT INTO change_request_item (request, position, type, key, text, hints, base_generation, draft_version, writers,
         restores)
       VALUES (@request, @position, @type, @key, @text, @hints, @base, @draftVersion, @writers, @restores)`,
      {
        request: id,
        position: position++,
        type,
        key,
        text: item.text,
        hints: Object.keys(item.hints).length === 0 ? null : JSON.stringify(item.hints),
        base: item.base,
        draftVersion: item.draftVersion,
        writers: item.writers === null ? null : JSON.stringify(item.writers),
        restores: item.restores,
      },
    )
    if (item.writers !== null) putWriters(db, id, { ...item, writers: item.writers })
  }
}

function putWriters(db: Db, request: string, { id, text, writers }: WrittenItem): void {
  const { type, key } = splitId(id)
  const place = { request, type, key, text }
  run(
    db,
    `DELETE FROM change_request_writer
     WHERE request = @request AND type = @type AND key = @key AND text IS @text`,
    place,
  )
  run(
    db,
    `INSERT INTO change_request_writer (request, type, key, text, writers)
     VALUES (@request, @type, @key, @text, @writers)`,
    { ...place, writers: JSON.stringify(writers) },
  )
}

type WrittenItem = Pick<ChangeRequestItem, 'id' | 'text'> & { writers: readonly Contributor[] }

function rowOf(row: Stored): ChangeRequestRow {
  return {
    id: row.id,
    revision: row.revision,
    state: row.state,
    title: row.title,
    rationale: row.rationale,
    author: row.author,
    operator: row.operator,
    proposedApprovals: row.proposed_approvals,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    digest: row.digest,
    changeDigest: row.change_digest,
    salt: row.salt,
    base: row.base_generation,
    prune: row.prune === 1,
    rollbackTo: row.rollback_to,
    restoresFrom: row.restores_from,
    applyOn: row.apply_on,
    counts: JSON.parse(row.counts) as ChangeCounts,
    touches: JSON.parse(row.touches) as ChangeRequestTargets,
    findings: JSON.parse(row.findings) as Finding[],
    failure: row.failure === null ? null : (JSON.parse(row.failure) as ChangeRequestFailure),
    errors: row.errors,
    warnings: row.warnings,
    generation: row.generation,
    contributors: JSON.parse(row.contributors) as Contributor[],
  }
}

function itemOf({ type, key, text, hints, ...row }: StoredItem): ChangeRequestItem {
  return {
    id: `${type}/${key}`,
    text,
    hints: hints === null ? {} : (JSON.parse(hints) as ApplyHints),
    base: row.base_generation,
    draftVersion: row.draft_version,
    writers: writersOf(row.writers),
    restores: row.restores,
  }
}

function writersOf(json: string | null): Contributor[] | null {
  return json === null ? null : (JSON.parse(json) as Contributor[])
}
