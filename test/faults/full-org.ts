// An org with rows in every table, created through the interfaces if they exist, and a function that changes one stored
// value.
import type Database from 'better-sqlite3'
import { enginesOf } from '../../server/compose/engines.ts'
import { initOrg } from '../../server/compose/open-org.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import type { ChannelId } from '../../server/kernel/events/index.ts'
import type { FieldId, ObjectId } from '../../server/kernel/records/index.ts'
import type { IngestJob } from '../../server/ports/ingest.ts'
import { openRecordStore } from '../../server/storage/sqlite/index.ts'
import { fee, feeSet } from '../support/fees.ts'
import { everything, readerClient } from '../support/small-org.ts'

const by = { actor: 'admin', correlationId: 'c', isOperator: true, operatorName: 'ulla' }
export async function makeFullOrg(dir: string): Promise<string> {
  const org = initOrg(dir, { name: 'Full', environment: 'test' })
  const { access, requests, evaluation } = enginesOf(org)
  const apply = (...components: object[]) =>
    org.apply({ source: { kind: 'components', components }, actor: 'admin', rationale: 'why' })
  await access.addUser(by, { key: 'rea', name: 'Rea', permissionSets: ['administrator'] })
  await apply(feeSet(), fee('a', '1'), fee('b', '2'), ...everything, readerClient)
  await apply(fee('a', '3'))
  await org.apply({
    source: { kind: 'components', components: [], removals: ['config_entry/fee.b'] } as never,
    actor: 'admin',
  })
  await access.issueToken(by, 'reader')
  await org.write((transactor) =>
    transactor.tokens.useAssertion(
      { hash: 'a'.repeat(64), expiresAt: '2999-01-01T00:00:00.000Z' },
      org.clock.now(),
    ),
  )
  await access.openSession({ ...by, actor: 'rea' }, 'Firefox')
  await evaluation.evaluate(by, { expression: '1 + 1', store: 'sum' } as never)
  await requests.setRequiredApprovals(by, 1)
  await org.saveDraft({
    ...{ id: 'config_entry/fee.a', text: JSON.stringify(fee('a', '4')), version: 0, viewer: null },
    actor: { ...by, actor: 'rea' },
  })
  const source = { kind: 'drafts', ids: ['config_entry/fee.a'] } as const
  const { request } = await requests.create(by, { source, applyOn: '2099-01-01' } as never)
  await requests.comment(by, request.id, 'a comment')
  const digest = `jcs1:sha256:${'a'.repeat(64)}`
  await org.saveDraft({ id: 'config_entry/fee.c', text: '{}', version: 0, actor: by, viewer: null })
  await access.invite(by, 'rea')
  await org.saveDraft({ id: 'config_entry/fee.d', text: '{}', version: 0, actor: by, viewer: null })
  await org.discardDrafts({ actor: by, drafts: ['config_entry/fee.d'], includesOthers: false, viewer: null })
  await org.write((transactor) => {
    const at = '2026-01-01T00:00:00.000Z'
    transactor.requests.putApproval({
      request: request.id,
      approver: 'rea',
      digest: request.digest as never,
      at,
      comment: 'x',
    })
    transactor.people.putGroup({ key: 'authors', name: 'Authors', permissionSets: [] })
    transactor.remotes.put({ key: 'prod', name: 'Prod' } as never)
    transactor.remotes.putListing({ remote: 'prod', which: 'seen', generation: 1, at, listing: 'l' })
    transactor.remotes.putListingPart('l', 0, digest)
    transactor.remotes.putJob({ id: 'j', remote: 'prod', state: 'done', job: {}, work: null } as never)
    transactor.remotes.putFetchedContent(
      org.store.read((r) => r.components.digest(r.generations.active(), 'config_entry/fee.a'))!,
      org.pin().view.get('config_entry', 'fee.a')!,
    )
    transactor.workspaces.put('admin', '{}')
    transactor.descriptions.put({
      ...{ hash: `oas1:sha256:${'a'.repeat(64)}`, title: 'Ledger', version: '1', bytes: 2, importedAt: at },
      ...{ fileDigest: 'd', operations: [], bundle: Buffer.from('b'), types: Buffer.from('t') },
    })
  })
  await org.close()
  await saveRecords(dir)
  return orgFile(dir)
}

