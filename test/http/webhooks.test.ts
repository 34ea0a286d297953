// Webhooks over HTTP: what endpoints accept and refuse, repeats, and what a delivery does.
import { gzipSync } from 'node:zlib'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { webhookCases } from '../spec/webhooks.table.ts'
import { signedRequest } from '../spec/webhook-ground.ts'
import { apply, signIn } from '../support/billing-org.ts'
import { eventually } from '../support/eventually.ts'
import type { OpenedOrg } from '../../server/compose/open-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'
import {
  bodyOf,
  deliver,
  deliveryOf,
  endpointOf,
  openWebhooks,
  settled,
} from '../support/webhook-requests.ts'

let test: TestServer
let plain: Ask
let ops: Ask
let ada: Ask
beforeAll(async () => {
  test = await runningServer()
  await openWebhooks(test)
  plain = test.plain
  const asks = await signIn(test, [
    { key: 'ada', permissionSets: ['loader'] },
    { key: 'ops', permissionSets: ['loader', 'operator'] },
  ])
  ;[ada, ops] = [asks['ada']!, asks['ops']!]
})
afterAll(() => test.close())

let number = 0
/** A code that no other test uses. */
let code: string
beforeEach(() => void (code = `W${(number += 1)}`))

const contacts = async (key = code): Promise<Record<string, unknown>[]> => {
  const query = {
    object: 'contact',
    fields: ['code', 'name', 'amount', 'active'],
    filter: `code == "${key}"`,
  }
  const { body } = await ada<{ records: { fields: Record<string, unknown> }[] }>(
    'POST',
    '/data/v3/query',
    query,
  )
  return body.records.map(({ fields }) => fields)
}

/** Of the user that deliveries run as. */
const setActive = async (active: boolean): Promise<void> => {
  const { body: people } = await test.studio<{ users: { key: string; version: number }[] }>(
    'GET',
    '/setup/v3/users',
  )
  const { version } = people.users.find(({ key }) => key === 'hooks')!
  const changed = await test.studio('PUT', '/setup/v3/users/hooks', { active, version })
  expect(changed.status).toBe(200)
}

const statusOf = { verified: 202, malformed: 400, refused: 401 } as const

describe('verification over HTTP', () => {
  // Node sends no header of other characters than Latin 1.
  const sendable = webhookCases.filter(({ timeText = '' }) => !/[^\0-\xff]/.test(timeText))
  it.each(sendable.map((each) => [`${each.preset}: ${each.name}`, each] as const))('%s', async (_n, each) => {
    // Bodies of their own: a repeated one is not stored again.
    const own =
      each.body === undefined && each.sentBody === undefined
        ? { ...each, body: bodyOf({ id: code }) }
        : { ...each, body: `${each.body ?? ''}${each.body === '' ? '' : code}` }
    const sent = await deliver(plain, own)
    const expected = statusOf[each.result]
    // An empty body of a sender that signs no time is always the same.
    if (each.body === '' && expected === 202) expect([200, 202]).toContain(sent.status)
    else expect([sent.status, sent.text]).toEqual([expected, expect.any(String)])
    if (expected === 401)
      expect(sent.body).toMatchObject({
        ...{ class: 'integration', code: 'webhook.refused', detail: 'The delivery could not be verified.' },
        details: [],
      })
    if (expected === 400) expect(sent.body).toMatchObject({ code: 'webhook.headers' })
  })
})

