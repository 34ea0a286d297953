// The titles and explanations of a rollback and a revert, so that the two are never mistaken for each other.
import type { RestoreList } from '../../stores/restore.ts'
import { count } from '../../text/words.ts'

export interface RestoreWords {
  /** `Restore generation 7`; also used on the button. */
  title: string
  explanation: string
  /** Shown if nothing differs. */
  nothing: string
}

export function restoreWords(list: RestoreList | null): RestoreWords {
  if (list === null) return { title: 'Restore', explanation: '', nothing: '' }
  const { generation } = list
  if (list.kind === 'restore')
    return {
      title: `Restore generation ${generation}`,
      explanation: `Undoes everything after generation ${generation}. History and drafts stay.`,
      nothing: `The active generation already has the content of generation ${generation}.`,
    }
  const some = list.components
  const title =
    some === undefined
      ? `Revert generation ${generation}`
      : some.length === 1
        ? `Revert one change of generation ${generation}`
        : `Revert ${count(some.length, 'change')} of generation ${generation}`
  const what = some === undefined ? `what generation ${generation} changed` : `${some.join(', ')}`
  return {
    title,
    explanation: `Undoes ${what} and keeps what came after it.`,
    nothing: `None of the changes of generation ${generation} are left to undo.`,
  }
}
