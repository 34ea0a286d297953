// An org into which rows are loaded, and the requests of a bulk job.
import { setTimeout as wait } from 'node:timers/promises'
import type { Ask } from './running-server.ts'

const rights = { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true }
const shown = { read: true, edit: true }

const fields = ['code', 'name', 'amount', 'active', 'born', 'region', 'note', 'secret', 'twice']

/** Contacts with a formula, a rule and a reference by a unique field. */
export const contactComponents = (): object[] => [
  {
    ...{ type: 'object', key: 'region', label: 'Region' },
    body: { fields: [{ key: 'code', type: 'text', required: true, unique: true }], nameField: 'code' },
  },
  {
    ...{ type: 'object', key: 'contact', label: 'Contact' },
    body: {
      fields: [
        { key: 'code', type: 'text', required: true, unique: true },
        { key: 'name', type: 'text', aliases: ['full_name'] },
        { key: 'amount', type: 'number', precision: 12, scale: 2 },
        { key: 'active', type: 'boolean' },
        { key: 'born', type: 'date' },
        { key: 'region', type: 'reference', references: 'region' },
        { key: 'note', type: 'text', sensitive: true },
        { key: 'secret', type: 'text' },
        {
          ...{ key: 'twice', type: 'number', precision: 12, scale: 2 },
          formula: { expression: 'amount * 2', stored: true },
        },
      ],
      nameField: 'name',
      validationRules: [
        { key: 'not_negative', when: 'amount < 0', message: 'No negative amounts.', field: 'amount' },
      ],
    },
  },
  {
    ...{ type: 'permission_set', key: 'loader', label: 'Loader' },
    body: {
      objects: { contact: rights, region: rights },
      fields: {
        ...Object.fromEntries(
          fields.filter((key) => key !== 'secret').map((key) => [`contact.${key}`, shown]),
        ),
        'region.code': shown,
      },
    },
  },
  {
    ...{ type: 'permission_set', key: 'operator', label: 'Operator' },
    body: { systemPermissions: ['operations.manage'] },
  },
]

export interface Job {
  id: string
  state: string
  columns: string[] | null
  rowsTotal: number | null
  rowsDone: number
  succeeded: number
  failed: number
  created: number
  changed: number
  unchanged: number
  deleted: number
  bytes: number
  bytesDone: number
  problem: { code: string; message: string } | null
}

export const jobs = '/data/v3/jobs/ingest'

export const mediaOf = { csv: 'text/csv', jsonl: 'application/x-ndjson' } as const

export async function createJob(ask: Ask, request: object): Promise<string> {
  const { status, text, body } = await ask<Job>('POST', jobs, request)
  if (status !== 201) throw new Error(text)
  return body.id
}

export const putPart = (
  ask: Ask,
  id: string,
  n: number,
  body: string | Uint8Array,
  headers = {},
): ReturnType<Ask> => ask('PUT', `${jobs}/${id}/parts/${n}`, body, { 'content-type': 'text/csv', ...headers })

/** Until the job has ended. */
export async function ended(ask: Ask, id: string): Promise<Job> {
  for (;;) {
    const { body } = await ask<Job>('GET', `${jobs}/${id}`)
    if (!['open', 'queued', 'processing'].includes(body.state)) return body
    await wait(10)
  }
}

/** Loads a text in parts of a size, and waits for the end. */
export async function load(
  ask: Ask,
  request: { format: 'csv' | 'jsonl' } & Record<string, unknown>,
  text: string | Uint8Array,
  partBytes = 1_000_000,
): Promise<Job> {
  const id = await createJob(ask, request)
  const bytes = Buffer.from(text as string)
  const parts = Math.max(1, Math.ceil(bytes.length / partBytes))
  for (let n = 1; n <= parts; n += 1) {
    const part = bytes.subarray((n - 1) * partBytes, n * partBytes)
    const sent = await putPart(ask, id, n, part, { 'content-type': mediaOf[request.format] })
    if (sent.status !== 200) throw new Error(sent.text)
  }
  const closed = await ask('POST', `${jobs}/${id}/close`, { parts })
  if (closed.status !== 200) throw new Error(closed.text)
  return ended(ask, id)
}