describe('an endpoint', () => {
  it('allows POST alone, and exists at its exact path only', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD']) {
      const { status, headers } = await plain(method, '/hooks/github')
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'OPTIONS, POST'])
    }
    expect((await plain('OPTIONS', '/hooks/github')).status).toBe(204)
    for (const path of ['/hooks/githu', '/hooks/github/', '/hooks', '/Hooks/github'])
      expect([path, (await deliver(plain, { preset: 'github', path })).status]).toEqual([path, 404])
  })

  it('follows the active generation', async () => {
    await apply(test.studio, [endpointOf('plain', { path: '/hooks/moved' })])
    const body = bodyOf({ id: code })
    expect((await deliver(plain, { preset: 'plain', body })).status).toBe(404)
    expect((await deliver(plain, { preset: 'plain', body, path: '/hooks/moved' })).status).toBe(202)
    await apply(test.studio, [endpointOf('plain')])
    expect((await deliver(plain, { preset: 'plain', body: `${body} ` })).status).toBe(202)
  })

  it('refuses a body that is too large, and one that cannot be decompressed', async () => {
    const large = await deliver(plain, { preset: 'github', body: ' '.repeat(2 * 1024 * 1024 + 1) })
    expect([large.status, large.body['code']]).toEqual([413, 'request.too_large'])
    const { headers, body } = signedRequest({ name: '', preset: 'github', result: 'verified' }, 0, code)
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    const bombed = await plain('POST', '/hooks/github', bomb, { ...headers, 'content-encoding': 'gzip' })
    expect(bombed.status).toBe(413)
    const broken = await plain('POST', '/hooks/github', body, { ...headers, 'content-encoding': 'gzip' })
    expect(broken.status).toBe(400)
  })

  it('verifies a compressed body as it was before', async () => {
    const each = { name: '', preset: 'github', result: 'verified', body: bodyOf({ id: code }) } as const
    const { headers, body } = signedRequest(each, 0, code)
    const sent = await plain('POST', '/hooks/github', gzipSync(body), {
      ...headers,
      'content-encoding': 'gzip',
    })
    expect(sent.status).toBe(202)
  })

  it('answers 503 while its secret is absent', async () => {
    const { verification } = (endpointOf('plain') as { body: { verification: object } }).body
    await apply(test.studio, [
      {
        ...{ type: 'external_credential', key: 'empty', label: 'Empty' },
        body: { scheme: 'api_key', principals: [{ key: 'sender' }] },
      },
      {
        ...{ type: 'webhook_endpoint', key: 'empty', label: 'Empty' },
        body: {
          ...{ path: '/hooks/empty', runAs: 'hooks', dispatch: { automation: undefined } },
          ...(endpointOf('plain') as { body: object }).body,
          ...{ path: '/hooks/empty', verification: { ...verification, externalCredential: 'empty' } },
        },
      },
    ])
    const sent = await deliver(plain, { preset: 'plain', path: '/hooks/empty' })
    for (const secret of ['current', 'next']) {
      const tested = await test.studio('POST', '/setup/v3/webhooks/empty/test', { body: '{}', secret })
      expect([tested.status, tested.body['code']]).toEqual([503, 'webhook.secret_absent'])
      expect(tested.body['detail']).toContain(`has no ${secret} secret`)
    }
    expect([sent.status, sent.body['code'], sent.body['retriable']]).toEqual([
      503,
      'webhook.secret_absent',
      true,
    ])
  })

  it('sends back the signed challenge of Slack, and none that is not signed', async () => {
    const body = bodyOf({ type: 'url_verification', challenge: 'c-123' })
    const { status, text, headers } = await deliver(plain, { preset: 'slack', body })
    expect([status, text, headers.get('content-type')]).toEqual([200, 'c-123', 'text/plain; charset=utf-8'])
    const refused = await deliver(plain, { preset: 'slack', body, secret: 'other' })
    expect([refused.status, refused.text.includes('c-123')]).toEqual([401, false])
    // Another endpoint has no challenge.
    expect((await deliver(plain, { preset: 'github', body })).status).toBe(202)
  })

  it('ends a request whose body does not arrive', { timeout: 30_000 }, async () => {
    const { port } = new URL(test.url)
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1')
      let received = ''
      socket.on('data', (chunk) => (received += String(chunk)))
      socket.on('close', () => resolve(received))
      socket.write(
        `POST /hooks/github HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 100\r\nX-GitHub-Delivery: 1\r\n\r\n{`,
      )
    })
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('notes refused requests with their steps, a few of many', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => deliver(plain, { preset: 'stripe', secret: 'other' })),
    )
    expect(answers.every(({ status }) => status === 401)).toBe(true)
    await eventually(async () => {
      const { body } = await test.studio<{
        events: { facts: { steps: { step: string; isPassed: boolean }[] } }[]
      }>('GET', '/setup/v3/trace?kind=refusal&subject=webhook_endpoint/stripe&limit=100')
      expect(body.events.length).toBeGreaterThan(0)
      expect(body.events.length).toBeLessThanOrEqual(20)
      const failed = body.events[0]!.facts.steps.filter(({ isPassed }) => !isPassed)
      expect(failed.map(({ step }) => step)).toEqual(['signature'])
    })
  })
})

