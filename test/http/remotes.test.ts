// Two real orgs: one is a remote of the other, compared three ways, pushed to, followed, rolled back.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type {
  Comparison,
  ComparisonIndex,
  RemoteDrift,
  RemoteGenerationChanges,
  RemoteHistory,
  RemoteJob,
  RemoteTexts,
  RemoteView,
} from '#wire/remotes.ts'
import type { SignInView } from '#wire/session.ts'
import { runningServer, type Answer, type Ask, type TestServer } from '../support/running-server.ts'
import { everything, rate, vatRate } from '../support/small-org.ts'
import { clientSecret, done, impatient, newRemote, operator } from '../support/remote-requests.ts'
import { finished, jobIn, remoteOf, stillJob, twoOrgs, type TwoOrgs } from '../support/two-orgs.ts'

const password = 'correct horse battery'

interface Component {
  type: string
  key: string
  label: string
  body: object
}

const valueSet = (key: string, label = key): Component => ({
  type: 'value_set',
  key,
  label,
  body: { values: [] },
})

/** All of it except the entry of a set whose values are hidden. */
const shownHere = everything.length - 1

const apply = async (ask: Ask, components: object[], removals: string[] = []): Promise<void> =>
  void done(await ask('POST', '/metadata/v3/apply', { components, removals }))

const states = async ({ ask, path }: TwoOrgs, query = ''): Promise<Record<string, string>> => {
  const { body } = done(await ask('GET', `${path}/comparison?limit=2000${query}`)) as { body: unknown }
  return Object.fromEntries((body as Comparison).rows.map(({ id, state }) => [id, state]))
}

