// A target that stops accepting a token while many calls use it: one token is requested, and every call is made with it.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

/** A token that was issued less than 5 seconds before is not renewed. */
const shortestUseMs = 5_000

let issued = 0
let accepted = ''
let test: TestServer
let provider: Server
let target: Server
let ada: Ask

beforeAll(async () => {
  provider = await listening((_request, response) => {
    accepted = `access-${++issued}`
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ access_token: accepted, token_type: 'Bearer', expires_in: 3600 }))
  })
  target = await listening((request, response) => {
    response.statusCode = tokenOf(request) === accepted ? 200 : 401
    response.end()
  })
  test = await runningServer()
  await apply(test.studio, [
    { type: 'permission_set', key: 'clerk', label: 'Clerk', body: {} },
    {
      ...{ type: 'external_credential', key: 'login', label: 'Login' },
      body: {
        ...{ scheme: 'oauth2_client_credentials', tokenUrl: `${urlOf(provider)}/token` },
        principals: [{ key: 'service', grantedTo: ['clerk'] }],
      },
    },
    {
      ...{ type: 'named_credential', key: 'ledger', label: 'Ledger' },
      body: { url: urlOf(target), externalCredential: 'login', principal: 'service' },
    },
    {
      ...{ type: 'automation', key: 'read', label: 'Read' },
      body: {
        ...{ phase: 'invocable', grantedTo: ['clerk'] },
        actions: [{ key: 'call', type: 'callout', credential: 'ledger', method: 'POST', path: '/read' }],
        returns: { status: 'call.status' },
      },
    },
  ])
  const secrets = { values: { clientId: 'app', clientSecret: 'client-secret-mark' } }
  await test.studio('PUT', '/setup/v3/credentials/login/principals/service/next', secrets)
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask })
})
afterAll(async () => {
  await test.close()
  provider.close()
  target.close()
})

it('renews a token once, for all calls that were sent with the earlier one', async () => {
  expect(await statusesOf(1)).toEqual([200])
  await wait(shortestUseMs + 50)
  accepted = 'none'
  expect(await statusesOf(8)).toEqual(Array<number>(8).fill(200))
  expect(issued).toBe(2)
}, 20_000)

async function statusesOf(count: number): Promise<number[]> {
  const calls = Array.from({ length: count }, () => ada('POST', '/invoke/v3/read', { params: {} }))
  return (await Promise.all(calls)).map(({ status }) => status)
}

const tokenOf = ({ headers }: IncomingMessage): string => headers.authorization?.slice('Bearer '.length) ?? ''

async function listening(listener: RequestListener): Promise<Server> {
  const server = createServer(listener)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return server
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
