// The impact of a change list, as far as the caller can see it: a list that is truncated contains the total.
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
import { collectFlips } from './flip-views.ts'
import { collectResolutions, setVisibilityOf, type ImpactContext } from './resolution-views.ts'

export interface ImpactRequest {
  list: ApplyRequest
  /** Which of the affected keys are examined, ordered by set and key. */
  keys: { from: number; count: number }
  /** Which stored results are examined: this number of them, after the named one. */
  results: { after?: string | undefined; look: number }
  /** Maximum number of items in each list. */
  most: number
}

/** @throws AlmanacError of the source, conflict.stale_generation, user.not_found */
export function impactOf(deps: PipelineDeps, memory: PipelineCache, request: ImpactRequest): Impact {
  return impactOfPrepared(
    deps,
    deps.store.read((reader) => prepareChanges(deps, reader, memory, request.list)),
    request,
  )
}

/** The impact of a list that is prepared already. */
export function impactOfPrepared(
  deps: PipelineDeps,
  prepared: PreparedChanges,
  request: Omit<ImpactRequest, 'list'>,
): Impact {
  const { most } = request
  const { base } = prepared
  const viewer = viewerOf(prepared)
  const today = parseCivilDate(deps.clock.today())!
  // What is hidden from the audience is treated as unchanged.
  const changes = changesForAudience(prepared)
  const renames = new RenameIndex(changes)
  const touched = [...affectedKeys(changes, renames)].flatMap(([set, keys]) =>
    [...keys].map((key) => ({ set, key })),
  )
  const looked = touched.slice(request.keys.from, request.keys.from + request.keys.count)
  const impactContext = {
    base: base === 0 ? null : prepared.baseView,
    view: prepared.candidate.view,
    viewer,
    renames,
    most,
  }
  const subjects = deps.store.read((reader) => ({
    users: usersWithAllSets(reader.people).filter(({ active }) => active),
    environment: reader.properties.get().environment,
  }))
  const resolution = collectResolutions(impactContext)
  const flips = collectFlips({ ...impactContext, ...subjects, today })
  // Key by key, because a view remembers only the entries of the key that was read last.
  for (const key of looked) {
    resolution.add(key)
    flips.add(key)
  }
  return {
    base,
    today,
    changeDigest: prepared.changeDigest,
    readers: readersOf(prepared, viewer, changes, most),
    keys: { from: request.keys.from, looked: looked.length, total: touched.length },
    resolution: resolution.list,
    flips: flips.list,
    results: resultsOf(deps, prepared, changes, impactContext, request),
    budget: budgetForAudience(prepared),
  }
}

/** The reader's own rights apply, regardless of the list's author. */
export function viewerOf({ audience, viewer }: PreparedChanges): PreparedChanges['viewer'] {
  return audience.isAuthor ? viewer : audience.viewer
}

function readersOf(
  { graph }: PreparedChanges,
  viewer: PreparedChanges['viewer'],
  changes: readonly Change[],
  most: number,
): Impact['readers'] {
  const visibleReaders = impactReaders(changes, graph).filter(({ id }) => isIdVisible(id, viewer))
  const byType = Map.groupBy(visibleReaders, ({ type }) => type)
  const groups = componentTypes.flatMap((type): ReadersOfType[] => {
    const readers = byType.get(type)
    return readers === undefined ? [] : [groupOf(type, readers, most)]
  })
  return { byType: groups, total: visibleReaders.length }
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
  deps: PipelineDeps,
  { base, baseView, candidate, request: { actor, viewerKey, correlationId } }: PreparedChanges,
  changes: readonly Change[],
  impactContext: ImpactContext,
  { results }: Pick<ImpactRequest, 'results'>,
): Impact['results'] {
  const sets = new Set<string>()
  const functions = new Set<string>()
  for (const change of changes) {
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
  const by = { actor: viewerKey ?? actor, correlationId: correlationId ?? '' }
  const snapshotAt = (generation: number): EvaluationSnapshot =>
    deps.store.read((reader) => lazySnapshot(reader.generations.view(generation), generation))
  const { viewer } = impactContext
  const viewedSnapshot = (
    view: ComponentView,
    seen: ComponentView,
    shows: ViewedSnapshot['canSeeValues'],
  ): ViewedSnapshot => {
    const whole = lazySnapshot(view, base)
    return { full: whole, visible: seen === view ? whole : lazySnapshot(seen, base), canSeeValues: shows }
  }
  const presentSeen = viewer === null ? baseView : viewer.narrow(baseView)
  const present = viewedSnapshot(
    baseView,
    presentSeen,
    (set) => viewer?.visibility.canSeeValues(set) !== false,
  )
  const candidateSeen = visibleCandidate(candidate.view, candidate.changes, viewer)
  const snapshots = { active: () => present.full, at: snapshotAt }
  return resultsImpactOf({ store: deps.store, snapshots, sha256: deps.sha256 }, by, {
    ...{ sets, functions, present, ...results },
    renames: renamesOf(candidate.changes),
    candidate: viewedSnapshot(
      candidate.view,
      candidateSeen,
      (set) => setVisibilityOf(set, impactContext).values,
    ),
  })
}

function renamesOf(changes: PreparedChanges['candidate']['changes']): ComponentRename[] {
  return changes.flatMap((change): ComponentRename[] => {
    if (change.kind !== 'renamed') return []
    const { type, key } = splitId(change.id)
    return [{ type, from: splitId(change.from).key, to: key }]
  })
}
