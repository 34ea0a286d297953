// Change requests in storage: read back as written, filtered, and added to a file that an earlier Almanac made.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Digest } from '#kernel/change/digest.ts'
import type { ChangeRequestItem, ChangeRequestRow } from '../../server/ports/change-requests.ts'
import type { ComponentIdentity } from '../../server/ports/identities.ts'
import type { OrgStore } from '../../server/ports/org-store.ts'
import { openSqliteStore } from '../../server/storage/sqlite/index.ts'
import { first } from '../../server/storage/sqlite/migrations/001-first.ts'
import { dialects } from './stores.ts'
import { entry, writeSteps } from './write.ts'

const at = '2026-01-01T00:00:00.000Z'
const digest = `jcs1:sha256:${'a'.repeat(64)}` as Digest
const row = (id: string, more: Partial<ChangeRequestRow> = {}): ChangeRequestRow => ({
  ...{ id, revision: 1, state: 'open', title: 'Fees', rationale: 'Because', author: 'mara' },
  ...{
    createdAt: at,
    updatedAt: at,
    digest,
    changeDigest: digest,
    salt: 's',
    base: 0,
    prune: true,
    rollbackTo: null,
    restoresFrom: 2,
    applyOn: '2026-02-01',
  },
  counts: { added: 1, changed: 0, renamed: 0, removed: 0 },
  touches: { sets: ['fee'], others: false },
  findings: [
    {
      severity: 'warning',
      code: 'flag.expired',
      component: 'feature_flag/a',
      path: '',
      message: '',
      related: [],
    },
  ],
  ...{ operator: null, proposedApprovals: null, contributors: [{ user: 'tom', operator: 'ulla' }] },
  ...{ errors: 0, warnings: 1, failure: null, generation: null },
  ...more,
})
const drafted = { base: 3, draftVersion: 7, writers: [{ user: 'tom', operator: null }], restores: null }
const restores = 'config_entry/fee.b@2' as ComponentIdentity
const sent = { base: null, draftVersion: null, writers: null, restores }
const items: ChangeRequestItem[] = [
  { id: 'config_entry/fee.b', text: '{}\n', hints: { renamedFrom: 'fee.a' }, ...drafted },
  // Listed twice, and removed as well: stored as submitted.
  { id: 'config_entry/fee.b', text: '{}\n', hints: {}, ...sent },
  { id: 'config_entry/fee.a', text: null, hints: {}, ...sent },
]

describe.each(dialects)('change requests on %s', (_, make) => {
  const harness = make()
  afterAll(() => harness.dispose())
  let store: OrgStore
  beforeEach(() => {
    store = harness.create()
  })

  it('are read back as written, with their content in order', () => {
    store.write((transactor) => {
      transactor.requests.put(row('r1'))
      transactor.requests.putItems('r1', items)
    })
    const failure = { at, code: 'deploy.invalid', message: 'Not so.', findings: [] }
    const later = row('r1', { revision: 2, state: 'failed', applyOn: null, prune: false, failure })
    store.read((reader) => {
      expect(reader.requests.get('r1')).toEqual(row('r1'))
      expect(reader.requests.items('r1')).toEqual(items)
      expect(reader.requests.get('r2')).toBeUndefined()
    })
    store.write((transactor) => {
      transactor.requests.put(later)
      transactor.requests.putItems('r1', items.slice(1))
    })
    store.read((reader) => {
      expect(reader.requests.get('r1')).toEqual(later)
      expect(reader.requests.items('r1')).toEqual(items.slice(1))
    })
  })

  it('are listed newest first, by state, author and date', () => {
    store.write((transactor) => {
      transactor.requests.put(row('r1', { applyOn: null }))
      transactor.requests.put(row('r2', { author: 'jon' }))
      transactor.requests.put(row('r3', { state: 'withdrawn', applyOn: '2026-03-01' }))
    })
    const ids = (filter: object): string[] =>
      store.read((reader) => reader.requests.list({ limit: 10, ...filter }).map(({ id }) => id))
    expect(ids({})).toEqual(['r3', 'r2', 'r1'])
    expect(ids({ states: ['open'] })).toEqual(['r2', 'r1'])
    expect(ids({ states: ['withdrawn', 'failed'] })).toEqual(['r3'])
    expect(ids({ author: 'jon' })).toEqual(['r2'])
    expect(ids({ dueBy: '2026-02-01' })).toEqual(['r2'])
    expect(ids({ before: 'r3', limit: 1 })).toEqual(['r2'])
  })

  it('keep approvals, including void ones, and their events in order', () => {
    const approval = { request: 'r1', approver: 'jon', operator: null, digest, at, comment: '' }
    const event = {
      ...{ request: 'r1', at, actor: 'jon', operator: 'ulla', digest },
      ...({ kind: 'approved', state: 'approved' } as const),
    }
    store.write((transactor) => {
      transactor.requests.put(row('r1'))
      transactor.requests.putApproval(approval)
      expect(transactor.requests.voidApprovals('r1', at)).toBe(1)
      expect(transactor.requests.voidApprovals('r1', at)).toBe(0)
      transactor.requests.putApproval({ ...approval, comment: 'Again' })
      expect(transactor.requests.lastEventSeq()).toBe(0)
      for (const text of ['one', 'two']) transactor.requests.appendEvent({ ...event, text })
    })
    store.read((reader) => {
      expect(reader.requests.approvals('r1')).toEqual([
        { ...approval, voidedAt: at },
        { ...approval, comment: 'Again', voidedAt: null },
      ])
      expect(reader.requests.events('r1')).toEqual([
        { ...event, seq: 1, text: 'one' },
        { ...event, seq: 2, text: 'two' },
      ])
      expect(reader.requests.eventsAfter(1).map(({ text }) => text)).toEqual(['two'])
      expect(reader.requests.lastEventSeq()).toBe(2)
    })
  })

  it('are found by the generation and the audit rows that they became', () => {
    const request = { id: 'r1', author: 'mara', approvers: ['jon'], appliedBy: null }
    writeSteps(store, [{ kind: 'added', component: entry('a', '1') }], undefined, { request })
    writeSteps(store, [{ kind: 'added', component: entry('b', '1') }])
    store.read((reader) => {
      expect(reader.generations.get(1)?.request).toEqual(request)
      expect(reader.generations.get(2)).not.toHaveProperty('request')
      const rows = reader.audit.list({})
      expect(rows.map((each) => each.request)).toEqual([undefined, request])
    })
  })
})

describe('a file of the first schema', () => {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-schema-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('keeps its generations and accepts change requests', () => {
    const path = join(folder, 'first.sqlite')
    const db = new Database(path)
    db.exec(first)
    db.exec(`INSERT INTO org VALUES (1, 'lineage', 'Old', 'test', '${at}', 1000, 1)`)
    db.exec(`INSERT INTO generation VALUES (1, 'apply', '${at}', 'mara', '', '', 'digest', 1, 0, 0, 0, 5, 0)`)
    db.pragma('user_version = 1')
    db.close()
    const store = openSqliteStore(path)
    expect(store.read((reader) => reader.generations.get(1))).toMatchObject({ actor: 'mara', sliceBytes: 5 })
    store.write((transactor) => transactor.requests.put(row('r1')))
    expect(store.read((reader) => reader.requests.get('r1'))).toEqual(row('r1'))
    store.close()
  })
})
