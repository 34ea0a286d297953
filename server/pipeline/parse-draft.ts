// The text of a draft as a component; a draft that is no JSON yet is a finding, never lost.
import type { ComponentId } from '#kernel/components/component.ts'
import type { DraftRow } from '../ports/org-store.ts'
import { parseText, type ParsedText } from './parse-text.ts'

/** How messages call it. */
export function draftName(id: ComponentId): string {
  return `the draft of ${id}`
}

/** `draft.text` is not null. */
export function parseDraft({ id, text }: DraftRow): ParsedText {
  return parseText(text!, {
    name: draftName(id),
    expected: id,
    codes: { json: 'draft.json', place: 'draft.other_component' },
    otherComponent: (found) =>
      `The draft of ${id} holds ${found}. Give it back its "type" and "key", or rename the component.`,
  })
}
