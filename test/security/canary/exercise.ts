// Uses every secret in every way: calls of all kinds, consents, rotation, removal, and what reads the org as a whole.
import { createHmac } from 'node:crypto'
import { must, until, type CanaryServer, type Response } from './canary-server.ts'
import { mark, marked } from './marks.ts'
import { behaviours, componentsOf, externalCredential, webhookComponents, type Scheme } from './org.ts'
import type { Peers } from './peers.ts'

const at = (key: string): string => `/setup/v3/credentials/${key}/principals/service`

export async function deploy(server: CanaryServer, schemes: readonly Scheme[], peers: Peers): Promise<void> {
  const components = componentsOf(schemes, peers)
  must(await server.ask('POST', '/metadata/v3/apply', { components, rationale: 'canary' }), 200)
  const permissionSets = ['administrator', 'clerk']
  must(await server.ask('PUT', '/setup/v3/users/admin/permission-sets', { permissionSets }), 200)
}

export async function writeSecrets(server: CanaryServer, schemes: readonly Scheme[]): Promise<void> {
  const broken = schemes.filter(({ usableBody }) => usableBody !== undefined)
  await change(
    server,
    broken.map((scheme) => externalCredential(scheme, scheme.usableBody!)),
  )
  for (const { key, secrets: values, isPerUser } of schemes) {
    const user = isPerUser === true ? { user: 'admin' } : {}
    must(await server.ask('PUT', `${at(key)}/next`, { values, ...user }), 204)
  }
  for (const { key, secrets: values } of broken)
    must(await server.ask('PUT', `${at(key)}/next`, { values }), 204)
  await change(
    server,
    broken.map((scheme) => externalCredential(scheme, scheme.body)),
  )
}

async function change(server: CanaryServer, components: object[]): Promise<void> {
  must(await server.ask('POST', '/metadata/v3/apply', { components, rationale: 'canary' }), 200)
}

/** Writes that are refused, with a secret in each. */
export async function refusedWrites(server: CanaryServer): Promise<void> {
  const secret = marked('refused')
  const path = `${at('basic')}/next`
  for (const body of [
    { values: { username: secret, pasword: secret } },
    { values: { username: secret } },
    { values: { username: secret, password: `${secret}${'x'.repeat(70_000)}` } },
    { values: { username: 1, password: secret } },
    { values: secret },
    { value: { key: secret } },
    { values: { username: secret, password: secret }, user: 'admin' },
    `{"values":{"username":"${secret}","password":"${secret}"}`,
    `{"values":{"username":"${secret}","password":${secret}}}`,
    `${secret}`,
    `"${secret}"`,
  ])
    if ((await server.ask('PUT', path, body)).status < 400) throw new Error('It was not refused.')
  await server.ask('PUT', path, `values=${secret}`, { 'content-type': 'text/plain' })
  await server.ask('PUT', `${at('gone')}/next`, { values: { key: secret } })
  await server.ask(
    'PUT',
    path,
    { values: { username: secret, password: secret } },
    { origin: 'https://x.example' },
  )
  await server.ask('PUT', path, { values: { username: secret, password: secret } }, { cookie: 'none' })
}

/** Saves that leave a call with each credential, to a target that behaves in each way. */
export async function callAll(server: CanaryServer): Promise<void> {
  for (const how of behaviours) must(await server.ask('POST', '/data/v3/thing', { how, note: 'a note' }), 201)
  await settled(server)
}

/** Each scheme that can work has reached the target, which refused; the others have not, and show why. */
export async function requireCalls(
  server: CanaryServer,
  schemes: readonly Scheme[],
  peers: Peers,
): Promise<void> {
  if (peers.certified() === 0) throw new Error('No call had a client certificate.')
  for (const { key } of schemes) {
    const { body } = await server.ask('GET', `/setup/v3/outbox?credential=to_${key}&limit=50`)
    const { rows } = body as never as {
      rows: { attempts: { status: number | null }[]; problem: { code: string } | null }[]
    }
    const isSent = rows.some(({ attempts }) => attempts.some(({ status }) => status === 500))
    const isBroken = /broken|denied|odd|unreadable|failing|refusing|leading|resetting|cutting/.test(key)
    if (isSent === isBroken) throw new Error(`${key}: ${JSON.stringify(rows.map(({ problem }) => problem))}`)
    if (isBroken && !rows.some(({ problem }) => problem !== null)) throw new Error(`${key} has no problem.`)
  }
}

