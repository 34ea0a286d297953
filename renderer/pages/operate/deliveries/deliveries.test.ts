import { describe, expect, it } from 'vitest'
import { addressOfFields, deliveryQuery, fieldsOf } from './delivery-query.ts'
import type { RefusalEvent, RefusalsEvent } from './delivery-words.ts'
import { exampleBody } from './example-body.ts'
import { refusalCounts } from './refusal-counts.ts'

const envelope = { record: null, actor: null, isFailed: true, durationMs: null }
const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString()
const refusal = (endpoint: string, seconds: number, failed?: string): RefusalEvent => ({
  ...envelope,
  ...{ id: `${endpoint}-${seconds}`, at: at(seconds), kind: 'refusal', correlationId: 'c' },
  subject: `webhook_endpoint/${endpoint}`,
  facts: {
    code: 'webhook.refused',
    steps:
      failed === undefined
        ? []
        : [
            { step: 'signature_header', isPassed: true, detail: 'It is there.' },
            { step: failed, isPassed: false, detail: 'It failed.' },
            { step: 'later', isPassed: false, detail: 'It failed too.' },
          ],
  },
})
const counted = (endpoint: string, from: number, to: number, refused: number): RefusalsEvent => ({
  ...envelope,
  ...{ id: `${endpoint}-${from}-${to}`, at: at(from), kind: 'refusals', correlationId: null },
  ...{ subject: `webhook_endpoint/${endpoint}`, facts: { until: at(to), refused } },
})

describe('how often deliveries were refused', () => {
  it('has each request once: those that are counted, and those since', () => {
    const refusals = [refusal('hub', 130, 'signature'), refusal('hub', 3, 'age'), refusal('hub', 2, 'age')]
    expect(refusalCounts(refusals, [counted('hub', 60, 120, 500), counted('hub', 2, 60, 30)])).toEqual([
      {
        ...{ endpoint: 'hub', refused: 531, lastAt: at(130) },
        reasons: [
          { name: 'Age', count: 2 },
          { name: 'Signature', count: 1 },
        ],
      },
    ])
  })

  it('has the endpoint with the most refused requests first, and a secret that is absent', () => {
    const found = refusalCounts([refusal('few', 1), refusal('many', 2, 'id')], [counted('many', 2, 9, 7)])
    expect(found.map(({ endpoint, refused }) => [endpoint, refused])).toEqual([
      ['many', 7],
      ['few', 1],
    ])
    expect(found[1]!.reasons).toEqual([{ name: 'Secret', count: 1 }])
    expect(refusalCounts([], [])).toEqual([])
  })
})

describe('the body of a test delivery', () => {
  it('has the members that the endpoint reads, and an id', () => {
    const body = {
      dedupe: { idHeader: 'body:/event/id' },
      dispatch: { upsert: { values: { number: '/issue/number', title: '/issue/title', id: '/event/id' } } },
    }
    expect(JSON.parse(exampleBody(body, 'new'))).toEqual({
      issue: { number: '', title: '' },
      event: { id: 'new' },
    })
    const ofAutomation = { dispatch: { automation: 'a', values: { amount: '/data~1amount/a~0b' } } }
    expect(JSON.parse(exampleBody(ofAutomation, 'new'))).toEqual({ 'data/amount': { 'a~b': '' } })
  })

  it('is an object for every endpoint', () => {
    for (const body of [null, {}, { dispatch: { upsert: { values: { a: '', b: 7, c: '/c', d: '/c/d' } } } }])
      expect(typeof JSON.parse(exampleBody(body, 'new'))).toBe('object')
    const named = exampleBody({ dispatch: { values: { a: '/__proto__/polluted' } } }, 'new')
    expect(named).toContain('__proto__')
    expect('polluted' in {}).toBe(false)
  })
})

it('the address of a filter has what differs from all, and nothing else', () => {
  const query = { state: 'held', failed: 'true', endpoint: 'hub', correlationId: 'c', hours: '24' }
  expect(addressOfFields(fieldsOf(query))).toEqual(query)
  expect(addressOfFields(fieldsOf({ state: 'sent', hours: '7', failed: 'yes', other: 'x' }))).toEqual({})
  const now = Date.UTC(2026, 0, 2)
  expect(deliveryQuery(fieldsOf(query), now)).toEqual({
    ...{ state: 'held', failed: 'true', endpoint: 'hub', correlationId: 'c', since: at(0) },
  })
})
