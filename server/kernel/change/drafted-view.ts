// What an expression may name while it is written: the generation with drafts over it, each as far as it can be read.
import { splitId, type ComponentId } from '../components/component.ts'
import { readablePart } from '../components/readable-part.ts'
import type { ComponentView } from '../components/view.ts'
import { OverlayView } from './overlay-view.ts'

export interface TypedDraft {
  id: ComponentId
  /** As typed, whole or not; null where the draft removes the component. */
  json: unknown
}

/** A later draft of a component counts over an earlier one. Entries are left out: no expression names one. */
export function draftedView(base: ComponentView, drafts: Iterable<TypedDraft>): ComponentView {
  const view = new OverlayView(base)
  for (const { id, json } of drafts) {
    const { type, key } = splitId(id)
    if (type === 'config_entry') continue
    const part = json === null ? null : readablePart(json)
    if (json === null) view.remove(type, key)
    else if (part !== null) view.put(part)
  }
  return view
}
