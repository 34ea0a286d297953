// A set is invisible until granted: no plan, refusal or conflict reveals what it holds (docs/reference/access.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const set = (key: string, grants: object = {}) => ({
  type: 'config_set',
  key,
  label: key,
  body: {
    cardinality: 'keyed',
    keyedBy: { key: 'country', type: 'text' },
    fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
    ...grants,
  },
})
const entry = (owner: string, rate: string, values: object = { rate }) => ({
  type: 'config_entry',
  key: `${owner}.de`,
  label: 'DE',
  body: { set: owner, key: 'DE', scope: { kind: 'org' }, values },
})
const permissions = (key: string, systemPermissions: string[]) => ({
  type: 'permission_set',
  key,
  label: key,
  body: { systemPermissions },
})
const client = (key: string) => ({
  type: 'integration_client',
  key,
  label: key,
  body: { authScheme: 'oauth2_client_credentials', runAs: key },
})

let test: TestServer
/** config.author and no grant; metadata.author and no grant. */
let nob: Ask
let sam: Ask

beforeAll(async () => {
  test = await runningServer()
  const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
  const post = async (components: unknown[]) =>
    expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
  await post([permissions('authors', ['config.author']), permissions('shapers', ['metadata.author'])])
  await test.beside(async ({ access }) => {
    await access.addUser(by, { key: 'nob', name: 'Nob', permissionSets: ['authors'] })
    await access.addUser(by, { key: 'sam', name: 'Sam', permissionSets: ['shapers'] })
  })
  await post([
    client('nob'),
    client('sam'),
    set('hid', { edit: { administrator: 'edit' } }),
    entry('hid', '0.1900'),
    set('open', { edit: { administrator: 'edit', authors: 'edit' } }),
    entry('open', '0.1900'),
  ])
  await post([entry('hid', '0.2100')])
  const token = (key: string) => test.beside(({ access }) => access.issueToken(by, key))
  nob = test.bearer((await token('nob')).token)
  sam = test.bearer((await token('sam')).token)
})
afterAll(() => test.close())

const verbs = ['diff', 'plan', 'validate'] as const
/** Two responses must be equal, except for the name in the request. */
const asOne = (text: string, name: string): string =>
  text.replaceAll(name, 'SET').replace(/jcs1:sha256:\w+/g, 'D')

