// A Directus server with companies, for a user with a token, a policy with each field and its own companies alone.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { timedProcess } from './almanac.ts'
import { columns, companyOf, perBatch, perPage, stored, type CompanyServer } from './company.ts'
import { isInstalled, peersFolder, versionOf } from './peer.ts'
import { serveModule, type Ask, type Served } from './served.ts'

const at = (path: string): string => fileURLToPath(new URL(path, peersFolder))

const types: Readonly<Record<string, string>> = { size: 'integer', founded: 'date', active: 'boolean' }
const database = 'data.sqlite'
const indexed = new Set(['name', 'owner', 'size'])

const collection = {
  collection: 'company',
  schema: {},
  // Its activity and revisions are kept, as the history of an Almanac record is.
  meta: { accountability: 'all' },
  fields: [
    { field: 'id', type: 'uuid', meta: { special: ['uuid'] }, schema: { is_primary_key: true } },
    ...columns.map((field) => ({
      ...{ field, type: types[field] ?? 'string' },
      meta: field === 'active' ? { special: ['cast-boolean'] } : {},
      schema: { is_indexed: indexed.has(field) },
    })),
  ],
}

/** A server in a new folder, or null if Directus is not installed. */
export async function directusCompanies(folder: string): Promise<CompanyServer | null> {
  if (!isInstalled('directus')) return null
  mkdirSync(folder)
  const file = join(folder, database)
  const admin = randomBytes(16).toString('hex')
  const place = { cwd: folder, env: environment(folder, admin) }
  const bootstrap = [at('node_modules/@directus/api/dist/cli/run.js'), 'bootstrap']
  await timedProcess(process.execPath, bootstrap, place)
  keepWriteAheadLog(file)
  const served = await serveModule(at('directus-server.mjs'), [], place)
  try {
    const { user, token } = await setUp(served, admin)
    return {
      ...companiesOf(served, { user, token }),
      ids: fill(file, user),
      name: `Directus ${versionOf('directus')}`,
    }
  } catch (error) {
    await served.stop()
    throw error
  }
}

/** Cache and limits are off, as they are by default; nothing is fetched or reported. */
function environment(folder: string, admin: string): Record<string, string> {
  return {
    ...{ PATH: process.env['PATH']!, HOME: folder, NODE_ENV: 'production', LOG_LEVEL: 'error' },
    ...{ DB_CLIENT: 'sqlite3', DB_FILENAME: database, SECRET: randomBytes(32).toString('hex') },
    ...{
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: randomBytes(16).toString('hex'),
      ADMIN_TOKEN: admin,
    },
    ...{ TELEMETRY: 'false', SERVE_APP: 'false', WEBSOCKETS_ENABLED: 'false' },
    // It would refuse requests of 128 connections while it is busy.
    PRESSURE_LIMITER_ENABLED: 'false',
  }
}

/**
 * The file remembers it. Directus opens SQLite with a rollback journal otherwise, which reaches the disk more often for a transaction; it
 * leaves `synchronous` at the default of SQLite, which is FULL.
 */
function keepWriteAheadLog(file: string): void {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.close()
}

interface Clerk {
  user: string
  token: string
}

/** Creates the object and a user who is not an administrator. */
async function setUp(served: Served, admin: string): Promise<Clerk> {
  const post = async (path: string, body: object): Promise<string> => {
    const response = await fetch(served.url + path, {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`Directus answered POST ${path} with ${response.status}: ${text}`)
    return (JSON.parse(text) as { data: { id: string } }).data.id
  }
  await post('/collections', collection)
  const policy = await post('/policies', { name: 'Clerk', admin_access: false, app_access: false })
  const own = { owner: { _eq: '$CURRENT_USER' } }
  for (const [action, permissions] of [
    ['create', {}],
    ['read', own],
    ['update', own],
  ] as const)
    await post('/permissions', {
      ...{ policy, collection: 'company', action, permissions, validation: {} },
      fields: ['id', ...columns],
    })
  const role = await post('/roles', { name: 'Clerk', policies: { create: [{ policy }] } })
  const token = randomBytes(16).toString('hex')
  const email = 'clerk@example.com'
  return { user: await post('/users', { email, role, token, status: 'active' }), token }
}

/** Writes the companies that are read into the table, and returns their IDs. */
function fill(file: string, user: string): string[] {
  const db = new Database(file)
  const names = ['id', ...columns]
  const insert = db.prepare(
    `INSERT INTO company (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
  )
  const ids = Array.from({ length: stored }, () => randomUUID())
  db.transaction(() => {
    for (const [index, id] of ids.entries()) {
      const fields = fieldsOf(index, user)
      insert.run({
        ...fields,
        id,
        founded: Date.parse(fields['founded'] as string),
        active: Number(fields['active']),
      })
    }
  })()
  db.close()
  return ids
}

/** A number is JSON's own here, not text. */
const fieldsOf = (index: number, user: string): Record<string, unknown> => ({
  ...companyOf(index, user),
  size: index,
})

function companiesOf(served: Served, { user, token }: Clerk): Omit<CompanyServer, 'name' | 'ids'> {
  const items = '/items/company'
  const create = (fields: unknown, query = ''): Ask => ({
    ...{ method: 'POST', path: items + query, body: JSON.stringify(fields) },
  })
  return {
    ...{ served, headers: { authorization: `Bearer ${token}` }, stop: () => served.stop() },
    expected: (index) => fieldsOf(index, user),
    read: (id) => ({ method: 'GET', path: `${items}/${id}` }),
    create: (index) => create(fieldsOf(index, user)),
    // As ours, it returns the IDs alone.
    batch: (first) =>
      create(
        Array.from({ length: perBatch }, (_, row) => fieldsOf(first + row, user)),
        '?fields=id',
      ),
    page: (after) => {
      const query = new URLSearchParams({
        'filter[size][_gt]': String(after),
        sort: 'size',
        limit: String(perPage),
      })
      return { method: 'GET', path: `${items}?${query}` }
    },
    companiesIn: (body) => {
      const { data } = JSON.parse(body) as { data: Record<string, unknown> | Record<string, unknown>[] }
      return [data].flat().map(({ id: _id, ...fields }) => fields)
    },
    createdIn: (body) => (JSON.parse(body) as { data: { id: string }[] }).data.map(({ id }) => id),
  }
}
