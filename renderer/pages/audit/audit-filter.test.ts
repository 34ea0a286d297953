// Audit filters that are not valid are explained in the words of their fields.
import { expect, it } from 'vitest'
import { filterFaults, filterOf } from './audit-filter.ts'

it.each([
  [{ since: '2026-11-23', until: '2026-11-23', generation: '7' }, []],
  [{ since: '2026-11-24', until: '2026-11-23' }, ['From is after To. Enter an earlier From or a later To.']],
  [{ generation: 'x' }, ['Generation is not a number. Enter one, such as 7.']],
  [{ since: 'soon' }, [expect.stringMatching(/soon/i)]],
])('%o', (query, faults) => {
  expect(Object.values(filterFaults(filterOf(query))).filter((fault) => fault !== null)).toEqual(faults)
})
