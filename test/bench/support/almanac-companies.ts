// An Almanac server with companies, for a client with a token, limits and a right on each field.
import { enginesOf } from '../../../server/compose/engines.ts'
import { initOrg } from '../../../server/compose/open-org.ts'
import { columns, companyOf, perBatch, perPage, stored, type CompanyServer } from './company.ts'
import { serve, type Ask, type Served } from './served.ts'

const types: Readonly<Record<string, object>> = {
  size: { type: 'number', precision: 9, scale: 0 },
  founded: { type: 'date' },
  active: { type: 'boolean' },
}
const components = [
  {
    ...{ type: 'object', key: 'company', label: 'Company' },
    body: {
      storage: 'local',
      nameField: 'name',
      sharing: { default: 'private', ownerField: 'owner', rules: [] },
      fields: columns.map((key) => ({ key, type: 'text', ...types[key] })),
    },
  },
  // By its order, the sizes are indexed.
  {
    ...{ type: 'list_view', key: 'companies_by_size', label: 'By size' },
    body: { object: 'company', columns, orderBy: [{ field: 'size', dir: 'asc' }] },
  },
  {
    ...{ type: 'permission_set', key: 'clerk', label: 'Clerk' },
    body: {
      objects: { company: { create: true, read: true, update: true } },
      fields: Object.fromEntries(columns.map((key) => [`company.${key}`, { read: true, edit: true }])),
    },
  },
]

/** Its limits are on, and above what a connection can send. */
const client = {
  ...{ type: 'integration_client', key: 'bench', label: 'Bench' },
  body: {
    ...{ authScheme: 'oauth2_client_credentials', runAs: 'clerk' },
    rateLimit: { sustained: 1_000_000, burst: 1_000_000, concurrency: 1000 },
  },
}

export async function almanacCompanies(folder: string): Promise<CompanyServer> {
  const token = await newOrg(folder)
  const served = await serve('almanac-server', folder)
  const headers = { authorization: `Bearer ${token}` }
  return {
    ...{ name: 'Almanac', served, headers, stop: () => served.stop() },
    ids: await fill(served, headers),
    expected: (index) => companyOf(index),
    read: (id) => ({ method: 'GET', path: `/data/v3/company/${id}` }),
    create: (index) => ({
      ...{ method: 'POST', path: '/data/v3/company' },
      body: JSON.stringify(companyOf(index)),
    }),
    batch,
    page: (after) => ({
      ...{ method: 'POST', path: '/data/v3/query' },
      body: JSON.stringify({
        ...{ object: 'company', fields: columns, filter: `size > ${after}` },
        ...{ orderBy: [{ field: 'size', dir: 'asc' }], limit: perPage },
      }),
    }),
    companiesIn: (body) => {
      const answer = JSON.parse(body) as { records?: { fields: unknown }[]; fields: unknown }
      return (answer.records ?? [answer]).map(({ fields }) => fields)
    },
    createdIn,
  }
}

/** Returns the token of a client that runs as a clerk. */
async function newOrg(folder: string): Promise<string> {
  const org = initOrg(folder, { name: 'Bench', environment: 'dev' })
  try {
    const apply = (list: readonly object[]): Promise<unknown> =>
      org.apply({ source: { kind: 'components', components: list }, actor: 'admin', rationale: 'Measured.' })
    await apply(components)
    const by = { actor: 'admin', correlationId: 'c', isOperator: true }
    const { access } = enginesOf(org)
    await access.addUser(by, { key: 'clerk', name: 'Clerk', permissionSets: ['clerk'] })
    await apply([client])
    return (await access.issueToken(by, client.key)).token
  } finally {
    await org.close()
  }
}

function batch(first: number): Ask {
  const records = Array.from({ length: perBatch }, (_, at) => ({
    op: 'insert',
    fields: companyOf(first + at),
  }))
  return { method: 'POST', path: '/data/v3/company/batch', body: JSON.stringify({ records }) }
}

function createdIn(body: string): string[] {
  const { results } = JSON.parse(body) as { results: { status: number; id: string }[] }
  const failed = results.find(({ status }) => status !== 201)
  if (failed !== undefined) throw new Error(JSON.stringify(failed))
  return results.map(({ id }) => id)
}

/** Creates the companies that are read, and returns their IDs. */
async function fill(served: Served, headers: Record<string, string>): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < stored) {
    const { method, path, body } = batch(ids.length)
    const response = await fetch(served.url + path, {
      ...{ method, body: body!, headers: { ...headers, 'content-type': 'application/json' } },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    ids.push(...createdIn(text))
  }
  return ids
}
