import { expect, it } from 'vitest'
import { ref, shallowRef } from 'vue'
import type { ComponentId, Conflict } from '../api/wire.ts'
import type { DraftList } from './draft-list.ts'
import { createDraftTicks } from './draft-ticks.ts'
import type { UnreadableDraft } from './unreadable-drafts.ts'

const [colour, season, halfTyped, contested]: ComponentId[] = [
  'value_set/colour',
  'value_set/season',
  'value_set/half_typed',
  'value_set/contested',
]

function createTicks() {
  const list = {
    drafted: shallowRef(new Set([colour, season, halfTyped, contested])),
    others: shallowRef(new Map()),
    unreadable: shallowRef<UnreadableDraft[]>([{ id: halfTyped!, findings: [] }]),
    conflicts: shallowRef([{ id: contested } as Conflict]),
    index: ref([]),
  }
  return createDraftTicks(list as unknown as DraftList, shallowRef<ReadonlySet<ComponentId>>(new Set()))
}

it('a draft that cannot be read counts as ticked only if the user ticked it, and one in conflict never', () => {
  const ticks = createTicks()
  expect(ticks.tickedIds.value).toEqual([colour, season])
  ticks.tick([season!], false)
  expect(ticks.tickedIds.value).toEqual([colour])
  ticks.tickUnreadable(halfTyped!, true)
  expect(ticks.tickedIds.value).toEqual([colour, halfTyped])
  expect(ticks.pick.value).toEqual({ drafts: [colour, halfTyped], dependencies: true })
})
