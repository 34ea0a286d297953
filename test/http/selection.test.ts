// Some of the drafts: what they require, why, and an apply of only those.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { everything, rate } from '../support/small-org.ts'

interface Closure {
  picked: string[]
  needed: {
    id: string
    takenBy: string[]
    because: { of: string; kind: string; reason: string }[]
    reasons: number
  }[]
  free: string[]
  totals: { picked: number; needed: number; free: number }
  included: boolean
}

interface Plan {
  plan: { base: number; changeDigest: string }
  changes: { id: string }[]
  findings: { code: string; severity: string }[]
  closure?: Closure
}

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
  const start = await test.studio('POST', '/metadata/v3/apply', { components: everything })
  expect(start.status).toBe(200)
  for (const component of drafts) await keep(component)
})
afterAll(() => test.close())

const fn = (key: string, expression: string) => ({
  type: 'calc_function',
  key,
  label: key,
  body: { params: [], returns: 'number', expression },
})
const drafts = [
  rate('de_2021', 'DE', '2021-01-01', '2027-01-01', '0.19'),
  rate('de_2027', 'DE', '2027-01-01', null, '0.21'),
  fn('inner', '2'),
  fn('outer', 'inner() * 2'),
  fn('apart', '3'),
] as { type: string; key: string }[]

async function keep({
  type,
  key,
  ...rest
}: {
  type: string
  key: string
  label?: string
  body?: object
}): Promise<void> {
  const text = JSON.stringify({ type, key, ...rest })
  const { status } = await test.studio('PUT', `/setup/v3/drafts/${type}/${key}`, { text, version: 0 })
  expect(status).toBe(200)
}

const plan = async (body: object) => (await test.studio<Plan>('POST', '/metadata/v3/plan', body)).body

describe('selected drafts', () => {
  it('are planned alone, and the response lists what they require and what can stay', async () => {
    const { closure, changes, findings } = await plan({ drafts: ['config_entry/vat_rate.de_2027'] })
    expect(changes.map(({ id }) => id)).toEqual(['config_entry/vat_rate.de_2027'])
    expect(findings.map(({ code }) => code)).toEqual(['config.range_overlap'])
    expect(closure).toEqual({
      picked: ['config_entry/vat_rate.de_2027'],
      needed: [
        {
          id: 'config_entry/vat_rate.de_2021',
          because: [
            {
              of: 'config_entry/vat_rate.de_2027',
              kind: 'ranges',
              reason: expect.stringContaining('both apply from 1 Jan 2027') as string,
            },
          ],
          reasons: 1,
          takenBy: ['config_entry/vat_rate.de_2027'],
        },
      ],
      free: ['calc_function/apart', 'calc_function/inner', 'calc_function/outer'],
      totals: { picked: 1, needed: 1, free: 3 },
      included: false,
    })
  })

  it('list everything that requires a draft, even more than the listed reasons', async () => {
    const body = {
      cardinality: 'keyed',
      keyedBy: { key: 'country', type: 'text' },
      fields: [{ key: 'price', type: 'number', precision: 6, scale: 2 }],
    }
    await keep({ type: 'config_set', key: 'postage', label: 'Postage', body })
    const ids: string[] = []
    for (const country of ['at', 'be', 'cz', 'de', 'ee', 'fr', 'gr']) {
      const values = { price: '1.00' }
      const entry = { set: 'postage', key: country, scope: { kind: 'org' }, values }
      await keep({ type: 'config_entry', key: `postage.${country}`, label: country, body: entry })
      ids.push(`config_entry/postage.${country}`)
    }
    const { closure } = await plan({ drafts: ids })
    expect(closure!.needed).toMatchObject([{ id: 'config_set/postage', reasons: 7, takenBy: ids }])
    expect(closure!.needed[0]!.because).toHaveLength(5)
    for (const id of [...ids, 'config_set/postage'])
      expect((await test.studio('DELETE', `/setup/v3/drafts/${id}`)).status).toBeLessThan(300)
  })

  it('are planned with what they need on request, and are then valid', async () => {
    const { closure, changes, findings } = await plan({ drafts: ['calc_function/outer'], dependencies: true })
    expect(changes.map(({ id }) => id)).toEqual(['calc_function/inner', 'calc_function/outer'])
    expect(findings).toEqual([])
    expect([closure!.included, closure!.needed[0]!.because[0]!.reason]).toEqual([
      true,
      'calc function outer reads calc function inner, which is new.',
    ])
  })

  it('have no such list if all drafts are selected', async () => {
    expect((await plan({ drafts: true })).closure).toBeUndefined()
  })

  it('are not blocked by a draft that cannot be read, or that is outdated', async () => {
    await test.studio('PUT', '/setup/v3/drafts/calc_function/torn', { text: '{ "type": ', version: 0 })
    await keep(fn('gross', '1'))
    const applied = await test.studio('POST', '/metadata/v3/apply', { components: [fn('gross', '4')] })
    expect(applied.status).toBe(200)
    expect((await test.studio('POST', '/metadata/v3/plan', { drafts: true })).status).toBe(409)
    const { closure } = await plan({ drafts: ['calc_function/outer'] })
    expect(closure!.needed.map(({ id }) => id)).toEqual(['calc_function/inner'])
    expect(closure!.free).not.toContain('calc_function/gross')
  })

  it('are applied with what they need as one generation, and the others stay drafts', async () => {
    const request = { drafts: ['config_entry/vat_rate.de_2027'], dependencies: true }
    const { plan: planned } = await plan(request)
    const { status } = await test.studio('POST', '/metadata/v3/apply', {
      ...request,
      base: planned.base,
      changeDigest: planned.changeDigest,
      rationale: 'The law of 2026.',
    })
    expect(status).toBe(200)
    const { body } = await test.studio<{ drafts: { id: string }[] }>('GET', '/setup/v3/drafts')
    expect(body.drafts.map(({ id }) => id)).toEqual([
      'calc_function/apart',
      'calc_function/gross',
      'calc_function/inner',
      'calc_function/outer',
      'calc_function/torn',
    ])
  })

  it('that do not exist are named', async () => {
    const { status, body } = await test.studio('POST', '/metadata/v3/plan', { drafts: ['app/none'] })
    expect([status, body['code']]).toEqual([404, 'draft.not_found'])
  })
})

