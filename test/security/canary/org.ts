// The components of an org whose credentials cover every scheme, and a marked secret for each of their slots.
import { marked, markedKey } from './marks.ts'
import type { SelfSigned } from './certificates.ts'
import { behaviours, type Peers } from './peers.ts'

export interface Scheme {
  key: string
  body: object
  secrets: Record<string, string>
  /** With this body the secrets can be used. They are written with it, and a deploy then makes them unusable. */
  usableBody?: object
  /** Whether each user has their own secrets. */
  isPerUser?: true
  isTls?: true
}

export interface Identities {
  target: SelfSigned
  client: SelfSigned
}

export function schemesOf({ plain }: Peers, { target, client }: Identities): Scheme[] {
  const pass = marked('pass')
  const oauth = (endpoint: string) => ({ tokenUrl: `${plain}/${endpoint}`, scopes: ['read'] })
  const clientSecret = () => ({ clientId: marked('id'), clientSecret: marked('client') })
  const key = { clientId: marked('id'), privateKey: markedKey(), keyId: marked('kid') }
  const credentials = (endpoint: string, clientAuthentication: string) => ({
    ...{ scheme: 'oauth2_client_credentials', ...oauth(endpoint), clientAuthentication },
  })
  return [
    { key: 'key_header', body: { scheme: 'api_key' }, secrets: { key: marked('key') } },
    {
      key: 'key_query',
      body: { scheme: 'api_key', in: 'query', name: 'k' },
      secrets: { key: marked('key') },
    },
    {
      key: 'key_person',
      ...{ body: { scheme: 'api_key', prefix: 'Token ' }, secrets: { key: marked('key') }, isPerUser: true },
    },
    {
      key: 'broken_key',
      body: { scheme: 'api_key' },
      usableBody: { scheme: 'api_key', in: 'query', name: 'k' },
      secrets: { key: `${marked('key')}\nX-Other: 1` },
    },
    {
      key: 'basic',
      body: { scheme: 'basic' },
      secrets: { username: marked('user'), password: marked('word') },
    },
    {
      key: 'custom',
      body: {
        scheme: 'custom',
        parameters: [
          { in: 'header', name: 'X-One' },
          { in: 'query', name: 'two' },
        ],
      },
      secrets: { 'X-One': marked('one'), two: marked('two') },
    },
    {
      ...{ key: 'mtls', body: { scheme: 'mtls' }, isTls: true },
      secrets: { certificate: client.cert, privateKey: client.key, caChain: target.cert },
    },
    {
      ...{ key: 'mtls_broken', body: { scheme: 'mtls' }, isTls: true },
      usableBody: {
        scheme: 'custom',
        parameters: ['certificate', 'privateKey', 'passphrase'].map((name) => ({ in: 'query', name })),
      },
      secrets: {
        certificate: client.cert,
        privateKey: markedKey(marked('other')),
        passphrase: marked('pass'),
      },
    },
    {
      ...{ key: 'key_tls', body: { scheme: 'api_key' }, isTls: true },
      secrets: { key: marked('key'), caChain: target.cert },
    },
    {
      key: 'aws',
      body: { scheme: 'aws_sigv4', region: 'eu-west-1', service: 'execute-api' },
      secrets: {
        ...{ accessKeyId: marked('id'), secretAccessKey: marked('secret'), sessionToken: marked('session') },
      },
    },
    { key: 'client_basic', body: credentials('token', 'basic'), secrets: clientSecret() },
    { key: 'client_brief', body: credentials('brief', 'body'), secrets: clientSecret() },
    ...['denied', 'odd', 'unreadable', 'failing', 'refusing', 'leading', 'resetting', 'cutting'].map(
      (endpoint) => ({
        ...{ key: `client_${endpoint}`, body: credentials(endpoint, 'body'), secrets: clientSecret() },
      }),
    ),
    {
      key: 'client_signed',
      body: { ...credentials('token', 'private_key_jwt'), algorithm: 'ES256' },
      secrets: { ...key, privateKey: markedKey(pass), passphrase: pass },
    },
    {
      key: 'bearer',
      body: { scheme: 'oauth2_jwt_bearer', ...oauth('token'), algorithm: 'ES256' },
      secrets: { ...key, privateKey: markedKey() },
    },
    {
      key: 'account',
      body: {
        ...{ scheme: 'oauth2_authorization_code', ...oauth('brief'), clientAuthentication: 'body' },
        authorizationUrl: `${plain}/authorize`,
      },
      secrets: clientSecret(),
    },
    {
      key: 'account_denied',
      body: {
        ...{ scheme: 'oauth2_authorization_code', ...oauth('odd'), clientAuthentication: 'basic' },
        authorizationUrl: `${plain}/authorize`,
      },
      secrets: clientSecret(),
    },
  ]
}

