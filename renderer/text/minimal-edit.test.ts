// A form edit keeps everything that it does not change.
import { describe, expect, it } from 'vitest'
import { faultPlace, readLoosely, setAt } from './minimal-edit.ts'

const text = `{
  "type": "config_entry",
  "body": { "scope": { "kind": "org" },   "set": "vat_rate",
    "values": { "rate": "0.19" } }
}
`

describe('setAt', () => {
  it('changes one value and keeps every other character', () => {
    expect(setAt(text, ['body', 'values', 'rate'], '0.21')).toBe(text.replace('0.19', '0.21'))
  })

  it('adds a property after the existing ones and keeps their layout', () => {
    const edited = setAt(text, ['body', 'effectiveFrom'], '2027-01-01')
    expect(edited).toContain('"body": { "scope": { "kind": "org" },   "set": "vat_rate",')
    expect(JSON.parse(edited)).toMatchObject({ body: { effectiveFrom: '2027-01-01', set: 'vat_rate' } })
  })

  it('creates the objects in between', () => {
    expect(JSON.parse(setAt('{}', ['body', 'keyedBy', 'type'], 'text'))).toEqual({
      body: { keyedBy: { type: 'text' } },
    })
  })

  it('removes a property, and leaves the text unchanged if it is absent', () => {
    expect(JSON.parse(setAt(text, ['body', 'set'], undefined))).not.toHaveProperty('body.set')
    expect(setAt(text, ['body', 'nothing'], undefined)).toBe(text)
  })

  it('removes an item from a list', () => {
    expect(JSON.parse(setAt('{"a":[1,2,3]}', ['a', 1], undefined))).toEqual({ a: [1, 3] })
  })

  it('leaves a text unchanged if it cannot contain the path', () => {
    expect(setAt('"word"', ['a', 'b'], 1)).toBe('"word"')
  })
})

describe('a name that is written twice', () => {
  const twice = '{ "a": { "b": 1 }, "a": { "b": 2, "c": "é", "b": 3 }, "d": 4 }'

  it('is set at its last occurrence, and occurs as often as before', () => {
    expect(setAt(twice, ['a', 'b'], 5)).toBe(twice.replace('3', '5'))
    expect(JSON.parse(setAt(twice, ['a', 'e'], 6))).toEqual({ a: { b: 3, c: 'é', e: 6 }, d: 4 })
    expect(setAt(twice, ['a', 'e'], 6).match(/"a"/g)).toHaveLength(2)
    expect(setAt(twice, ['d'], 5)).toBe(twice.replace('4', '5'))
  })

  it('is removed everywhere', () => {
    expect(JSON.parse(setAt(twice, ['a', 'b'], undefined))).toEqual({ a: { c: 'é' }, d: 4 })
    expect(JSON.parse(setAt(twice, ['a'], undefined))).toEqual({ d: 4 })
  })
})

describe('a text with a stray quote on line 2', () => {
  const broken = text.replace('{\n', '{\n  "\n')

  it('is left unchanged by every edit', () => {
    expect(setAt(broken, ['label'], 'Mine')).toBe(broken)
    expect(setAt(broken, ['body', 'values', 'rate'], '0.21')).toBe(broken)
    expect(setAt(broken, ['body', 'set'], undefined)).toBe(broken)
  })

  it('has a fault with its place', () => {
    expect(faultPlace(broken)).toEqual({ line: 2, column: 3 })
    expect(faultPlace(text)).toBeNull()
  })
})

describe('readLoosely', () => {
  it('reads the readable part of a half-typed text', () => {
    const { value, faults } = readLoosely('{ "type": "app", "body": { "label": "A", ')
    expect(value).toMatchObject({ type: 'app', body: { label: 'A' } })
    expect(faults.length).toBeGreaterThan(0)
  })
})
