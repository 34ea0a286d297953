// Drafts of services that contain a long description: reading one takes longer than the readers' thread may be held up,
// so it is read beside it.
import type { CandidateComponent } from '#kernel/change/index.ts'
import { splitId } from '#kernel/components/component.ts'
import type { DraftRow } from '#wire/index.ts'
import { parseDraft } from './parse-draft.ts'

type DraftText = Pick<DraftRow, 'id' | 'text'>

/** Reads a draft, `text` of which is not null, in another thread. Returns null if it is invalid. */
export type DraftReading = (draft: DraftText) => Promise<CandidateComponent | null>

/** Bytes or characters. */
export const largeServiceDraft = 64 * 1024

export function isLargeServiceDraft({ id, text }: DraftText): boolean {
  return text !== null && text.length > largeServiceDraft && splitId(id).type === 'external_service'
}

/**
 * The component of a draft. A description that it contains is a text, even if the draft has it as an object: a text is
 * passed on to another thread, hashed and sent on in a few milliseconds.
 */
export function readLargeServiceDraft(draft: DraftText): CandidateComponent | null {
  const { parsed } = parseDraft(draft)
  if (parsed === null || parsed.component.type !== 'external_service') return parsed
  const { component } = parsed
  const { spec } = component.body
  if (typeof spec.source === 'string') return parsed
  const body = { ...component.body, spec: { ...spec, source: JSON.stringify(spec.source) } }
  return { ...parsed, component: { ...component, body } }
}
