// The view for writing expressions: the generation with the readable parts of drafts over it.
import { splitId, type ComponentId } from '../components/component.ts'
import { parseReadablePart } from '../components/readable-part.ts'
import type { ComponentView } from '../components/view.ts'
import { OverlayView } from './overlay-view.ts'

export interface DraftContent {
  id: ComponentId
  /** As typed, complete or not; null if the draft removes the component. */
  json: unknown
}

/** The last draft of a component wins. Entries are omitted, because expressions do not name them. */
export function draftedView(base: ComponentView, drafts: Iterable<DraftContent>): ComponentView {
  const view = new OverlayView(base)
  for (const { id, json } of drafts) {
    const { type, key } = splitId(id)
    if (type === 'config_entry') continue
    const part = json === null ? null : parseReadablePart(json)
    if (json === null) view.remove(type, key)
    else if (part !== null) view.put(part)
  }
  return view
}
