// Uses of a client by field, and until when each field is kept.
import { describe, expect, it } from 'vitest'
import { fieldUses } from './field-uses.ts'

const now = new Date('2026-06-30T12:00:00Z')

describe('the uses of a client', () => {
  it('are one row for each field, with its other names and its last use', () => {
    const found = fieldUses(
      [
        { kind: 'field', object: 'order', field: 'net', name: 'amount', at: '2026-06-01T10:00:00Z' },
        { kind: 'field', object: 'order', field: 'net', name: 'net', at: '2026-06-20T10:00:00Z' },
        { kind: 'object', object: 'order', field: null, name: 'order', at: '2026-06-29T10:00:00Z' },
        { kind: 'field', object: 'order', field: 'number', name: 'number', at: '2026-06-25T10:00:00Z' },
        { kind: 'field', object: null, field: null, name: 'gone', at: '2026-01-01T00:00:00Z' },
      ],
      30,
      now,
    )
    expect(found).toEqual([
      {
        ...{ object: 'order', field: 'number', aliases: [], at: '2026-06-25T10:00:00Z' },
        keptUntil: '2026-07-25T10:00:00.000Z',
      },
      {
        ...{ object: 'order', field: 'net', aliases: ['amount'], at: '2026-06-20T10:00:00Z' },
        keptUntil: '2026-07-20T10:00:00.000Z',
      },
      { object: '', field: null, aliases: ['gone'], at: '2026-01-01T00:00:00Z', keptUntil: null },
    ])
  })

  it('are not kept after the window', () => {
    const use = {
      kind: 'field' as const,
      object: 'order',
      field: 'net',
      name: 'net',
      at: '2026-05-31T12:00:00Z',
    }
    expect(fieldUses([use], 30, now)[0]!.keptUntil).toBeNull()
    expect(fieldUses([use], 31, now)[0]!.keptUntil).not.toBeNull()
  })
})