describe('the listing for an org that compares itself', () => {
  let test: TestServer
  let reader: Ask
  beforeAll(async () => {
    test = await runningServer()
    await apply(test.studio, everything)
    await test.beside(({ access }) =>
      access.addUser(operator, { key: 'rea', name: 'Rea', permissionSets: ['readers'], password }),
    )
    const minted = await test.plain('POST', '/session/token', { user: 'rea', password })
    reader = test.bearer(minted.body['token'] as string)
  })
  afterAll(() => test.close())

  const listed = async (ask: Ask, limit: number): Promise<string[]> => {
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: Answer<{ digests: Record<string, string>; nextCursor: string | null }> = await ask(
        'GET',
        `/metadata/v3/generations/2/digests?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      ids.push(...Object.keys(body.digests))
      cursor = body.nextCursor
    }
    return ids
  }

  it.each([1, 3, 1000])('contains every digest, in pages of %i', async (limit) => {
    const ids = await listed(test.studio, limit)
    expect(ids).toHaveLength(shownHere + 2)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain('config_set/sealed')
  })

  it('contains nothing that the caller cannot see', async () => {
    const ids = await listed(reader, 2)
    expect(ids).toContain('object/invoice')
    expect(ids.filter((id) => /sealed|vat_rate|greeting/.test(id))).toEqual([])
    const requestedIds = ['object/invoice', 'config_set/sealed', 'config_entry/sealed.all', 'app/nowhere']
    const { text, body } = await reader<{ components: { id: string }[] }>(
      'POST',
      '/metadata/v3/generations/2/contents',
      { ids: requestedIds },
    )
    expect(body.components.map(({ id }) => id)).toEqual(['object/invoice'])
    expect(text).not.toContain('hush')
  })

  it('is refused for a generation that does not exist, and for a cursor of another listing', async () => {
    const refused: [string, string, unknown][] = [
      ['GET', '/metadata/v3/generations/9/digests', undefined],
      ['POST', '/metadata/v3/generations/9/contents', { ids: [] }],
    ]
    for (const [method, path, body] of refused)
      expect((await test.studio(method, path, body)).body['code'], path).toBe('generation.not_found')
    const { body } = await test.studio('GET', '/metadata/v3/generations/2/digests?limit=1')
    const foreign = await test.studio(
      'GET',
      `/metadata/v3/generations/1/digests?cursor=${String(body['nextCursor'])}`,
    )
    expect(foreign.body['code']).toBe('request.malformed')
  })
})

describe('a remote', () => {
  let there: TestServer
  let here: TestServer
  let secret: string
  const path = '/setup/v3/remotes'
  beforeAll(async () => {
    there = await runningServer()
    here = await runningServer({ remoteTerms: impatient })
    secret = await clientSecret(there)
    await there.beside(({ access }) =>
      access.addUser(operator, { key: 'mara', name: 'Mara', permissionSets: ['administrator'], password }),
    )
  })
  afterEach(async () => {
    const { body } = await here.studio<{ remotes: RemoteView[] }>('GET', path)
    for (const { key } of body.remotes) await here.studio('DELETE', `${path}/${key}`)
  })
  afterAll(async () => {
    await here.close()
    await there.close()
  })

  const secretHere = (): Promise<string | null> => here.beside(({ custody }) => custody.get('remote/there'))
  const add = (change: object = {}) =>
    here.studio<RemoteView>('POST', path, { ...newRemote(there.url, secret), ...change })
  const signInsThere = async (): Promise<SignInView[]> =>
    (await there.studio<{ signIns: SignInView[] }>('GET', '/setup/v3/sign-ins?user=*')).body.signIns

  it('is pinned at first contact, and shows which user we are there', async () => {
    const { status, body } = await add()
    expect(status).toBe(201)
    const { lineage } = (await there.studio('GET', '/setup/v3/org')).body
    expect(body).toMatchObject({
      key: 'there',
      url: there.url,
      org: { name: 'Kestrel Test', environment: 'test', lineage },
      production: false,
      proof: { kind: 'client', principal: 'local', custody: 'file' },
      contact: { state: 'reached', generation: 1, user: { key: 'admin' }, approvals: 0, moved: 0 },
      seen: null,
      jobs: [],
    })
  })

  it('keeps its secret in the vault, which only its owner can read, and nowhere else', async () => {
    const added = await add()
    const bits = (name: string): string => (statSync(join(here.dir, name)).mode & 0o777).toString(8)
    expect([bits('vault.sqlite'), bits('vault.key')]).toEqual(['600', '600'])
    expect(await secretHere()).toBe(secret)
    const outputs = [
      added.text,
      (await here.studio('GET', path)).text,
      (await here.studio('POST', `${path}/there/contact`)).text,
      (await here.studio('GET', '/metadata/v3/audit?limit=50')).text,
      ...readdirSync(here.dir)
        .filter((name) => /\.(sqlite|key)/.test(name))
        .map((name) => readFileSync(join(here.dir, name), 'latin1')),
    ]
    for (const text of outputs) expect(text).not.toContain(secret)
    expect((await here.studio('DELETE', `${path}/there`)).status).toBe(204)
    expect(await secretHere()).toBeNull()
  })

  it('moves a secret that was kept in a file before into the vault', async () => {
    await add()
    await here.beside(async ({ custody }) => custody.delete('remote/there'))
    expect(await secretHere()).toBeNull()
    const folder = join(here.dir, 'secrets')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, 'remote.2f.there.secret'), secret, { mode: 0o600 })
    expect(await secretHere()).toBe(secret)
    expect(readdirSync(folder)).toEqual([])
    expect(await secretHere()).toBe(secret)
  })

  it('is reached with a token, and with a password that is exchanged for one and deleted', async () => {
    const minted = await there.plain('POST', '/session/token', { user: 'mara', password, days: 2 })
    const byToken = await add({ proof: { kind: 'token', token: minted.body['token'] } })
    expect(byToken.body.proof).toMatchObject({ kind: 'token', principal: 'mara' })
    const byPassword = await add({ key: 'again', proof: { kind: 'password', user: 'mara', password } })
    expect(byPassword.body.proof).toMatchObject({ kind: 'password', principal: 'mara' })
    const days = (Date.parse(byPassword.body.proof.expiresAt!) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(90)
    expect(await here.beside(({ custody }) => custody.get('remote/again'))).not.toContain(password)
    const before = await signInsThere()
    expect(before.map(({ label }) => label)).toContain('Deploy from Kestrel Test')
    // Credentials that were created for this org end with the remote; those that others created do not.
    await here.studio('DELETE', `${path}/again`)
    await here.studio('DELETE', `${path}/there`)
    const after = await signInsThere()
    expect(before.length - after.length).toBe(1)
    expect(after.map(({ label }) => label)).not.toContain('Deploy from Kestrel Test')
  })

  const refusals: [string, () => object, number, string, RegExp][] = [
    [
      'a wrong secret',
      () => ({ proof: { kind: 'client', client: 'local', secret: 'guess' } }),
      502,
      'integration.sign_in',
      /secret is not valid.*again/,
    ],
    [
      'an unknown token',
      () => ({ proof: { kind: 'token', token: 'almanac_person_guess' } }),
      502,
      'integration.sign_in',
      /unknown or has expired/,
    ],
    [
      'a wrong password',
      () => ({ proof: { kind: 'password', user: 'mara', password: 'wrong horse' } }),
      502,
      'integration.sign_in',
      /user or the password/,
    ],
    ['no address', () => ({ url: 'there' }), 422, 'request.invalid', /is not a valid URL.*https:/],
    [
      'plain http to another machine',
      () => ({ url: 'http://almanac.example' }),
      422,
      'request.invalid',
      /others could read the secret/,
    ],
    [
      'a secret in the address',
      () => ({ url: 'https://mara:hush@almanac.example' }),
      422,
      'request.invalid',
      /remove user and password/,
    ],
    [
      'a page of a server',
      () => ({ url: `${there.url}/setup/v3` }),
      422,
      'request.invalid',
      /use only the URL of the server/,
    ],
    ['an invalid key', () => ({ key: 'There!' }), 422, 'request.invalid', /is not a valid key/],
    [
      'nothing that listens',
      () => ({ url: 'http://127.0.0.1:1' }),
      502,
      'integration.unreachable',
      /ECONNREFUSED.*Check the URL/,
    ],
    [
      'a name that leads nowhere',
      () => ({ url: 'https://nowhere.invalid' }),
      502,
      'integration.unreachable',
      /cannot be reached/,
    ],
    [
      'a server without TLS',
      () => ({ url: there.url.replace('http:', 'https:') }),
      502,
      'integration.tls',
      /cannot be trusted: it does not support TLS at this address.*Nothing was sent/,
    ],
  ]
  it.each(refusals)('is not added with %s, and nothing is stored', async (_, change, status, code, words) => {
    const answer = await add(change())
    expect([answer.status, (answer.body as unknown as { code: string }).code]).toEqual([status, code])
    expect((answer.body as unknown as { detail: string }).detail).toMatch(words)
    if (code.startsWith('integration.'))
      expect(answer.body).toMatchObject({ class: 'integration', origin: 'remote:there' })
    expect((await here.studio<{ remotes: [] }>('GET', path)).body.remotes).toEqual([])
    expect(await secretHere()).toBeNull()
  })

  it('is added once, changed by the submitted fields, and requires its secret again for a different host', async () => {
    await add()
    expect((await add()).body).toMatchObject({ code: 'conflict.exists' })
    const changed = await here.studio<RemoteView>('PUT', `${path}/there`, {
      name: 'Over there',
      colour: 'red',
    })
    expect(changed.body).toMatchObject({ name: 'Over there', colour: 'red', url: there.url })
    const moved = await here.studio('PUT', `${path}/there`, { url: 'https://almanac.example' })
    expect([moved.status, moved.body['code']]).toEqual([422, 'request.invalid'])
    const other = await here.studio('PUT', `${path}/there`, {
      url: there.url.replace('127.0.0.1', 'localhost'),
    })
    expect(other.body['detail']).toContain('Enter it again')
  })

  it('that is now a different org is refused until a user pins it again', async () => {
    const other = await runningServer()
    try {
      await add()
      await finished(here.studio, `${path}/there`, 'compare')
      const otherSecret = await clientSecret(other)
      const proof = { kind: 'client', client: 'local', secret: otherSecret }
      const swapped = await here.studio('PUT', `${path}/there`, { url: other.url, proof })
      expect([swapped.status, swapped.body['code']]).toEqual([409, 'conflict.lineage_changed'])
      expect(swapped.body['detail']).toContain('pin it again first')
    } finally {
      await other.close()
    }
  })

  it('is only visible with the permission to manage credentials, even in the event stream', async () => {
    await here.beside(({ access }) => access.addUser(operator, { key: 'tom', name: 'Tom', password }))
    const minted = await here.plain('POST', '/session/token', { user: 'tom', password })
    const tom = here.bearer(minted.body['token'] as string)
    await add()
    const doors: [string, string, unknown?][] = [
      ['GET', ''],
      ['POST', '', newRemote(there.url, secret)],
      ['GET', '/there'],
      ['PUT', '/there', {}],
      ['DELETE', '/there'],
      ['POST', '/there/contact'],
      ['POST', '/there/pin', { lineage: 'x' }],
      ['POST', '/there/compare'],
      ['GET', '/there/comparison'],
      ['GET', '/there/comparison/index'],
      ['GET', '/there/texts/app/a'],
      ['POST', '/there/seen', { generation: 1 }],
      ['POST', '/there/retrieve'],
      ['POST', '/there/take', { ids: ['app/a'] }],
      ['GET', '/there/drift'],
      ['GET', '/there/generations'],
      ['GET', '/there/generations/1'],
      ['POST', '/there/push', {}],
      ['POST', '/there/rollback', { generation: 1 }],
      ['GET', '/there/jobs'],
      ['GET', '/there/jobs/x'],
      ['POST', '/there/jobs/x/proceed', {}],
      ['POST', '/there/jobs/x/resume'],
      ['POST', '/there/jobs/x/cancel'],
    ]
    for (const [method, door, body] of doors) {
      const { status, body: problem } = await tom(method, path + door, body)
      expect([status, problem['code']], `${method} ${door}`).toEqual([403, 'access.denied'])
    }
    const streams = [
      { who: 'tom', authorization: `Bearer ${String(minted.body['token'])}` },
      { who: 'admin', cookie: here.cookie },
    ] as const
    const heard = await Promise.all(
      streams.map(async ({ who: _who, ...headers }) => {
        const stream = await fetch(`${here.url}/setup/v3/events`, { headers })
        return stream.body!.pipeThrough(new TextDecoderStream()).getReader()
      }),
    )
    for (const each of heard) await each.read()
    await finished(here.studio, `${path}/there`, 'compare')
    await here.studio('PUT', '/setup/v3/drafts/value_set/after', { text: '{}', version: 0 })
    const until = async (stream: ReadableStreamDefaultReader<string>, word: string): Promise<string> => {
      let text = ''
      while (!text.includes(word)) text += (await stream.read()).value ?? ''
      await stream.cancel()
      return text
    }
    // Both of them receive the event of the draft, which is sent after the events of the remote.
    await here.studio('DELETE', '/setup/v3/drafts/value_set/after')
    expect(await until(heard[1]!, 'event: draft')).toContain('event: remote')
    await apply(here.studio, [valueSet('applied')])
    expect(await until(heard[0]!, 'event: generation')).not.toContain('event: remote')
  })
})

describe('a comparison', () => {
  let two: TwoOrgs
  beforeEach(async () => {
    two = await twoOrgs()
  })
  afterEach(() => two.close())

  it('is based on what was last seen, and distinguishes drift from own changes', async () => {
    const keys = ['same', 'mine', 'theirs', 'both', 'gone_here', 'gone_there', 'agreed']
    const all = keys.map((key) => valueSet(key))
    await apply(two.there.studio, all)
    await apply(two.here.studio, all)
    await finished(two.ask, two.path, 'compare')
    expect(new Set(Object.values(await states(two)))).toEqual(new Set(['same']))

    await apply(
      two.here.studio,
      [
        valueSet('mine', 'Mine'),
        valueSet('both', 'Here'),
        valueSet('agreed', 'Agreed'),
        valueSet('new_here'),
      ],
      ['value_set/gone_here'],
    )
    await apply(
      two.there.studio,
      [
        valueSet('theirs', 'Theirs'),
        valueSet('both', 'There'),
        valueSet('agreed', 'Agreed'),
        valueSet('new_there'),
      ],
      ['value_set/gone_there'],
    )
    await finished(two.ask, two.path, 'compare')
    const { body } = await two.ask<Comparison>('GET', `${two.path}/comparison?limit=2000`)
    const rows = new Map(body.rows.map((row) => [row.key, row]))
    const expected: [string, string, boolean, boolean, string | null, string | null][] = [
      // key, state, drift, moved, what a push would do, what they did
      ['same', 'same', false, false, null, null],
      ['mine', 'changed_local', false, true, 'changed', null],
      ['theirs', 'changed_remote', true, false, 'changed', 'changed'],
      ['both', 'both', true, true, 'changed', 'changed'],
      ['agreed', 'same', true, true, null, 'changed'],
      ['new_here', 'only_local', false, true, 'added', null],
      ['new_there', 'only_remote', true, false, 'removed', 'added'],
      ['gone_here', 'only_remote', false, true, 'removed', null],
      ['gone_there', 'only_local', true, false, 'added', 'removed'],
    ]
    for (const [key, state, drift, moved, push, theirs] of expected) {
      const row = rows.get(key)!
      expect(
        [row.state, row.drift, row.moved, row.push?.kind ?? null, row.theirs?.kind ?? null],
        key,
      ).toEqual([state, drift, moved, push, theirs])
    }
    expect(rows.get('both')!.push).toMatchObject({
      words: { title: 'value set Here, Label', before: 'There', after: 'Here' },
      values: [{ path: '/label', before: 'There', after: 'Here' }],
    })
    expect(rows.get('both')!.theirs!.values).toEqual([{ path: '/label', before: 'both', after: 'There' }])
    expect(body.counts).toMatchObject({ same: 4, both: 1, only_local: 2, only_remote: 2 })
    expect([body.drift, body.problem]).toEqual([5, null])

    // Filters, and pages that follow without a gap.
    expect(Object.keys(await states(two, '&state=both,changed_local'))).toEqual([
      'value_set/both',
      'value_set/mine',
    ])
    expect(Object.keys(await states(two, '&drift=true'))).toHaveLength(5)
    expect(Object.keys(await states(two, '&q=gone'))).toHaveLength(2)
    expect(Object.keys(await states(two, '&type=app'))).toEqual([])
    const paged: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Answer<Comparison> = await two.ask(
        'GET',
        `${two.path}/comparison?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      paged.push(...page.body.rows.map(({ id }) => id))
      cursor = page.body.nextCursor
    }
    expect(paged).toEqual(body.rows.map(({ id }) => id))

    // The other users' changes, with their names.
    const drift = (await two.ask<RemoteDrift>('GET', `${two.path}/drift`)).body
    expect(drift.generations.map(({ actor, ours }) => [actor, ours])).toEqual([['admin', false]])
    expect(drift.components.map(({ id, kind }) => `${kind} ${id}`)).toEqual([
      'changed value_set/agreed',
      'changed value_set/both',
      'removed value_set/gone_there',
      'added value_set/new_there',
      'changed value_set/theirs',
    ])
    expect((await remoteOf(two)).contact).toMatchObject({ moved: 1 })

    // By default, a push selects what only this org changed; the other users' changes stay.
    const pushed = await finished(two.ask, two.path, 'push', {})
    expect(pushed.plan!.changes.map(({ id }) => id)).toEqual(['value_set/mine', 'value_set/new_here'])
    expect(Object.keys(await states(two, '&drift=true'))).toHaveLength(5)
    expect((await remoteOf(two)).seen!.generation).toBe(2)

    // Once seen, it is no longer drift.
    const stale = await two.ask('POST', `${two.path}/seen`, { generation: 2 })
    expect(stale.body['code']).toBe('conflict.stale_generation')
    const seen = await two.ask<RemoteView>('POST', `${two.path}/seen`, { generation: 4 })
    expect(seen.body).toMatchObject({ seen: { generation: 4 }, contact: { moved: 0 } })
    expect(Object.keys(await states(two, '&drift=true'))).toEqual([])
    expect((await two.ask<RemoteDrift>('GET', `${two.path}/drift`)).body.components).toEqual([])
  })

  it('includes drafts, which are pushed without being applied here', async () => {
    await apply(two.here.studio, [valueSet('kept'), valueSet('dropped')])
    await finished(two.ask, two.path, 'push', {})
    const drafts: [string, string | null][] = [
      ['kept', JSON.stringify(valueSet('kept', 'Drafted'))],
      ['dropped', null],
      ['fresh', JSON.stringify(valueSet('fresh'))],
      ['torn', '{ "type": "value_set", '],
    ]
    for (const [key, text] of drafts)
      done(await two.ask('PUT', `/setup/v3/drafts/value_set/${key}`, { text, version: 0 }))
    const { body } = await two.ask<Comparison>('GET', `${two.path}/comparison?local=drafts`)
    expect(body.local.unread).toEqual(['value_set/torn'])
    const differences = body.rows
      .filter(({ state }) => state !== 'same')
      .map(({ id, state, draft }) => [id, state, draft])
    expect(differences).toEqual([
      ['value_set/dropped', 'only_remote', true],
      ['value_set/fresh', 'only_local', true],
      ['value_set/kept', 'changed_local', true],
    ])
    const ids = ['value_set/dropped', 'value_set/fresh', 'value_set/kept']
    expect(await finished(two.ask, two.path, 'push', { local: 'drafts', ids })).toMatchObject({
      state: 'done',
      outcome: { generation: 3, changes: 3 },
    })
    const { body: remoteBody } = await two.there.studio<{ components: { label: string }[] }>(
      'GET',
      '/metadata/v3/components?type=value_set',
    )
    expect(remoteBody.components.map(({ label }) => label)).toEqual(['fresh', 'Drafted'])
    expect((await two.ask<{ drafts: unknown[] }>('GET', '/setup/v3/drafts')).body.drafts).toHaveLength(4)
  })

  it('must be created before it is read', async () => {
    for (const door of ['comparison', 'drift']) {
      const { status, body } = await two.ask('GET', `${two.path}/${door}`)
      expect([status, body['code']], door).toEqual([409, 'remote.job_state'])
    }
  })

  it('shows one component as text on each side, and refuses one that is on neither side', async () => {
    await apply(two.here.studio, [valueSet('both', 'At first')])
    await finished(two.ask, two.path, 'push', {})
    await apply(two.here.studio, [valueSet('both', 'Here')])
    await apply(two.there.studio, [valueSet('both', 'There')])
    await finished(two.ask, two.path, 'compare')
    const { body } = await two.ask<RemoteTexts>('GET', `${two.path}/texts/value_set/both`)
    const labels = [body.local, body.seen, body.listed].map((text) => (JSON.parse(text!) as Component).label)
    expect(labels).toEqual(['Here', 'At first', 'There'])
    await apply(two.here.studio, [valueSet('mine')])
    const mine = await two.ask<RemoteTexts>('GET', `${two.path}/texts/value_set/mine`)
    expect([mine.body.seen, mine.body.listed]).toEqual([null, null])
    const none = await two.ask('GET', `${two.path}/texts/value_set/nowhere`)
    expect(none.body['code']).toBe('component.not_found')
  })

  it("saves the remote's components as drafts here", async () => {
    await apply(two.there.studio, [valueSet('theirs', 'Of theirs')])
    await apply(two.here.studio, [valueSet('mine')])
    await finished(two.ask, two.path, 'compare')
    const ids = ['value_set/theirs', 'value_set/mine']
    expect((await two.ask('POST', `${two.path}/take`, { ids })).body).toEqual({ drafts: ids })
    const { body } = await two.ask<{ drafts: { id: string; text: string | null }[] }>(
      'GET',
      '/setup/v3/drafts',
    )
    expect(
      body.drafts.map(({ id, text }) => [id, text === null ? null : (JSON.parse(text) as Component).label]),
    ).toEqual([
      ['value_set/mine', null],
      ['value_set/theirs', 'Of theirs'],
    ])
    const none = await two.ask('POST', `${two.path}/take`, { ids: ['app/nowhere'] })
    expect(none.body['code']).toBe('component.not_found')
  })
})

