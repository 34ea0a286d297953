// /setup/v3: org, rooms, drafts, problems, resolve, evaluate, results, repair, import (docs/reference/http.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { componentTypes } from '../../server/kernel/components/component.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { everything, flag, rate } from '../support/small-org.ts'

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
  const { status } = await test.studio('POST', '/metadata/v3/apply', { components: everything })
  expect(status).toBe(200)
})
afterAll(() => test.close())

describe('the org', () => {
  it('has its name, generation and the current user', async () => {
    const { body } = await test.studio('GET', '/setup/v3/org')
    expect(body).toMatchObject({
      name: 'Kestrel Test',
      environment: 'test',
      generation: { generation: 2, actor: 'admin' },
      drafts: 0,
      me: {
        key: 'admin',
        permissions: expect.arrayContaining(['metadata.author', 'access.manage']) as unknown,
      },
    })
    expect((body['me'] as { permissions: string[] }).permissions).not.toContain('platform.root')
  })

  it('has a room for every component type', async () => {
    const { body } = await test.studio<{ rooms: { type: string; schema: { properties: object } }[] }>(
      'GET',
      '/setup/v3/rooms',
    )
    expect(body.rooms.map(({ type }) => type).sort()).toEqual([...componentTypes].sort())
    for (const room of body.rooms) expect(room.schema.properties).toHaveProperty('body')
  })

  it('lists its users and groups', async () => {
    const { body } = await test.studio('GET', '/setup/v3/principals')
    expect(body['users']).toEqual([{ key: 'admin', name: 'Administrator', active: true }])
  })

  it('shows who can do what, and why', async () => {
    const { body } = await test.studio('GET', '/setup/v3/access/me')
    expect(body).toMatchObject({
      user: 'admin',
      editSets: ['greeting', 'new_invoice', 'vat_rate'],
      platformRoot: false,
    })
    const why = await test.studio('GET', '/setup/v3/access/explain?component=config_entry/vat_rate.de_2021')
    expect(why.body['rights']).toContainEqual(expect.objectContaining({ right: 'edit', held: true }))
    expect((await test.studio('GET', '/setup/v3/access/explain?component=config_set/none')).status).toBe(404)
    expect((await test.studio('GET', '/setup/v3/access/explain?component=none')).status).toBe(400)
  })
})

