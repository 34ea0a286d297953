// The impact of a change list, as far as the caller can see it: a list that is cut contains the total.
import {
  impactReaders,
  RenameIndex,
  affectedKeys,
  type Change,
  type Impact,
  type ImpactReader,
  type ReadersOfType,
} from '#kernel/change/index.ts'
import { componentTypes, splitId } from '#kernel/components/component.ts'
import { roomOf } from '#kernel/components/registry.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { lazySnapshot, type EvaluationSnapshot } from '#kernel/config/index.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import type { ComponentRename } from '#kernel/graph/index.ts'
import { usersWithAllSets } from '../access/index.ts'
import { resultsImpactOf, type ViewedSnapshot } from '../evaluation/index.ts'
import {
  visibleCandidate,
  changesForAudience,
  budgetForAudience,
  isIdVisible,
  prepareChanges,
  type ApplyRequest,
  type PipelineCache,
  type PipelineDeps,
  type PreparedChanges,
} from '../pipeline/index.ts'
import { flipViews } from './flip-views.ts'
import { resolutionViews, setVisibilityOf, type ImpactContext } from './resolution-views.ts'

export interface ImpactRequest {
  list: ApplyRequest
  /** Which of the touched keys are examined, in the order of sets and keys. */
  keys: { from: number; count: number }
  /** Which stored results are examined: this many after that one. */
  results: { after?: string | undefined; look: number }
  /** Most items of each list. */
  most: number
}

/** @throws AlmanacError of the source, conflict.stale_generation, user.not_found */
export function impactOf(parts: PipelineDeps, memory: PipelineCache, request: ImpactRequest): Impact {
  const { list, most } = request
  const prepared = parts.store.read((reader) => prepareChanges(parts, reader, memory, list))
  const { base } = prepared
  const sight = viewerOf(prepared)
  const today = parseCivilDate(parts.clock.today())!
  // What is hidden from the listener is treated as unchanged.
  const told = changesForAudience(prepared)
  const renames = new RenameIndex(told)
  const touched = [...affectedKeys(told, renames)].flatMap(([set, keys]) =>
    [...keys].map((key) => ({ set, key })),
  )
  const looked = touched.slice(request.keys.from, request.keys.from + request.keys.count)
  const ground = {
    base: base === 0 ? null : prepared.baseView,
    view: prepared.candidate.view,
    sight,
    keys: looked,
    renames,
    most,
  }
  const subjects = parts.store.read((reader) => ({
    users: usersWithAllSets(reader).filter(({ active }) => active),
    environment: reader.facts().environment,
  }))
  return {
    base,
    today,
    changeDigest: prepared.changeDigest,
    readers: readersOf(prepared, sight, told, most),
    keys: { from: request.keys.from, looked: looked.length, total: touched.length },
    resolution: resolutionViews(ground),
    flips: flipViews({ ...ground, ...subjects, today }),
    results: resultsOf(parts, prepared, told, ground, request),
    budget: budgetForAudience(prepared),
  }
}

/** The reader's own rights apply, regardless of the list's author. */
function viewerOf({ listener, sight }: PreparedChanges): PreparedChanges['sight'] {
  return listener.author ? sight : listener.sight
}

function readersOf(
  { graph }: PreparedChanges,
  sight: PreparedChanges['sight'],
  told: readonly Change[],
  most: number,
): Impact['readers'] {
  const shown = impactReaders(told, graph).filter(({ id }) => isIdVisible(id, sight))
  const byType = Map.groupBy(shown, ({ type }) => type)
  const groups = componentTypes.flatMap((type): ReadersOfType[] => {
    const readers = byType.get(type)
    return readers === undefined ? [] : [groupOf(type, readers, most)]
  })
  return { byType: groups, total: shown.length }
}

function groupOf(type: ReadersOfType['type'], readers: ImpactReader[], most: number): ReadersOfType {
  const direct = readers.filter((reader) => reader.direct).length
  return {
    type,
    title: roomOf(type).title,
    direct,
    further: readers.length - direct,
    readers: { items: readers.slice(0, most), total: readers.length },
  }
}

function resultsOf(
  parts: PipelineDeps,
  { base, baseView, candidate, request: { actor, shownTo, correlationId } }: PreparedChanges,
  told: readonly Change[],
  ground: ImpactContext,
  { results }: ImpactRequest,
): Impact['results'] {
  const sets = new Set<string>()
  const functions = new Set<string>()
  for (const change of told) {
    for (const component of [
      'before' in change ? change.before : null,
      'after' in change ? change.after : null,
    ]) {
      if (component === null) continue
      if (component.type === 'config_entry') sets.add(component.body.set)
      if (component.type === 'config_set' || component.type === 'feature_flag') sets.add(component.key)
      if (component.type === 'calc_function') functions.add(component.key)
    }
  }
  const by = { actor: shownTo ?? actor, correlationId: correlationId ?? '' }
  const at = (generation: number): EvaluationSnapshot =>
    parts.store.read((reader) => lazySnapshot(reader.view(generation), generation))
  const { sight } = ground
  const viewed = (
    view: ComponentView,
    seen: ComponentView,
    shows: ViewedSnapshot['shows'],
  ): ViewedSnapshot => {
    const whole = lazySnapshot(view, base)
    return { whole, seen: seen === view ? whole : lazySnapshot(seen, base), shows }
  }
  const presentSeen = sight === null ? baseView : sight.narrowed(baseView)
  const present = viewed(baseView, presentSeen, (set) => sight?.visibility.values(set) !== false)
  const candidateSeen = visibleCandidate(candidate.view, candidate.changes, sight)
  const worlds = { active: () => present.whole, at }
  return resultsImpactOf({ store: parts.store, worlds, sha256: parts.sha256 }, by, {
    ...{ sets, functions, present, ...results },
    renames: renamesOf(candidate.changes),
    candidate: viewed(candidate.view, candidateSeen, (set) => setVisibilityOf(set, ground).values),
  })
}

function renamesOf(changes: PreparedChanges['candidate']['changes']): ComponentRename[] {
  return changes.flatMap((change): ComponentRename[] => {
    if (change.kind !== 'renamed') return []
    const { type, key } = splitId(change.id)
    return [{ type, from: splitId(change.from).key, to: key }]
  })
}
