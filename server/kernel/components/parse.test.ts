import { describe, expect, it } from 'vitest'
import { parseComponent } from './parse.ts'

const set = { type: 'config_set', key: 'vat', label: 'VAT', body: { cardinality: 'singleton', fields: [] } }
const entry = {
  type: 'config_entry',
  key: 'vat.de',
  label: 'DE',
  body: { set: 'vat', scope: { kind: 'org' }, values: {} },
}
const flag = {
  type: 'feature_flag',
  key: 'fresh',
  label: 'Fresh',
  body: { owner: 'user:mara', expiresOn: '2026-12-31' },
}
const credential = {
  type: 'named_credential',
  key: 'ledger',
  label: 'Ledger',
  body: { url: 'https://a.example', externalCredential: 'login', principal: 'service' },
}

const with_ = (component: { body: object }, body: object) => ({
  ...component,
  body: { ...component.body, ...body },
})
const findingTexts = (json: unknown) =>
  parseComponent(json, 'a.json').findings.map(({ code, path }) => `${code} ${path}`)
const words = (json: unknown) =>
  parseComponent(json, 'a.json')
    .findings.map(({ message }) => message)
    .join('\n')
const nested = (levels: number): unknown => {
  let value: unknown = null
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}
const bodyOf = (json: unknown) => parseComponent(json).component?.body

describe('the envelope', () => {
  const cases: [string, unknown, string[]][] = [
    ['is whole', set, []],
    ['is not an object', [set], ['envelope.invalid ']],
    ['has an unknown property', { ...set, lable: 'x' }, ['body.unknown_property /lable']],
    ['has an unknown type', { ...set, type: 'config_sets' }, ['envelope.type /type']],
    ['has no type', { ...set, type: undefined }, ['envelope.type /type']],
    ['has a key in capitals', { ...set, key: 'VAT' }, ['key.invalid /key']],
    ['has a long key', { ...set, key: 'a'.repeat(81) }, ['key.invalid /key']],
    ['has an entry key without a slug', { ...entry, key: 'vat' }, ['key.invalid /key']],
    ['has no label', { ...set, label: ' ' }, ['envelope.invalid /label']],
    ['has no body', { ...set, body: undefined }, ['envelope.invalid /body']],
    ['has half of a character', { ...set, label: 'VAT \udc00' }, ['body.format /label']],
    [
      'names a prototype',
      with_(entry, { values: JSON.parse('{"__proto__":"0.2"}') as object }),
      ['body.unknown_property /body/values/__proto__'],
    ],
    ['is nested without end', { ...set, x: nested(100_000) }, ['body.range ']],
    ['has a list for a body', { ...set, body: [] }, ['body.type /body']],
    [
      'has hints of other types',
      { ...set, breaking: 'yes', renamedFrom: 3 },
      ['body.type /breaking', 'body.type /renamedFrom'],
    ],
    [
      'has everything wrong',
      { kind: 'x' },
      ['body.unknown_property /kind', 'envelope.type /type', 'key.invalid /key', 'envelope.invalid /label'],
    ],
  ]
  it.each(cases)('%s', (_name, json, expected) => expect(findingTexts(json)).toEqual(expected))

  it('returns its hints separately from the component', () => {
    const { component, hints } = parseComponent({ ...set, breaking: true, renamedFrom: 'tax' })
    expect(hints).toEqual({ breaking: true, renamedFrom: 'tax' })
    expect(Object.keys(component!)).toEqual(['body', 'key', 'label', 'type'])
  })
  it('is named by its id, or by its file if it has none', () => {
    expect(parseComponent(with_(set, { x: 1 }), 'a.json').findings[0]?.component).toBe('config_set/vat')
    expect(parseComponent({ type: 'config_set' }, 'a.json').findings[0]?.component).toBe('a.json')
  })
  it('suggests the nearest name', () => {
    expect(words({ ...set, type: 'config_sett' })).toContain('Did you mean "config_set"?')
    expect(words({ ...set, lable: 'x' })).toContain('Did you mean "label"?')
  })
})

it('a JSON number is refused with what each type of field accepts', () => {
  const body = { set: 'a', scope: { kind: 'org' }, values: { x: 5 } }
  const [finding] = parseComponent({ type: 'config_entry', key: 'a.b', label: 'A', body }).findings
  expect(finding!.message).toBe(
    '5 is a JSON number. Write true or false if the field is boolean, and anything else as text: ' +
      'a number as "5", so that it stays exact, a date as "2025-12-31", an enum by the key of its value.',
  )
})

