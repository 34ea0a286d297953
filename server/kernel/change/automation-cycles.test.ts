// Automations that trigger each other are a warning on the first of them, with the whole cycle.
import { expect, it } from 'vitest'
import type { Component } from '../components/body-types.ts'
import { MemoryView } from '../components/memory-view.ts'
import { component } from '../components/rule-fixture.ts'
import { automationCycles } from './automation-cycles.ts'

const automation = (key: string, object: string, target: string, phase = 'after_write') =>
  component(`automation/${key}`, {
    ...{ object, phase },
    actions: [
      { type: 'raise', key: 'check', when: 'false', message: 'No.' },
      { type: 'update', key: 'next', object: target, record: 'other', values: { amount: '1' } },
    ],
  })
const cyclesOf = (...automations: Component[]): unknown[] =>
  automationCycles(new MemoryView(automations)).map(({ component: id, path, message }) => [id, path, message])

it('names the cycle', () => {
  const [a, b] = [automation('a', 'order', 'stock'), automation('b', 'stock', 'order', 'post_commit')]
  expect(cyclesOf(a, b)).toEqual([
    [
      'automation/a',
      '/body/actions/1',
      'Automations trigger each other: a triggers b triggers a. A save that does not end this is refused.',
    ],
  ])
  expect(cyclesOf(automation('a', 'order', 'order'))).toEqual([
    ['automation/a', '/body/actions/1', expect.stringContaining('a triggers a')],
  ])
})

it('finds none if the target is not watched, or only before the write', () => {
  expect(cyclesOf(automation('a', 'order', 'stock'), automation('b', 'stock', 'ledger'))).toEqual([])
  expect(
    cyclesOf(automation('a', 'order', 'stock'), automation('b', 'stock', 'order', 'before_write')),
  ).toEqual([])
})