describe('retrieve', () => {
  it('fetches what is not stored here, once', async () => {
    const two = await twoOrgs()
    try {
      await apply(two.there.studio, everything)
      await apply(two.here.studio, everything.slice(0, 5))
      const first = await finished(two.ask, two.path, 'retrieve')
      expect(first).toMatchObject({
        state: 'done',
        outcome: { generation: 2, fetched: shownHere - 5 },
      })
      expect((await finished(two.ask, two.path, 'retrieve')).outcome!.fetched).toBe(0)
      await apply(two.there.studio, [{ ...vatRate, label: 'Another' }])
      expect((await finished(two.ask, two.path, 'retrieve')).outcome!.fetched).toBe(1)
      expect((await remoteOf(two)).seen!.generation).toBe(3)
    } finally {
      await two.close()
    }
  })
})

describe('a push', () => {
  let two: TwoOrgs
  beforeEach(async () => {
    two = await twoOrgs()
    await apply(two.here.studio, everything)
  })
  afterEach(() => two.close())

  it('includes what it needs, and explains why', async () => {
    const job = await finished(two.ask, two.path, 'push', {
      ids: ['config_entry/vat_rate.de_2021'],
      rationale: 'one',
    })
    expect(job).toMatchObject({ state: 'done', rationale: 'one' })
    const along = job.plan!.cameAlong.map(({ id }) => id)
    expect(along).toContain('config_set/vat_rate')
    expect(along).toContain('object/invoice')
    expect(along).not.toContain('config_set/greeting')
    expect(job.plan!.cameAlong[0]!.because[0]!.reason).toMatch(/vat_rate/)
    const left = await states(two, '&state=only_local')
    expect(Object.keys(left)).toContain('config_set/greeting')
    const { body } = await two.there.studio<{ generations: { rationale: string; correlationId: string }[] }>(
      'GET',
      '/metadata/v3/generations',
    )
    const audit = await two.ask<{ rows: object[] }>('GET', '/metadata/v3/audit?component=remote/there')
    expect(audit.body.rows).toMatchObject([
      { kind: 'remote.pushed', actor: 'admin', rationale: 'one', after: { job: job.id, generation: 2 } },
      { kind: 'remote.added' },
    ])
    expect(body.generations[0]).toMatchObject({
      rationale: 'one',
      correlationId: expect.stringMatching(/^almanac:/),
    })
  })

  it('removes there only selected components, with what still refers to them', async () => {
    await finished(two.ask, two.path, 'push', {})
    await apply(two.here.studio, [], ['calc_function/gross', 'value_set/none'].slice(0, 1))
    expect(await finished(two.ask, two.path, 'push', {})).toMatchObject({
      state: 'done',
      outcome: { generation: null, changes: 0 },
    })
    const job = await finished(two.ask, two.path, 'push', { ids: ['calc_function/gross'] })
    expect(job).toMatchObject({ outcome: { generation: 3, changes: 1 } })
    expect(job.plan!.counts.removed).toBe(1)
  })

  it('uses the default with exceptions, over everything that the index lists', async () => {
    await finished(two.ask, two.path, 'compare')
    await apply(two.here.studio, [valueSet('stays'), valueSet('goes')])
    await apply(two.there.studio, [valueSet('theirs')])
    await finished(two.ask, two.path, 'compare')
    const { body } = await two.ask<ComparisonIndex>('GET', `${two.path}/comparison/index`)
    const pages = await states(two, '&state=only_local,only_remote,changed_local,changed_remote,both')
    const listed = body.differing.flatMap(({ state, ids }) => ids.map((id) => [id, state]))
    expect(Object.fromEntries(listed)).toEqual(pages)
    expect(body.differing).toContainEqual({ state: 'only_remote', drift: true, ids: ['value_set/theirs'] })
    const job = await finished(two.ask, two.path, 'push', {
      except: ['value_set/stays'],
      also: ['value_set/theirs'],
    })
    expect(job).toMatchObject({ state: 'done', plan: { counts: { removed: 1 } } })
    expect(await states(two)).toMatchObject({ 'value_set/stays': 'only_local', 'value_set/goes': 'same' })
    const both = await two.ask('POST', `${two.path}/push`, { ids: [], except: ['value_set/stays'] })
    expect(both).toMatchObject({ status: 422, body: { code: 'request.invalid' } })
  })

  it('lists what cannot be pushed', async () => {
    const job = await finished(two.ask, two.path, 'push', { ids: ['config_set/vat_rates'] })
    expect(job).toMatchObject({
      state: 'failed',
      problem: { code: 'request.invalid', origin: 'api.request' },
    })
    expect(job.problem!.detail).toContain('Did you mean "config_set/vat_rate"?')
  })

  it('that is not valid there applies nothing, and shows the findings', async () => {
    // There, an entry that overlaps with one that is pushed.
    await apply(two.there.studio, [everything[0]!, vatRate, rate('other', 'DE', '2000-01-01', null, '0.5')])
    await finished(two.ask, two.path, 'compare')
    await finished(two.ask, two.path, 'compare')
    const before = (await two.there.studio('GET', '/metadata/v3/generations')).body['active']
    const job = await finished(two.ask, two.path, 'push', {})
    expect(job).toMatchObject({
      state: 'failed',
      plan: { refused: true },
      problem: { code: 'integration.refused', remoteCode: 'deploy.invalid', origin: 'remote:there' },
    })
    expect(job.plan!.findings.map(({ code }) => code)).toContain('config.range_overlap')
    expect((await two.there.studio('GET', '/metadata/v3/generations')).body['active']).toBe(before)
    // Fixed here, the same job continues.
    await apply(
      two.here.studio,
      [],
      ['config_entry/vat_rate.de_2007', 'config_entry/vat_rate.de_2020', 'config_entry/vat_rate.de_2021'],
    )
    const resumed = await two.ask<RemoteJob>('POST', `${two.path}/jobs/${job.id}/resume`)
    expect(resumed.status).toBe(202)
    expect(await stillJob(two.ask, two.path, job.id)).toMatchObject({ state: 'done' })
  })

  it('names the permission that is missing there', async () => {
    await two.there.beside(({ access }) =>
      access.addUser(operator, { key: 'poor', name: 'Poor', permissionSets: [], password }),
    )
    const proof = { kind: 'password', user: 'poor', password }
    done(await two.ask('PUT', two.path, { proof }))
    const job = await finished(two.ask, two.path, 'push', { ids: ['object/invoice'] })
    expect(job).toMatchObject({
      state: 'failed',
      problem: { code: 'integration.forbidden', remoteCode: 'access.denied' },
    })
    expect(job.problem!.detail).toContain('metadata.author')
  })

  it('waits for a review if one is requested, and is bound to what was reviewed', async () => {
    const review = await finished(two.ask, two.path, 'push', { review: true })
    expect(review).toMatchObject({
      state: 'review',
      plan: { total: shownHere, refused: false },
      outcome: null,
    })
    expect((await two.there.studio('GET', '/metadata/v3/generations')).body['active']).toBe(1)
    // A user changes here what was reviewed.
    await apply(two.here.studio, [{ ...vatRate, label: 'Changed since' }])
    done(await two.ask('POST', `${two.path}/jobs/${review.id}/proceed`, {}))
    const stale = await stillJob(two.ask, two.path, review.id)
    expect(stale).toMatchObject({
      state: 'failed',
      problem: { code: 'integration.refused', remoteCode: 'conflict.stale_plan' },
    })
    expect((await two.there.studio('GET', '/metadata/v3/generations')).body['active']).toBe(1)
    const again = await finished(two.ask, two.path, 'push', { review: true })
    done(await two.ask('POST', `${two.path}/jobs/${again.id}/proceed`, { rationale: 'looked at' }))
    expect(await stillJob(two.ask, two.path, again.id)).toMatchObject({
      state: 'done',
      rationale: 'looked at',
    })
    const twice = await two.ask('POST', `${two.path}/jobs/${again.id}/proceed`, {})
    expect(twice.body['code']).toBe('remote.job_state')
  })

  it('can be cancelled before it is sent, and a remote has one job at a time', async () => {
    const review = await finished(two.ask, two.path, 'push', { review: true })
    const { body } = await two.ask<RemoteJob>('POST', `${two.path}/jobs/${review.id}/cancel`)
    expect(body.state).toBe('cancelled')
    const first = await two.ask<RemoteJob>('POST', `${two.path}/push`, {})
    const second = await two.ask('POST', `${two.path}/compare`)
    expect([second.status, second.body['code']]).toEqual([409, 'remote.busy'])
    expect(await stillJob(two.ask, two.path, first.body.id)).toMatchObject({ state: 'done' })
    const jobs = await two.ask<{ jobs: RemoteJob[] }>('GET', `${two.path}/jobs`)
    expect(jobs.body.jobs.map(({ state }) => state)).toEqual(['done', 'cancelled'])
  })

  it('is rolled back there, which creates a new generation', async () => {
    await finished(two.ask, two.path, 'push', {})
    const job = await finished(two.ask, two.path, 'rollback', { generation: 1, rationale: 'too soon' })
    expect(job).toMatchObject({ state: 'done', outcome: { generation: 3, changes: shownHere } })
    const { body } = await two.ask<RemoteHistory>('GET', `${two.path}/generations`)
    expect(body.generations.map(({ kind, ours, rationale }) => [kind, ours, rationale])).toEqual([
      ['rollback', true, 'too soon'],
      ['apply', true, ''],
      ['init', false, 'The org is created.'],
    ])
    const { body: changes } = await two.ask<RemoteGenerationChanges>('GET', `${two.path}/generations/3`)
    expect(changes.generation).toMatchObject({ generation: 3, kind: 'rollback', ours: true })
    expect(changes.changes.map(({ kind, id }) => `${kind} ${id}`)).toContain('removed object/invoice')
    // It is our own, so it is not drift.
    expect((await remoteOf(two)).contact).toMatchObject({ moved: 0, generation: 3 })
    expect(Object.keys(await states(two, '&drift=true'))).toEqual([])
    const nowhere = await finished(two.ask, two.path, 'rollback', { generation: 99 })
    expect(nowhere).toMatchObject({ state: 'failed', problem: { remoteCode: 'generation.not_found' } })
  })

  it('is rolled back only after a review, and only to what was reviewed', async () => {
    await finished(two.ask, two.path, 'push', {})
    const review = await finished(two.ask, two.path, 'rollback', { generation: 1, review: true })
    expect(review).toMatchObject({ state: 'review', plan: { base: 2, total: shownHere, refused: false } })
    expect(review.plan!.changes.map(({ kind }) => kind)).toContain('removed')
    expect((await remoteOf(two)).contact).toMatchObject({ generation: 2 })
    await apply(two.there.studio, [valueSet('since')])
    done(await two.ask('POST', `${two.path}/jobs/${review.id}/proceed`, {}))
    expect(await stillJob(two.ask, two.path, review.id)).toMatchObject({
      state: 'failed',
      problem: { remoteCode: 'conflict.stale_plan' },
    })
    const again = await finished(two.ask, two.path, 'rollback', { generation: 1, review: true })
    done(await two.ask('POST', `${two.path}/jobs/${again.id}/proceed`, {}))
    expect(await stillJob(two.ask, two.path, again.id)).toMatchObject({
      state: 'done',
      outcome: { generation: 4 },
    })
  })
})

