// Objects into which rows are loaded, and files for bulk jobs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Studio } from './test.ts'

const rights = { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true }
const shown = { read: true, edit: true }
const fieldKeys = ['code', 'name', 'amount', 'since', 'region']

const objects = [
  {
    ...{ type: 'object', key: 'region', label: 'Region' },
    body: {
      nameField: 'code',
      fields: [{ key: 'code', label: 'Code', type: 'text', required: true, unique: true }],
    },
  },
  {
    ...{ type: 'object', key: 'contact', label: 'Contact' },
    body: {
      nameField: 'name',
      fields: [
        { key: 'code', label: 'Code', type: 'text', required: true, unique: true },
        { key: 'name', label: 'Name', type: 'text', required: true, aliases: ['full_name'] },
        { key: 'amount', label: 'Amount', type: 'number', precision: 12, scale: 2 },
        { key: 'since', label: 'Customer since', type: 'date' },
        { key: 'region', label: 'Region', type: 'reference', references: 'region' },
      ],
      validationRules: [
        { key: 'positive', when: 'amount < 0', message: 'The amount is negative.', field: 'amount' },
      ],
    },
  },
]

const body = {
  objects: { contact: rights, region: rights },
  fields: {
    ...Object.fromEntries(fieldKeys.map((key) => [`contact.${key}`, shown])),
    'region.code': shown,
  },
}

/** Contacts of a region DE, which the administrator and users with the permission set `loader` can load. */
export async function deployContacts({ call }: Pick<Studio, 'call'>): Promise<void> {
  const { component } = await call<{ component: { body: object } }>(
    'GET',
    '/metadata/v3/components/permission_set/administrator',
  )
  const components = [
    ...objects,
    { ...component, body: { ...component.body, ...body } },
    { type: 'permission_set', key: 'loader', label: 'Loader', body },
    {
      ...{ type: 'permission_set', key: 'viewer', label: 'Viewer' },
      body: {
        objects: { contact: { read: true, viewAll: true } },
        fields: { 'contact.name': { read: true } },
      },
    },
  ]
  await call('POST', '/metadata/v3/apply', { components, rationale: 'Contacts' })
  await call('POST', '/data/v3/region', { code: 'DE' })
}

/** A file is passed by its path: the content of a large one takes long to reach the browser. */
export async function chooseFile(page: Page, name: string, content: string | Buffer): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-bulk-'))
  const path = join(folder, name)
  writeFileSync(path, content)
  await page.getByLabel('File of the bulk job').setInputFiles(path)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

const contacts = { object: 'contact', operation: 'upsert', externalId: 'code', format: 'csv' }

/** Loads rows as the studio's user. Returns the id of the job once it has ended. */
export async function loadRows(
  { call, page, url }: Pick<Studio, 'call' | 'url' | 'page'>,
  text: string,
  job: object = contacts,
): Promise<string> {
  const jobs = '/data/v3/jobs/ingest'
  const { id } = await call<{ id: string }>('POST', jobs, job)
  await page.request.put(`${url}${jobs}/${id}/parts/1`, {
    headers: { origin: url, 'content-type': 'text/csv' },
    data: Buffer.from(text),
  })
  await call('POST', `${jobs}/${id}/close`, { parts: 1 })
  for (;;) {
    const { state } = await call<{ state: string }>('GET', `${jobs}/${id}`)
    if (!['queued', 'processing'].includes(state)) return id
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