interface Page {
  changes: { id: string; words: { after: string } }[]
  total: number
  index?: { id: string; kind: string }[]
  changeDigest?: string
}

describe('a long list', () => {
  const picked = { drafts: ['calc_function/apart', 'calc_function/inner', 'calc_function/outer'] }

  it('is paged, with all names, and is the list of its plan', async () => {
    const page = { from: 1, count: 1 }
    const { body } = await test.studio<Page>('POST', '/metadata/v3/diff', { ...picked, page, index: true })
    expect(body.changes.map(({ id }) => id)).toEqual(['calc_function/inner'])
    expect([body.total, body.index]).toEqual([3, picked.drafts.map((id) => ({ id, kind: 'added' }))])
    const judged = await plan({ ...picked, page: { from: 0, count: 0 } })
    expect([judged.changes, judged.plan.changeDigest]).toEqual([[], body.changeDigest])
  })
})

describe('an outdated draft', () => {
  it('is rebased on the active generation once its author has reviewed it, and on no other', async () => {
    const path = '/setup/v3/drafts/calc_function/gross'
    const text = JSON.stringify(fn('gross', '5'))
    const only = { drafts: ['calc_function/gross'] }
    expect((await test.studio('POST', '/metadata/v3/plan', only)).body['code']).toBe(
      'conflict.stale_generation',
    )
    const { body: org } = await test.studio<{ generation: { generation: number } }>('GET', '/setup/v3/org')
    const base = org.generation.generation
    const old = await test.studio('PUT', path, { text, version: 1, base: base - 1 })
    expect([old.status, old.body['code']]).toEqual([409, 'conflict.stale_generation'])
    expect((await test.studio('PUT', path, { text, version: 1, base })).body).toMatchObject({
      version: 2,
      baseGeneration: base,
    })
    expect((await plan(only)).changes.map(({ id }) => id)).toEqual(['calc_function/gross'])
    const batch = { drafts: [{ id: 'calc_function/gross', version: 2, text, base: base - 1 }] }
    expect((await test.studio('PUT', '/setup/v3/drafts', batch)).body['code']).toBe(
      'conflict.stale_generation',
    )
  })
})
