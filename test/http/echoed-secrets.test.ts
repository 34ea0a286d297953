// A target that returns what it was sent: the secret is masked before an automation reads it, and nothing else is changed.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const password = 'password-mark-7'
let target: Server
let test: TestServer
let ada: Ask

beforeAll(async () => {
  target = createServer(({ headers }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ sent: headers.authorization, by: 'kestrel', account: 'kestrel-4711' }))
  })
  await new Promise<void>((ready) => target.listen(0, '127.0.0.1', ready))
  const { port } = target.address() as AddressInfo
  test = await runningServer()
  await apply(test.studio, [
    { type: 'permission_set', key: 'clerk', label: 'Clerk', body: {} },
    {
      ...{ type: 'external_credential', key: 'login', label: 'Login' },
      body: { scheme: 'basic', principals: [{ key: 'service', grantedTo: ['clerk'] }] },
    },
    {
      ...{ type: 'named_credential', key: 'echo', label: 'Echo' },
      body: { url: `http://127.0.0.1:${port}`, externalCredential: 'login', principal: 'service' },
    },
    {
      ...{ type: 'automation', key: 'read', label: 'Read' },
      body: {
        ...{ phase: 'invocable', grantedTo: ['clerk'] },
        actions: [{ key: 'call', type: 'callout', credential: 'echo', method: 'GET', path: '/' }],
        returns: {
          ...{ sent: 'text(call.body.sent)', by: 'text(call.body.by)', account: 'text(call.body.account)' },
        },
      },
    },
  ])
  const secrets = { values: { username: 'kestrel', password } }
  await test.studio('PUT', '/setup/v3/credentials/login/principals/service/next', secrets)
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask })
})
afterAll(async () => {
  await test.close()
  target.close()
})

it('masks the password in the Basic credentials, and leaves the user name where it is data', async () => {
  const { status, body } = await ada<{ returns: Record<string, string> }>('POST', '/invoke/v3/read', {
    params: {},
  })
  const { sent, ...others } = body.returns
  expect([status, others]).toEqual([200, { by: 'kestrel', account: 'kestrel-4711' }])
  expect(sent).toMatch(/^Basic \S*\[redacted\]\S*$/)
  expect(Buffer.from(sent!.replace(/Basic |\[redacted\].*/g, ''), 'base64').toString()).not.toMatch(/pas/)
})
