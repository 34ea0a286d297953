// The history names what was archived and rebound, also if no value changed.
import { describe, expect, it } from 'vitest'
import type { HistoryEntry } from '../../api/records.ts'
import { bindingWords, writeWords } from './binding-words.ts'

const at = (generation: number, archived = false) => ({ generation, archived })
const entry = (more: Partial<HistoryEntry>): HistoryEntry => ({
  ...{ version: 2, operation: 'update', at: '', by: 'ada', correlationId: 'c', generation: 9 },
  ...{ fields: [], bindings: [], ...more },
})

describe('the history of a binding', () => {
  it('names the generations of a rebind and of an archive', () => {
    expect(bindingWords({ before: at(5), after: at(9) })).toBe('rebound, generation 5 → 9')
    expect(bindingWords({ before: at(5), after: at(5, true) })).toBe('archived, generation 5')
    expect(bindingWords({ before: at(5, true), after: at(9) })).toBe(
      'rebound, generation 5 → 9, no longer archived',
    )
    expect(bindingWords({ before: at(9, true), after: at(9) })).toBe('recomputed, no longer archived')
  })

  it('distinguishes writes that change no value from those that do', () => {
    const archived = { field: 'tax', before: at(5), after: at(5, true) }
    const rebound = { field: 'tax', before: at(5), after: at(9) }
    const fields = [{ field: 'net', before: '1', after: '2' }]
    expect(writeWords(entry({ bindings: [archived] }))).toBe('archived')
    expect(writeWords(entry({ bindings: [archived, rebound] }))).toBe('recomputed, with the same values')
    expect(writeWords(entry({ bindings: [rebound], fields }))).toBe('changed')
    expect(writeWords(entry({ operation: 'erase', bindings: [rebound] }))).toBe('erased')
  })
})
