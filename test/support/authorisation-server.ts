// A certified authorisation server (oidc-provider) on loopback, with a user who logs in and consents.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import type { TokenCall, TokenResponse } from '../../server/credentials/tokens/index.ts'

export interface AuthorisationServer {
  issuer: string
  tokenUrl: string
  authorizationUrl: string
  /** Opens a consent page as a browser does, and returns where it leads in the end. */
  visit(url: string, answer?: 'consent' | 'abort'): Promise<URL>
  /** Whether the server accepts an access token. */
  accepts(accessToken: string): Promise<boolean>
  /** Ends the consent of the last visit. */
  revoke(): Promise<void>
  close(): Promise<void>
}

export async function startAuthorisationServer(
  clients: readonly object[],
  more: Record<string, unknown> = {},
): Promise<AuthorisationServer> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let grant = ''
  const provider = new Provider(issuer, {
    clients,
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: true },
      introspection: { enabled: true },
    },
    scopes: ['openid', 'offline_access', 'read'],
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    cookies: { keys: ['test'] },
    ttl: Object.fromEntries(lives.map((name) => [name, 3600])),
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    ...more,
  })
  provider.on('grant.success', (context) => {
    const { entities } = (context as { oidc: { entities: { Grant?: { jti: string } } } }).oidc
    grant = entities.Grant?.jti ?? grant
  })
  server.on('request', provider.callback())
  return {
    issuer,
    tokenUrl: `${issuer}/token`,
    authorizationUrl: `${issuer}/auth`,
    visit: (url, answer = 'consent') => visit(issuer, url, answer),
    accepts: async (accessToken) =>
      (await fetch(`${issuer}/me`, { headers: { authorization: `Bearer ${accessToken}` } })).status === 200,
    revoke: async () => (await provider.Grant.find(grant))?.destroy(),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const lives = [
  'AccessToken',
  'ClientCredentials',
  'Grant',
  'IdToken',
  'Interaction',
  'RefreshToken',
  'Session',
]

/** Follows redirects with cookies, and sends the forms of the login and of the consent. */
async function visit(issuer: string, first: string, answer: 'consent' | 'abort'): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = new URL(first)
  let form: Record<string, string> | undefined
  for (let steps = 0; steps < 20; steps++) {
    const response = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      body: form === undefined ? null : new URLSearchParams(form),
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      redirect: 'manual',
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie)!
      cookies.set(name, value)
    }
    form = undefined
    const location = response.headers.get('location')
    if (location !== null) {
      url = new URL(location, url)
      if (url.origin !== issuer) return url
      continue
    }
    const page = await response.text()
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (prompt === undefined)
      throw new Error(`The page has no form: ${response.status} ${page.slice(0, 300)}`)
    if (answer === 'abort') url = new URL(`${url.pathname}/abort`, url)
    else form = { prompt, login: 'mara', password: 'x' }
  }
  throw new Error('The consent has no end')
}

/** Sends the calls of our tokens. */
export async function sendByFetch({ url, method, headers, body }: TokenCall): Promise<TokenResponse> {
  const response = await fetch(url, { method, headers, body, redirect: 'manual' })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  }
}
