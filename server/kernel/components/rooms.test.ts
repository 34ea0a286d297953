import { describe, expect, it } from 'vitest'
import type { Component } from './body-types.ts'
import type { ComponentId, ComponentType } from './component.ts'
import { roomOf } from './registry.ts'
import { component, findingsOf, codesWithPaths } from './rule-fixture.ts'

const invoice = component('object/invoice', {
  fields: [
    { key: 'number', type: 'text', unique: true },
    { key: 'city', type: 'text', aliases: ['town'] },
    { key: 'loud', type: 'text', formula: { expression: 'upper(city)' } },
  ],
})
const login = component('external_credential/login', { scheme: 'basic', principals: [{ key: 'service' }] })
const shared = component('external_credential/shared', { scheme: 'api_key', principals: [{ key: 'sender' }] })
const own = component('external_credential/own', {
  scheme: 'api_key',
  principals: [{ key: 'sender', mode: 'per_user' }],
})
const paid = component('event_channel/paid', { schema: [{ key: 'number', type: 'text' }] })
const changes = component('event_channel/changes', { object: 'invoice' })
const onSave = component('automation/on_save', { object: 'invoice', phase: 'after_write', actions: [] })
const hook = component('webhook_endpoint/taken', {
  path: '/hooks/taken',
  runAs: 'mara',
  verification: {
    scheme: 'hmac_sha256',
    externalCredential: 'shared',
    signatureHeader: 'X-Sig',
    signedPayload: '{body}',
  },
  dispatch: { publishTo: 'paid' },
})
const ping = component('automation/ping', {
  phase: 'invocable',
  params: [{ key: 'id', type: 'text' }],
  actions: [],
})
const others: Component[] = [ping, shared, own, invoice, login, paid, changes, onSave, hook]

const webhook = (change: object) => ({ ...hook.body, path: '/hooks/new', ...change })
const verified = (change: object) => webhook({ verification: { ...hook.body.verification, ...change } })
const principals = [{ key: 'service' }]
const section = (...items: object[]) => ({ sections: [{ id: 'a', section: 'A', items }] })
const lookup = (inputs: object) => ({ id: 'l', type: 'component', key: 'lookup_field', inputs })
const upsert = { object: 'invoice', externalId: 'number', values: { number: '/id', city: '/city' } }
const client = { authScheme: 'api_key', runAs: 'mara' }
const jwt = { authScheme: 'oauth2_jwt_bearer', runAs: 'mara' }