const noPlace = { offset: 0, rows: 0, lines: 0 }

/** Rows in every table of records. */
async function saveRecords(dir: string): Promise<void> {
  const store = openRecordStore(orgFile(dir))
  const id = (letter: string) => `${letter.repeat(8)}-0000-7000-8000-000000000000`
  const object = id('a') as ObjectId
  const [name, total] = [1, 2] as FieldId[]
  const at = '2026-01-01T00:00:00.000Z'
  const who = { createdAt: at, createdBy: 'admin', changedAt: at, changedBy: 'admin' }
  const binding = { generation: 2, asOf: null, config: {}, functions: {}, scopePath: {} } as never
  await store.write(async (tx) => {
    await tx.enter([
      {
        id: object,
        columns: [
          { id: name!, type: 'text', indexed: true, searched: true, bound: false },
          {
            id: total!,
            type: 'number',
            precision: 9,
            scale: 2,
            indexed: false,
            searched: false,
            bound: true,
          },
        ],
      },
    ])
    const values = new Map([
      [name!, 'Ada'],
      [total!, '1.00'],
    ])
    await tx.insert({
      ...{ id: id('b'), object, version: 1, ...who, values },
      ...{ bindings: new Map([[total!, binding]]), inputs: new Map([[total!, { 'a.b': '1' }]]) as never },
    })
    const fields = [{ field: name!, before: null, after: 'Ada' }]
    const change = { object, record: id('b'), version: 1, operation: 'insert', at, by: 'admin' } as const
    await tx.appendChange({ ...change, correlationId: 'c', generation: 2, fields, bindings: [] })
    const effect = {
      ...{ automation: 'a', action: 'b', record: `x/${id('b')}`, version: 1, generation: 2 },
      ...{ actor: 'admin', at, body: { a: 1 }, deferred: ['x'] },
    } as const
    const channel = 'event_channel paid 2' as ChannelId
    const event = {
      ...{ channel, hash: 0, at, actor: 'admin', correlationId: 'c', generation: 2 },
      sensitive: [],
    }
    await tx.publish({ ...event, id: id('1'), payload: { a: 1 }, records: [id('b'), id('c')] })
    const drain = { token: 't', isHolder: false, now: at, until: '2999-01-01T00:00:00.000Z', limit: 10 }
    const drained = { partitions: 1, replaces: null }
    await tx.drainEvents({ ...drain, channels: new Map([[channel, drained]]), hasOtherChannels: true })
    await tx.beginEpoch(channel, 1, at)
    await tx.publish({ ...event, id: id('2'), payload: { a: 2 }, records: [] })
    await tx.putSubscription({
      ...{ owner: 'admin', name: 's', channel, cursor: 'x' },
      createdAt: at,
      ackedAt: null,
    })
    const call = { id: id('e'), credential: 'bank', correlationId: 'c', scopePath: {}, prior: 0, job: null }
    await tx.append({ ...effect, kind: 'enqueue' }, call)
    await tx.claimOutbox({
      ...{ now: at, until: at, token: 't', limit: 1, limits: new Map(), defaultLimit: 1 },
    })
    await tx.append({ ...effect, kind: 'enqueue' }, { ...call, id: id('f') })
    await tx.swapLimit({ kind: 'breaker', credential: 'bank' }, 0, '{}')
    await tx.appendTrace([
      {
        ...{ at, id: id('d'), kind: 'throttle', correlationId: 'c', subject: 'integration_client/shop' },
        ...{ record: `x/${id('b')}`, actor: null, isFailed: true, durationMs: null, facts: { code: 'x' } },
      },
    ])
    const ingest = {
      ...({ id: id('9'), object, state: 'processing' } as IngestJob),
      place: noPlace,
      erased: [],
    }
    await tx.putIngest(ingest)
    await tx.putIngestPart({ job: ingest.id, number: 1, name: 'p', bytes: 9, digest: 'd' })
    await tx.advanceIngest({
      ...{
        job: ingest.id,
        rows: 0,
        erased: 0,
        place: { offset: 9, rows: 1, lines: 1 },
        state: 'completed',
        at,
      },
      batch: { job: ingest.id, first: 1, outcomes: [[1, 9, 'created', id('b')]], source: Buffer.from('s') },
    })
    await tx.addDelivery(
      {
        delivery: {
          ...{ id: id('8'), endpoint: 'e', endpointKey: 'hook', state: 'pending', receivedAt: at },
          ...{ correlationId: 'c', senderId: null, mediaType: null, bytes: 2, steps: [], testedBy: null },
          ...{ attempts: [], priorAttempts: 0, nextAttemptAt: at, problem: null, resolution: null },
          ...{ dispatchedAt: null, result: null, run: null, acceptsRepeat: false },
        },
        ...{ body: Buffer.from('{}'), keys: ['k'], keptUntil: at },
      },
      at,
    )
    await tx.keepReply({ caller: 'admin', key: 'k', request: 'r', at, reply: '{}' }, at)
    await tx.noteUses([{ client: 'c', object, field: name!, name: 'name', at }])
    const bundle = JSON.stringify({ components: [{ digest: 'd' }], sets: [{ set: 's' }], value: '1' })
    const reads = { object, field: total!, isText: false, own: [name!], dates: [], along: [] }
    await tx.addEvidence({ id: id('c'), object, at, by: 'admin' }, [
      { record: id('b'), field: total!, reads, bundle },
    ])
    await tx.putJob({
      ...{
        id: id('c'),
        kind: 'replay',
        object,
        filter: null,
        boundBefore: null,
        keepsArchived: false,
        fields: [],
        searched: [],
        source: null,
        automation: null,
        operation: null,
        outbox: null,
        deliveries: null,
        counting: null,
      },
      ...{
        state: 'queued',
        createdAt: at,
        createdBy: 'admin',
        correlationId: 'c',
        scopePath: {},
        finishedAt: null,
        total: 1,
        after: null,
        part: null,
      },
      ...{ done: 0, changed: 0, failed: 0, failures: [], problem: null },
    })
  })
  await store.close()
}

