// Requests for each operation on accounts: over an authorisation server that consents to everything.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ApiDocument } from './api-document.ts'

export async function connectAccounts(api: ApiDocument): Promise<void> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ access_token: 'a', token_type: 'Bearer', refresh_token: 'r' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const component = {
    ...{ type: 'external_credential', key: 'calendar', label: 'Calendar' },
    body: {
      ...{ scheme: 'oauth2_authorization_code', clientAuthentication: 'none' },
      ...{ tokenUrl: `${origin}/token`, authorizationUrl: `${origin}/authorize` },
      principals: [{ key: 'person', mode: 'per_user', grantedTo: ['administrator'] }],
    },
  }
  try {
    await api.send('apply', { body: { components: [component], rationale: 'An account' } })
    const path = { credential: 'calendar', principal: 'person' }
    await api.send('stageSecrets', { path, body: { values: { clientId: 'almanac' } } })
    const started = await api.send<{ url: string }>('startConsent', { path, body: { browser: 'system' } })
    const ticket = new URL(started.body.url).searchParams.get('ticket')!
    const opened = await api.send('openConsentPage', { query: { ticket } })
    const state = new URL(opened.headers.get('location')!).searchParams.get('state')!
    const cookie = opened.headers.get('set-cookie')!.split(';')[0]!
    await api.send('finishConsent', { query: { state, code: 'code' }, as: { cookie } })
    await api.send('listAccounts')
    await api.send('withdrawConsent', { path })
  } finally {
    server.close()
  }
}
