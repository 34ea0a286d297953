import { describe, expect, it } from 'vitest'
import { canonicalJson, type JsonValue } from '../change/canonical.ts'
import { findingCodes } from '../errors/finding-codes.ts'
import type { Component, ComponentOf } from './body-types.ts'
import { componentTypes, splitId, type ComponentType } from './component.ts'
import type { FieldDescriptor } from './form.ts'
import { formOf } from './forms.ts'
import { itemKeysOf } from './item-keys.ts'
import { envelopeJsonSchema } from './json-schema.ts'
import { parseComponent } from './parse.ts'
import { roomOf, rooms } from './registry.ts'
import { component, findingsOf } from './rule-fixture.ts'
import { variants, type JsonSchema } from './schema-lookup.ts'

const each = rooms.map((room) => [room.type] as [ComponentType])

/** The examples of all rooms are in one org, together with the components that they refer to. */
const org: Component[] = [
  component('config_set/vat_rate', roomOf('config_set').doc.example),
  component('value_set/rate_kind', roomOf('value_set').doc.example),
  component('object/invoice', roomOf('object').doc.example),
  component('external_credential/ledger_login', roomOf('external_credential').doc.example),
  component('external_credential/payments_secret', { scheme: 'api_key', principals: [{ key: 'sender' }] }),
  component('named_credential/ledger', roomOf('named_credential').doc.example),
  component('event_channel/large_invoices', roomOf('event_channel').doc.example),
  component('event_channel/payments', roomOf('event_channel').doc.example),
  component('list_view/open_invoices', roomOf('list_view').doc.example),
]

describe('the registry', () => {
  it('has a room for every type, once', () => {
    expect(rooms.map((room) => room.type).toSorted()).toEqual([...componentTypes].toSorted())
    for (const type of componentTypes) expect(roomOf(type).type).toBe(type)
  })
})

describe.each(each)('%s', (type) => {
  const room = roomOf(type)

  it('has an example that no rule refuses', () => {
    const key = type === 'config_entry' ? 'vat_rate.de_2021' : 'example'
    const example = component(
      `${type}/${key}` as `${typeof type}/${string}`,
      room.doc.example,
    ) as ComponentOf<never>
    const others = org.filter((other) => other.type !== type || other.key !== key)
    expect(findingsOf(example, { others })).toEqual([])
  })

  it('has bodies that are JSON', () => {
    const body = room.body.parse(room.doc.example)
    expect(JSON.parse(canonicalJson(body as JsonValue))).toEqual(body)
  })

  it('explains every property in its JSON schema, and describes no property that does not exist', () => {
    const schema = envelopeJsonSchema(type)
    expect(unexplained(schema, '')).toEqual([])
    const body = schema.properties!['body']!
    const astray = formOf(type).sections.flatMap(({ fields }) =>
      fields.flatMap((field) => missing(body, field, '')),
    )
    expect(astray).toEqual([])
  })

  it('identifies items of lists by a property that they have', () => {
    const body = envelopeJsonSchema(type).properties!['body']!
    for (const [path, property] of Object.entries(itemKeysOf(type))) {
      const lists = path
        .split('/')
        .slice(1)
        .reduce((places, step) => places.flatMap((place) => inside(place, step)), [body])
      expect(
        lists
          .flatMap((list) => inside(list, '*'))
          .flatMap(variants)
          .some((item) => property in (item.properties ?? {})),
        path,
      ).toBe(true)
    }
  })

  it('has an edge for every component that it names', () => {
    const parsed = parseComponent({
      type,
      key: type === 'config_entry' ? 'vat_rate.x' : 'example',
      label: 'x',
      body: room.doc.example,
    }).component!
    for (const { path, to } of room.references(parsed as never)) {
      const { key } = splitId(to)
      const steps = path.split('/').slice(1)
      const value = steps.reduce<unknown>(
        (place, step) => (place as Record<string, unknown> | undefined)?.[step],
        parsed,
      )
      const names = [value, ...steps.slice(-1)].filter((name) => typeof name === 'string')
      expect(value, path).toBeDefined()
      const isSelf = key === parsed.key
      expect(
        isSelf ||
          names.some((name) => name.split('.')[0] === key) ||
          steps.includes('values') ||
          isField(value, to),
        path,
      ).toBe(true)
    }
  })

  it('names only listed codes', () => {
    for (const { code } of room.issues ?? []) expect(findingCodes).toHaveProperty([code])
  })
})

/** A path of fields does not name an object; its edge leads to the object of the body. */
function isField(value: unknown, to: string): boolean {
  return typeof value === 'string' && to.startsWith('object/')
}

function unexplained(schema: JsonSchema, path: string): string[] {
  return variants(schema).flatMap((variant) => [
    ...Object.entries(variant.properties ?? {}).flatMap(([name, property]) => [
      ...(property.description === undefined && property.const === undefined ? [`${path}/${name}`] : []),
      ...unexplained(property, `${path}/${name}`),
    ]),
    ...(variant.items === undefined ? [] : unexplained(variant.items, `${path}/*`)),
    ...(typeof variant.additionalProperties === 'object'
      ? unexplained(variant.additionalProperties, `${path}/*`)
      : []),
  ])
}

function inside(schema: JsonSchema, step: string): JsonSchema[] {
  return variants(schema).flatMap<JsonSchema>((variant) => {
    if (step === '*')
      return (
        variant.items ??
        (typeof variant.additionalProperties === 'object' ? variant.additionalProperties : [])
      )
    return variant.properties?.[step] ?? []
  })
}

function missing(schema: JsonSchema, field: FieldDescriptor, path: string): string[] {
  const places = field.path
    .split('.')
    .reduce<JsonSchema[]>((at, step) => at.flatMap((place) => inside(place, step)), [schema])
  const here = `${path}/${field.path}`
  if (places.length === 0) return [here]
  const levels = places.flatMap((place) => [place, ...inside(place, '*')])
  return (field.fields ?? [])
    .filter((inner) => levels.every((level) => missing(level, inner, here).length > 0))
    .map((inner) => `${here}/${inner.path}`)
}

describe('the JSON schemas of envelopes', () => {
  it.each(each)('describe a strict object: %s', (type) => {
    expect(envelopeJsonSchema(type).additionalProperties).toBe(false)
  })
  it('provide values and defaults to the editor', () => {
    const body = envelopeJsonSchema('config_set').properties!['body']!
    expect(body.properties!['cardinality']).toMatchObject({ enum: ['singleton', 'keyed'], title: 'Rows' })
    expect(body.properties!['scopes']).toMatchObject({ default: ['org'] })
    expect(body.required).toEqual(['cardinality', 'fields'])
  })
})
