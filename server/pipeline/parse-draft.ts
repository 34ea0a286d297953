// The text of a draft as a component; a draft that is no JSON yet is a finding, never lost.
import type { DraftRow } from '../ports/org-store.ts'
import { parseText, type ParsedText } from './parse-text.ts'

/** `draft.text` is not null. */
export function parseDraft({ id, text }: DraftRow): ParsedText {
  return parseText(text!, {
    name: `the draft of ${id}`,
    expected: id,
    codes: { json: 'draft.json', place: 'draft.other_component' },
    otherComponent: (found) =>
      `The draft of ${id} holds ${found}. Give it back its "type" and "key", or rename the component.`,
  })
}