const cases: [ComponentType, string, object, string[]][] = [
  [
    'value_set',
    'with two values of one key',
    {
      values: [
        { key: 'a', label: 'A' },
        { key: 'a', label: 'B' },
      ],
    },
    ['key.duplicate_item /body/values/1/key'],
  ],
  [
    'calc_function',
    'with a parameter called flag',
    { params: [{ key: 'flag', type: 'text' }], returns: 'text', expression: 'flag' },
    ['calc.param_shadowed /body/params/0/key'],
  ],

  [
    'permission_set',
    'on a field that is not there',
    { fields: { 'invoice.nmber': { read: true } } },
    ['reference.unknown_field /body/fields/invoice.nmber'],
  ],
  [
    'permission_set',
    'on a path that is not valid',
    { fields: { invoice: { read: true } } },
    ['permission.unknown_field /body/fields/invoice'],
  ],
  [
    'permission_set',
    'to edit without reading',
    { fields: { 'invoice.city': { edit: true } }, objects: { invoice: { update: true } } },
    [
      'permission.edit_without_read /body/objects/invoice',
      'permission.edit_without_read /body/fields/invoice.city',
    ],
  ],

  [
    'layout',
    'with a field and a lookup',
    {
      object: 'invoice',
      ...section(
        { id: 'f', type: 'field', key: 'city' },
        lookup({ label: 'X', minChars: 2, required: true }),
      ),
    },
    [],
  ],
  [
    'layout',
    'with an unknown field',
    { object: 'invoice', ...section({ id: 'f', type: 'field', key: 'cty' }) },
    ['reference.unknown_field /body/sections/0/items/0/key'],
  ],
  [
    'layout',
    'with an unknown element',
    { object: 'invoice', ...section({ id: 'f', type: 'component', key: 'lookup' }) },
    ['placement.element /body/sections/0/items/0/key'],
  ],
  [
    'layout',
    'with a function for an input',
    { object: 'invoice', ...section(lookup({ search: 'find' })) },
    ['placement.input /body/sections/0/items/0/inputs/search'],
  ],
  [
    'layout',
    'with text for a number',
    { object: 'invoice', ...section(lookup({ minChars: '2' })) },
    ['placement.input /body/sections/0/items/0/inputs/minChars'],
  ],
  [
    'layout',
    'with an unknown input',
    { object: 'invoice', ...section(lookup({ lable: 'X' })) },
    ['placement.input /body/sections/0/items/0/inputs/lable'],
  ],
  [
    'layout',
    'with two items of one id',
    { object: 'invoice', ...section(lookup({}), lookup({})) },
    ['key.duplicate_item /body/sections/0/items/1/id'],
  ],
  [
    'app',
    'with a field on a page',
    { pages: [{ key: 'p', label: 'P', ...section({ id: 'f', type: 'field', key: 'city' }) }] },
    ['placement.element /body/pages/0/sections/0/items/0'],
  ],
  [
    'app',
    'with two pages of one key',
    {
      pages: [
        { key: 'p', label: 'P' },
        { key: 'p', label: 'Q' },
      ],
    },
    ['key.duplicate_item /body/pages/1/key'],
  ],
  [
    'list_view',
    'with an unknown column and order',
    { object: 'invoice', columns: ['cty', 'city'], orderBy: [{ field: 'nmber' }] },
    ['reference.unknown_field /body/columns/0', 'reference.unknown_field /body/orderBy/0/field'],
  ],

  [
    'external_credential',
    'without principals',
    { scheme: 'basic', principals: [] },
    ['credential.principals /body/principals'],
  ],
  [
    'external_credential',
    'of a client, for each user',
    {
      scheme: 'oauth2_client_credentials',
      tokenUrl: 'https://a.example',
      principals: [{ key: 'a', mode: 'per_user' }],
    },
    ['credential.principals /body/principals/0/mode'],
  ],
  [
    'external_credential',
    'with consent, shared',
    {
      scheme: 'oauth2_authorization_code',
      tokenUrl: 'https://a.example',
      authorizationUrl: 'https://a.example',
      principals,
    },
    ['credential.principals /body/principals/0/mode'],
  ],
  [
    'external_credential',
    'with a password in its address',
    { scheme: 'oauth2_client_credentials', tokenUrl: 'https://u:p@a.example', principals },
    ['credential.url /body/tokenUrl'],
  ],
  [
    'external_credential',
    'custom, without parameters',
    { scheme: 'custom', parameters: [], principals },
    ['credential.principals /body/parameters'],
  ],
  [
    'named_credential',
    'that fits',
    { url: 'http://127.0.0.1:8080/api', externalCredential: 'login', principal: 'service' },
    [],
  ],
  [
    'named_credential',
    'with a key in its address',
    { url: 'https://a.example/?key=1', externalCredential: 'login', principal: 'service' },
    ['credential.url /body/url'],
  ],
  [
    'named_credential',
    'with no address',
    { url: 'a.example', externalCredential: 'login', principal: 'service' },
    ['credential.url /body/url'],
  ],
  [
    'named_credential',
    'with an unknown principal',
    { url: 'https://a.example', externalCredential: 'login', principal: 'servce' },
    ['credential.principal /body/principal'],
  ],
  [
    'named_credential',
    'that waits long',
    { url: 'https://a.example', externalCredential: 'login', principal: 'service', timeoutMs: 60_001 },
    ['credential.timeout /body/timeoutMs'],
  ],
  [
    'external_service',
    'with no operation selected',
    { namedCredential: 'x', spec: { format: 'openapi_3_1', source: 'x' }, operations: [] },
    ['service.operation /body/operations'],
  ],

  ['webhook_endpoint', 'that fits', webhook({}), []],
  ['webhook_endpoint', 'at a taken path', webhook({ path: '/hooks/taken' }), ['webhook.path /body/path']],
  ['webhook_endpoint', 'below a surface', webhook({ path: '/data/v3' }), ['webhook.path /body/path']],
  ['webhook_endpoint', 'at a page of the studio', webhook({ path: '/records' }), ['webhook.path /body/path']],
  [
    'webhook_endpoint',
    'at such a page in another case',
    webhook({ path: '/Records/new' }),
    ['webhook.path /body/path'],
  ],
  ['webhook_endpoint', 'at no path', webhook({ path: 'hooks' }), ['webhook.path /body/path']],
  [
    'webhook_endpoint',
    'at a path that climbs',
    webhook({ path: '/hooks/../data' }),
    ['webhook.path /body/path'],
  ],
  ['webhook_endpoint', 'as an inactive user', webhook({ runAs: 'old' }), ['webhook.run_as /body/runAs']],
  ['webhook_endpoint', 'to nothing', webhook({ dispatch: {} }), ['webhook.dispatch /body/dispatch']],
  [
    'webhook_endpoint',
    'to two targets',
    webhook({ dispatch: { publishTo: 'paid', upsert } }),
    ['webhook.dispatch /body/dispatch'],
  ],
  [
    'webhook_endpoint',
    'to a change feed',
    webhook({ dispatch: { publishTo: 'changes' } }),
    ['webhook.dispatch /body/dispatch/publishTo'],
  ],
  [
    'webhook_endpoint',
    'to an automation of a save',
    webhook({ dispatch: { automation: 'on_save' } }),
    ['webhook.dispatch /body/dispatch/automation'],
  ],
  ['webhook_endpoint', 'to a record', webhook({ dispatch: { upsert } }), []],
  [
    'webhook_endpoint',
    'to a record found by a field that is not unique',
    webhook({ dispatch: { upsert: { ...upsert, externalId: 'city' } } }),
    ['webhook.dispatch /body/dispatch/upsert/externalId'],
  ],
  [
    'webhook_endpoint',
    'to a record, from no pointer',
    webhook({ dispatch: { upsert: { ...upsert, values: { ...upsert.values, city: 'city' } } } }),
    ['webhook.dispatch /body/dispatch/upsert/values/city'],
  ],
  [
    'webhook_endpoint',
    'to a record without the value that identifies it',
    webhook({ dispatch: { upsert: { ...upsert, values: { city: '/city' } } } }),
    ['webhook.dispatch /body/dispatch/upsert/values'],
  ],
  [
    'webhook_endpoint',
    'to a computed field, and to one by two names',
    webhook({
      dispatch: { upsert: { ...upsert, values: { ...upsert.values, town: '/city', loud: '/loud' } } },
    }),
    [
      'webhook.dispatch /body/dispatch/upsert/values/town',
      'webhook.dispatch /body/dispatch/upsert/values/loud',
    ],
  ],
  [
    'webhook_endpoint',
    'to an automation, with a value for each parameter',
    webhook({ dispatch: { automation: 'ping', values: { id: '/data/id' } } }),
    [],
  ],
  [
    'webhook_endpoint',
    'with values for what does not exist',
    webhook({ dispatch: { automation: 'ping', values: { ident: '/id', id: 'id' } } }),
    ['webhook.dispatch /body/dispatch/values/ident', 'webhook.dispatch /body/dispatch/values/id'],
  ],
  [
    'webhook_endpoint',
    'with values beside those of a record',
    webhook({ dispatch: { upsert, values: { city: '/city' } } }),
    ['webhook.dispatch /body/dispatch/values'],
  ],
  [
    'webhook_endpoint',
    'with a credential without a key',
    verified({ externalCredential: 'login' }),
    ['webhook.secret /body/verification/externalCredential'],
  ],
  [
    'webhook_endpoint',
    'with the secrets of each user',
    verified({ externalCredential: 'own' }),
    ['webhook.secret /body/verification/externalCredential'],
  ],
  [
    'webhook_endpoint',
    'with a part of a header',
    verified({ signatureHeader: 'X-Sig#v1', challenge: '/challenge', secretEncoding: 'whsec' }),
    [],
  ],
  [
    'webhook_endpoint',
    'with headers and pointers that are not valid',
    webhook({
      verification: { ...hook.body.verification, signatureHeader: 'X Sig', challenge: 'challenge' },
      dedupe: { idHeader: 'body:id' },
    }),
    [
      'webhook.template /body/verification/signatureHeader',
      'webhook.template /body/verification/challenge',
      'webhook.template /body/dedupe/idHeader',
    ],
  ],
  [
    'webhook_endpoint',
    'that signs an id from the body',
    webhook({
      verification: { ...hook.body.verification, signedPayload: '{id}{body}' },
      dedupe: { idHeader: 'body:/id' },
    }),
    ['webhook.template /body/verification/signedPayload'],
  ],
  [
    'webhook_endpoint',
    'that does not sign its time',
    verified({ timestampHeader: 'X-Time' }),
    ['webhook.template /body/verification/timestampHeader'],
  ],
  [
    'webhook_endpoint',
    'that signs no body',
    verified({ signedPayload: 'x' }),
    ['webhook.template /body/verification/signedPayload'],
  ],
  [
    'webhook_endpoint',
    'that signs a time without a header',
    verified({ signedPayload: '{timestamp}.{body}' }),
    ['webhook.template /body/verification/signedPayload'],
  ],
  [
    'webhook_endpoint',
    'that signs something unknown',
    verified({ signedPayload: '{nonce}{body}' }),
    ['webhook.template /body/verification/signedPayload'],
  ],

  [
    'event_channel',
    'with a schema and an object',
    { schema: [], object: 'invoice' },
    ['channel.source /body', 'channel.capture_off /body/object'],
  ],
  ['event_channel', 'with neither', {}, ['channel.source /body']],
  [
    'event_channel',
    'partitioned by an unknown field',
    { schema: [{ key: 'number', type: 'text' }], partitionKey: 'nmber' },
    ['channel.partition_key /body/partitionKey'],
  ],
  [
    'event_channel',
    'of an object that captures nothing',
    { object: 'invoice', fields: ['city'] },
    ['channel.capture_off /body/object'],
  ],
  [
    'event_channel',
    'of unknown fields',
    { object: 'invoice', fields: ['cty'] },
    ['channel.capture_off /body/object', 'reference.unknown_field /body/fields/0'],
  ],

  ['integration_client', 'that fits', client, []],
  ['integration_client', 'as nobody', { ...client, runAs: 'nobody' }, ['client.run_as /body/runAs']],
  ['integration_client', 'that signs without keys', jwt, ['client.jwks /body']],
  [
    'integration_client',
    'that signs with a private key',
    { ...jwt, jwks: { keys: [{ kty: 'RSA', n: 'x', d: 'y' }] } },
    ['client.jwks /body/jwks/keys/0/d'],
  ],
  [
    'integration_client',
    'that signs with keys that verify nothing',
    { ...jwt, jwks: { keys: [{ kty: 'oct' }, { kty: 'EC', crv: 'P-256', x: 'AQ', y: 'AQ', alg: 'ES384' }] } },
    ['client.jwks /body/jwks/keys/0', 'client.jwks /body/jwks/keys/1'],
  ],
  [
    'integration_client',
    'with too many keys',
    { ...jwt, jwks: { keys: Array(21).fill({ kty: 'EC', crv: 'P-256', x: 'AQ', y: 'AQ' }) } },
    ['client.jwks /body/jwks/keys'],
  ],
  [
    'integration_client',
    'with keys that are not used',
    { ...client, jwks: { keys: [] } },
    ['client.jwks /body/jwks'],
  ],
]