async function settled(server: CanaryServer): Promise<void> {
  const end = Date.now() + 20_000
  for (;;) {
    const { body } = await server.ask('GET', '/setup/v3/outbox?limit=200')
    const { pending, sending } = (body as never as { counts: Record<string, number> }).counts
    const { rows } = body as never as { rows: { state: string; problem: object | null }[] }
    const open = rows.filter(
      ({ state, problem }) => state === 'sending' || (state === 'pending' && problem === null),
    )
    if (pending! + sending! === 0 || (open.length === 0 && sending === 0) || Date.now() > end) return
    await new Promise((done) => setTimeout(done, 100))
  }
}

export async function readOutbox(server: CanaryServer): Promise<void> {
  const { body } = await server.ask('GET', '/setup/v3/outbox?limit=200')
  const { rows } = body as never as { rows: { id: string; state: string }[] }
  const dead = rows.filter(({ state }) => state === 'dead')
  if (dead.length < 20) throw new Error(`Only ${dead.length} calls have failed.`)
  for (const { id } of rows.slice(0, 30)) await server.ask('GET', `/setup/v3/outbox/${id}`)
  await server.ask('POST', `/setup/v3/outbox/${dead[0]!.id}/requeue`, { acceptRepeat: true })
  await server.ask('POST', `/setup/v3/outbox/${dead[1]!.id}/resolve`, { reason: 'seen' })
  await server.ask('POST', `/setup/v3/outbox/${dead[2]!.id}/discard`, { reason: 'seen' })
}

/** One consent that is given, and one for each way in which it fails. */
export async function consents(server: CanaryServer): Promise<void> {
  const start = async (key: string): Promise<{ state: string; cookie: string }> => {
    const started = await server.ask('POST', `${at(key)}/consent`)
    must(started, 201)
    // The response goes to the user alone, and contains the state; the client id is a parameter of the page.
    server.responses.pop()
    const url = new URL((started.body as never as { url: string }).url)
    return {
      state: url.searchParams.get('state')!,
      cookie: started.headers.getSetCookie()[0]!.split(';')[0]!,
    }
  }
  const finish = (query: Record<string, string>, cookie: string): Promise<Response> =>
    server.ask('GET', `/oauth2/callback?${new URLSearchParams(query)}`, undefined, { cookie })
  for (const key of ['account', 'account_denied']) {
    const responses: Record<string, string>[] = [
      { error: marked('error'), error_description: marked('error') },
      { code: marked('code'), iss: `https://${mark}.example` },
      { code: marked('code') },
    ]
    for (const more of responses) {
      const { state, cookie } = await start(key)
      await finish({ ...more, state: 'x' }, cookie)
      await finish({ ...more, state }, 'none')
      await finish({ ...more, state }, cookie)
      await finish({ ...more, state }, cookie)
    }
  }
  const { body } = await server.ask('GET', '/setup/v3/accounts')
  const { accounts } = body as never as { accounts: { credential: string; state: string }[] }
  if (accounts.find(({ credential }) => credential === 'account')?.state !== 'connected')
    throw new Error(`The account is not connected: ${JSON.stringify(accounts)}`)
}

/** Staged, promoted, discarded, removed; renamed and removed by a deploy. */
export async function rotate(server: CanaryServer, schemes: readonly Scheme[], peers: Peers): Promise<void> {
  for (const { key, secrets: values, isPerUser, usableBody } of schemes) {
    const user = isPerUser === true ? { user: 'admin' } : {}
    const status = usableBody === undefined ? 204 : 422
    must(await server.ask('PUT', `${at(key)}/next`, { values, ...user }), status)
    must(await server.ask('POST', `${at(key)}/promote`, { graceHours: 1, ...user }), status)
  }
  must(
    await server.ask('PUT', `${at('basic')}/next`, {
      values: { username: marked('u'), password: marked('p') },
    }),
    204,
  )
  must(await server.ask('DELETE', `${at('basic')}/next`), 204)
  must(await server.ask('DELETE', at('custom')), 204)
  await server.ask('POST', '/setup/v3/vault/renew')
  const [first] = componentsOf(schemes, peers).filter(
    (each) => (each as { key: string }).key === 'key_header',
  )
  const renamed = { ...first, key: 'key_renamed', renamedFrom: 'key_header' }
  const named = componentsOf(schemes, peers).find(
    (each) => (each as { key: string }).key === 'to_key_header',
  ) as {
    body: object
  }
  const components = [renamed, { ...named, body: { ...named.body, externalCredential: 'key_renamed' } }]
  must(await server.ask('POST', '/metadata/v3/apply', { components, rationale: 'renamed' }), 200)
}

