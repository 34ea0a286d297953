// What is sent to the thread that imports takes it no longer to receive for a larger description.
import { describe, expect, it } from 'vitest'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { nobleSha256 } from '#kernel/change/sha256.ts'
import { importNeed } from './import-need.ts'

type Source = ComponentOf<'external_service'>['body']['spec']['source']

const withProperties = (count: number): Source => ({
  openapi: '3.1.0',
  components: {
    schemas: {
      Row: { properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, {}])) },
    },
  },
})
const need = (source: Source, text: string | null = null) =>
  importNeed(
    {
      service: {
        ...{ type: 'external_service', key: 'ledger', label: 'Ledger', apiName: 'ledger' },
        body: {
          namedCredential: 'ledger',
          spec: { format: 'openapi_3_1', source },
          onSpecDrift: 'fail',
          operations: ['list'],
        },
      } as ComponentOf<'external_service'>,
      ...{ text, credential: undefined, hasNoSecret: false },
    },
    nobleSha256,
  )

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return 1 + Object.values(value).reduce((sum: number, each) => sum + countValues(each), 0)
}

describe('an import need', () => {
  it('has as many values for a large description as for a small one', () => {
    expect(countValues(need(withProperties(20_000)))).toBe(countValues(need(withProperties(1))))
    expect(need(withProperties(1)).source).toEqual({
      name: 'the description of ledger',
      text: JSON.stringify(withProperties(1)),
    })
  })

  it('has the same digest only for the same description', () => {
    const { digest } = need(withProperties(2))
    expect(need(withProperties(2)).digest).toBe(digest)
    expect(need(withProperties(3)).digest).not.toBe(digest)
    expect(need(withProperties(2), '{}').digest).not.toBe(digest)
    expect(need('https://ledger.example/openapi.json').digest).not.toBe(digest)
  })
})
