// A remote that hangs, cuts connections, alters responses, redirects, has a different version or is a different org:
// each is distinguished, nothing is applied twice, nothing is lost. A real relay runs in front of a real org.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Comparison, RemoteJob, RemoteView } from '#wire/remotes.ts'
import { relayTo, type Behaviour, type Relay } from '../support/relay.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { clientSecret, done, impatient, newRemote } from '../support/remote-requests.ts'
import { finished, jobIn, stillJob } from '../support/two-orgs.ts'

const path = '/setup/v3/remotes/there'
const limits = { connectMs: 5000, responseMs: 2500, chunkMs: 2500, bodyMs: 4000, bytes: 256 * 1024 }
const json = { 'content-type': 'application/json' }
const valueSet = (key: string, label = key) => ({ type: 'value_set', key, label, body: { values: [] } })
const envelope = (code: string, detail: string): string =>
  JSON.stringify({ code, detail, class: 'x', correlationId: 'theirs-1', details: [{ told: true }] })

let there: TestServer
let here: TestServer
let relay: Relay
let secret: string

async function open(): Promise<void> {
  there = await runningServer()
  relay = await relayTo(there.url)
  here = await runningServer({ remoteTerms: { ...impatient, limits, workMs: 2500 } })
  secret = await clientSecret(there)
  done(await here.studio('POST', '/setup/v3/remotes', newRemote(relay.url, secret)))
}

async function close(): Promise<void> {
  await here.close()
  await relay.close()
  await there.close()
}

interface GenerationRow {
  generation: number
  correlationId: string
}

const generationsThere = async (): Promise<GenerationRow[]> =>
  (await there.studio<{ generations: GenerationRow[] }>('GET', '/metadata/v3/generations')).body.generations

const applies = (): number => relay.passed.filter((line) => line === 'POST /metadata/v3/apply').length

