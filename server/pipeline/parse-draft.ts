// Parses the text of a draft as a component; a draft that is not valid JSON yet is a finding, and never lost.
import type { ComponentId } from '#kernel/components/component.ts'
import { RecentCache } from '#kernel/memo/recent-cache.ts'
import type { DraftRow } from '#wire/index.ts'
import { parseText, type ParsedText } from './parse-text.ts'

/** The name of a draft in messages. */
export function draftName(id: ComponentId): string {
  return `the draft of ${id}`
}

/**
 * The maximum length of the cached texts, enough for 30,000 rows: a list of drafts is read often, and few of its texts
 * change.
 */
const cache = new RecentCache<{ text: string; parsed: ParsedText }>(16 * 1024 * 1024)

/** `draft.text` is not null. The result is shared and must not be changed. */
export function parseDraft({ id, text }: Pick<DraftRow, 'id' | 'text'>): ParsedText {
  const before = cache.get(id)
  if (before !== undefined && before.text === text) return before.parsed
  const parsed = parseText(text!, {
    name: draftName(id),
    expected: id,
    codes: { json: 'draft.json', place: 'draft.other_component' },
    otherComponent: (found) =>
      `The draft of ${id} contains ${found}. Restore its "type" and "key", or rename the component.`,
  })
  cache.put(id, { text: text!, parsed }, id.length + text!.length)
  return parsed
}
