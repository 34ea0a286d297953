import type { Finding } from '#kernel/errors/finding.ts'
import { describe, expect, it } from 'vitest'
import { locateFindings, type TextLookup } from './locate-findings.ts'

const findingAt = (component: string, path: string, facts?: Finding['facts']): Finding => ({
  severity: 'error',
  code: 'config.value_type',
  component,
  path,
  message: '',
  related: [],
  ...(facts === undefined ? {} : { facts }),
})

describe('placeFindings', () => {
  it('reports file, line and column, reads each text once, and keeps other facts', () => {
    const lookups: string[] = []
    const textOf: TextLookup = (id) => {
      lookups.push(id)
      return id === 'config_entry/vat.de'
        ? {
            name: 'config_entry/vat/de.json',
            text: '{\n  "body": {\n    "values": { "rate": "20%" }\n  }\n}',
          }
        : null
    }
    const [rate, values, other, noComponent, placed] = locateFindings(
      [
        findingAt('config_entry/vat.de', '/body/values/rate', { digits: 4 }),
        findingAt('config_entry/vat.de', '/body/values'),
        findingAt('config_entry/vat.fr', '/body'),
        findingAt('some.json', ''),
        findingAt('config_entry/vat.de', '', { file: 'elsewhere.json' }),
      ],
      textOf,
    )
    const file = 'config_entry/vat/de.json'
    expect(rate!.facts).toEqual({ digits: 4, file, line: 3, column: 17 })
    expect(values!.facts).toEqual({ file, line: 3, column: 5 })
    expect([other!.facts, noComponent!.facts]).toEqual([undefined, undefined])
    expect(placed!.facts).toEqual({ file: 'elsewhere.json' })
    expect(lookups).toEqual(['config_entry/vat.de', 'config_entry/vat.fr'])
  })
})
