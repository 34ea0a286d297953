// Records that the people of the leak org cannot see: of another owner, in a hidden field, behind a reference.
import { zstdCompressSync } from 'node:zlib'
import { orgFile } from '../../server/compose/org-folder.ts'
import type { ObjectId } from '../../server/kernel/records/index.ts'
import type { Org } from '../../server/pipeline/index.ts'
import { openRecordStore } from '../../server/storage/sqlite/index.ts'
import type { TestServer } from '../support/running-server.ts'

/** What the user "clerk" can do: everything with pages, and with ledgers except their notes. */
export const clerkRights = {
  objects: {
    ledger: { create: true, read: true, update: true, delete: true },
    page: { create: true, read: true, update: true, delete: true },
  },
  fields: {
    'ledger.name': { edit: true },
    'ledger.code': { edit: true },
    'ledger.owner': { read: true },
    'ledger.noted': { read: true },
    'page.title': { edit: true },
    'page.ledger': { edit: true },
    'page.far': { read: true },
  },
}

const text = { type: 'text' }
const everything = { ...clerkRights.objects.page, viewAll: true, modifyAll: true }

export const recordComponents = [
  {
    ...{ type: 'object', key: 'ledger', label: 'Ledger' },
    body: {
      fields: [
        { key: 'name', ...text },
        { key: 'code', ...text, unique: true },
        { key: 'owner', ...text },
        { key: 'note', ...text },
        { key: 'summary', ...text, formula: { expression: 'name + note', stored: true } },
        { key: 'noted', type: 'boolean', formula: { expression: 'note == "none"', stored: true } },
      ],
      sharing: { ownerField: 'owner' },
      capture: { enabled: true },
    },
  },
  {
    ...{ type: 'object', key: 'page', label: 'Page' },
    body: {
      fields: [
        { key: 'title', ...text },
        { key: 'ledger', type: 'reference', references: 'ledger' },
        { key: 'copied', ...text, formula: { expression: 'ledger.summary', stored: true } },
        { key: 'far', type: 'boolean', formula: { expression: 'ledger.note == ledger.name', stored: true } },
      ],
      sharing: { default: 'read_write' },
    },
  },
  {
    ...{ type: 'app', key: 'desk', label: 'Desk' },
    body: {
      objects: ['ledger', 'page'],
      flows: [
        {
          ...{ key: 'open', label: 'Open a page', object: 'page' },
          steps: [
            {
              ...{ key: 'one', label: 'One' },
              sections: [
                { id: 'a', section: 'A', items: [{ id: 't', type: 'field', key: 'title', inputs: {} }] },
              ],
            },
          ],
        },
      ],
    },
  },
  {
    ...{ type: 'permission_set', key: 'all_records', label: 'All records' },
    body: {
      objects: { ledger: everything, page: everything },
      fields: Object.fromEntries(
        ['ledger.name', 'ledger.code', 'ledger.owner', 'ledger.note', 'page.title', 'page.ledger'].map(
          (name) => [name, { read: true, edit: true }],
        ),
      ),
    },
  },
]

/** Channels that the clerk can read, with events, and one that only the recorder knows. */
export const channelComponents = [
  {
    ...{ type: 'event_channel', key: 'ledgers', label: 'Ledgers' },
    // The ids of records, which differ between orgs, decide the partition.
    body: { object: 'ledger', partitions: 1, read: { clerk_rights: 'read', all_records: 'read' } },
  },
  ...(['clerk_rights', 'all_records'] as const).map((set) => ({
    ...{ type: 'event_channel', key: `memo_${set}`, label: 'Memo' },
    body: {
      ...{ schema: [{ key: 'words', type: 'text' }], partitions: 1 },
      read: { [set]: 'read' },
      publish: { all_records: 'publish' },
    },
  })),
]

/** One operation that the clerk can call, and one that only the recorder can call. */
export const operationComponents = [
  {
    ...{ type: 'automation', key: 'open_page', label: 'Open a page' },
    body: {
      ...{ phase: 'invocable', grantedTo: ['clerk_rights'], params: [{ key: 'ledger', type: 'text' }] },
      actions: [
        { key: 'page', type: 'create', object: 'page', values: { title: '"opened"', ledger: 'ledger' } },
        { key: 'name', type: 'update', object: 'ledger', record: 'ledger', values: { note: '"guess"' } },
      ],
    },
  },
  {
    ...{ type: 'automation', key: 'close_ledger', label: 'Close a ledger' },
    body: {
      ...{ phase: 'invocable', grantedTo: ['all_records'], params: [{ key: 'ledger', type: 'text' }] },
      actions: [{ key: 'no', type: 'raise', message: 'No.' }],
      returns: { ledger: 'ledger' },
    },
  },
]