describe('a repeated delivery', () => {
  it('is recognised by its id, even if it contains something else', async () => {
    const first = await deliver(plain, { preset: 'github', sentId: code, body: bodyOf({ id: code }) })
    const again = await deliver(plain, { preset: 'github', sentId: code, body: bodyOf({ id: `${code}x` }) })
    expect([first.status, again.status]).toEqual([202, 200])
    expect(again.body).toEqual(first.body)
  })

  it('is recognised by what was signed, under another id', async () => {
    const body = bodyOf({ id: code })
    const first = await deliver(plain, { preset: 'github', sentId: `${code}a`, body })
    const again = await deliver(plain, { preset: 'github', sentId: `${code}b`, body })
    const rotated = await deliver(plain, { preset: 'github', sentId: `${code}c`, body, secret: 'next' })
    expect([first.status, again.status, rotated.status]).toEqual([202, 200, 200])
  })

  it('is recognised by the id in its body', async () => {
    const first = await deliver(plain, { preset: 'stripe', at: -1, body: bodyOf({ id: code, n: 1 }) })
    const again = await deliver(plain, { preset: 'stripe', body: bodyOf({ n: 2, id: code }) })
    expect([first.status, again.status, again.body]).toEqual([202, 200, first.body])
  })

  it('is stored once if many are sent at the same time', async () => {
    const body = bodyOf({ id: code, name: 'Once' })
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => deliver(plain, { preset: 'github', sentId: code, body })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 202)).toHaveLength(1)
    expect(statuses.filter((status) => status === 200)).toHaveLength(39)
    expect(new Set(answers.map(({ body: { delivery } }) => delivery)).size).toBe(1)
  })
})

