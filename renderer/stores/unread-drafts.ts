// Drafts that make no change because no component can be read of their text (studio: "Review").
import { parseComponent } from '#kernel/components/parse.ts'
import type { ComponentId, DraftRow, Finding } from '../api/wire.ts'

export interface UnreadDraft {
  id: ComponentId
  /** Why it cannot be read, as the plan of all drafts tells it. */
  findings: Finding[]
}

/** Of `drafts` those that make none of the changes `read` and are no component; each is there again once it is fixed. */
export function unreadDrafts(
  drafts: readonly Pick<DraftRow, 'id' | 'text'>[],
  read: ReadonlySet<ComponentId>,
  findings: readonly Finding[],
): UnreadDraft[] {
  return drafts.flatMap(({ id, text }) => {
    if (text === null || read.has(id)) return []
    const errors = findings.filter(({ component, severity }) => component === id && severity === 'error')
    // What is written twice parses all the same.
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