/** The scheme whose credential a deploy removes. It has secrets of each age, and tokens. */
export const removable = 'client_brief'

const call = ({ key }: Scheme): object => ({
  ...{ type: 'enqueue', key: `call_${key}`, credential: `to_${key}`, method: 'PUT' },
  ...{ path: '/{how}', pathParams: { how: 'how' }, payload: { note: 'note' } },
})

const isAccount = ({ key }: Scheme): boolean => key.startsWith('account')

export function externalCredential(scheme: Scheme, body: object): object {
  const { key, isPerUser } = scheme
  const mode = isPerUser === true || isAccount(scheme) ? 'per_user' : 'named'
  return {
    ...{ type: 'external_credential', key, label: key },
    body: { ...body, principals: [{ key: 'service', mode, grantedTo: ['clerk'] }] },
  }
}

export function componentsOf(schemes: readonly Scheme[], peers: Peers): object[] {
  return [
    {
      ...{ type: 'permission_set', key: 'clerk', label: 'Clerk' },
      body: {
        objects: {
          thing: { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true },
        },
        fields: {
          ...{ 'thing.how': { read: true, edit: true }, 'thing.note': { read: true, edit: true } },
          'thing.fee': { read: true },
        },
      },
    },
    {
      ...{ type: 'object', key: 'thing', label: 'Thing' },
      body: {
        fields: [
          { key: 'how', type: 'text', required: true },
          { key: 'note', type: 'text', sensitive: true },
          {
            ...{ key: 'fee', type: 'number', precision: 6, scale: 2 },
            formula: { expression: 'config.route.fee', stored: true },
          },
        ],
        sharing: { default: 'read_write' },
      },
    },
    {
      ...{ type: 'config_set', key: 'route', label: 'Route' },
      body: {
        ...{ cardinality: 'singleton', scopes: ['org'], effectiveDated: false },
        fields: [
          { key: 'via', type: 'credential_reference' },
          { key: 'fee', type: 'number', precision: 6, scale: 2 },
        ],
        ...{ read: { administrator: 'read' }, edit: { administrator: 'edit' } },
      },
    },
    {
      ...{ type: 'config_entry', key: 'route.org', label: 'Route' },
      body: { set: 'route', scope: { kind: 'org' }, values: { via: 'to_basic', fee: '1.50' } },
    },
    ...schemes.flatMap((scheme) => {
      const { key, body, isTls } = scheme
      return [
        externalCredential(scheme, body),
        {
          ...{ type: 'named_credential', key: `to_${key}`, label: key },
          body: {
            ...{
              url: isTls === true ? peers.tls : peers.plain,
              externalCredential: key,
              principal: 'service',
            },
            ...{
              timeoutMs: 1500,
              retry: { attempts: 1, baseMs: 1 },
              circuitBreaker: { failureThreshold: 10_000 },
            },
            budget: { concurrency: 20, requestsPerMinute: 100_000 },
          },
        },
      ]
    }),
    {
      ...{ type: 'automation', key: 'call_all', label: 'Call all' },
      body: {
        ...{ object: 'thing', phase: 'after_write', when: 'present(how)' },
        actions: schemes.filter(({ key }) => key !== removable).map(call),
      },
    },
    {
      ...{ type: 'automation', key: `call_${removable}`, label: 'Call the one that is removed' },
      body: {
        ...{ object: 'thing', phase: 'after_write', when: 'present(how)' },
        actions: schemes.filter(({ key }) => key === removable).map(call),
      },
    },
  ]
}

/** A webhook whose deliveries are published on a channel. */
export const webhookComponents = (): object[] => [
  {
    ...{ type: 'external_credential', key: 'sender', label: 'Sender' },
    body: { scheme: 'api_key', principals: [{ key: 'service' }] },
  },
  {
    ...{ type: 'event_channel', key: 'heard', label: 'Heard' },
    body: {
      schema: [{ key: 'id', type: 'text' }],
      ...{ read: { clerk: 'read' }, publish: { clerk: 'publish' } },
    },
  },
  {
    ...{ type: 'webhook_endpoint', key: 'canary', label: 'Canary' },
    body: {
      ...{ path: '/hooks/canary', runAs: 'admin', dispatch: { publishTo: 'heard' } },
      verification: {
        ...{ scheme: 'hmac_sha256', externalCredential: 'sender' },
        ...{ signatureHeader: 'X-Signature', signedPayload: '{body}' },
      },
    },
  },
]

export { behaviours }