describe('a production remote', () => {
  it.each(['prod', 'Production', 'prod-eu'])(
    'called %s requires the name of the org',
    async (environment) => {
      const two = await twoOrgs({ environment })
      try {
        expect((await remoteOf(two)).production).toBe(true)
        await apply(two.here.studio, [valueSet('a')])
        const asks: [string, object][] = [
          ['push', {}],
          ['push', { confirm: 'kestrel there' }],
          ['push', { confirm: 'There' }],
          ['rollback', { generation: 1 }],
          ['rollback', { generation: 1, confirm: '' }],
        ]
        for (const [verb, body] of asks) {
          const refused = await two.ask('POST', `${two.path}/${verb}`, body)
          expect([refused.status, refused.body['code']], JSON.stringify(body)).toEqual([
            422,
            'remote.not_confirmed',
          ])
        }
        expect((await two.ask<{ jobs: [] }>('GET', `${two.path}/jobs`)).body.jobs).toEqual([])
        const review = await finished(two.ask, two.path, 'push', { review: true })
        const unconfirmed = await two.ask('POST', `${two.path}/jobs/${review.id}/proceed`, {})
        expect(unconfirmed.body['code']).toBe('remote.not_confirmed')
        const confirm = 'Kestrel There'
        done(await two.ask('POST', `${two.path}/jobs/${review.id}/proceed`, { confirm }))
        expect(await stillJob(two.ask, two.path, review.id)).toMatchObject({ state: 'done' })
      } finally {
        await two.close()
      }
    },
  )
})

