// The text of a draft as a component; a draft that is no JSON yet is a finding, never lost.
import type { ComponentId } from '#kernel/components/component.ts'
import type { DraftRow } from '../ports/org-store.ts'
import { parseText, type ParsedText } from './parse-text.ts'

/** How messages call it. */
export function draftName(id: ComponentId): string {
  return `the draft of ${id}`
}

/** Characters of drafts whose components are kept at hand: some 30,000 rows. */
const most = 16 * 1024 * 1024

/** A list of drafts is read at every look that a person takes at it, while hardly any of its texts moves. */
const known = new Map<ComponentId, { text: string; parsed: ParsedText }>()
let weight = 0

/** `draft.text` is not null. What is answered is shared and never changed. */
export function parseDraft({ id, text }: DraftRow): ParsedText {
  const before = known.get(id)
  if (before?.text === text) return before.parsed
  const parsed = parseText(text!, {
    name: draftName(id),
    expected: id,
    codes: { json: 'draft.json', place: 'draft.other_component' },
    otherComponent: (found) =>
      `The draft of ${id} holds ${found}. Give it back its "type" and "key", or rename the component.`,
  })
  remember(id, text!, parsed)
  return parsed
}

function remember(id: ComponentId, text: string, parsed: ParsedText): void {
  if (text.length > most / 16) return
  weight += text.length - (known.get(id)?.text.length ?? 0)
  if (weight > most) {
    known.clear()
    weight = text.length
  }
  known.set(id, { text, parsed })
}
