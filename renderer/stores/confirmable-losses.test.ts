// Only a change that keeps its object can be confirmed, and only the two losses that a confirmation allows.
import { expect, it } from 'vitest'
import { confirmableLosses } from './confirmable-losses.ts'

it('lists each object with a loss once, without removed ones and other findings', () => {
  const index = [
    { id: 'object/invoice', kind: 'changed' },
    { id: 'object/line', kind: 'removed' },
    { id: 'object/customer', kind: 'renamed' },
    { id: 'object/note', kind: 'changed' },
  ] as const
  const findings = [
    { code: 'deploy.field_in_use', component: 'object/customer' },
    { code: 'object.values_lost', component: 'object/customer' },
    { code: 'object.values_lost', component: 'object/invoice' },
    { code: 'deploy.field_in_use', component: 'object/line' },
    { code: 'object.duplicate_values', component: 'object/note' },
  ] as const
  expect(confirmableLosses(findings, index)).toEqual(['object/invoice', 'object/customer'])
})