describe('drafts', () => {
  const path = '/setup/v3/drafts/config_entry/vat_rate.de_2021'
  interface Saved {
    version: number
    text: string | null
    unchanged: boolean
    findings: { code: string; component: string }[]
  }

  it('keep the text as typed, valid or not', async () => {
    const { status, body } = await test.studio<Saved>('PUT', path, { text: '{ "type": ', version: 0 })
    expect([status, body.version, body.findings.map(({ code }) => code)]).toEqual([200, 1, ['draft.json']])
    const { body: kept } = await test.studio<{ drafts: { text: string }[] }>('GET', '/setup/v3/drafts')
    expect(kept.drafts.map(({ text }) => text)).toEqual(['{ "type": '])
    expect((await test.studio('GET', '/setup/v3/org')).body['drafts']).toBe(1)
  })

  it('are refused if another window saved in the meantime', async () => {
    const { status, body } = await test.studio('PUT', path, { text: '{}', version: 0 })
    expect([status, body['code']]).toEqual([409, 'conflict.stale_draft'])
    expect(body['details']).toEqual([expect.objectContaining({ version: 1, text: '{ "type": ' })])
  })

  it('are validated together with the others', async () => {
    const closed = rate('de_2021', 'DE', '2021-01-01', '2027-01-01', '0.19')
    const { body } = await test.studio<Saved>('PUT', path, { text: JSON.stringify(closed), version: 1 })
    expect(body.findings.map(({ code }) => code)).toContain('config.range_end')
    const { body: problems } = await test.studio<{ findings: { code: string }[] }>(
      'GET',
      '/setup/v3/problems',
    )
    expect(problems.findings.map(({ code }) => code)).toContain('config.range_end')
    const { body: listed } = await test.studio<{
      components: { id: string; draft: string; findings: number }[]
    }>('GET', '/metadata/v3/components?state=changed')
    expect(listed.components).toMatchObject([{ id: 'config_entry/vat_rate.de_2021', draft: 'changed' }])
    const next = rate('de_2027', 'DE', '2027-01-01', null, '0.21')
    await test.studio('PUT', '/setup/v3/drafts/config_entry/vat_rate.de_2027', {
      text: JSON.stringify(next),
      version: 0,
    })
    expect((await test.studio<{ findings: unknown[] }>('GET', '/setup/v3/problems')).body.findings).toEqual(
      [],
    )
  })

  it('show a component that is only a draft', async () => {
    const { body } = await test.studio('GET', '/metadata/v3/components/config_entry/vat_rate.de_2027')
    expect(body).toMatchObject({ component: null, digest: null, draft: { version: 1 } })
    expect((await test.studio('GET', '/metadata/v3/components?set=vat_rate')).body['total']).toBe(5)
  })

  it('are returned for requested components, and omitted if they do not exist', async () => {
    const ids = [
      'config_set/vat_rate',
      'config_entry/vat_rate.de_2027',
      'config_entry/vat_rate.xx',
      'app',
      'no/app',
    ]
    const { body } = await test.studio<{ components: { id: string }[]; total: number }>(
      'GET',
      `/metadata/v3/components?ids=${ids.join(',')}`,
    )
    expect(body.components.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(body.total).toBe(2)
  })

  it('are deleted if they equal the active component', async () => {
    const { body: page } = await test.studio<{ text: string }>(
      'GET',
      '/metadata/v3/components/config_entry/vat_rate.de_2021',
    )
    const { body } = await test.studio<Saved>('PUT', path, { text: page.text, version: 2 })
    expect(body.unchanged).toBe(true)
    expect((await test.studio('DELETE', path)).body['code']).toBe('draft.not_found')
    expect((await test.studio('DELETE', '/setup/v3/drafts/config_entry/vat_rate.de_2027')).status).toBe(204)
  })

  it('remove a component with a null, and are deleted by the apply', async () => {
    await test.studio('PUT', '/setup/v3/drafts/calc_function/gross', { text: null, version: 0 })
    const { status, body } = await test.studio('POST', '/metadata/v3/apply', {
      drafts: ['calc_function/gross'],
    })
    expect([status, (body['changes'] as { kind: string }[])[0]!.kind]).toEqual([200, 'removed'])
    expect((await test.studio<{ drafts: unknown[] }>('GET', '/setup/v3/drafts')).body.drafts).toEqual([])
    expect(
      (await test.studio('POST', '/metadata/v3/plan', { drafts: ['calc_function/gross'] })).body['code'],
    ).toBe('draft.not_found')
  })
})

describe('invalid components', () => {
  it('are those with an error; a warning does not count', async () => {
    const drafts: [string, string][] = [
      ['app/desk', '{'],
      ['feature_flag/new_invoice', JSON.stringify(flag('2020-01-01'))],
    ]
    for (const [id, text] of drafts) await test.studio('PUT', `/setup/v3/drafts/${id}`, { text, version: 0 })
    const { body: report } = await test.studio<{ findings: { component: string; severity: string }[] }>(
      'GET',
      '/setup/v3/problems',
    )
    expect(report.findings.map(({ component, severity }) => [component, severity]).sort()).toEqual([
      ['app/desk', 'error'],
      ['feature_flag/new_invoice', 'warning'],
    ])
    const { body } = await test.studio<{ components: { id: string }[] }>(
      'GET',
      '/metadata/v3/components?state=invalid',
    )
    expect(body.components.map(({ id }) => id)).toEqual(['app/desk'])
    for (const [id] of drafts) await test.studio('DELETE', `/setup/v3/drafts/${id}`)
  })
})

describe('an outdated draft', () => {
  it('a list continues at its place although the last component of a page is gone', async () => {
    type Page = { components: { id: string }[]; nextCursor: string | null }
    for (const key of ['aa', 'ab', 'ac'])
      await test.studio('PUT', `/setup/v3/drafts/app/${key}`, { text: '{', version: 0 })
    const list = async (query: string): Promise<Page> =>
      (await test.studio<Page>('GET', `/metadata/v3/components?${query}`)).body
    for (const filter of ['type=app', 'type=app&state=added']) {
      const first = await list(`${filter}&limit=2`)
      expect(first.components.map(({ id }) => id)).toEqual(['app/aa', 'app/ab'])
      await test.studio('DELETE', '/setup/v3/drafts/app/ab')
      const next = await list(`${filter}&limit=1&cursor=${first.nextCursor}`)
      expect(next.components.map(({ id }) => id)).toEqual(['app/ac'])
      await test.studio('PUT', '/setup/v3/drafts/app/ab', { text: '{', version: 0 })
    }
    for (const key of ['aa', 'ab', 'ac']) await test.studio('DELETE', `/setup/v3/drafts/app/${key}`)
  })

  it('refuses a cursor whose place is not a component', async () => {
    const { body } = await test.studio<{ nextCursor: string }>('GET', '/metadata/v3/components?limit=1')
    const { of } = JSON.parse(Buffer.from(body.nextCursor, 'base64url').toString()) as { of: string }
    const forged = Buffer.from(JSON.stringify({ of, after: 'nothing' })).toString('base64url')
    const { status } = await test.studio('GET', `/metadata/v3/components?limit=1&cursor=${forged}`)
    expect(status).toBe(400)
  })

  it('is a problem that hides no other, and its apply shows three views', async () => {
    const at = (value: string) => rate('at_1995', 'AT', '1995-01-01', null, value)
    const path = '/setup/v3/drafts/config_entry/vat_rate.at_1995'
    await test.studio('PUT', path, { text: JSON.stringify(at('0.21')), version: 0 })
    await test.studio('PUT', '/setup/v3/drafts/app/desk', { text: '{', version: 0 })
    await test.studio('POST', '/metadata/v3/apply', { components: [at('0.22')] })
    const { status, body } = await test.studio<{ findings: { code: string; component: string }[] }>(
      'GET',
      '/setup/v3/problems',
    )
    expect(status).toBe(200)
    expect(body.findings.map(({ code }) => code).sort()).toEqual(['draft.json', 'draft.overtaken'])
    expect((await test.studio('GET', '/metadata/v3/components')).status).toBe(200)
    const refused = await test.studio('POST', '/metadata/v3/apply', {
      drafts: ['config_entry/vat_rate.at_1995'],
    })
    expect([refused.status, refused.body['code']]).toEqual([409, 'conflict.stale_generation'])
    expect((await test.studio('DELETE', path)).status).toBe(204)
    expect((await test.studio('DELETE', '/setup/v3/drafts/app/desk')).status).toBe(204)
    await test.studio('POST', '/metadata/v3/apply', { components: [at('0.2')] })
  })
})

describe('resolve', () => {
  const ask = (body: object, headers: Record<string, string> = {}) =>
    test.studio('POST', '/setup/v3/resolve', body, headers)

  it.each([
    ['2007-01-01', '0.1900'],
    ['2020-06-30', '0.1900'],
    ['2020-07-01', '0.1600'],
    ['2020-12-31', '0.1600'],
    ['2021-01-01', '0.1900'],
  ])('returns the rate of %s', async (asOf, value) => {
    const { body } = await ask({ set: 'vat_rate', key: 'DE', asOf })
    expect(body).toMatchObject({
      set: 'vat_rate',
      key: 'DE',
      asOf,
      scope: { kind: 'org' },
      values: { rate: value },
    })
  })

  it.each([
    [{ set: 'vat_rate', key: 'DE', asOf: '2006-12-31' }, 422, 'config.not_effective'],
    [{ set: 'vat_rate', key: 'XX', asOf: '2020-01-01' }, 404, 'config.unknown_key'],
    [{ set: 'vat_rat', key: 'DE', asOf: '2020-01-01' }, 404, 'config.unknown_set'],
    [{ set: 'vat_rate', key: 'DE' }, 400, 'config.as_of_required'],
    [{ set: 'vat_rate', key: 'DE', asOf: '2020-02-30' }, 400, 'request.malformed'],
    [{ set: 'vat_rate', key: 'DE', asOf: '2021-01-01', field: 'rat' }, 422, 'request.invalid'],
    [{ set: 'vat_rate', key: 'DE', asOf: '2021-01-01', generation: 99 }, 404, 'generation.not_found'],
  ])('refuses %j', async (question, status, code) => {
    const answer = await ask(question)
    expect([answer.status, answer.body['code']]).toEqual([status, code])
  })

  it('explains the resolution and who deployed the entry that matched', async () => {
    const { body } = await ask({
      set: 'vat_rate',
      key: 'DE',
      asOf: '2021-01-01',
      explain: true,
      field: 'rate',
    })
    expect(body['steps']).toEqual([
      expect.objectContaining({ kind: 'environment', matched: false }),
      expect.objectContaining({
        kind: 'org',
        entry: 'vat_rate.de_2021',
        matched: true,
        deployedBy: expect.objectContaining({ generation: 2, actor: 'admin' }) as unknown,
      }),
    ])
  })

  it('explains a lookup without a result too', async () => {
    const { status, body } = await test.studio('POST', '/setup/v3/evaluate/explain', {
      set: 'vat_rate',
      key: 'DE',
      asOf: '2001-01-01',
    })
    expect([status, body['resolution']]).toEqual([200, null])
    expect(body['error']).toMatchObject({ code: 'config.not_effective' })
  })

  it('uses the app of the header, and refuses one that does not exist', async () => {
    expect((await ask({ set: 'greeting' }, { 'x-app': 'desk' })).status).toBe(400)
    expect((await ask({ set: 'greeting' })).body['values']).toEqual({ words: 'Good day' })
  })
})

describe('evaluate', () => {
  const inputs = { net: { type: 'number', value: '100.00' } }
  const expression = 'net * (1 + config.vat_rate("DE").rate)'
  let resultId = ''

  it('checks and completes expressions as typed', async () => {
    const types = { net: 'number' }
    const good = await test.studio('POST', '/setup/v3/evaluate/check', { expression, inputs: types })
    expect(good.body).toMatchObject({
      ok: true,
      type: 'number',
      problems: [],
      reads: { sets: [{ set: 'vat_rate', fields: ['rate'] }] },
    })
    const bad = await test.studio('POST', '/setup/v3/evaluate/check', {
      expression: 'net * config.vat_rat("DE").rate',
      inputs: types,
    })
    expect(bad.body).toMatchObject({ ok: false, type: null })
    expect((bad.body['problems'] as { message: string }[])[0]!.message).toContain('vat_rate')
    const { body } = await test.studio<{ items: { label: string }[] }>(
      'POST',
      '/setup/v3/evaluate/complete',
      { expression: 'config.va', offset: 9, inputs: types },
    )
    expect(body.items.map(({ label }) => label)).toEqual(['vat_rate'])
  })

  it('checks and completes expressions over the component as typed and the drafts of its author', async () => {
    const set = {
      type: 'config_set',
      key: 'fee',
      label: 'Fee',
      body: { cardinality: 'singleton', fields: [{ key: 'flat', type: 'number', precision: 6, scale: 2 }] },
    }
    const saved = { text: JSON.stringify(set), version: 0 }
    expect((await test.studio('PUT', '/setup/v3/drafts/config_set/fee', saved)).status).toBe(200)
    const fields = [{ key: 'net', type: 'number', precision: 12, scale: 2 }, { key: 'half typed' }]
    const component = { type: 'object', key: 'bill', label: '', body: { fields } }
    const context = { site: { kind: 'validation_rule', object: 'bill' }, expects: 'boolean', component }
    const check = async (expression: string, more: object = context) =>
      (
        await test.studio<{ problems: { code: string }[] }>('POST', '/setup/v3/evaluate/check', {
          expression,
          ...more,
        })
      ).body.problems.map(({ code }) => code)
    expect(await check('net > config.fee.flat')).toEqual([])
    expect(await check('net')).toEqual(['expr.result_type'])
    expect(await check('nett > 1')).toEqual(['expr.unknown_name'])
    // The playground evaluates the active configuration.
    expect(await check('config.fee.flat', {})).toEqual(['expr.unknown_name'])
    const { body } = await test.studio<{ items: { label: string }[] }>(
      'POST',
      '/setup/v3/evaluate/complete',
      { expression: 'ne', offset: 2, ...context },
    )
    expect(body.items[0]?.label).toBe('net')
    expect((await test.studio('DELETE', '/setup/v3/drafts/config_set/fee')).status).toBe(204)
  })

  it('evaluates with a binding, and stores the result on request', async () => {
    const { status, body } = await test.studio('POST', '/setup/v3/evaluate', {
      expression,
      inputs,
      asOf: '2021-05-01',
      store: 'Invoice 7',
    })
    expect([status, body['value'], body['type']]).toEqual([200, '"119"', 'number'])
    expect(body['binding']).toMatchObject({
      asOf: '2021-05-01',
      config: { vat_rate: expect.stringMatching(/^jcs1:sha256:/) as unknown },
    })
    resultId = body['resultId'] as unknown as string
    const { body: listed } = await test.studio<{ results: { id: string; label: string }[] }>(
      'GET',
      '/setup/v3/results',
    )
    expect(listed.results).toMatchObject([{ id: resultId, label: 'Invoice 7' }])
    const one = await test.studio('GET', `/setup/v3/results/${resultId}`)
    expect(one.body).toMatchObject({ id: resultId, label: 'Invoice 7' })
    const gone = await test.studio('GET', '/setup/v3/results/none')
    expect([gone.status, gone.body['code']]).toEqual([404, 'binding.not_found'])
  })

  it('requires the date and exact numbers', async () => {
    expect((await test.studio('POST', '/setup/v3/evaluate', { expression, inputs })).body['code']).toBe(
      'config.as_of_required',
    )
    const float = await test.studio('POST', '/setup/v3/evaluate', {
      expression,
      inputs: { net: { type: 'number', value: 100.1 } },
      asOf: '2021-05-01',
    })
    expect(float.status).toBe(400)
    expect(
      (await test.studio('POST', '/setup/v3/evaluate', { expression: 'net *', inputs })).body['code'],
    ).toBe('expression.invalid')
  })

  it('replays the vintage byte for byte, and recomputes with the current configuration', async () => {
    const change = [rate('de_2021', 'DE', '2021-01-01', null, '0.25')]
    await test.studio('POST', '/metadata/v3/apply', { components: change, rationale: 'Corrected.' })
    const replayed = await test.studio('POST', '/setup/v3/evaluate/replay', { resultId })
    expect(replayed.body).toMatchObject({ value: '"119"', identical: true, differences: [] })
    const recomputed = await test.studio('POST', '/setup/v3/evaluate/recompute', { resultId })
    expect(recomputed.body).toMatchObject({ value: '"125"', changed: true })
    expect((recomputed.body['reasons'] as unknown as string[])[0]).toContain('vat_rate')
    expect(recomputed.body).not.toHaveProperty('resultId')
    expect((await test.studio('POST', '/setup/v3/evaluate/replay', { resultId: 'none' })).body['code']).toBe(
      'binding.not_found',
    )
  })

  it('exports evidence, rebinds and archives', async () => {
    const { text, headers } = await test.studio('POST', '/setup/v3/evaluate/evidence', { resultId })
    expect(headers.get('content-type')).toContain('application/json')
    expect((JSON.parse(text) as { format: string }).format).toBe('almanac-evidence/1')
    const rebound = await test.studio('POST', `/setup/v3/results/${resultId}/rebind`)
    expect(rebound.body).toMatchObject({ value: '"125"', resultId })
    const archived = await test.studio('POST', `/setup/v3/results/${resultId}/archive`)
    expect(archived.body).toMatchObject({ resultId })
    expect((await test.studio('POST', '/setup/v3/results/none/archive')).status).toBe(404)
  })

  it('stores nothing while viewing as another user', async () => {
    await test.beside(({ access }) =>
      access.addUser(
        { actor: 'admin', correlationId: 't', isOperator: true },
        { key: 'vera', name: 'Vera', permissionSets: ['administrator'] },
      ),
    )
    const stored = await test.studio(
      'POST',
      '/setup/v3/evaluate',
      { expression: '1 + 1', store: 'x' },
      { 'x-view-as': 'vera' },
    )
    expect(stored.status).toBe(403)
    expect(
      (await test.studio('POST', '/setup/v3/evaluate', { expression: '1 + 1' }, { 'x-view-as': 'vera' }))
        .body['value'],
    ).toBe('"2"')
    expect((await test.studio('GET', '/setup/v3/org', undefined, { 'x-view-as': 'nobody' })).status).toBe(404)
  })
})

describe('repair', () => {
  it('fixes a finding with the choice of a user, as drafts', async () => {
    const ended = rate('at_1995', 'AT', '1995-01-01', '2030-01-01', '0.2')
    await test.studio('PUT', '/setup/v3/drafts/config_entry/vat_rate.at_1995', {
      text: JSON.stringify(ended),
      version: 0,
    })
    const findings = { code: 'config.range_end', set: 'vat_rate', key: 'AT' }
    const refused = await test.studio('POST', '/setup/v3/repair', { findings, choice: 'extend_earlier' })
    expect(refused.body['code']).toBe('request.invalid')
    const { status, body } = await test.studio('POST', '/setup/v3/repair', {
      findings,
      choice: 'set_value',
      value: '0.21',
    })
    expect(status).toBe(200)
    expect((body['changes'] as { id: string }[]).length).toBeGreaterThan(0)
    expect((await test.studio<{ findings: unknown[] }>('GET', '/setup/v3/problems')).body.findings).toEqual(
      [],
    )
    const applied = await test.studio('POST', '/metadata/v3/apply', { drafts: true })
    expect(applied.status).toBe(200)
    const { body: resolution } = await test.studio('POST', '/setup/v3/resolve', {
      set: 'vat_rate',
      key: 'AT',
      asOf: '2031-01-01',
    })
    expect(resolution['values']).toEqual({ rate: '0.2100' })
  })
})

describe('repair of open-ended rows', () => {
  it('ends each where the next begins, and reports what is left', async () => {
    for (const year of ['2041', '2042', '2043'])
      await test.studio('PUT', `/setup/v3/drafts/config_entry/vat_rate.xo_${year}`, {
        text: JSON.stringify(rate(`xo_${year}`, 'XO', `${year}-01-01`, null, '0.2')),
        version: 0,
      })
    await test.studio('PUT', '/setup/v3/drafts/config_entry/vat_rate.xo_twin', {
      text: JSON.stringify(rate('xo_twin', 'XO', '2043-01-01', null, '0.3')),
      version: 0,
    })
    const { status, body } = await test.studio<{ drafts: string[]; findings: { message: string }[] }>(
      'POST',
      '/setup/v3/repair',
      { findings: { code: 'config.range_overlap', set: 'vat_rate', key: 'XO' }, choice: 'end_earlier' },
    )
    expect([status, body.drafts]).toEqual([
      200,
      ['config_entry/vat_rate.xo_2041', 'config_entry/vat_rate.xo_2042'],
    ])
    expect(body.findings).toMatchObject([
      { code: 'repair.not_offered', message: expect.stringMatching(/xo_2043.*xo_twin/) as string },
    ])
    for (const slug of ['xo_2041', 'xo_2042', 'xo_2043', 'xo_twin'])
      await test.studio('DELETE', `/setup/v3/drafts/config_entry/vat_rate.${slug}`)
  })
})

describe('import', () => {
  const csv = 'land;from;until;rate\nFR;2014-01-01;;0,20\nIT;2013-10-01;;0,22\nES;2012-09-31;;0,21\n'
  const map = { key: 'land', from: 'from', to: 'until', values: { rate: 'rate' } }

  it('shows changes and findings, and saves nothing on a dry run', async () => {
    const { status, body } = await test.studio('POST', '/setup/v3/import', {
      set: 'vat_rate',
      csv,
      map,
      options: { dryRun: true, name: 'rates.csv' },
    })
    expect(status).toBe(200)
    expect((body['changes'] as { kind: string }[]).map(({ kind }) => kind)).toEqual(['added', 'added'])
    expect((body['findings'] as { message: string }[])[0]!.message).toContain('4')
    expect(body).not.toHaveProperty('drafts')
    expect((await test.studio<{ drafts: unknown[] }>('GET', '/setup/v3/drafts')).body.drafts).toEqual([])
  })

  it('saves drafts, and the same file changes nothing after they are applied', async () => {
    const good = csv.split('\n').slice(0, 3).join('\n')
    const { body } = await test.studio<{ drafts: string[] }>('POST', '/setup/v3/import', {
      set: 'vat_rate',
      csv: good,
      map,
    })
    expect(body.drafts).toHaveLength(2)
    expect((await test.studio('POST', '/metadata/v3/apply', { drafts: true })).status).toBe(200)
    const again = await test.studio<{ changes: unknown[]; drafts: string[] }>('POST', '/setup/v3/import', {
      set: 'vat_rate',
      csv: good,
      map,
    })
    expect([again.body.changes, again.body.drafts]).toEqual([[], []])
  })

  it('refuses a map that it does not understand', async () => {
    const { status, body } = await test.studio('POST', '/setup/v3/import', {
      set: 'vat_rate',
      csv,
      map: { kee: 'land' },
    })
    expect([status, body['code']]).toEqual([422, 'import.invalid'])
  })
})
