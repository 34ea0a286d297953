// The stored form of each value that a client can send, and the message for each that it cannot.
import { describe, expect, it } from 'vitest'
import type { ObjectField } from '../components/object/body.ts'
import { billing, Generations } from './fixture.ts'
import { parseFieldValue } from './parse-field-value.ts'

const { view } = new Generations().add(billing())
const fieldOf = (more: object): ObjectField => ({ key: 'f', label: 'The field', ...more }) as ObjectField
const number = fieldOf({ type: 'number', precision: 10, scale: 2 })
const text = fieldOf({ type: 'text' })
const unique = fieldOf({ type: 'text', unique: true })
const flag = fieldOf({ type: 'boolean' })
const day = fieldOf({ type: 'date' })
const moment = fieldOf({ type: 'datetime' })
const state = fieldOf({ type: 'enum', valueSet: 'state' })
const customer = fieldOf({ type: 'reference', references: 'customer' })
const id = '01890a5d-ac96-774b-bcce-b302099a8057'

describe('a value', () => {
  it.each<[ObjectField, unknown, unknown]>([
    [number, '12.5', '12.50'],
    [number, 12.5, '12.50'],
    [number, -0, '0.00'],
    [number, '007', '7.00'],
    [text, '', ''],
    [text, 'Zoë 🙂', 'Zoë 🙂'],
    [unique, '🙂'.repeat(400), '🙂'.repeat(400)],
    [flag, false, false],
    [day, '2024-02-29', '2024-02-29'],
    [moment, '2024-02-29T01:00:00+02:00', '2024-02-28T23:00:00Z'],
    [moment, '2024-02-29T01:00:00.1234567890Z', undefined],
    [moment, '2024-02-29T01:00:00.120Z', '2024-02-29T01:00:00.12Z'],
    [state, 'open', 'open'],
    [customer, id, id],
    [text, null, null],
  ])('%o: %s is stored as %s', (field, input, expected) => {
    const parsed = parseFieldValue(field, input, view)
    expect(parsed.ok ? parsed.value : undefined).toBe(expected)
  })

  it.each<[ObjectField, unknown, RegExp]>([
    [number, '12.505', /^The field: .*2/],
    [number, 1e21, /send a number with more than 15 digits as text/],
    [number, 0.1 + 0.2, /more than 15 digits/],
    [number, NaN, /as text/],
    [number, true, /must be a number/],
    [number, '1,5', /^The field: /],
    [number, '123456789.00', /^The field: /],
    [text, 5, /must be text/],
    [text, 'a\0', /U\+0000/],
    [text, '\ud800', /surrogate/],
    [unique, 'x'.repeat(401), /at most 400/],
    [flag, 'true', /true or false/],
    [day, '2023-02-29', /^The field: /],
    [day, 20230229, /such as 2025-01-31/],
    [moment, '2024-02-29T01:00:00', /time zone/],
    [state, 'opne', /Did you mean "open"/],
    [state, 'lost', /no longer offered. Choose open, paid/],
    [state, 3, /must be a value of state/],
    [customer, 'ada', /id of a record of customer/],
    [customer, id.toUpperCase(), /id of a record/],
    [text, { a: 1 }, /must be text/],
    [day, [], /must be a date/],
  ])('%o: %s is refused', (field, input, message) => {
    const parsed = parseFieldValue(field, input, view)
    expect(parsed.ok ? '' : parsed.message).toMatch(message)
  })

  it('that is an inactive member can be kept', () => {
    expect(parseFieldValue(state, 'lost', view, 'lost')).toEqual({ ok: true, value: 'lost' })
  })
})
