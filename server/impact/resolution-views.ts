// The days on which each touched key and scope says something else, in words (studio: Review, impact).
import {
  laneChanges,
  scopeWords,
  setLabel,
  valuesWords,
  type Impact,
  type LaneChange,
  type ResolutionChange,
} from '#kernel/change/index.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { formatLongDate, parseCivilDate, previousDay } from '#kernel/dates/civil-date.ts'
import type { ActorSight } from '../access/index.ts'
import { hiddenWords } from '../pipeline/index.ts'

export interface ImpactGround {
  base: ComponentView | null
  view: ComponentView
  sight: ActorSight | null
  keys: readonly { set: string; key: string | null }[]
  most: number
}

export function resolutionViews({ base, view, sight, keys, most }: ImpactGround): Impact['resolution'] {
  const items: ResolutionChange[] = []
  let total = 0
  for (const { set, key } of keys) {
    if (sight?.visibility.definition(set) === false) continue
    for (const change of laneChanges(set, key, base, view)) {
      total += 1
      if (items.length < most) items.push(viewOf(change, view, sight?.visibility.values(set) === false))
    }
  }
  return { items, total }
}

function viewOf(change: LaneChange, view: ComponentView, hidden: boolean): ResolutionChange {
  const { set, key, scope, before, after } = change
  const label = setLabel(set, view)
  return {
    ...change,
    setLabel: label,
    title: [label, key, scopeWords(scope)].filter((part) => part !== null).join(', '),
    ...(hidden ? { before: null, after: null } : {}),
    beforeWords: hidden ? hiddenWords : wordsOf(set, before, view, scope.kind),
    afterWords: hidden ? hiddenWords : wordsOf(set, after, view, scope.kind),
    when: whenOf(change),
    hidden,
  }
}

/** What is said of a row; a narrower scope without one leaves the answer to the next scope of the chain. */
export function wordsOf(
  set: string,
  values: LaneChange['before'],
  view: ComponentView,
  kind: string,
): string {
  if (values !== null) return valuesWords(set, values, view)
  return kind === 'org' ? 'none' : 'falls through'
}

function whenOf({ from, to }: LaneChange): string {
  const last = to === null ? null : previousDay(parseCivilDate(to)!)
  if (from === null) return last === null ? 'at once' : `until ${formatLongDate(last)}`
  if (last === null) return `from ${formatLongDate(from)}, open-ended`
  return last === from ? `on ${formatLongDate(from)}` : `${formatLongDate(from)} to ${formatLongDate(last)}`
}