describe('a remote that requires approvals', () => {
  let two: TwoOrgs
  let ben: Ask
  const requests = '/metadata/v3/change-requests'
  beforeEach(async () => {
    two = await twoOrgs()
    await two.there.beside(({ access }) =>
      access.addUser(operator, { key: 'ben', name: 'Ben', permissionSets: ['administrator'], password }),
    )
    done(await two.there.studio('PUT', '/setup/v3/approvals', { required: 1 }))
    const minted = await two.there.plain('POST', '/session/token', { user: 'ben', password })
    ben = two.there.bearer(minted.body['token'] as string)
    await apply(two.here.studio, [valueSet('a')])
  })
  afterEach(() => two.close())

  const submitted = async (): Promise<RemoteJob> => {
    const job = await finished(two.ask, two.path, 'push', { rationale: 'please', title: 'Rates of spring' })
    expect(job).toMatchObject({
      state: 'waiting',
      plan: { approvals: 1 },
      request: { state: 'open', approvals: 0, required: 1 },
      outcome: null,
    })
    return job
  }
  const approve = async ({ request }: RemoteJob): Promise<void> => {
    const { body } = await ben<{ digest: string; title: string; rationale: string }>(
      'GET',
      `${requests}/${request!.id}`,
    )
    expect(body).toMatchObject({ title: 'Rates of spring', rationale: 'please' })
    done(await ben('POST', `${requests}/${request!.id}/approve`, { digest: body.digest }))
  }

  it('gets a change request, which is followed until a user applies it there', async () => {
    const job = await submitted()
    expect((await remoteOf(two)).contact).toMatchObject({ approvals: 1 })
    await approve(job)
    done(await ben('POST', `${requests}/${job.request!.id}/apply`, {}))
    const end = await jobIn(two.ask, two.path, job.id, ['done'])
    expect(end).toMatchObject({ request: { state: 'applied', approvals: 1 }, outcome: { generation: 2 } })
    expect(await states(two)).toMatchObject({ 'value_set/a': 'same' })
    // The resulting generation is ours, although another user applied it.
    expect((await two.ask<RemoteDrift>('GET', `${two.path}/drift`)).body.generations).toEqual([])
  })

  it('does not apply it from here before it is approved, and continues to wait', async () => {
    const job = await submitted()
    done(await two.ask('POST', `${two.path}/jobs/${job.id}/proceed`, {}))
    expect(await stillJob(two.ask, two.path, job.id)).toMatchObject({
      state: 'waiting',
      problem: { code: 'integration.refused', remoteCode: 'deploy.approval_required' },
    })
  })

  it('applies it from here when a user continues the job, after another user has approved', async () => {
    const job = await submitted()
    await approve(job)
    await jobIn(two.ask, two.path, job.id, ['waiting'])
    done(await two.ask('POST', `${two.path}/jobs/${job.id}/proceed`, {}))
    expect(await jobIn(two.ask, two.path, job.id, ['done', 'failed'])).toMatchObject({
      state: 'done',
      outcome: { generation: 2 },
    })
  })

  it('is asked for the state of its change request on every contact', async () => {
    await two.close()
    two = await twoOrgs({ options: { remoteTerms: { ...impatient, followMs: 600_000 } } })
    await two.there.beside(({ access }) =>
      access.addUser(operator, { key: 'ben', name: 'Ben', permissionSets: ['administrator'], password }),
    )
    done(await two.there.studio('PUT', '/setup/v3/approvals', { required: 1 }))
    const minted = await two.there.plain('POST', '/session/token', { user: 'ben', password })
    ben = two.there.bearer(minted.body['token'] as string)
    await apply(two.here.studio, [valueSet('a')])
    const job = await submitted()
    await approve(job)
    const standing = async (): Promise<RemoteJob> =>
      (await two.ask<RemoteJob>('GET', `${two.path}/jobs/${job.id}`)).body
    expect(await standing()).toMatchObject({ request: { state: 'open' } })
    done(await two.ask('POST', `${two.path}/contact`))
    expect(await standing()).toMatchObject({ state: 'waiting', request: { state: 'approved', approvals: 1 } })
  })

  it('ends the push by rejecting it, with nothing applied', async () => {
    const job = await submitted()
    done(await ben('POST', `${requests}/${job.request!.id}/reject`, { reason: 'not yet' }))
    const end = await jobIn(two.ask, two.path, job.id, ['failed'])
    expect(end).toMatchObject({ request: { state: 'rejected' }, problem: { code: 'integration.refused' } })
    expect((await two.there.studio('GET', '/metadata/v3/generations')).body['active']).toBe(1)
  })

  it('withdraws it if the job is cancelled here', async () => {
    const job = await submitted()
    expect((await two.ask<RemoteJob>('POST', `${two.path}/jobs/${job.id}/cancel`)).body.state).toBe(
      'cancelled',
    )
    const { body } = await ben('GET', `${requests}/${job.request!.id}`)
    expect(body['state']).toBe('withdrawn')
  })

  it('requires approval of rollbacks too', async () => {
    const job = await finished(two.ask, two.path, 'push', {})
    const { body } = await ben<{ digest: string }>('GET', `${requests}/${job.request!.id}`)
    done(await ben('POST', `${requests}/${job.request!.id}/approve`, { digest: body.digest }))
    done(await ben('POST', `${requests}/${job.request!.id}/apply`, {}))
    await jobIn(two.ask, two.path, job.id, ['done'])
    expect(await finished(two.ask, two.path, 'rollback', { generation: 1 })).toMatchObject({
      state: 'waiting',
      request: { state: 'open' },
    })
  })
})
