// Decides whether an org is large: reads over a whole small org take a few milliseconds and need no worker.
import { componentTypes } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { draftCount, largeServiceDraft, longestDraftOf } from '../pipeline/index.ts'
import type { RequestContext } from './request-context.ts'
import type { Services } from './services.ts'

const maxComponents = 3000
const maxDrafts = 300

const counts = new WeakMap<ComponentView, number>()

export function isLargeOrg(
  { store }: Services,
  { snapshot: { view } }: Pick<RequestContext, 'snapshot'>,
): boolean {
  let count = counts.get(view)
  if (count === undefined) {
    count = countUpTo(view, maxComponents + 1)
    counts.set(view, count)
  }
  return count > maxComponents || store.read(draftCount) > maxDrafts
}

/** One with a description that takes too long to read on the main thread. */
export function hasLargeServiceDraft({ store }: Services): boolean {
  return store.read((reader) => longestDraftOf(reader, 'external_service')) > largeServiceDraft
}

/** Stops counting at the limit, because counting a hundred thousand takes time too. */
function countUpTo(view: ComponentView, most: number): number {
  let count = 0
  for (const type of componentTypes) for (const _ of view.keys(type)) if (++count >= most) return count
  return count
}
