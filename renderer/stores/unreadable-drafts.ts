// Drafts that make no change because their text cannot be read as a component.
import { parseComponent } from '#kernel/components/parse.ts'
import type { ComponentId, DraftRow, Finding } from '../api/wire.ts'

export interface UnreadableDraft {
  id: ComponentId
  /** Why it cannot be read, as in the plan of all drafts. */
  findings: Finding[]
}

/** Returns those of `drafts` that make none of the changes `read` and are not a component, until they are fixed. */
export function findUnreadableDrafts(
  drafts: readonly Pick<DraftRow, 'id' | 'text'>[],
  read: ReadonlySet<ComponentId>,
  findings: readonly Finding[],
): UnreadableDraft[] {
  return drafts.flatMap(({ id, text }) => {
    if (text === null || read.has(id)) return []
    const errors = findings.filter(({ component, severity }) => component === id && severity === 'error')
    // A text with a duplicate property can still be parsed.
    const twice = errors.some(({ code }) => code === 'body.duplicate_property')
    return twice || !readable(text, id) ? [{ id, findings: errors }] : []
  })
}

function readable(text: string, id: ComponentId): boolean {
  try {
    return parseComponent(JSON.parse(text), id).component !== null
  } catch {
    return false
  }
}
