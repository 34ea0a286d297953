// The effects of a change list on readers and results, over HTTP and in the worker.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { everything, flag, rate } from '../support/small-org.ts'

interface Impact {
  readers: {
    total: number
    byType: { type: string; direct: number; further: number; readers: { items: { id: string }[] } }[]
  }
  keys: { from: number; looked: number; total: number }
  resolution: {
    total: number
    items: {
      title: string
      beforeWords: string
      afterWords: string
      when: string
      hidden: boolean
      before: unknown
    }[]
  }
  flips: {
    total: number
    items: {
      set: string
      kind: string
      beforeWords: string
      afterWords: string
      who: { items: string[]; total: number }
    }[]
  }
  results: {
    changed: {
      label: string
      stored: string
      now: string | null
      after: string | null
      afterError: string | null
    }[]
    looked: number
    total: number
    reading: number
    next: string | null
  }
  budget: { added: number }
}

const operator = { actor: 'admin', correlationId: 't', isOperator: true }
const change = [
  rate('de_2021', 'DE', '2021-01-01', '2027-01-01', '0.19'),
  rate('de_2027', 'DE', '2027-01-01', null, '0.21'),
]

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
  const { status } = await test.studio('POST', '/metadata/v3/apply', { components: everything })
  expect(status).toBe(200)
  await test.beside(async ({ access, evaluation }) => {
    await access.addUser(operator, { key: 'vera', name: 'Vera', permissionSets: ['readers'] })
    await access.addUser(operator, { key: 'otto', name: 'Otto', permissionSets: ['administrator'] })
    const ask = { inputs: {}, scope: {} }
    const of = (label: string, expression: string, asOf: string) =>
      evaluation.evaluate({ actor: 'admin', correlationId: 't' }, { ...ask, expression, asOf, store: label })
    await of('gross of 2026', 'gross(100, "DE")', '2026-06-01')
    await of('gross of 2027', 'gross(100, "DE")', '2027-06-01')
    await of('plain', '1 + 1', '2027-06-01')
    await of('Austria', 'config.vat_rate("AT").rate', '2027-06-01')
  })
})
afterAll(() => test.close())

const impact = async (body: object, headers: Record<string, string> = {}) => {
  const answer = await test.studio<Impact>('POST', '/metadata/v3/impact', body, headers)
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, answer.text.slice(0, 300)])
  return answer.body
}