describe('the body', () => {
  const cases: [string, unknown, string[]][] = [
    ['has an unknown property', with_(set, { cardinalty: 1 }), ['body.unknown_property /body/cardinalty']],
    ['has an unknown value', with_(set, { cardinality: 'single' }), ['body.value /body/cardinality']],
    ['lacks a property', with_(set, { cardinality: undefined }), ['body.missing /body/cardinality']],
    ['has text for a boolean', with_(set, { effectiveDated: 'yes' }), ['body.type /body/effectiveDated']],
    [
      'has a secret-typed field',
      with_(set, { fields: [{ key: 'a', type: 'secret' }] }),
      ['config.secret_type /body/fields/0/type'],
    ],
    [
      'has a write-only field',
      with_(set, { fields: [{ key: 'a', type: 'write_only' }] }),
      ['config.secret_type /body/fields/0/type'],
    ],
    [
      'has an unknown field type',
      with_(set, { fields: [{ key: 'a', type: 'colour' }] }),
      ['body.value /body/fields/0/type'],
    ],
    [
      'has an unknown scope kind in the chain',
      with_(set, { scopes: ['team', 'org'] }),
      ['body.value /body/scopes/0'],
    ],
    [
      'has a bad key in a grant',
      with_(set, { read: { 'Tax Team': 'read' } }),
      ['key.invalid /body/read/Tax Team'],
    ],
    [
      'has an unknown scope kind',
      with_(entry, { scope: { kind: 'team' } }),
      ['config.scope_kind /body/scope/kind'],
    ],
    [
      'has a scope without a name',
      with_(entry, { scope: { kind: 'environment' } }),
      ['body.missing /body/scope/environment'],
    ],
    [
      'has a name of another scope',
      with_(entry, { scope: { kind: 'org', app: 'x' } }),
      ['body.unknown_property /body/scope/app'],
    ],
    [
      'has a bad language tag',
      with_(entry, { scope: { kind: 'locale', locale: 'German' } }),
      ['body.format /body/scope/locale'],
    ],
    ['has 30 February', with_(entry, { effectiveFrom: '2021-02-30' }), ['body.format /body/effectiveFrom']],
    [
      'has a JSON number for a value',
      with_(entry, { values: { rate: 0.19 } }),
      ['config.value_type /body/values/rate'],
    ],
    [
      'has a nested value',
      with_(entry, { values: { rate: { x: 1 } } }),
      ['config.value_type /body/values/rate'],
    ],
    ['has a fractional priority', with_(entry, { priority: 1.5 }), ['body.type /body/priority']],
    [
      'is a flag without owner and expiry',
      { ...flag, body: {} },
      ['flag.owner /body/owner', 'flag.expiry /body/expiresOn'],
    ],
    ['is a flag owned by nobody', with_(flag, { owner: 'mara' }), ['flag.owner /body/owner']],
    ['is a flag with a text default', with_(flag, { default: 'on' }), ['flag.default_type /body/default']],
    ['is a flag with a number default', with_(flag, { default: 1 }), ['flag.default_type /body/default']],
    ['waits too long', with_(credential, { timeoutMs: 300_001 }), ['body.range /body/timeoutMs']],
    ['tries zero times', with_(credential, { retry: { attempts: 0 } }), ['body.range /body/retry/attempts']],
  ]
  it.each(cases)('%s', (_name, json, expected) => expect(findingTexts(json)).toEqual(expected))

  it('explains what to write', () => {
    expect(words(with_(set, { cardinalty: 1 }))).toContain('Did you mean "cardinality"?')
    expect(words(with_(set, { fields: [{ key: 'a', type: 'password' }] }))).toContain(
      'fields cannot contain secrets. Use credential_reference',
    )
    expect(words(with_(entry, { values: { rate: 0.19 } }))).toContain('"0.19"')
    expect(words(with_(entry, { scope: { kind: 'team' } }))).toContain(
      'org, environment, app, locale, permission_set or user',
    )
    expect(words({ ...flag, body: {} })).toContain('The flag fresh has no owner')
    expect(words(with_(credential, { timeoutMs: 300_001 }))).toContain('the maximum is 300000')
    expect(words(with_(set, { effectiveDated: 'yes' }))).toContain('true or false')
  })

  it('continues after the first fault', () => {
    const json = with_(set, { cardinality: 'x', effectiveDated: 1, fields: [{ key: 'A', type: 'x' }], y: 1 })
    expect(findingTexts(json)).toHaveLength(5)
  })

  it('reads a null as absent, and reports what is then missing', () => {
    expect(
      bodyOf(with_(entry, { key: null, priority: null, effectiveFrom: null, effectiveTo: null })),
    ).toEqual(entry.body)
    expect(findingTexts(with_(entry, { set: null }))).toEqual(['body.missing /body/set'])
  })

  it('fills defaults in', () => {
    expect(bodyOf(set)).toEqual({
      cardinality: 'singleton',
      scopes: ['org'],
      effectiveDated: false,
      fields: [],
      read: {},
      edit: {},
    })
    expect(bodyOf(credential)).toMatchObject({
      timeoutMs: 5000,
      retry: {
        attempts: 4,
        backoff: 'exponential',
        jitter: true,
        retryOn: ['timeout', 'connection', 'http_429', 'http_5xx'],
      },
    })
    expect(bodyOf({ type: 'object', key: 'a', label: 'A', body: { fields: [] } })).toMatchObject({
      storage: 'local',
      sharing: { default: 'private' },
    })
    expect(bodyOf({ type: 'event_channel', key: 'a', label: 'A', body: {} })).toEqual({
      partitions: 4,
      retentionDays: 7,
      maxBytes: 1048576,
      read: {},
      publish: {},
    })
    expect(
      bodyOf({
        type: 'integration_client',
        key: 'a',
        label: 'A',
        body: { authScheme: 'api_key', runAs: 'mara' },
      }),
    ).toMatchObject({
      rateLimit: { sustained: 50, burst: 100, concurrency: 10 },
      deprecationWindowDays: 30,
    })
  })

  it('sorts lists without an order', () => {
    expect(bodyOf(with_(set, { scopes: ['org', 'user', 'app', 'user'] }))).toMatchObject({
      scopes: ['user', 'app', 'org'],
    })
    expect(bodyOf(with_(set, { asOfField: 'b.x' }))).toMatchObject({ asOfField: ['b.x'] })
    expect(bodyOf(with_(set, { asOfField: ['b.x', 'a.x', 'b.x'] }))).toMatchObject({
      asOfField: ['a.x', 'b.x'],
    })
    expect(bodyOf(with_(entry, { scope: { kind: 'locale', locale: 'DE-at' } }))).toMatchObject({
      scope: { locale: 'de-AT' },
    })
    expect(bodyOf(with_(entry, { scope: { kind: 'locale', locale: 'DE-ch-1996' } }))).toMatchObject({
      scope: { locale: 'de-CH-1996' },
    })
    expect(bodyOf(flag)).toMatchObject({ owner: { user: 'mara' } })
    expect(bodyOf(with_(entry, { key: 12 }))).toMatchObject({ key: '12' })
  })

  it('parses its own output to the same component', () => {
    for (const json of [set, entry, flag, credential, with_(entry, { effectiveFrom: '2020-01-01' })]) {
      const once = parseComponent(json).component
      expect(parseComponent(once).component).toEqual(once)
    }
  })

  it('accepts text of any length', () => {
    const rationale = 'x'.repeat(10_000_000)
    expect(findingTexts(with_(flag, { rationale }))).toEqual([])
  })
})

describe('very many faults', () => {
  const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`p${at}`, 1]))
  it.each([
    ['unknown properties of the component', { ...set, ...many }],
    ['unknown properties of the body', with_(set, many)],
    ['invalid items', with_(set, { fields: Object.keys(many) })],
    ['broken texts', with_(set, { fields: Object.keys(many).map((name) => `${name}\udc00`) })],
  ])('%s: the first ones are listed, and one finding reports it', (_, json) => {
    const { component, findings, invalidComponent } = parseComponent(json)
    expect(component).toBeNull()
    expect(findings).toHaveLength(201)
    expect(findings.at(-1)).toMatchObject({ code: 'component.more_findings', component: 'config_set/vat' })
    expect(invalidComponent).toEqual({ id: 'config_set/vat', partialEntry: null, faults: [''] })
  })

  it('nulls in a long list count as absent', () => {
    const fields = Array.from({ length: 1500 }, (_, at) => ({ key: `f${at}`, type: 'text', label: null }))
    const { component, findings } = parseComponent(with_(set, { fields }))
    expect(findings).toEqual([])
    expect(component?.body).toMatchObject({ fields: fields.map(({ key, type }) => ({ key, type })) })
  })
})
