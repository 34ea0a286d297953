// The dates on which each affected key and scope gets a different value, in words.
import {
  laneChanges,
  describeScope,
  setLabel,
  describeValues,
  type Impact,
  type LaneChange,
  type RenameIndex,
  type ResolutionChange,
} from '#kernel/change/index.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { formatLongDate, parseCivilDate, previousDay } from '#kernel/dates/civil-date.ts'
import type { Viewer } from '../access/index.ts'
import { hiddenLabel } from '../pipeline/index.ts'

export interface ImpactContext {
  base: ComponentView | null
  view: ComponentView
  viewer: Viewer | null
  renames: RenameIndex
  /** Maximum number of items in each list. */
  most: number
}

/** A key that a change list affects; `set` is its name after the list. */
export interface AffectedKey {
  set: string
  key: string | null
}

export interface KeyCollector<List> {
  list: List
  add(key: AffectedKey): void
}

/** Adds the changes of one key at a time. */
export function collectResolutions(context: ImpactContext): KeyCollector<Impact['resolution']> {
  const { base, view, renames, most } = context
  const list: Impact['resolution'] = { items: [], total: 0 }
  const add = ({ set, key }: AffectedKey): void => {
    const setVisibility = setVisibilityOf(set, context)
    if (!setVisibility.definition) return
    for (const change of laneChanges(set, key, base, view, renames)) {
      list.total += 1
      if (list.items.length < most) list.items.push(viewOf(change, view, !setVisibility.values))
    }
  }
  return { list, add }
}

/** By the grants of a set or flag before the list; what the list adds is shown to those who see the list. */
export function setVisibilityOf(
  set: string,
  { base, viewer, renames }: ImpactContext,
): { definition: boolean; values: boolean } {
  const before = renames.setBefore(set)
  const isAdded = before === null || !(base?.has('config_set', before) || base?.has('feature_flag', before))
  if (viewer === null || isAdded) return { definition: true, values: true }
  const { visibility } = viewer
  return { definition: visibility.canSeeDefinition(before), values: visibility.canSeeValues(before) }
}

function viewOf(change: LaneChange, view: ComponentView, hidden: boolean): ResolutionChange {
  const { set, key, scope, before, after } = change
  const label = setLabel(set, view)
  return {
    ...change,
    setLabel: label,
    title: [label, key, describeScope(scope)].filter((part) => part !== null).join(', '),
    ...(hidden ? { before: null, after: null } : {}),
    beforeWords: hidden ? hiddenLabel : wordsOf(set, before, view, scope.kind),
    afterWords: hidden ? hiddenLabel : wordsOf(set, after, view, scope.kind),
    when: whenOf(change),
    hidden,
  }
}

/** The words of a row; a narrower scope without a row falls through to the next scope of the chain. */
export function wordsOf(
  set: string,
  values: LaneChange['before'],
  view: ComponentView,
  kind: string,
): string {
  if (values !== null) return describeValues(set, values, view)
  return kind === 'org' ? 'none' : 'falls through'
}

function whenOf({ from, to }: LaneChange): string {
  const last = to === null ? null : previousDay(parseCivilDate(to)!)
  if (from === null) return last === null ? 'immediately' : `until ${formatLongDate(last)}`
  if (last === null) return `from ${formatLongDate(from)}, open-ended`
  return last === from ? `on ${formatLongDate(from)}` : `${formatLongDate(from)} to ${formatLongDate(last)}`
}