export interface Column {
  table: string
  column: string
  type: string
}

export function columnsOf(db: Database.Database): Column[] {
  const rows = db
    .prepare(
      `SELECT t.name AS "table", c.name AS "column", c.type FROM pragma_table_list t, pragma_table_info(t.name) c
       WHERE t.schema = 'main' AND t.type IN ('table', 'shadow') AND t.name NOT IN ('sqlite_schema')
       ORDER BY t.name, c.cid`,
    )
    .all() as Column[]
  return rows
}

/** Changes one value of the first row. False if the table is empty. */
export function changeOne(db: Database.Database, { table, column, type }: Column): boolean {
  // The tables inside a search index are otherwise closed to writes.
  db.unsafeMode()
  for (const pragma of ['foreign_keys = OFF', 'ignore_check_constraints = ON']) db.pragma(pragma)
  const key = identityOf(db, table)
  const row = db.prepare(`SELECT ${key}, "${column}" AS value FROM "${table}" LIMIT 1`).raw().get() as
    unknown[] | undefined
  if (row === undefined) return false
  const where = key.split(', ').map((each) => `${each} IS ?`)
  db.prepare(`UPDATE "${table}" SET "${column}" = ? WHERE ${where.join(' AND ')}`).run(
    changed(row.at(-1), type),
    ...row.slice(0, -1),
  )
  return true
}

function identityOf(db: Database.Database, table: string): string {
  const keys = db
    .prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk')
    .pluck()
    .all(table) as string[]
  return keys.length === 0 ? 'rowid' : keys.map((key) => `"${key}"`).join(', ')
}

function changed(value: unknown, type: string): unknown {
  // Far from the ids of other rows. The largest integer means a version that is still active.
  if (typeof value === 'number') return value === Number.MAX_SAFE_INTEGER ? value - 1 : value + 1_000_003
  if (typeof value === 'string') return `${value}x`
  if (Buffer.isBuffer(value)) {
    if (value.length === 0) return Buffer.from('x')
    const bytes = Buffer.from(value)
    bytes[bytes.length - 1]! ^= 1
    return bytes
  }
  return type === 'INTEGER' ? 7 : 'x'
}
