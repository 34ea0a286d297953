// Where-used shows a component once for each thing that it uses, with the number of places.
import { expect, it } from 'vitest'
import { groupedUses } from './grouped-uses.ts'

it('merges the places of a component that use the same, and keeps the first as the target', () => {
  const usage = (path: string, member?: string) => ({
    ...{ from: 'object/invoice' as const, path, label: 'Invoice' },
    ...(member === undefined ? {} : { member }),
  })
  const uses = [
    usage('/body/a', 'rate'),
    usage('/body/b', 'rate'),
    usage('/body/c', 'code'),
    usage('/body/d'),
  ]
  expect(groupedUses(uses).map(({ use, words, places }) => [use.path, words, places])).toEqual([
    ['/body/a', 'rate', 2],
    ['/body/c', 'code', 1],
    ['/body/d', 'Invoice', 1],
  ])
})
