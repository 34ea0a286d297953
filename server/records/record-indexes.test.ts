import { expect, it } from 'vitest'
import { Generations } from '../kernel/records/fixture.ts'
import { recordIndexes } from './record-indexes.ts'

it('leaves out a filter of an older org that the database cannot apply, so that its records can be saved', () => {
  const number = (scale: number): object => ({ type: 'number', precision: 9, scale })
  const { view } = new Generations().add({
    'object/task': {
      fields: [
        { key: 'cost', ...number(2) },
        { key: 'rate', ...number(4) },
        { key: 'due', type: 'date' },
      ],
    },
    'list_view/wrong': { object: 'task', columns: [], filter: 'cost > rate' },
    'list_view/right': { object: 'task', columns: [], filter: 'present(due)', orderBy: [{ field: 'id' }] },
  })
  expect([...recordIndexes(view, 'task').indexed]).toEqual(['due'])
})
