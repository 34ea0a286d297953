// What rows reveal of hidden components: audit, drafts, events, repairs, renames (docs/reference/access.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'
import { invoice, rate, rates, vatRate } from '../support/small-org.ts'

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
const people = {
  /** Can read the audit and sees no set. */
  aud: ['audit.read'],
  /** Can author, and sees no set. */
  nob: ['config.author'],
  /** Can author, and can read the set but not edit it. */
  red: ['config.author'],
} as const

let test: TestServer
const ask = {} as Record<keyof typeof people, Ask>
const tokens = {} as Record<keyof typeof people, string>
const draftPath = '/setup/v3/drafts/config_entry/vat_rate.at_1995'
const ended = (value: string) => ({
  text: JSON.stringify(rate('at_1995', 'AT', '1995-01-01', '2030-01-01', value)),
  version: 0,
})

beforeAll(async () => {
  test = await runningServer()
  const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
  const keys = Object.keys(people) as (keyof typeof people)[]
  const apply = async (components: unknown[]) =>
    expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
  await apply(keys.map((key) => permissions(`${key}s`, [...people[key]])))
  for (const key of keys)
    await test.beside(({ access }) =>
      access.addUser(by, { key, name: key, permissionSets: [`${key}s`] }).then(() => undefined),
    )
  const read = { ...vatRate.body.read, reds: 'read' }
  await apply([...keys.map(client), invoice, { ...vatRate, body: { ...vatRate.body, read } }, ...rates])
  for (const key of keys) {
    tokens[key] = (await test.beside(({ access }) => access.issueToken(by, key))).token
    ask[key] = test.bearer(tokens[key])
  }
})
afterAll(() => test.close())

describe('the audit', () => {
  const rows = async (who: Ask, component: string) =>
    (
      await who<{ rows: { before: unknown; after: unknown }[] }>(
        'GET',
        `/metadata/v3/audit?component=${component}`,
      )
    ).body.rows

  it.each(['config_entry/vat_rate.de_2021', 'config_set/vat_rate'])(
    'shows that %s changed, but not to what',
    async (component) => {
      expect(await rows(ask.aud, component)).toMatchObject([{ before: null, after: null }])
      expect(await rows(test.studio, component)).toMatchObject([{ after: { key: component.split('/')[1] } }])
    },
  )

  it('shows no value of a result that read it', async () => {
    const { body } = await test.studio('POST', '/setup/v3/evaluate', {
      expression: 'config.vat_rate("DE").rate',
      asOf: '2021-01-01',
      store: 'Bound',
    })
    const component = `result/${String(body['resultId'])}`
    expect(await rows(ask.aud, component)).toMatchObject([{ kind: 'result.stored', after: null }])
    expect(await rows(test.studio, component)).toMatchObject([{ after: { value: '"0.19"' } }])
  })
})

describe('a draft of another user', () => {
  beforeAll(async () => {
    expect((await test.studio('PUT', draftPath, ended('0.2'))).status).toBe(200)
  })

  it('is neither shown nor discarded nor replaced by a user who cannot see its set', async () => {
    const save = await ask.nob('PUT', draftPath, ended('0.5'))
    expect(save.body).toMatchObject({ code: 'access.denied' })
    expect(save.text).not.toMatch(/0\.2|admin/)
    expect((await ask.nob('DELETE', draftPath)).body).toMatchObject({ code: 'draft.not_found' })
    expect((await ask.red<{ drafts: unknown[] }>('GET', '/setup/v3/drafts')).body.drafts).toHaveLength(1)
  })

  it('is not repaired by a user who cannot edit its set', async () => {
    const sent = { findings: { code: 'config.range_end', set: 'vat_rate', key: 'AT' }, choice: 'extend_last' }
    const unseen = await ask.nob('POST', '/setup/v3/repair', sent)
    expect(unseen.body).toMatchObject({ code: 'request.invalid', details: [{ code: 'repair.not_needed' }] })
    expect((await ask.red('POST', '/setup/v3/repair', sent)).body).toMatchObject({
      code: 'access.denied',
      details: [{ permission: 'edit:vat_rate' }],
    })
    expect((await test.studio('POST', '/setup/v3/repair', sent)).body).toMatchObject({ drafts: [] })
  })
})

it('drafts of a rename require the permission to author', async () => {
  const sent = { type: 'permission_set', from: 'reds', to: 'readers' }
  expect((await ask.aud('POST', '/metadata/v3/rename', sent)).body).toMatchObject({ code: 'access.denied' })
  expect(
    (await ask.nob<{ places: { component: string }[] }>('POST', '/metadata/v3/rename', sent)).body,
  ).toEqual({
    drafts: ['permission_set/readers'],
    places: expect.not.arrayContaining([
      expect.objectContaining({ component: 'config_set/vat_rate' }),
    ]) as unknown,
  })
  expect((await ask.nob('DELETE', '/setup/v3/drafts/permission_set/readers')).status).toBe(204)
})

it('events of a draft reach only users who can see it', async () => {
  const events = await newsUntil('object/invoice', async () => {
    await test.studio('PUT', draftPath, ended('0.3'))
    await test.studio('PUT', '/setup/v3/drafts/object/invoice', { text: '{}', version: 0 })
  })
  expect(events).toContain('object/invoice')
  expect(events).not.toContain('vat_rate')
})

/** What the event stream sends to nob, up to the words that end the wait. */
async function newsUntil(last: string, work: () => Promise<void>): Promise<string> {
  const headers = { authorization: `Bearer ${tokens.nob}` }
  const response = await fetch(`${test.url}/setup/v3/events`, { headers })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  await work()
  while (!text.includes(last)) text += (await reader.read()).value ?? ''
  await reader.cancel()
  return text
}
