// Describes an edit in numbers, without names.
import { describe, expect, it } from 'vitest'
import { describeEdit, type Revision } from './edit-description.ts'

const terms = { title: 'T', rationale: 'Why', base: 2, applyOn: null }
const item = (id: string, text: string | null) => ({ id, text, hints: {} }) as Revision['items'][number]

describe('editWords', () => {
  it('counts what changed, was added and was removed', () => {
    const before = { terms, items: [item('value_set/a', '1'), item('value_set/b', '1')] }
    const after = { terms, items: [item('value_set/a', '2'), item('value_set/c', null)] }
    expect(describeEdit(before, after)).toBe('Components: 1 changed, 1 added, 1 dropped')
  })

  it('names the terms that changed', () => {
    const others = { title: 'U', rationale: 'Because', base: 3, applyOn: '2027-01-01' }
    expect(describeEdit({ terms, items: [] }, { terms: others, items: [] })).toBe(
      'new rationale; new title; new date; now based on generation 3',
    )
    expect(describeEdit({ terms, items: [] }, { terms, items: [] })).toBe('')
  })
})
