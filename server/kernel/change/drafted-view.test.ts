import { expect, it } from 'vitest'
import { MemoryView } from '../components/memory-view.ts'
import { component } from '../components/rule-fixture.ts'
import { draftedView } from './drafted-view.ts'

const amount = { key: 'amount', type: 'text' }
const base = new MemoryView([
  component('object/invoice', { fields: [amount] }),
  component('calc_function/old', { params: [], returns: 'number', expression: '1' }),
])
const drafted = (...fields: object[]): object => ({
  type: 'object',
  key: 'invoice',
  label: '',
  body: { fields },
})

it('a view with drafts contains what they add, change and remove, as far as they can be read, and does not change the base', () => {
  const view = draftedView(base, [
    { id: 'object/invoice', json: drafted(amount) },
    { id: 'object/invoice', json: drafted(amount, { key: 'city', type: 'text' }, { key: 'half' }) },
    { id: 'object/order', json: '{ half typed' },
    { id: 'calc_function/old', json: null },
  ])
  expect(view.get('object', 'invoice')?.body.fields.map(({ key }) => key)).toEqual(['amount', 'city'])
  expect([...view.keys('object')]).toEqual(['invoice'])
  expect(view.has('calc_function', 'old')).toBe(false)
  expect(base.get('object', 'invoice')?.body.fields).toHaveLength(1)
})