/** All that reads the org as a whole. */
/** Deliveries to a webhook, signed with each of its secrets and with none; its repeats, refusals, tests and failures. */
export async function receive(server: CanaryServer): Promise<void> {
  const [prior, current, next] = [marked('prior'), marked('current'), marked('next')]
  await change(server, webhookComponents())
  const place = at('sender')
  const write = async (key: string): Promise<void> =>
    must(await server.ask('PUT', `${place}/next`, { values: { key } }), 204)
  const promote = async (): Promise<void> =>
    must(await server.ask('POST', `${place}/promote`, { graceHours: 1 }), 204)
  // The first one is the current one at once.
  await write(prior)
  await write(current)
  await promote()
  await write(next)
  let sent = 0
  const deliver = (secret: string, body = `{"id":"${(sent += 1)}"}`): Promise<Response> => {
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    return server.ask('POST', '/hooks/canary', body, { 'x-signature': `sha256=${signature}` })
  }
  const statuses = []
  for (const secret of [prior, current, next, 'other']) statuses.push((await deliver(secret)).status)
  // A sender that sends the secret itself.
  const leaking = { 'x-signature': current, 'x-correlation-id': 'canary' }
  statuses.push((await server.ask('POST', '/hooks/canary', '{}', leaking)).status)
  statuses.push((await server.ask('POST', '/hooks/canary', '{}', {})).status)
  statuses.push((await deliver(current, 'not JSON')).status, (await deliver(current, 'not JSON')).status)
  if (statuses.join() !== '202,202,202,401,401,400,202,200') throw new Error(`Deliveries: ${statuses.join()}`)
  must(await server.ask('POST', '/setup/v3/webhooks/canary/test', { body: '{"id":"test"}' }), 200)
  await until('the dispatch of the deliveries', async () => {
    const { body } = await server.ask('GET', '/setup/v3/deliveries?limit=50')
    const { rows } = body as never as { rows: { id: string; state: string }[] }
    if (rows.some(({ state }) => state === 'pending' || state === 'dispatching')) return undefined
    const dead = rows.find(({ state }) => state === 'dead')
    for (const { id } of rows) await server.ask('GET', `/setup/v3/deliveries/${id}`)
    if (dead === undefined) throw new Error('No delivery has failed.')
    must(await server.ask('POST', `/setup/v3/deliveries/${dead.id}/discard`, { reason: 'canary' }), 204)
    return rows
  })
  await server.ask('GET', '/setup/v3/trace?limit=200')
  await server.ask('GET', '/events/v3/channels/heard/events')
  await promote()
  must(await server.ask('DELETE', place), 204)
  if ((await deliver(next)).status !== 503) throw new Error('The secret was not removed.')
}

export async function readAll(server: CanaryServer): Promise<void> {
  for (const path of [
    '/setup/v3/credentials',
    '/setup/v3/vault',
    '/setup/v3/accounts',
    '/metadata/v3/audit?limit=1000',
    '/metadata/v3/audit/export?format=jsonl',
    '/metadata/v3/retrieve',
    '/metadata/v3/components?limit=500',
    '/metadata/v3/generations',
    '/setup/v3/search?q=key',
    '/setup/v3/home',
    '/openapi.json',
    '/metrics',
    '/readyz',
    '/data/v3/thing',
    '/setup/v3/session',
    '/nothing',
  ])
    await server.ask('GET', path)
  const { body } = await server.ask('POST', '/data/v3/query', { object: 'thing', fields: ['how'] })
  const [record] = (body as never as { records?: { id: string }[] }).records ?? []
  if (record === undefined) throw new Error(`The record is missing: ${JSON.stringify(body)}`)
  must(
    await server.ask('POST', '/setup/v3/erasures', { object: 'thing', id: record.id, reason: 'canary' }),
    200,
  )
}

/** Remotes whose servers repeat the proof that they receive. */
export async function remotes(server: CanaryServer, { plain }: Peers): Promise<void> {
  for (const [index, proof] of [
    { kind: 'token', token: marked('token') },
    { kind: 'client', client: 'local', secret: marked('client') },
    { kind: 'password', user: 'ada', password: marked('word') },
    { kind: 'token', token: [marked('token')] },
    marked('proof'),
  ].entries()) {
    const body = { key: `far${index}`, name: 'Far', url: plain, colour: 'grey', proof }
    const added = await server.ask('POST', '/setup/v3/remotes', body)
    if (added.status < 400) throw new Error('The remote was added.')
  }
}

/** Until then, calls whose token cannot be obtained now are tried again every few seconds, with their secrets. */
export async function holdCalls(server: CanaryServer): Promise<void> {
  const listed = await server.ask('GET', '/setup/v3/breakers')
  must(listed, 200)
  const { breakers } = listed.body as unknown as { breakers: { credential: string }[] }
  for (const { credential } of breakers)
    must(await server.ask('POST', `/setup/v3/breakers/${credential}/open`, { reason: 'The end.' }), 200)
  // An attempt that has begun ends, and what it has opened is forgotten.
  await new Promise((done) => setTimeout(done, 3000))
}
