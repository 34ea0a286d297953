// Parts of a body by their path, and the fields that depend on a neighbour's value.
import { describe, expect, it } from 'vitest'
import { isApplicable, isVisible, partAt, withPart } from './widget.ts'

describe('parts of a body', () => {
  const body = { keyedBy: { key: 'country', type: 'text' }, scopes: ['org'] }

  it('reads and sets below an object', () => {
    expect(partAt(body, 'keyedBy.type')).toBe('text')
    expect(partAt(body, 'scopes.type')).toBeUndefined()
    expect(withPart(body, 'keyedBy.type', 'date')).toEqual({
      ...body,
      keyedBy: { key: 'country', type: 'date' },
    })
  })

  it('creates objects in between, and removes undefined parts', () => {
    expect(withPart({}, 'a.b', 1)).toEqual({ a: { b: 1 } })
    expect(withPart(body, 'keyedBy', undefined)).toEqual({ scopes: ['org'] })
  })
})

describe('isVisible', () => {
  const field = {
    path: 'scale',
    label: '',
    help: '',
    widget: 'number',
    when: { path: 'type', in: ['number'] },
  } as const

  it('follows the neighbour', () => {
    expect(isApplicable(field, { type: 'number' })).toBe(true)
    expect(isApplicable(field, { type: 'text' })).toBe(false)
  })

  it('keeps a value visible that does not fit its neighbour', () => {
    expect(isVisible(field, { type: 'text' })).toBe(false)
    expect(isVisible(field, { type: 'text', scale: 2 })).toBe(true)
    expect(isVisible(field, { type: 'text', scale: false })).toBe(false)
  })

  it('reads an absent storage as local', () => {
    expect(isApplicable({ ...field, when: { path: 'storage', in: ['local'] } }, {})).toBe(true)
    expect(isApplicable({ ...field, when: { path: 'storage', in: ['external'] } }, {})).toBe(false)
  })
})