describe('a connection', () => {
  let elsewhere: ReturnType<typeof createServer>
  let askedElsewhere = 0
  beforeAll(async () => {
    await open()
    elsewhere = createServer((_asked, answer) => {
      askedElsewhere += 1
      answer.end()
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => relay.heal())
  afterAll(async () => {
    elsewhere.close()
    await close()
  })

  const org = /GET \/setup\/v3\/org/
  const cases: [string, Behaviour, number, string, RegExp, string | null][] = [
    ['hangs', 'hang', 504, 'integration.timeout', /no response within/, null],
    ['ends the connection', 'cut', 502, 'integration.connection_lost', /Try again/, null],
    ['ends it in mid-answer', 'half', 502, 'integration.connection_lost', /Try again/, null],
    [
      'is a web page',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Hi</h1>' },
      502,
      'integration.unreadable',
      /text\/html instead of JSON/,
      null,
    ],
    [
      'answers other JSON',
      { status: 200, headers: json, body: '{"hello":1}' },
      502,
      'integration.unreadable',
      /not a valid Almanac response \(at name\)/,
      null,
    ],
    [
      'answers broken JSON',
      { status: 200, headers: json, body: '{"name":' },
      502,
      'integration.unreadable',
      /not a valid Almanac response/,
      null,
    ],
    [
      'answers nothing',
      { status: 204 },
      502,
      'integration.unreadable',
      /instead of JSON|not a valid Almanac response/,
      null,
    ],
    [
      'fails as a proxy does',
      { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad Gateway</h1>' },
      502,
      'integration.unreadable',
      /returned 502 for GET \/setup\/v3\/org/,
      null,
    ],
    [
      'has retired the protocol',
      { status: 410, headers: json, body: envelope('protocol.retired_version', 'v3 is retired.') },
      502,
      'integration.other_version',
      /a version of the protocol other than v3.*v3 is retired/,
      'protocol.retired_version',
    ],
    [
      'does not know the protocol',
      { status: 404, headers: json, body: envelope('route.not_found', 'Nothing is served here.') },
      502,
      'integration.other_version',
      /Update both sides to the same version/,
      'route.not_found',
    ],
    [
      'does not know us',
      { status: 401, headers: json, body: envelope('auth.invalid', 'The token is unknown.') },
      502,
      'integration.sign_in',
      /did not accept the credentials.*again/,
      'auth.invalid',
    ],
    [
      'does not allow it',
      { status: 403, headers: json, body: envelope('access.denied', 'poor lacks it.') },
      502,
      'integration.forbidden',
      /does not allow it: poor lacks it/,
      'access.denied',
    ],
    [
      'is busy',
      {
        status: 429,
        headers: { ...json, 'retry-after': '7' },
        body: envelope('auth.throttled', 'Too many.'),
      },
      502,
      'integration.refused',
      /refused: Too many/,
      'auth.throttled',
    ],
    [
      'fails inside',
      { status: 500, headers: json, body: envelope('internal.error', 'Something went wrong inside.') },
      502,
      'integration.refused',
      /refused: Something/,
      'internal.error',
    ],
    [
      'never ends its answer',
      { status: 200, headers: json, body: `"${'x'.repeat(400 * 1024)}"` },
      502,
      'integration.too_large',
      /more than 256 KiB/,
      null,
    ],
    [
      'is a different org',
      (body) => body.replace(/"lineage":"[^"]+"/, '"lineage":"0197d0e4-other"'),
      409,
      'conflict.lineage_changed',
      /was the org Kestrel Test.*0197d0e4-other\. .*pin it again\. Nothing was sent/,
      null,
    ],
  ]
  it.each(cases)(
    "to a remote that %s reports it, and the remote's state records it",
    async (_, behaviour, status, code, words, remoteCode) => {
      relay.behave(org, behaviour)
      const { status: found, body, headers } = await here.studio('POST', `${path}/contact`)
      expect([found, body['code']]).toEqual([status, code])
      expect(body['detail']).toMatch(words)
      expect(body['origin']).toBe('remote:there')
      if (code.startsWith('integration.')) {
        expect(body['class']).toBe('integration')
        expect(body['details']).toMatchObject([{ remote: 'there', url: relay.url, code: remoteCode }])
      }
      if (remoteCode !== null)
        expect(body['details']).toMatchObject([{ correlationId: 'theirs-1', details: [{ told: true }] }])
      if (remoteCode === 'auth.throttled') expect(headers.get('retry-after')).toBe('7')
      expect(body['detail']).not.toContain(secret)
      const kept = await here.studio<RemoteView>('GET', path)
      expect(kept.body.contact).toMatchObject({
        state: 'failed',
        problem: { code, remoteCode, origin: 'remote:there' },
      })
      relay.heal()
      const healed = await here.studio<RemoteView>('POST', `${path}/contact`)
      expect(healed.body.contact).toMatchObject({ state: 'reached' })
    },
  )

  it.each(['drip', 'drip_head'] as const)(
    'to a remote that sends one byte at a time (%s) ends in time',
    async (behaviour) => {
      relay.behave(org, behaviour)
      const started = performance.now()
      const { status, body } = await here.studio('POST', `${path}/contact`)
      expect([status, body['code']]).toEqual([504, 'integration.timeout'])
      expect(body['detail']).toMatch(/no (complete )?response within/)
      expect(performance.now() - started).toBeLessThan(12_000)
    },
    20_000,
  )

  it('to a remote that echoes its request shows no secret', async () => {
    let sent = ''
    relay.behave(org, (body) => {
      sent = relay.bearer
      return body
    })
    await here.studio('POST', `${path}/contact`)
    relay.heal()
    relay.behave(org, 'echo')
    const { status, text } = await here.studio('POST', `${path}/contact`)
    expect([status, sent.length > 20]).toEqual([502, true])
    const response = await here.studio('GET', path)
    const moved = `https://elsewhere.test/?token=${sent}`
    relay.heal()
    relay.behave(org, { status: 302, headers: { location: moved } })
    const pointed = await here.studio('POST', `${path}/contact`)
    for (const shown of [text, response.text, pointed.text]) {
      expect(shown).not.toContain(sent)
      expect(shown).not.toContain(Buffer.from(sent).toString('hex'))
    }
    expect(pointed.text).toContain('[redacted]')
    // The token endpoint receives the secret of the client.
    relay.heal()
    relay.behave(/oauth2/, 'echo')
    const proof = { kind: 'client', client: 'local', secret: 'entirely-secret-words' }
    const { text: refused } = await here.studio('PUT', path, { proof })
    expect(refused).not.toContain('entirely-secret-words')
  })

  it('to a remote that redirects does not follow it', async () => {
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/take`
    for (const status of [301, 302, 307, 308]) {
      relay.behave(org, { status, headers: { location } })
      const { body } = await here.studio('POST', `${path}/contact`)
      expect(body['code']).toBe('integration.redirect_refused')
      expect(body['detail']).toContain(`redirects to ${location}`)
      relay.heal()
    }
    expect(askedElsewhere).toBe(0)
  })

  it('as a client whose token was revoked there gets a new token', async () => {
    expect((await here.studio('POST', `${path}/contact`)).status).toBe(200)
    const ended = { status: 401, headers: json, body: envelope('auth.invalid', 'The token is unknown.') }
    relay.behave(org, ended, 1)
    const before = relay.passed.filter((line) => line === 'POST /oauth2/token').length
    expect((await here.studio('POST', `${path}/contact`)).status).toBe(200)
    expect(relay.passed.filter((line) => line === 'POST /oauth2/token').length).toBe(before + 1)
  })

  it('does not accept another org until a user pins the one that was shown', async () => {
    const other = await runningServer()
    try {
      await finished(here.studio, path, 'compare')
      relay.lead(other.url)
      const wrong = await here.studio('POST', `${path}/contact`)
      // Our client's secret does not belong to the other org.
      expect(wrong.body['code']).toBe('integration.sign_in')
      const proof = { kind: 'client', client: 'local', secret: await clientSecret(other) }
      const refused = await here.studio('PUT', path, { proof })
      expect(refused.body['code']).toBe('conflict.lineage_changed')
      const found = (refused.body['details'] as { found: string }[])[0]!.found
      expect(found).toBe((await other.studio('GET', '/setup/v3/org')).body['lineage'])
    } finally {
      relay.lead(there.url)
      await other.close()
    }
    // The same server with a different lineage, as after a restore from elsewhere.
    const lied: Behaviour = (body) => body.replaceAll(/"lineage":"[^"]+"/g, '"lineage":"lineage-2"')
    relay.behave(/./, lied)
    const changed = await here.studio('POST', `${path}/contact`)
    expect(changed.body['code']).toBe('conflict.lineage_changed')
    const job = await finished(here.studio, path, 'push', {})
    expect(job).toMatchObject({ state: 'failed', problem: { code: 'conflict.lineage_changed' } })
    const mistaken = await here.studio('POST', `${path}/pin`, { lineage: 'lineage-3' })
    expect(mistaken.body['code']).toBe('conflict.lineage_changed')
    const pinned = await here.studio<RemoteView>('POST', `${path}/pin`, { lineage: 'lineage-2' })
    expect(pinned.body).toMatchObject({
      org: { lineage: 'lineage-2' },
      contact: { state: 'reached' },
      seen: null,
    })
  })
})

describe('a listing', () => {
  beforeEach(open)
  afterEach(close)

  const lies: [string, RegExp, (body: string) => string, string, RegExp][] = [
    [
      'of another generation',
      /digests/,
      (body) => body.replace('"generation":2', '"generation":1'),
      'integration.unreadable',
      /an org or generation other than the requested one/,
    ],
    [
      'of another org',
      /digests/,
      (body) => body.replace(/"lineage":"[^"]+"/, '"lineage":"x"'),
      'integration.unreadable',
      /an org or generation other than the requested one/,
    ],
    [
      'in another recipe',
      /digests/,
      (body) => body.replaceAll('jcs1:', 'jcs2:'),
      'integration.unreadable',
      /not a valid Almanac response/,
    ],
    [
      'of things that are not components',
      /digests/,
      (body) => body.replace('value_set/theirs', 'nothing/theirs'),
      'integration.unreadable',
      /not a valid Almanac response/,
    ],
    [
      'whose contents are others',
      /contents/,
      (body) => body.replace('"label":"theirs"', '"label":"forged"'),
      'integration.unreadable',
      /content for value_set\/theirs that does not match its listing/,
    ],
    [
      'whose contents are of a later version',
      /contents/,
      (body) => body.replace('"body":{', '"body":{"later":1,'),
      'integration.other_version',
      /a format that this version of Almanac does not understand/,
    ],
  ]
  it.each(lies)('%s is refused, and nothing of it is stored', async (_, at, lie, code, words) => {
    done(await there.studio('POST', '/metadata/v3/apply', { components: [valueSet('theirs')] }))
    relay.behave(at, lie)
    const job = await finished(here.studio, path, 'retrieve')
    expect(job).toMatchObject({ state: 'failed', problem: { code, origin: 'remote:there' } })
    expect(job.problem!.detail).toMatch(words)
    expect((await here.studio<RemoteView>('GET', path)).body.seen?.generation ?? 0).not.toBe(99)
    relay.heal()
    expect(await finished(here.studio, path, 'retrieve')).toMatchObject({
      state: 'done',
      outcome: { fetched: 1 },
    })
    const { body } = await here.studio<Comparison>('GET', `${path}/comparison?q=theirs`)
    expect(body.rows[0]!.push!.words.title).toBe('value set theirs')
  })

  it('that is truncated is requested again, and continues when a user resumes it', async () => {
    relay.behave(/digests/, 'cut', 2)
    expect(await finished(here.studio, path, 'compare')).toMatchObject({ state: 'done' })
    relay.behave(/digests/, 'cut')
    const job = await finished(here.studio, path, 'compare')
    expect(job).toMatchObject({
      state: 'interrupted',
      step: 'list',
      problem: { code: 'integration.connection_lost' },
    })
    relay.heal()
    done(await here.studio('POST', `${path}/jobs/${job.id}/resume`))
    expect(await stillJob(here.studio, path, job.id)).toMatchObject({ state: 'done', problem: null })
  })

  it('shows its states even if the contents of rows cannot be fetched, and why', async () => {
    done(await there.studio('POST', '/metadata/v3/apply', { components: [valueSet('theirs')] }))
    await finished(here.studio, path, 'compare')
    relay.behave(/contents/, 'cut')
    const { status, body } = await here.studio<Comparison>('GET', `${path}/comparison?q=theirs`)
    expect(status).toBe(200)
    expect(body.rows[0]).toMatchObject({ state: 'only_remote', push: null })
    expect(body.problem).toMatchObject({ code: 'integration.connection_lost' })
  })
})

describe('a push', () => {
  beforeEach(async () => {
    await open()
    done(await here.studio('POST', '/metadata/v3/apply', { components: [valueSet('a'), valueSet('b')] }))
  })
  afterEach(close)

  const apply = /POST \/metadata\/v3\/apply/
  const once: [string, Behaviour, number][] = [
    ['cut before the remote heard of it', 'cut', 1],
    ['cut after the remote did it', 'cut_after', 1],
    ['cut in mid-answer', 'half', 1],
    ['answered by garbage after the remote did it', () => 'what?', 1],
    ['answered by nothing after the remote did it', 'mute', 1],
    ['never heard of', 'hang', 1],
    [
      'failed by a proxy on the way',
      { status: 502, headers: { 'content-type': 'text/html' }, body: 'Bad' },
      1,
    ],
    [
      'failed inside, or so it is said',
      { status: 500, headers: json, body: envelope('internal.error', 'Oh.') },
      1,
    ],
  ]
  it.each(once)('that is %s is applied once, and known to be', async (_, behaviour, times) => {
    relay.behave(apply, behaviour, times)
    const job = await finished(here.studio, path, 'push', {})
    expect(job).toMatchObject({ state: 'done', outcome: { generation: 2, changes: 2 }, problem: null })
    expect(applies()).toBe(1)
    const rows = await generationsThere()
    expect(rows.map(({ generation }) => generation)).toEqual([2, 1])
    expect(rows[0]!.correlationId).toContain(job.id)
    const { body } = await here.studio<Comparison>('GET', `${path}/comparison`)
    expect(body.counts).toMatchObject({ same: 4, only_local: 0 })
    expect(body.drift).toBe(0)
  })

  it('that was applied during an outage is recognised afterwards, without an action by the user', async () => {
    const review = await finished(here.studio, path, 'push', { review: true })
    relay.behave(apply, 'cut_after')
    relay.behave(/GET \/metadata\/v3\/generations\?/, 'cut')
    done(await here.studio('POST', `${path}/jobs/${review.id}/proceed`, {}))
    const lost = await stillJob(here.studio, path, review.id)
    expect(lost).toMatchObject({
      state: 'interrupted',
      step: 'confirm',
      problem: { code: 'integration.outcome_unknown', origin: 'remote:there', retriable: true },
    })
    expect(lost.problem!.detail).toMatch(/not known.*checks first, so nothing is applied twice/)
    expect(await generationsThere()).toHaveLength(2)
    relay.heal()
    expect(await jobIn(here.studio, path, lost.id, ['done'])).toMatchObject({
      state: 'done',
      outcome: { generation: 2 },
    })
    expect(applies()).toBe(1)
    expect(await generationsThere()).toHaveLength(2)
  })

  it('that others rolled back in the meantime is not applied again', async () => {
    const review = await finished(here.studio, path, 'push', { review: true })
    relay.behave(apply, 'cut_after')
    relay.behave(/GET \/metadata\/v3\/generations\?/, 'cut')
    done(await here.studio('POST', `${path}/jobs/${review.id}/proceed`, {}))
    await stillJob(here.studio, path, review.id)
    done(await there.studio('POST', '/metadata/v3/rollback', { generation: 1 }))
    relay.heal()
    done(await here.studio('POST', `${path}/jobs/${review.id}/resume`))
    expect(await stillJob(here.studio, path, review.id)).toMatchObject({
      state: 'done',
      outcome: { generation: 2 },
    })
    expect((await generationsThere()).map(({ generation }) => generation)).toEqual([3, 2, 1])
    expect(applies()).toBe(1)
  })

  it('that never arrives reports that nothing was applied, and continues after the outage', async () => {
    relay.behave(apply, 'cut')
    const job = await finished(here.studio, path, 'push', {})
    expect(job).toMatchObject({ state: 'interrupted', problem: { code: 'integration.connection_lost' } })
    expect(job.problem!.detail).toMatch(/not applied on the remote. Resume/)
    expect(await generationsThere()).toHaveLength(1)
    relay.heal()
    done(await here.studio('POST', `${path}/jobs/${job.id}/resume`))
    expect(await stillJob(here.studio, path, job.id)).toMatchObject({
      state: 'done',
      outcome: { generation: 2 },
    })
    expect(applies()).toBe(1)
  })

  it('that loses the connection during validation has sent nothing, and continues', async () => {
    relay.behave(/POST \/metadata\/v3\/plan/, 'half')
    const job = await finished(here.studio, path, 'push', {})
    expect(job).toMatchObject({ state: 'interrupted', step: 'plan' })
    expect(applies()).toBe(0)
    relay.heal()
    done(await here.studio('POST', `${path}/jobs/${job.id}/resume`))
    expect(await stillJob(here.studio, path, job.id)).toMatchObject({ state: 'done' })
  })

  it('that is applied, but whose last check failed, is reported as applied', async () => {
    relay.behave(apply, (body) => {
      relay.behave(/digests/, 'cut')
      return body
    })
    const job = await finished(here.studio, path, 'push', {})
    expect(job).toMatchObject({ state: 'interrupted', outcome: { generation: 2, changes: 2 } })
    expect(job.problem!.detail).toContain('was applied on the remote, as generation 2')
    relay.heal()
    done(await here.studio('POST', `${path}/jobs/${job.id}/resume`))
    expect(await stillJob(here.studio, path, job.id)).toMatchObject({
      state: 'done',
      outcome: { generation: 2 },
    })
    expect(applies()).toBe(1)
  })

  it('whose change request was created during an outage does not create a second one', async () => {
    done(await there.studio('PUT', '/setup/v3/approvals', { required: 1 }))
    relay.behave(/POST \/metadata\/v3\/change-requests/, 'cut_after', 1)
    const job = await finished(here.studio, path, 'push', {})
    expect(job).toMatchObject({ state: 'waiting', request: { state: 'open' } })
    const { body } = await there.studio<{ requests: { id: string }[] }>('GET', '/metadata/v3/change-requests')
    expect(body.requests.map(({ id }) => id)).toEqual([job.request!.id])
    // While it waits, an outage does not end it.
    relay.behave(/change-requests/, 'cut')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await here.studio<RemoteJob>('GET', `${path}/jobs/${job.id}`)).body.state).toBe('waiting')
    relay.heal()
    done(
      await there.studio('POST', `/metadata/v3/change-requests/${job.request!.id}/reject`, { reason: 'no' }),
    )
    expect(await jobIn(here.studio, path, job.id, ['failed'])).toMatchObject({
      request: { state: 'rejected' },
    })
  })
})

describe('our own server that ends during a push', () => {
  beforeEach(async () => {
    await open()
    done(await here.studio('POST', '/metadata/v3/apply', { components: [valueSet('a')] }))
  })

  /** Ends our server while the remote works, and starts it again over the same org. */
  async function restarted(behaviour: Behaviour): Promise<{ again: TestServer; job: RemoteJob }> {
    relay.behave(/POST \/metadata\/v3\/apply/, behaviour)
    const sent = relay.unanswered(/POST \/metadata\/v3\/apply/)
    const { body } = await here.studio<RemoteJob>('POST', `${path}/push`, {})
    await sent
    const { dir } = here
    await here.server.close()
    relay.heal()
    const again = await runningServer({ org: dir, remoteTerms: { ...impatient, limits } })
    const states = behaviour === 'mute' ? ['done'] : ['interrupted']
    const job = await jobIn(again.studio, path, body.id, states)
    return { again, job }
  }

  const cases: [string, Behaviour, Partial<RemoteJob>, number][] = [
    ['what was applied there is known as done, with nobody asking', 'mute', { state: 'done' }, 2],
    ['what was not applied there waits for a person', 'hang', { state: 'interrupted' }, 1],
  ]
  it.each(cases)('%s', async (_, behaviour, expected, generations) => {
    const { again, job } = await restarted(behaviour)
    try {
      expect(job).toMatchObject(expected)
      expect(await generationsThere()).toHaveLength(generations)
      if (job.state === 'done') return
      done(await again.studio('POST', `${path}/jobs/${job.id}/resume`))
      expect(await stillJob(again.studio, path, job.id)).toMatchObject({
        state: 'done',
        outcome: { generation: 2 },
      })
      expect(await generationsThere()).toHaveLength(2)
    } finally {
      await again.close()
      await relay.close()
      await there.close()
    }
  })
})

describe('a served org', () => {
  it('connects to no remote inside its own network, unless its operator allows that', async () => {
    const target = await runningServer()
    const openUp = (allowTargets: string[]) =>
      runningServer({
        host: '0.0.0.0',
        behindProxy: true,
        publicUrl: 'https://almanac.example.com',
        studio: false,
        allowTargets,
      })
    try {
      const targetSecret = await clientSecret(target)
      for (const [allowed, status] of [
        [[], 502],
        [['127.0.0.1'], 201],
      ] as const) {
        const served = await openUp([...allowed])
        try {
          const { token } = await served.beside(({ access }) =>
            access.issueToken({ actor: 'admin', correlationId: 't', isOperator: true }, 'local'),
          )
          const answer = await fetch(`http://127.0.0.1:${new URL(served.url).port}/setup/v3/remotes`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: JSON.stringify(newRemote(target.url, targetSecret)),
          })
          expect(answer.status, allowed.join()).toBe(status)
          const body = (await answer.json()) as { code?: string; detail?: string }
          if (status === 502) {
            expect(body.code).toBe('integration.address_refused')
            expect(body.detail).toContain('--allow-target')
          }
        } finally {
          await served.close()
        }
      }
    } finally {
      await target.close()
    }
  })
})