describe('rules of the other rooms', () => {
  it.each(cases)('%s %s', (type, _name, body, expected) => {
    expect(codesWithPaths(findingsOf(component(`${type}/x`, body), { others }))).toEqual(expected)
  })

  it.each(['ceil', 'if', 'size', 'map', 'config', 'true', 'today', 'contains'])(
    'refuse a calc function called %s',
    (key) => {
      const calc = component(`calc_function/${key}`, { returns: 'number', expression: '1' })
      expect(codesWithPaths(findingsOf(calc))).toEqual(['calc.key_taken /key'])
    },
  )

  it.each([
    ['object/o', { fields: [{ key: 'if', type: 'text' }] }, 'key.unreadable /body/fields/0/key'],
    ['object/o', { fields: [{ key: 'config', type: 'text' }] }, 'key.unreadable /body/fields/0/key'],
    ['config_set/true', { cardinality: 'singleton', fields: [] }, 'key.unreadable /key'],
    [
      'config_set/s',
      { cardinality: 'singleton', fields: [{ key: 'in', type: 'text' }] },
      'key.unreadable /body/fields/0/key',
    ],
    [
      'feature_flag/null',
      { owner: { user: 'mara' }, expiresOn: '2030-01-01', default: false },
      'key.unreadable /key',
    ],
    [
      'calc_function/f',
      { params: [{ key: 'package', type: 'text' }], returns: 'number', expression: '1' },
      'calc.param_shadowed /body/params/0/key',
    ],
  ])('refuse keys that expressions cannot read: %s %j', (id, body, expected) => {
    expect(codesWithPaths(findingsOf(component(id as ComponentId, body)))).toEqual([expected])
  })

  it.each(['size', 'date', 'callout', 'map', 'flags'])('accept a field called %s', (key) => {
    expect(findingsOf(component('object/o', { fields: [{ key, type: 'text' }] }))).toEqual([])
  })

  it('name the client or webhook, and the user that it cannot run as', () => {
    const runAs = 'nobody'
    const messages = [
      component('integration_client/erp', { ...client, runAs }),
      component('webhook_endpoint/shop', webhook({ runAs })),
    ].map((each) => findingsOf(each, { others }).find(({ code }) => code.endsWith('.run_as'))?.message)
    expect(messages[0]).toContain('The client "erp" cannot run as the user "nobody". The user "nobody"')
    expect(messages[1]).toContain('Deliveries to the webhook "shop" cannot run as the user "nobody". The')
  })

  it('report a password in a URL', () => {
    const url = 'https://user:password@a.example'
    const [finding] = findingsOf(
      component('named_credential/x', { url, externalCredential: 'login', principal: 'service' }),
      { others },
    )
    expect(finding?.message).toContain('contains a user name or password')
  })

  it('list the secrets that a credential needs', () => {
    const slots = (body: object) =>
      roomOf('external_credential').secretSlots(component('external_credential/x', body))
    expect(slots({ scheme: 'basic', principals })).toEqual([
      { principal: 'service', names: ['username', 'password'] },
    ])
    expect(slots({ scheme: 'custom', parameters: [{ name: 'X-A' }], principals })).toEqual([
      { principal: 'service', names: ['X-A'] },
    ])
  })
})
