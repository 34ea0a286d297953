// Where-used shows a component once, with what it uses and the number of places.
import { expect, it } from 'vitest'
import { groupedUses } from './grouped-uses.ts'

const usage = (from: 'object/invoice' | 'automation/report', path: string, member?: string) => ({
  ...{ from, path, label: 'Invoice' },
  ...(member === undefined ? {} : { member }),
})
const linesOf = (uses: ReturnType<typeof usage>[]): unknown[] =>
  groupedUses(uses).map(({ use, words, places }) => [use.path, words, places])

it('merges the places of a component, and keeps the first as the target', () => {
  const uses = [
    usage('object/invoice', '/body/a', 'rate'),
    usage('automation/report', '/body/x', 'rate'),
    usage('object/invoice', '/body/b', 'rate'),
    usage('object/invoice', '/body/c', 'code'),
    usage('object/invoice', '/body/d'),
  ]
  expect(linesOf(uses)).toEqual([
    ['/body/a', 'rate, code', 4],
    ['/body/x', 'rate', 1],
  ])
})

it('names a few of what it uses, or the component without any', () => {
  const members = ['a', 'b', 'c', 'd', 'a']
  expect(linesOf(members.map((member) => usage('object/invoice', `/${member}`, member)))).toEqual([
    ['/a', 'a, b and 2 more', 5],
  ])
  expect(linesOf([usage('object/invoice', '/x')])).toEqual([['/x', 'Invoice', 1]])
})
