// A question of the time machine survives its URL.
import { describe, expect, it } from 'vitest'
import { pointOf, timeAddress, timeQuestionFrom } from './question.ts'

const usual = { generation: 9, asOf: '2026-01-01' }

describe('a question of the time machine', () => {
  it('survives its URL', () => {
    const query = { key: 'EE', app: 'shop', a: '388@2025-09-02', b: '@2026-01-01', view: 'list' }
    const question = timeQuestionFrom('vat_rate', query)
    expect(question.a).toEqual({ generation: '388', asOf: '2025-09-02' })
    expect(timeAddress(question)).toEqual({ path: '/time/vat_rate', query })
    expect(timeAddress(timeQuestionFrom(undefined, {}))).toEqual({ path: '/time', query: {} })
  })

  it('has the typed points if they can be read, and the usual ones if nothing is typed', () => {
    expect(pointOf({ generation: '3', asOf: '' }, usual, true)).toEqual({ generation: 3, asOf: '2026-01-01' })
    expect(pointOf({ generation: '', asOf: '2025-02-29' }, usual, true)).toBeNull()
    expect(pointOf({ generation: 'three', asOf: '' }, usual, true)).toBeNull()
    expect(pointOf({ generation: '', asOf: '2025-02-28' }, usual, false)).toEqual({
      generation: 9,
      asOf: null,
    })
  })
})
