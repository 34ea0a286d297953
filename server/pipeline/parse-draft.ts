// The text of a draft as a component; a draft that is no JSON yet is a finding, never lost.
import type { ComponentId } from '#kernel/components/component.ts'
import { RecentCache } from '#kernel/memo/recent-cache.ts'
import type { DraftRow } from '../ports/org-store.ts'
import { parseText, type ParsedText } from './parse-text.ts'

/** How messages call it. */
export function draftName(id: ComponentId): string {
  return `the draft of ${id}`
}

/** A list of drafts is read at every look that a person takes at it, while hardly any of its texts moves: 30,000 rows. */
const known = new RecentCache<{ text: string; parsed: ParsedText }>(16 * 1024 * 1024)

/** `draft.text` is not null. What is answered is shared and never changed. */
export function parseDraft({ id, text }: DraftRow): ParsedText {
  const before = known.get(id)
  if (before !== undefined && before.text === text) return before.parsed
  const parsed = parseText(text!, {
    name: draftName(id),
    expected: id,
    codes: { json: 'draft.json', place: 'draft.other_component' },
    otherComponent: (found) =>
      `The draft of ${id} holds ${found}. Give it back its "type" and "key", or rename the component.`,
  })
  known.put(id, { text: text!, parsed }, id.length + text!.length)
  return parsed
}