describe('a dispatch', () => {
  const dispatched = async (values: object, preset: 'github' | 'stripe' = 'github') => {
    const { status, text, body } = await deliver(plain, { preset, body: JSON.stringify(values) })
    if (status !== 202) throw new Error(text)
    return settled(ops, String(body['delivery']))
  }

  it('creates the record, and changes it with the next delivery', async () => {
    const first = await dispatched({ id: code, name: 'A', amount: 1.25, active: true })
    expect(first).toMatchObject({
      ...{ state: 'dispatched', endpoint: 'github', problem: null },
      result: { outcome: 'created', record: expect.stringMatching(/^contact\//) as string },
    })
    expect(await contacts()).toEqual([{ code, name: 'A', amount: '1.25', active: true }])
    const second = await dispatched({ id: code, amount: '2.50', active: null })
    expect(second.result).toEqual({ ...first.result, outcome: 'changed' })
    expect(await contacts()).toEqual([{ code, name: 'A', amount: '2.50', active: null }])
    expect((await dispatched({ id: code, amount: 2.5 })).result).toMatchObject({ outcome: 'unchanged' })
  })

  it('keeps numbers that a binary number would change', async () => {
    const sent = await deliver(plain, {
      preset: 'github',
      body: `{"id":"${code}","amount":1234567890.12345678901}`,
    })
    const exact = await settled(ops, String(sent.body['delivery']))
    // It has more places than the field: nothing was rounded on the way.
    expect([exact.state, exact.problem?.code]).toEqual(['dead', 'record.invalid'])
    const next = await deliver(plain, {
      preset: 'github',
      body: `{"id":"${code}","amount":1234567890.120000000000}`,
    })
    expect(await settled(ops, String(next.body['delivery']))).toMatchObject({ state: 'dispatched' })
    expect(await contacts()).toMatchObject([{ amount: '1234567890.12' }])
  })

  it.each([
    ['that is not JSON', 'a=1', 'webhook.body'],
    ['with a name twice', '{"id":"X","id":"Y"}', 'webhook.body'],
    ['that is too deep', `${'['.repeat(300)}${']'.repeat(300)}`, 'webhook.body'],
    ['without the value that identifies the record', '{"name":"A"}', 'webhook.body'],
    ['with a wrong type', '{"id":"Z","amount":"many"}', 'record.invalid'],
    ['with an object for a text', '{"id":{"a":1}}', 'record.invalid'],
    ['that a rule refuses', '{"id":"Z","amount":-1}', 'record.invalid'],
  ])('fails for good for a body %s', async (_name, text, expected) => {
    const { body } = await deliver(plain, { preset: 'github', body: `${text}${' '.repeat(number)}` })
    const dead = await settled(ops, String(body['delivery']))
    expect([dead.state, dead.problem?.code, dead.attempts.length]).toEqual(['dead', expected, 1])
    expect(dead.problem).toMatchObject({ origin: 'integration.webhook' })
    expect(dead.problem?.detail).not.toContain('component')
  })

  it('uses the rights that the user has then', async () => {
    const user = { key: 'stranger', name: 'Stranger', permissionSets: [] }
    expect((await test.studio('POST', '/setup/v3/users', user)).status).toBe(201)
    await apply(test.studio, [endpointOf('plain', { runAs: 'stranger' })])
    const { body } = await deliver(plain, { preset: 'plain', body: bodyOf({ id: code }) })
    const dead = await settled(ops, String(body['delivery']))
    expect([dead.state, dead.problem?.code]).toEqual(['dead', 'object.not_found'])
    await apply(test.studio, [endpointOf('plain')])
    expect((await ops('POST', `/setup/v3/deliveries/${dead.id}/requeue`, {})).status).toBe(204)
    expect(await settled(ops, dead.id, ['dispatched'])).toMatchObject({ priorAttempts: 1 })
    expect(await contacts()).toHaveLength(1)
  })

  it('waits for a user who is locked, and goes on when they are back', async () => {
    await setActive(false)
    const { body } = await deliver(plain, { preset: 'github', body: bodyOf({ id: code }) })
    const held = await settled(ops, String(body['delivery']), ['held'])
    expect(held.problem).toMatchObject({
      code: 'webhook.run_as',
      detail: expect.stringContaining('"hooks"') as string,
    })
    await setActive(true)
    expect(await settled(ops, held.id, ['dispatched'])).toMatchObject({ problem: null })
    expect(await contacts()).toHaveLength(1)
  })

  it('keeps its delivery when the endpoint gets another key', async () => {
    const { body } = await deliver(plain, { preset: 'github', body: '{"name":"A"} ' })
    const dead = await settled(ops, String(body['delivery']))
    const renamed = { ...endpointOf('github'), key: 'hub', renamedFrom: 'github' }
    await apply(test.studio, [renamed])
    expect(await deliveryOf(ops, dead.id)).toMatchObject({ endpoint: 'hub' })
    const { body: list } = await ops<{ rows: { id: string }[] }>(
      'GET',
      '/setup/v3/deliveries?endpoint=hub&state=dead&limit=200',
    )
    expect(list.rows.map(({ id }) => id)).toContain(dead.id)
    await apply(test.studio, [{ ...endpointOf('github'), renamedFrom: 'hub' }])
  })

  it('is one with its save, its event and its calls by the correlation id', async () => {
    const each = { name: '', preset: 'github', result: 'verified', body: bodyOf({ id: code }) } as const
    const { headers, body: text } = signedRequest(each, 0, code)
    const sent = await plain('POST', '/hooks/github', text, {
      ...headers,
      'x-correlation-id': `corr-${code}`,
    })
    const done = await settled(ops, String(sent.body['delivery']))
    expect(done.correlationId).toBe(`corr-${code}`)
    const [object, id] = done.result!.record!.split('/')
    const { body } = await ada<{ changes: { correlationId: string }[] }>(
      'GET',
      `/data/v3/${object}/${id}/history`,
    )
    expect(body.changes[0]!.correlationId).toBe(`corr-${code}`)
    const trace = await test.studio<{ events: { kind: string }[] }>(
      'GET',
      `/setup/v3/trace?correlationId=corr-${code}`,
    )
    expect(trace.body.events.map(({ kind }) => kind)).toContain('receipt')
  })
})

describe('what is kept of a delivery', () => {
  it('is erased with the record, even before its dispatch', async () => {
    const note = `Secret words of ${code}`
    const written = await deliver(plain, { preset: 'github', body: bodyOf({ id: code, note }) })
    const done = await settled(ops, String(written.body['delivery']))
    const failed = await deliver(plain, { preset: 'github', body: bodyOf({ note, name: code }) })
    await settled(ops, String(failed.body['delivery']))
    const other = await deliver(plain, {
      preset: 'github',
      body: bodyOf({ id: `${code}x`, note: 'Other words' }),
    })
    await settled(ops, String(other.body['delivery']))
    const bodies = (): Promise<string[]> =>
      test.beside(async ({ org }) =>
        (org as unknown as OpenedOrg).records.store().read(async (reader) => {
          const ids = [written, failed, other].map(({ body }) => String(body['delivery']))
          return Promise.all(ids.map(async (id) => Buffer.from((await reader.deliveryBody(id))!).toString()))
        }),
      )
    expect((await bodies()).map((text) => text.includes(note))).toEqual([true, true, false])
    const [object, id] = done.result!.record!.split('/')
    const erased = await ops('POST', '/setup/v3/erasures', { object, id, reason: 'asked' })
    expect([erased.status, erased.text]).toEqual([200, expect.any(String)])
    const after = await bodies()
    expect(after.map((text) => text.includes(note))).toEqual([false, false, false])
    expect(after[2]).toContain('Other words')
    expect(JSON.parse(after[0]!)).toMatchObject({ id: code })
  })

  it('is named by a change list that removes its endpoint', async () => {
    const validated = async (): Promise<string[]> => {
      const { body, text } = await test.studio<{ findings: { severity: string; code: string }[] }>(
        'POST',
        '/metadata/v3/validate',
        { removals: ['webhook_endpoint/github'] },
      )
      if (body.findings === undefined) throw new Error(text)
      return body.findings.map(({ severity, code: of }) => `${severity} ${of}`)
    }
    await setActive(false)
    const { body } = await deliver(plain, { preset: 'github', body: bodyOf({ id: code }) })
    await settled(ops, String(body['delivery']), ['held'])
    expect(await validated()).toEqual(['warning webhook.undispatched'])
    await setActive(true)
    await settled(ops, String(body['delivery']), ['dispatched'])
    expect(await validated()).toEqual([])
  })
})

describe('operators', () => {
  const dead = async (): Promise<string> => {
    const { body } = await deliver(plain, { preset: 'github', body: `{"name":"${code}"}` })
    return (await settled(ops, String(body['delivery']))).id
  }

  it('discard a dead delivery with a reason, and nothing else', async () => {
    const id = await dead()
    const at = `/setup/v3/deliveries/${id}`
    expect((await ops('POST', `${at}/discard`, {})).status).toBe(400)
    expect((await ops('POST', `${at}/discard`, { reason: 'test' })).status).toBe(204)
    expect((await ops('POST', `${at}/requeue`, {})).body['code']).toBe('conflict.delivery_state')
    expect(await deliveryOf(ops, id)).toMatchObject({ state: 'discarded', resolution: { reason: 'test' } })
    const { body } = await test.studio<{ entries: { kind: string; component: string }[] }>(
      'GET',
      `/metadata/v3/audit?kind=delivery.discarded`,
    )
    expect(JSON.stringify(body)).toContain(id)
    expect((await ada('GET', at)).status).toBe(403)
    expect((await ops('GET', '/setup/v3/deliveries/none')).body['code']).toBe('delivery.not_found')
  })

  it('handle all dead deliveries of a filter as a job', async () => {
    const correlated = async (): Promise<string> => {
      const each = { name: '', preset: 'github', result: 'verified' } as const
      const { headers, body } = signedRequest(
        { ...each, body: `{"a":"${code}${Math.random()}"}` },
        0,
        code + Math.random(),
      )
      const sent = await plain('POST', '/hooks/github', body, {
        ...headers,
        'x-correlation-id': `all-${code}`,
      })
      return (await settled(ops, String(sent.body['delivery']))).id
    }
    const ids = [await correlated(), await correlated()]
    const filter = { endpoint: 'github', correlationId: `all-${code}` }
    const at = '/setup/v3/deliveries/actions'
    const counted = await ops('POST', at, { action: 'requeue', filter, dryRun: true })
    expect(counted.body).toEqual({ rows: 2, unrepeatable: 0, job: null })
    expect((await ops('POST', at, { action: 'discard', filter })).status).toBe(422)
    const { body } = await ops('POST', at, { action: 'discard', filter, reason: 'old' })
    await eventually(async () => {
      const job = await ops('GET', `/setup/v3/jobs/${String(body['job'])}`)
      expect(job.body).toMatchObject({ state: 'completed', done: 2, changed: 2, kind: 'deliveries' })
      // The endpoint by its key, as in the request.
      expect(job.body).toMatchObject({ deliveries: { filter } })
    })
    const { body: list } = await ops<{ jobs: object[] }>('GET', '/setup/v3/jobs')
    expect(list.jobs).toContainEqual(expect.objectContaining({ id: body['job'] }))
    expect(list.jobs.find((each) => (each as { id: string }).id === body['job'])).toMatchObject({
      deliveries: { filter },
    })
    for (const id of ids) expect((await deliveryOf(ops, id)).state).toBe('discarded')
  })

  it('see why a delivery failed only if they can read what it writes', async () => {
    const { body } = await deliver(plain, { preset: 'github', body: bodyOf({ id: code, amount: 'many' }) })
    const id = String(body['delivery'])
    expect((await settled(ops, id)).problem!.detail).toContain('amount')
    const asks = await signIn(test, [{ key: `op${number}`, permissionSets: ['operator'] }])
    const hidden = await deliveryOf(asks[`op${number}`]!, id)
    expect(hidden.problem).toMatchObject({ code: 'record.invalid', detail: expect.any(String) as string })
    expect(JSON.stringify({ ...hidden, content: null })).not.toContain('amount')
    expect(JSON.stringify(hidden)).not.toContain('many')
  })

  it('see what an endpoint takes from a body if they can read where it goes, and nothing else', async () => {
    const sent = {
      ...JSON.parse(bodyOf({ id: code, amount: 'many' })),
      unused: 'secret of the sender',
    } as object
    const { body } = await deliver(plain, { preset: 'github', body: JSON.stringify(sent) })
    const id = String(body['delivery'])
    await settled(ops, id)
    const shown = await deliveryOf(ops, id)
    expect(shown.content).toEqual({
      problem: null,
      values: expect.arrayContaining([
        { name: 'amount', pointer: '/amount', state: 'shown', text: '"many"' },
      ]) as unknown,
    })
    expect(JSON.stringify(shown)).not.toContain('secret of the sender')
    const asks = await signIn(test, [{ key: `see${number}`, permissionSets: ['operator'] }])
    const hidden = await deliveryOf(asks[`see${number}`]!, id)
    expect(hidden.content.values.filter(({ state }) => state === 'shown')).toEqual([])
    expect(hidden.content.values).toContainEqual({
      ...{ name: 'amount', pointer: '/amount', state: 'hidden', text: null },
    })
    expect(JSON.stringify(hidden)).not.toContain('many')
    const unreadable = await deliver(plain, { preset: 'github', body: '{"id":' })
    const text = await settled(ops, String(unreadable.body['delivery']))
    expect((await deliveryOf(ops, text.id)).content).toEqual({
      ...{ values: [], problem: 'The body is not valid JSON.' },
    })
    // The user who has written a test delivery sees it.
    const tested = await test.studio('POST', '/setup/v3/webhooks/github/test', { body: bodyOf({ id: code }) })
    const own = await deliveryOf(test.studio, String(tested.body['delivery']))
    expect(own.content.values.map(({ state }) => state)).not.toContain('hidden')
  })
})

describe('a test delivery', () => {
  const at = '/setup/v3/webhooks/github/test'
  it('is signed with the current secret and dispatched like any other', async () => {
    for (const preset of ['github', 'stripe', 'standard_webhooks', 'slack']) {
      const sent = await test.studio('POST', `/setup/v3/webhooks/${preset}/test`, {
        body: bodyOf({ id: `${code}_${preset}` }),
      })
      expect([preset, sent.status, sent.text]).toEqual([preset, 200, expect.stringContaining('stored')])
      const id = String(sent.body['delivery'])
      expect(await settled(ops, id)).toMatchObject({ state: 'dispatched', testedBy: 'admin' })
    }
  })

  it('that is signed as it should not be is refused, with the step that failed', async () => {
    const body = bodyOf({ id: `${code}_refused` })
    const steps = (sent: { body: Record<string, unknown> }): unknown =>
      (sent.body['steps'] as { step: string; isPassed: boolean }[]).filter(({ isPassed }) => !isPassed)
    const wrong = await test.studio('POST', '/setup/v3/webhooks/stripe/test', { body, secret: 'wrong' })
    expect(wrong.body).toMatchObject({
      ...{ result: 'refused', delivery: null },
      refusal: { status: 401, code: 'webhook.refused', detail: 'The delivery could not be verified.' },
    })
    expect(steps(wrong)).toMatchObject([{ step: 'signature' }])
    for (const ageSec of [3600, -3600]) {
      const stale = await test.studio('POST', '/setup/v3/webhooks/stripe/test', { body, ageSec })
      expect([stale.status, stale.body['result']]).toEqual([200, 'refused'])
      expect(steps(stale)).toMatchObject([{ step: 'age' }])
    }
    const staged = await test.studio('POST', at, { body, secret: 'next' })
    expect(staged.text).toContain('The signature matches the next secret.')
  })

  it('shows a challenge and a repeat, and needs the right to write secrets', async () => {
    const challenge = await test.studio('POST', '/setup/v3/webhooks/slack/test', {
      body: bodyOf({ challenge: 'x' }),
    })
    expect(challenge.body).toMatchObject({ result: 'challenge', challenge: 'x', delivery: null })
    const body = bodyOf({ id: code })
    expect((await test.studio('POST', at, { body, id: code })).body['result']).toBe('stored')
    expect((await test.studio('POST', at, { body, id: code })).body['result']).toBe('repeated')
    expect((await ops('POST', at, { body })).status).toBe(403)
    expect((await test.studio('POST', '/setup/v3/webhooks/none/test', { body })).status).toBe(404)
  })
})