export const recordMarkers = [
  'qrecordname_marker',
  'qrecordcode_marker',
  'qrecordnote_marker',
  'qhiddennote_marker',
]

/** The ids of a hidden ledger, one whose note alone is hidden, a page that refers to the hidden one, and a job that loaded ledgers. */
export interface LeakRecords {
  ingest: string
  ledgers: [hidden: string, shown: string]
  page: string
}

export async function saveRecords(test: TestServer, named: (text: string) => string): Promise<LeakRecords> {
  return test.beside(async ({ access, records, org }) => {
    const by = { actor: 'admin', correlationId: 't' }
    await access.addUser(by as never, { key: 'recorder', name: 'Recorder', permissionSets: ['all_records'] })
    const ids: string[] = []
    const insert = async (object: string, fields: Record<string, string>): Promise<string> => {
      const { results } = await records.save({
        ...{ generation: org.activeGeneration(), user: 'recorder', correlationId: 't', scopePath: {} },
        items: [{ op: 'insert', object, fields: JSON.parse(named(JSON.stringify(fields))) as typeof fields }],
        ...{ allOrNone: false, reply: 'ids' },
      })
      const [result] = results
      if (!result!.ok) throw new Error(result!.error.message)
      ids.push(result!.id)
      return result!.id
    }
    const hidden = await insert('ledger', {
      ...{
        name: 'qrecordname_marker',
        code: 'qrecordcode_marker',
        owner: 'admin',
        note: 'qrecordnote_marker',
      },
    })
    const shown = await insert('ledger', {
      name: 'Shown',
      code: 'shown',
      owner: 'clerk',
      note: 'qhiddennote_marker',
    })
    const page = await insert('page', { title: 'Open', ledger: hidden })
    for (const [channel, words] of [
      ['memo_all_records', 'qrecordnote_marker'],
      ['memo_clerk_rights', 'open'],
    ] as const)
      await records.events.publish({
        ...{ publish: channel, payloads: [{ words: named(words) }], generation: org.activeGeneration() },
        ...{ user: 'recorder', correlationId: 't', scopePath: {} },
      })
    return {
      ledgers: [hidden, shown],
      page,
      ingest: await loadLedgers(test.dir, objectOf(org, 'ledger'), hidden, named),
    }
  })
}

/** A job of another user, as it is when its rows were processed. */
async function loadLedgers(
  dir: string,
  object: ObjectId,
  id: string,
  named: (text: string) => string,
): Promise<string> {
  const [job, at] = ['99999999-0000-7000-8000-000000000000', '2026-01-01T00:00:00.000Z']
  const rows = named('qrecordname_marker,qrecordnote_marker\nqrecordcode_marker,\n')
  const place = { offset: 0, rows: 0, lines: 0 }
  const store = openRecordStore(orgFile(dir))
  await store.write(async (tx) => {
    await tx.putIngest({
      ...{ id: job, object, operation: 'insert', format: 'csv' },
      ...{ externalId: null, columns: ['name', 'note'], hasHeader: true, state: 'processing', createdAt: at },
      ...{
        createdBy: 'recorder',
        client: null,
        correlationId: 't',
        scopePath: {},
        closedAt: at,
        finishedAt: null,
      },
      ...{
        parts: 1,
        bytes: 100,
        fields: null,
        rowsTotal: null,
        place,
        problem: null,
        erased: [],
        isPurged: false,
      },
      ...{ created: 0, changed: 0, unchanged: 0, deleted: 0, failed: 0 },
    })
    const failed = named('qrecordcode_marker is not valid.')
    await tx.advanceIngest({
      ...{ job, rows: 0, erased: 0, place: { offset: 100, rows: 2, lines: 2 }, state: 'completed', at },
      batch: {
        ...{ job, first: 1, source: zstdCompressSync(rows) },
        outcomes: [
          [1, rows.indexOf('\n') + 1, 'created', id],
          [2, rows.length - rows.indexOf('\n') - 1, 'failed', 'record.invalid', failed],
        ],
      },
    })
  })
  await store.close()
  return job
}

const objectOf = (org: Org, key: string): ObjectId =>
  org.store.read(({ identities }) =>
    identities.at(org.activeGeneration(), `object/${key}`),
  ) as unknown as ObjectId
