// The manifest of the element describes everything that docs/reference/lookup-field.md promises, and nothing else.
import { readFileSync } from 'node:fs'
import type { ClassField, ClassMethod, CustomElementField } from 'custom-elements-manifest'
import { describe, expect, it } from 'vitest'
import { innerNames } from '../../elements/build/inner-names.ts'
import { elementIn, manifest } from '../../elements/build/manifest.ts'
import { root } from '../../elements/build/root.ts'
import type { LookupAttributes } from '../../elements/index.ts'
import { css } from '../../elements/lookup-field/styles.ts'
import {
  attributes,
  events,
  methods,
  ofForms,
  otherEvents,
  parts,
  properties,
  tokens,
} from './lookup-field.table.ts'

const whole = manifest()
const element = elementIn(whole)
const members = element.members ?? []
const fields = members.filter((each) => each.kind === 'field') as (ClassField & CustomElementField)[]
const called = members.filter((each) => each.kind === 'method') as ClassMethod[]
const named = (list: readonly { name: string }[] | undefined): string[] =>
  (list ?? []).map(({ name }) => name).sort()
const sorted = (...lists: (readonly string[])[]): string[] => lists.flat().sort()

describe('the custom-elements manifest', () => {
  it('describes one element, in the module that is published', () => {
    expect(element).toMatchObject({
      tagName: 'svc-lookup-field',
      customElement: true,
      name: 'SvcLookupField',
      superclass: { name: 'HTMLElement', package: 'global:' },
    })
    expect(element.slots).toBeUndefined()
  })

  it('describes each published file, with its exports', () => {
    const exported = whole.modules.map(({ path, exports }) => [path, ...named(exports)])
    expect(exported).toEqual([
      ['dist/index.js', 'SvcLookupField', 'arraySource', 'fetchSource', 'setLookupWords', 'svc-lookup-field'],
      ['dist/sources.js', 'arraySource', 'fetchSource'],
    ])
  })

  it('joins each property with the attribute that it reflects', () => {
    const reflecting = fields.filter(({ reflects }) => reflects)
    expect(reflecting.map(({ name, attribute }) => [name, attribute])).toEqual([
      ['value', 'value'],
      ['display', 'display'],
      ['name', 'name'],
    ])
    const joined = element.attributes?.filter(({ fieldName }) => fieldName !== undefined)
    expect(joined?.map(({ name, fieldName }) => [name, fieldName])).toEqual([
      ['value', 'value'],
      ['display', 'display'],
      ['name', 'name'],
    ])
  })

  it.each(attributes)('attribute $name', ({ name, type, ...rest }) => {
    const found = element.attributes?.find((each) => each.name === name)
    expect(found).toMatchObject({ type: { text: type }, ...rest })
    expect(found?.default).toBe(rest.default)
  })

  it('has no attributes other than those and those of any field', () => {
    expect(named(element.attributes)).toEqual(sorted(named(attributes), ofForms.attributes))
  })

  it.each(properties)('property $name', ({ name, type, ...rest }) => {
    const found = fields.find((each) => each.name === name)
    expect(found?.type?.text).toBe(type)
    expect(found?.readonly ?? false).toBe('readonly' in rest)
  })

  it('has no properties or methods other than those and those of any field', () => {
    expect(named(fields)).toEqual(sorted(named(properties), ofForms.properties))
    expect(named(called)).toEqual(sorted(named(methods), ofForms.methods))
    const focus = called.find(({ name }) => name === 'focus')
    expect(focus?.parameters?.map(({ type }) => type?.text)).toEqual(methods[0].parameters)
  })

  it('lists the parts, the tokens and the events, with what these carry', () => {
    expect(named(element.cssParts)).toEqual(sorted(parts))
    expect(named(element.cssProperties)).toEqual(sorted(tokens))
    expect(element.events?.map(({ name, type }) => ({ name, type: type.text }))).toEqual([
      ...events,
      ...otherEvents,
    ])
  })

  it('describes each of them', () => {
    const all = [
      ...(element.attributes ?? []),
      ...members,
      ...(element.cssParts ?? []),
      ...(element.cssProperties ?? []),
    ]
    expect(all.filter(({ description }) => !description).map(({ name }) => name)).toEqual([])
  })
})

describe('the build of the element', () => {
  it('does not shorten a name that a page or a source uses', () => {
    const files = [
      'lookup-field/types.ts',
      'lookup-field/words.ts',
      'sources/array-source.ts',
      'sources/fetch-source.ts',
    ]
    const text = files.map((file) => readFileSync(new URL(file, root), 'utf8')).join('\n')
    const blocks = text.match(/^export interface [^]*?^}/gm)!.join('\n')
    const seen = [...blocks.matchAll(/^ {2,4}'?([\w-]+)'?\??[:(]/gm)].map(([, name]) => name!)
    expect(seen).toEqual(
      expect.arrayContaining(['displayFields', 'make', 'noSource', 'recent', 'answer', 'error']),
    )
    const outer = [...seen, ...named(members)]
    expect(innerNames.filter((name) => outer.includes(name))).toEqual([])
  })

  it('draws with those tokens and no others', () => {
    expect(sorted([...new Set(css.match(/--svc-[\w-]+/g))])).toEqual(sorted(tokens))
  })

  it('lists those attributes in the templates of frameworks', () => {
    const typed: Record<keyof LookupAttributes, true> = {
      mode: true,
      'match-fields': true,
      'display-fields': true,
      'min-chars': true,
      'search-delay': true,
      value: true,
      display: true,
      href: true,
      label: true,
      placeholder: true,
      required: true,
      disabled: true,
      invalid: true,
      message: true,
      inline: true,
      name: true,
      form: true,
    }
    expect(sorted(Object.keys(typed))).toEqual(named(element.attributes))
  })
})
