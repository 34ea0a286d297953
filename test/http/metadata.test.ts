// /metadata/v3: components, generations, retrieve, change lists, rename, audit (docs/reference/http.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { everything, rate } from '../support/small-org.ts'

interface Change {
  kind: string
  id: string
  set?: string
  words: { title: string; before: string; after: string; takesEffect: string }
  values: { path: string; before?: unknown; after?: unknown }[]
  before: unknown
  after: unknown
  renamedFrom?: string
  requires: string
  lacks: string | null
}

interface Plan {
  plan: { base: number; changeDigest: string; counts: Record<string, number> }
  changes: Change[]
  findings: { code: string; component: string }[]
  budget: { used: number; added: number; limit: number; left: number }
}

interface Applied {
  generation: number
  changes: Change[]
  findings: unknown[]
  budget: Plan['budget']
  ms: number
}

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
  const { status, body } = await test.studio('POST', '/metadata/v3/apply', {
    components: everything,
    rationale: 'The start.',
  })
  expect([status, body['generation']]).toEqual([200, 2])
})
afterAll(() => test.close())

const newRate = [
  rate('de_2021', 'DE', '2021-01-01', '2027-01-01', '0.19'),
  rate('de_2027', 'DE', '2027-01-01', null, '0.21'),
]

describe('components', () => {
  it('are listed by type, with details, page by page', async () => {
    type Page = {
      components: { id: string; facts: { key: string } }[]
      nextCursor: string | null
      total: number
    }
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await test.studio<Page>('GET', `/metadata/v3/components?set=vat_rate&limit=3${cursor}`)
      expect(body.total).toBe(4)
      seen.push(...body.components.map(({ id }) => id))
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`
    } while (cursor !== '')
    expect(seen).toEqual(
      ['at_1995', 'de_2007', 'de_2020', 'de_2021'].map((slug) => `config_entry/vat_rate.${slug}`),
    )
    const { body } = await test.studio<Page>('GET', '/metadata/v3/components?type=config_entry&q=0.16')
    expect(body.components.map(({ id, facts }) => [id, facts.key])).toEqual([
      ['config_entry/vat_rate.de_2020', 'DE'],
    ])
  })

  it('are counted', async () => {
    const { body } = await test.studio<{ counts: Record<string, number> }>(
      'GET',
      '/metadata/v3/components/counts',
    )
    expect(body.counts).toMatchObject({ config_set: 3, config_entry: 5, feature_flag: 1, permission_set: 2 })
  })

  it('have a page with the text that retrieve writes', async () => {
    type Page = { component: { key: string }; text: string; digest: string; usages: number; entries: number }
    const { body } = await test.studio<Page>('GET', '/metadata/v3/components/config_set/vat_rate')
    expect(body).toMatchObject({ component: { key: 'vat_rate' }, entries: 4, usages: 1 })
    const { body: all } = await test.studio<{ files: Record<string, string> }>('GET', '/metadata/v3/retrieve')
    expect(body.text).toBe(all.files['config_set/vat_rate.json'])
  })

  it('are found as of an older generation, but not before they existed', async () => {
    expect(
      (await test.studio('GET', '/metadata/v3/components/config_set/vat_rate?generation=1')).status,
    ).toBe(404)
    const { body } = await test.studio('GET', '/metadata/v3/components/config_set/vat_rate?generation=99')
    expect(body['code']).toBe('generation.not_found')
  })

  it('list where they are used, even by field', async () => {
    type Usages = { usages: { from: string; path: string }[]; entries: number }
    const { body } = await test.studio<Usages>(
      'GET',
      '/metadata/v3/components/config_set/vat_rate/where-used?member=rate',
    )
    expect(body).toEqual({
      usages: [expect.objectContaining({ from: 'calc_function/gross', path: '/body/expression' })],
      entries: 4,
    })
    expect(
      (await test.studio('GET', '/metadata/v3/components/config_set/vat_rat/where-used')).body['detail'],
    ).toContain('Did you mean "vat_rate"?')
  })

  it('have a history', async () => {
    type History = { versions: { from: number; actor: string }[]; audit: { kind: string }[] }
    const { body } = await test.studio<History>(
      'GET',
      '/metadata/v3/components/config_entry/vat_rate.de_2020/history',
    )
    expect(body.versions).toMatchObject([{ from: 2, actor: 'admin' }])
    expect(body.audit).toMatchObject([{ kind: 'added' }])
  })
})

describe('change lists', () => {
  it('are described in words and values, and write nothing', async () => {
    const { status, body } = await test.studio<Plan>('POST', '/metadata/v3/plan', { components: newRate })
    expect(status).toBe(200)
    expect(body.plan.counts).toEqual({ added: 1, changed: 1, renamed: 0, removed: 0 })
    const added = body.changes.find(({ kind }) => kind === 'added')!
    expect(added).toMatchObject({
      id: 'config_entry/vat_rate.de_2027',
      set: 'vat_rate',
      before: null,
      requires: 'config.author, edit:vat_rate',
      lacks: null,
    })
    expect(added.words).toEqual({
      title: 'VAT rate, DE, org',
      before: 'none',
      after: '0.2100',
      takesEffect: 'from 1 Jan 2027',
    })
    const changed = body.changes.find(({ kind }) => kind === 'changed')!
    expect(changed.values).toEqual([{ path: '/body/effectiveTo', before: null, after: '2027-01-01' }])
    expect(body.budget.left).toBe(body.budget.limit - body.budget.used - body.budget.added)
    expect((await test.studio('GET', '/readyz')).body['generation']).toBe(2)
  })

  it('cannot add and remove the same component', async () => {
    const { status, body } = await test.studio('POST', '/metadata/v3/plan', {
      components: newRate,
      removals: ['config_entry/vat_rate.de_2027'],
    })
    expect(status).toBe(422)
    expect(body).toMatchObject({
      code: 'request.invalid',
      details: [{ component: 'config_entry/vat_rate.de_2027' }],
    })
  })

  it('are validated with every finding at once', async () => {
    const wrong = [
      rate('de_2021', 'DE', '2021-01-01', null, '19 %'),
      rate('fr_2014', 'FR', '2014-02-30', null, '0.2'),
      { type: 'config_sett', key: 'x', label: 'X', body: {} },
    ]
    type Findings = { findings: { code: string; component: string; message: string }[] }
    const { status, body } = await test.studio<Findings>('POST', '/metadata/v3/validate', {
      components: wrong,
    })
    expect(status).toBe(200)
    const components = new Set(body.findings.map(({ component }) => component))
    expect(components).toEqual(
      new Set(['config_entry/vat_rate.de_2021', 'config_entry/vat_rate.fr_2014', 'config_sett/x']),
    )
    expect(body.findings.find(({ code }) => code === 'envelope.type')!.message).toContain(
      'Did you mean "config_set"?',
    )
  })

  it('are refused completely if a finding is an error', async () => {
    const { status, body } = await test.studio('POST', '/metadata/v3/apply', {
      components: [...newRate, rate('x', 'XX', '2000-01-01', null, 'a')],
    })
    expect([status, body['code']]).toEqual([422, 'deploy.invalid'])
    expect(body['details']).toEqual([
      expect.objectContaining({ component: 'config_entry/vat_rate.x', severity: 'error' }),
    ])
    expect((await test.studio('GET', '/readyz')).body['generation']).toBe(2)
  })

  it('refuse neither drafts nor components, and both', async () => {
    expect((await test.studio('POST', '/metadata/v3/plan', {})).body['code']).toBe('request.malformed')
    expect(
      (await test.studio('POST', '/metadata/v3/plan', { drafts: true, components: [] })).body['code'],
    ).toBe('request.malformed')
  })

  it('are applied as one generation, and a second time change nothing', async () => {
    const { body: planned } = await test.studio<Plan>('POST', '/metadata/v3/plan', { components: newRate })
    const list = {
      components: newRate,
      base: planned.plan.base,
      changeDigest: planned.plan.changeDigest,
      rationale: 'The law of 2026.',
    }
    const { status, body } = await test.studio<Applied>('POST', '/metadata/v3/apply', list)
    expect([status, body.generation, body.changes.length]).toEqual([200, 3, 2])
    expect(body.budget).toEqual(planned.budget)
    const again = await test.studio<Applied>('POST', '/metadata/v3/apply', { components: newRate })
    expect([again.body.generation, again.body.changes]).toEqual([3, []])
  })

  it('are refused if the plan is stale', async () => {
    const list = {
      components: [rate('de_2027', 'DE', '2027-01-01', null, '0.22')],
      changeDigest: `jcs1:sha256:${'0'.repeat(64)}`,
    }
    const { status, body } = await test.studio('POST', '/metadata/v3/apply', list)
    expect([status, body['code']]).toEqual([409, 'conflict.stale_plan'])
  })

  it('are refused with three views if the base changed under the same component', async () => {
    const list = {
      components: [
        rate('de_2021', 'DE', '2021-01-01', '2028-01-01', '0.19'),
        rate('de_2027', 'DE', '2028-01-01', null, '0.21'),
      ],
      base: 2,
    }
    const { status, body } = await test.studio('POST', '/metadata/v3/apply', list)
    expect([status, body['code']]).toEqual([409, 'conflict.stale_generation'])
    type Conflict = {
      id: string
      base: unknown
      theirs: { body: { effectiveTo: string } }
      mine: { body: { effectiveTo: string } }
    }
    const conflicts = body['details'] as unknown as Conflict[]
    const conflict = conflicts.find(({ id }) => id === 'config_entry/vat_rate.de_2021')!
    expect([conflict.theirs.body.effectiveTo, conflict.mine.body.effectiveTo]).toEqual([
      '2027-01-01',
      '2028-01-01',
    ])
  })

  it('cannot be applied while viewing as another user', async () => {
    await test.beside(({ access }) =>
      access.addUser(
        { actor: 'admin', correlationId: 't', isOperator: true },
        { key: 'vera', name: 'Vera', permissionSets: ['readers'] },
      ),
    )
    const { status, body } = await test.studio(
      'POST',
      '/metadata/v3/apply',
      { components: [] },
      { 'x-view-as': 'vera' },
    )
    expect([status, body['code']]).toEqual([403, 'access.denied'])
    const plan = await test.studio<Plan>(
      'POST',
      '/metadata/v3/plan',
      {
        components: [
          { type: 'app', key: 'desk', label: 'Desk', body: { objects: [], pages: [], flows: [] } },
        ],
      },
      { 'x-view-as': 'vera' },
    )
    expect(plan.body.changes).toMatchObject([{ id: 'app/desk', lacks: 'metadata.author' }])
  })
})

describe('generations', () => {
  it('are listed newest first, each with its changes', async () => {
    const { body } = await test.studio<{ active: number; generations: { generation: number }[] }>(
      'GET',
      '/metadata/v3/generations',
    )
    expect(body.active).toBe(3)
    expect(body.generations.map(({ generation }) => generation)).toEqual([3, 2, 1])
    const one = await test.studio<{ changes: Change[] }>('GET', '/metadata/v3/generations/3')
    expect(one.body.changes.map(({ kind, id }) => `${kind} ${id}`).sort()).toEqual([
      'added config_entry/vat_rate.de_2027',
      'changed config_entry/vat_rate.de_2021',
    ])
    expect((await test.studio('GET', '/metadata/v3/generations/77')).status).toBe(404)
  })

  it('are compared', async () => {
    const { body } = await test.studio<{ changes: Change[] }>('POST', '/metadata/v3/diff', { from: 3, to: 2 })
    expect(body.changes.map(({ kind }) => kind).sort()).toEqual(['changed', 'removed'])
  })

  it('are rolled back to as a new generation', async () => {
    const { status, body } = await test.studio<Applied>('POST', '/metadata/v3/rollback', {
      generation: 2,
      rationale: 'Too early.',
    })
    expect([status, body.generation]).toEqual([200, 4])
    const { body: same } = await test.studio<{ changes: Change[] }>('POST', '/metadata/v3/diff', {
      from: 2,
      to: 4,
    })
    expect(same.changes).toEqual([])
    expect((await test.studio('POST', '/metadata/v3/rollback', { generation: 99 })).body['code']).toBe(
      'generation.not_found',
    )
  })
})

describe('retrieve', () => {
  it('returns the same bytes as JSON and as a stream of lines', async () => {
    const { body } = await test.studio<{
      files: Record<string, string>
      lineage: string
      generation: number
    }>('GET', '/metadata/v3/retrieve')
    const { text, headers } = await test.studio('GET', '/metadata/v3/retrieve', undefined, {
      accept: 'application/x-ndjson',
    })
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { path: string; text: string })
    expect(Object.fromEntries(lines.map((line) => [line.path, line.text]))).toEqual(body.files)
    expect(body.files['almanac.json']).toBe(
      `{\n  "generation": ${body.generation},\n  "lineage": "${body.lineage}"\n}\n`,
    )
  })
})

describe('rename', () => {
  it('creates a draft and lists the places that follow', async () => {
    type Renamed = { drafts: string[]; places: { component: string }[] }
    const { status, body } = await test.studio<Renamed>('POST', '/metadata/v3/rename', {
      type: 'config_set',
      from: 'vat_rate',
      to: 'vat',
    })
    expect([status, body.drafts]).toEqual([200, ['config_set/vat']])
    expect(body.places.map(({ component }) => component)).toContain('calc_function/gross')
    const applied = await test.studio<Applied>('POST', '/metadata/v3/apply', {
      drafts: true,
      rationale: 'A shorter name.',
    })
    expect(applied.status).toBe(200)
    const past = await test.studio<{ changes: Change[] }>(
      'GET',
      `/metadata/v3/generations/${applied.body.generation}`,
    )
    expect(past.body.changes).toContainEqual(
      expect.objectContaining({ kind: 'renamed', id: 'config_set/vat', renamedFrom: 'vat_rate' }),
    )
    expect(
      (await test.studio('POST', '/metadata/v3/rename', { type: 'config_set', from: 'vat_rate', to: 'x' }))
        .status,
    ).toBe(404)
    expect(
      (await test.studio('POST', '/metadata/v3/rename', { type: 'config_set', from: 'vat', to: 'greeting' }))
        .body['code'],
    ).toBe('conflict.exists')
  })
})

describe('audit and types', () => {
  it('page through the audit, newest first, and filter it', async () => {
    type Page = { rows: { id: string; kind: string; component: string }[]; nextCursor: string | null }
    const first = await test.studio<Page>('GET', '/metadata/v3/audit?limit=2')
    const second = await test.studio<Page>(
      'GET',
      `/metadata/v3/audit?limit=2&before=${first.body.nextCursor}`,
    )
    expect(second.body.rows[0]!.id).not.toBe(first.body.rows[1]!.id)
    const { body } = await test.studio<Page>(
      'GET',
      '/metadata/v3/audit?component=config_entry/vat_rate.de_2027',
    )
    expect(body.rows.map(({ kind }) => kind)).toEqual(['removed', 'added'])
  })

  it('refuse a user without audit.read', async () => {
    const { status, body } = await test.studio('GET', '/metadata/v3/audit', undefined, {
      'x-view-as': 'vera',
    })
    expect([status, body['details']]).toEqual([403, [{ id: 'user/vera', permission: 'audit.read' }]])
  })

  it('declare the sets in TypeScript', async () => {
    const { text, headers } = await test.studio('GET', '/metadata/v3/types')
    expect(headers.get('content-type')).toContain('text/plain')
    expect(text).toContain('new_invoice')
    expect(text).toContain('greeting')
  })
})

describe('values of a value set', () => {
  it('list the uses of one value of a value set', async () => {
    const value = (key: string) => ({ key, label: key })
    const applied = await test.studio('POST', '/metadata/v3/apply', {
      components: [
        { type: 'value_set', key: 'cur', label: 'Currencies', body: { values: ['EUR', 'USD'].map(value) } },
        {
          type: 'object',
          key: 'bill',
          label: 'Bill',
          body: {
            fields: [
              { key: 'currency', type: 'enum', valueSet: 'cur' },
              { key: 'home', type: 'boolean', formula: { expression: 'currency == "EUR"' } },
            ],
          },
        },
      ],
    })
    expect(applied.status).toBe(200)
    type Usages = { usages: { from: string; path: string; member: string }[]; entries: number }
    const used = async (member: string) =>
      (await test.studio<Usages>('GET', `/metadata/v3/components/value_set/cur/where-used?member=${member}`))
        .body.usages
    expect(await used('EUR')).toMatchObject([
      { from: 'object/bill', path: '/body/fields/1/formula/expression', member: 'EUR' },
    ])
    expect(await used('USD')).toEqual([])
    const removed = await test.studio('POST', '/metadata/v3/apply', {
      components: [{ type: 'value_set', key: 'cur', label: 'Currencies', body: { values: [value('USD')] } }],
    })
    expect(removed.status).toBe(422)
    expect((removed.body['details'] as { code: string; component: string }[])[1]).toMatchObject({
      code: 'deploy.still_referenced',
      component: 'value_set/cur',
    })
  })
})