describe('a user who cannot see a set', () => {
  it.each(verbs)('gets from %s the same response as if the set did not exist', async (verb) => {
    const ask = async (owner: string, rate: string) =>
      (await nob('POST', `/metadata/v3/${verb}`, { components: [entry(owner, rate)] })).text
    const [right, wrong, missing] = [
      await ask('hid', '0.21'),
      await ask('hid', '0.5'),
      await ask('nil', '0.5'),
    ]
    expect(asOne(right, 'hid').replaceAll('0.21', '0.5')).toBe(asOne(wrong, 'hid'))
    expect(asOne(wrong, 'hid')).toBe(asOne(missing, 'nil'))
  })

  it('sees no field and no key of it', async () => {
    const { text, body } = await nob<{ findings: { code: string }[] }>('POST', '/metadata/v3/validate', {
      components: [entry('hid', '', { rat: '1' })],
    })
    expect(body.findings.map(({ code }) => code)).toEqual(['config.set_missing'])
    expect(text).not.toContain('rate')
    const near = await nob('POST', '/metadata/v3/validate', { components: [entry('hidd', '0.1')] })
    expect(near.text).not.toMatch(/mean hid[^d]/)
  })

  it('sees nothing of it by removing or pruning it', async () => {
    const ask = async (id: string) => (await nob('POST', '/metadata/v3/plan', { removals: [id] })).text
    expect(asOne(await ask('config_set/hid'), 'hid')).toBe(asOne(await ask('config_set/nil'), 'nil'))
    expect((await ask('config_set/hid')).includes('hid.de')).toBe(false)
    const pruned = await nob('POST', '/metadata/v3/plan', { components: [], prune: true })
    expect(pruned.text).toContain('config_set/open')
    expect(pruned.text).not.toContain('hid')
  })

  it('is shown no value by a conflict, and is refused', async () => {
    const { status, text } = await nob('POST', '/metadata/v3/apply', {
      components: [entry('hid', '0.5')],
      base: 3,
    })
    expect(status).toBe(403)
    expect(text).not.toMatch(/[\s"]0\.(21|19)/)
    const missing = await nob('POST', '/metadata/v3/apply', { components: [entry('nil', '0.5')], base: 3 })
    const rest = (each: string) =>
      asOne(each, each.includes('nil') ? 'nil' : 'hid').replace(/"correlationId":"[^"]*"/, '')
    expect(rest(text)).toBe(rest(missing.text))
  })

  it('can still edit granted sets, and cannot roll back over hidden changes', async () => {
    const { status } = await nob('POST', '/metadata/v3/apply', { components: [entry('open', '0.2')] })
    expect(status).toBe(200)
    const back = await nob('POST', '/metadata/v3/rollback', { generation: 3 })
    expect([back.status, back.text.includes('hid')]).toEqual([403, false])
  })
})

describe('a user who sees a definition but not its values', () => {
  it('is shown that there is a change, regardless of the value', async () => {
    const ask = async (rate: string) => {
      const { body } = await sam<{ changes: { kind: string; before: unknown; words: { before: string } }[] }>(
        'POST',
        '/metadata/v3/plan',
        { components: [entry('hid', rate)] },
      )
      return body
    }
    const [right, wrong] = [await ask('0.21'), await ask('0.22')]
    for (const { changes } of [right, wrong])
      expect(changes).toMatchObject([
        { kind: 'changed', before: null, values: [], words: { before: 'hidden from you' } },
      ])
    expect(JSON.stringify(right['budget' as never])).toBe(JSON.stringify(wrong['budget' as never]))
  })

  it('cannot find out with an apply whether a guessed value is the active one', async () => {
    const post = async (rate: string) => {
      const { text, body } = await sam('POST', '/metadata/v3/apply', { components: [entry('hid', rate)] })
      expect(body['code']).toBe('access.denied')
      return text.replace(/"correlationId":"[^"]*"/, '')
    }
    expect(await post('0.21')).toBe(await post('0.22'))
  })

  it('is shown no entry of it by a rollback or a prune that would remove them', async () => {
    // Generation 2 was before the sets.
    const back = await sam('POST', '/metadata/v3/rollback', { generation: 2 })
    const pruned = await sam('POST', '/metadata/v3/apply', { components: [set('hid')], prune: true })
    for (const { text, body } of [back, pruned]) {
      expect(body['code']).toBe('access.denied')
      expect(text).not.toContain('hid.de')
    }
  })

  it('renames it without seeing what the rename changes', async () => {
    const { text, body } = await sam<{ changes: { kind: string; after: unknown }[] }>(
      'POST',
      '/metadata/v3/plan',
      {
        components: [{ ...set('hid2', { edit: { administrator: 'edit' } }), renamedFrom: 'hid' }],
      },
    )
    expect(body.changes.map(({ kind }) => kind)).toEqual(['renamed'])
    expect(text).not.toMatch(/[\s"]0\.21|hid2?\.de/)
  })
})

describe('prune', () => {
  const files = async (who: Ask) => {
    const { body } = await who<{ files: Record<string, string> }>('GET', '/metadata/v3/retrieve')
    return Object.entries(body.files).flatMap(([path, text]) =>
      path === 'almanac.json' ? [] : [JSON.parse(text) as { type: string; key: string }],
    )
  }

  it('of retrieved components removes and lists nothing that is hidden, on any route', async () => {
    for (const who of [nob, sam]) {
      const components = await files(who)
      expect(components.map(({ key }) => key)).not.toContain('hid.de')
      const list = { components, prune: true }
      for (const path of ['plan', 'diff', 'validate', 'impact', 'review-document', 'apply']) {
        const { status, text } = await who('POST', `/metadata/v3/${path}`, list)
        const label = `${path} ${text.slice(0, 300)}`
        // Only users who can author values can read the impact.
        expect([
          label,
          [200, 403].includes(status) && (status === 200 || /impact|review/.test(path)),
        ]).toEqual([label, true])
        expect(text).not.toMatch(/hid\.de|"DE"|removed":[1-9]/)
      }
      const before = (await test.studio('GET', '/metadata/v3/retrieve')).text
      expect(before).toContain('hid.de')
    }
  })

  it('still removes visible components', async () => {
    const components = (await files(sam)).filter(({ key }) => key !== 'shapers')
    const { body } = await sam<{ changes: { id: string }[] }>('POST', '/metadata/v3/plan', {
      components,
      prune: true,
    })
    expect(body.changes.map(({ id }) => id)).toEqual(['permission_set/shapers'])
  })

  it('shows no label of a hidden set in a review', async () => {
    const labelled = { ...set('hid', { edit: { administrator: 'edit' } }), label: 'Secret Label' }
    expect((await test.studio('POST', '/metadata/v3/apply', { components: [labelled] })).status).toBe(200)
    const { status, text } = await nob('POST', '/metadata/v3/review-document', {
      components: [entry('hid', '0.3')],
    })
    expect([status, text.includes('Secret Label')]).toEqual([200, false])
  })
})

describe('a base', () => {
  it.each([99, -1])('of %s is refused', async (base) => {
    const answer = await test.studio('POST', '/metadata/v3/apply', {
      components: [entry('open', '0.3')],
      base,
    })
    expect([answer.status, answer.body['code']]).toEqual(
      base < 0 ? [400, 'request.malformed'] : [404, 'generation.not_found'],
    )
  })
})
