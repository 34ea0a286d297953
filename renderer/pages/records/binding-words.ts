// What the history of a record shows of values that were archived or bound to another generation.
import type { HistoryEntry } from '../../api/records.ts'

type Change = HistoryEntry['bindings'][number]

export function bindingWords({ before, after }: Pick<Change, 'before' | 'after'>): string {
  if (after.archived) return `archived, generation ${after.generation}`
  const isSame = before.generation === after.generation
  const what = isSame ? 'recomputed' : `rebound, generation ${before.generation} → ${after.generation}`
  return before.archived ? `${what}, no longer archived` : what
}

/** What a write has done; one that changed no value has at least archived or rebound some. */
export function writeWords({ operation, fields, bindings }: HistoryEntry): string {
  if (operation === 'update' && fields.length === 0 && bindings.length > 0)
    return bindings.every(({ after }) => after.archived) ? 'archived' : 'recomputed, with the same values'
  return operationWords[operation]
}

const operationWords = { insert: 'added', update: 'changed', erase: 'erased', delete: 'deleted' } as const
