// An edit is told in numbers, without a name.
import { describe, expect, it } from 'vitest'
import { editWords, type Revision } from './edit-words.ts'

const terms = { title: 'T', rationale: 'Why', base: 2, applyOn: null }
const item = (id: string, text: string | null) => ({ id, text, hints: {} }) as Revision['items'][number]

describe('editWords', () => {
  it('counts what changed, came and went', () => {
    const before = { terms, items: [item('value_set/a', '1'), item('value_set/b', '1')] }
    const after = { terms, items: [item('value_set/a', '2'), item('value_set/c', null)] }
    expect(editWords(before, after)).toBe('Of its components 1 changed, 1 added, 1 taken out')
  })

  it('says which terms are others', () => {
    const others = { title: 'U', rationale: 'Because', base: 3, applyOn: '2027-01-01' }
    expect(editWords({ terms, items: [] }, { terms: others, items: [] })).toBe(
      'another rationale; another title; another date; over generation 3',
    )
    expect(editWords({ terms, items: [] }, { terms, items: [] })).toBe('')
  })
})