describe('the impact of a change list', () => {
  it('lists readers, days, and the stored results that would differ', async () => {
    const impactReport = await impact({ components: change })
    expect(impactReport.readers.byType.map(({ type, direct, further }) => [type, direct, further])).toEqual([
      ['calc_function', 1, 0],
    ])
    expect(impactReport.keys).toEqual({ from: 0, looked: 1, total: 1 })
    expect(impactReport.resolution.items).toEqual([
      expect.objectContaining({
        title: 'VAT rate, DE, org',
        beforeWords: '0.1900',
        afterWords: '0.2100',
        when: 'from 1 Jan 2027, open-ended',
        hidden: false,
      }),
    ])
    expect(impactReport.results).toMatchObject({ looked: 4, total: 4, reading: 3, next: null })
    expect(impactReport.results.changed).toEqual([
      expect.objectContaining({ label: 'gross of 2027', stored: '"119"', now: '"119"', after: '"121"' }),
    ])
    expect(impactReport.budget.added).toBeGreaterThan(0)
  })

  it('continues with the other results and keys if one evaluation fails', async () => {
    const first = await impact({ components: change, results: { look: 1 } })
    expect([first.results.looked, first.results.total]).toEqual([1, 4])
    const seen: string[] = first.results.changed.map(({ label }) => label)
    let next = first.results.next
    for (let pages = 0; next !== null && pages < 10; pages += 1) {
      const page = await impact({ components: change, results: { look: 1, after: next } })
      seen.push(...page.results.changed.map(({ label }) => label))
      next = page.results.next
    }
    expect(seen).toEqual(['gross of 2027'])
    const two = [...change, rate('at_1995', 'AT', '1995-01-01', null, '0.25')]
    const second = await impact({ components: two, keys: { from: 1 } })
    expect(second.keys).toEqual({ from: 1, looked: 1, total: 2 })
    expect(second.resolution.items.map(({ title }) => title)).toEqual(['VAT rate, DE, org'])
  })

  it('refuses a place in the results that is not one, before anything is computed', async () => {
    const sent = { components: change, results: { after: 'x'.repeat(1000) } }
    const { status, body } = await test.studio('POST', '/metadata/v3/impact', sent)
    expect([status, body['code']]).toEqual([400, 'request.malformed'])
  })

  it('explains why a result would have no value, and follows a rename', async () => {
    const removals = ['config_entry/vat_rate.at_1995']
    const gone = await impact({ removals })
    expect(gone.results.changed).toEqual([
      expect.objectContaining({
        label: 'Austria',
        after: null,
        afterError: expect.stringContaining('"AT"') as string,
      }),
    ])
    const { body } = await test.studio<{ component: object }>(
      'GET',
      '/metadata/v3/components/config_set/vat_rate',
    )
    const renamed = await impact({ components: [{ ...body.component, key: 'vat', renamedFrom: 'vat_rate' }] })
    expect(renamed.results.changed).toEqual([])
    expect(renamed.results.reading).toBe(3)
  })

  it('lists the users for whom a flag flips today', async () => {
    const on = { ...(flag('2099-12-31') as { body: object }) }
    const scoped = {
      ...on,
      body: { ...on.body, scopes: ['permission_set', 'org'] },
    }
    const entry = {
      type: 'config_entry',
      key: 'new_invoice.readers',
      label: 'Readers',
      body: {
        set: 'new_invoice',
        scope: { kind: 'permission_set', permissionSet: 'readers' },
        priority: 1,
        values: { value: true },
      },
    }
    const { flips } = await impact({ components: [scoped, entry] })
    expect(
      flips.items.map(({ kind, beforeWords, afterWords, who }) => [kind, beforeWords, afterWords, who]),
    ).toEqual([
      ['permission_set', 'off', 'on', { items: ['readers'], total: 1 }],
      ['user', 'off', 'on', { items: ['vera'], total: 1 }],
    ])
  })

  it('shows the values of a set that the list adds, whether or not the list grants them', async () => {
    const words = {
      type: 'config_set',
      key: 'fresh',
      label: 'Fresh',
      body: { cardinality: 'singleton', fields: [{ key: 'words', type: 'text', required: true }] },
    }
    const entry = {
      type: 'config_entry',
      key: 'fresh.all',
      label: 'x',
      body: { set: 'fresh', scope: { kind: 'org' }, values: { words: 'spring' } },
    }
    const { resolution } = await impact({ components: [words, entry] }, { 'x-view-as': 'otto' })
    expect(resolution.items.map(({ beforeWords, afterWords }) => [beforeWords, afterWords])).toEqual([
      ['none', 'spring'],
    ])
  })

  it('does not count values of a renamed set or flag as changed', async () => {
    const { body } = await test.studio<{ component: object }>(
      'GET',
      '/metadata/v3/components/config_set/vat_rate',
    )
    const renamed = { ...body.component, key: 'sales_tax', renamedFrom: 'vat_rate' }
    const found = await impact({ components: [renamed] })
    expect([found.resolution.total, found.flips.total]).toEqual([0, 0])
    expect(found.results.changed).toEqual([])
  })

  it('is part of a review that is exported as one file', async () => {
    const list = { components: change, rationale: 'Because <b> of the law.' }
    const { status, text, headers } = await test.studio('POST', '/metadata/v3/review-document', list)
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'attachment; filename="review.html"',
    ])
    for (const phrase of [
      'Because &lt;b&gt; of the law.',
      'VAT rate, DE, org',
      'gross of 2027',
      'from 1 Jan 2027',
    ])
      expect(text).toContain(phrase)
    expect(text).not.toContain('<script')
  })

  it('requires an author, and does not reveal sets that are hidden from them', async () => {
    const { status } = await test.studio(
      'POST',
      '/metadata/v3/impact',
      { components: [] },
      { 'x-view-as': 'vera' },
    )
    expect(status).toBe(403)
    const sealed = {
      type: 'config_entry',
      key: 'sealed.all',
      label: 'x',
      body: { set: 'sealed', scope: { kind: 'org' }, values: { words: 'loud' } },
    }
    const found = await impact({ components: [sealed] }, { 'x-view-as': 'otto' })
    expect(JSON.stringify(found)).not.toContain('hush')
  })
})
