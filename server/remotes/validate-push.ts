// Determines what is pushed, with its dependencies, and validates it on the remote before an apply.
import { closureSteps, type Change, type Closure } from '#kernel/change/index.ts'
import type { NeedView } from '#kernel/change/closure/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { OverlayView } from '#kernel/change/overlay-view.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { hasErrors, type Finding } from '#kernel/errors/finding.ts'
import { updateGraph } from '#kernel/graph/index.ts'
import type { RemotePlan } from '#wire/remotes.ts'
import { createYielder, runInChunks } from '../pipeline/index.ts'
import { isPushedByDefault, hasDrifted, type ComponentComparison } from './compare.ts'
import { changeBetween } from './compared-change.ts'
import type { ComparisonData } from './comparison.ts'
import { fetchContents } from './contents.ts'
import { deployWork, type JobRun } from './job-run.ts'
import type { RemotesDeps } from './deps.ts'
import { remoteError } from './remote-error.ts'
import { streamChangeList } from './change-list-stream.ts'

export interface PushSelection {
  ids: ComponentId[]
  cameAlong: NeedView[]
}

/** Maximum number of reasons that are reported for one dependency. */
const maxReasons = 5

/** @throws AlmanacError request.invalid if a pick does not differ; class integration. */
export async function selectComponents(
  deps: RemotesDeps,
  run: JobRun,
  comparison: ComparisonData,
): Promise<PushSelection> {
  const { ids, except = [], also = [] } = deployWork(run).push!
  const differing = comparison.all.rows.filter(({ state }) => state !== 'same')
  const resolveIds = (some: readonly ComponentId[]): ComponentComparison[] =>
    resolvePicks(differing, some, run.remote.name)
  const stays = new Set(except)
  const joins = new Set(resolveIds(also).map(({ id }) => id))
  const picked =
    ids === null
      ? differing.filter((row) => joins.has(row.id) || (isPushedByDefault(row) && !stays.has(row.id)))
      : resolveIds(ids)
  // If everything is pushed, nothing is left that could be a dependency.
  if (picked.length === 0 || picked.length === differing.length)
    return { ids: picked.map(({ id }) => id), cameAlong: [] }
  const { needed } = await closure(deps, run, comparison, differing, picked)
  const going = new Set([...picked.map(({ id }) => id), ...needed.map(({ id }) => id)])
  return {
    ids: differing.flatMap(({ id }) => (going.has(id) ? [id] : [])),
    cameAlong: needed.map(({ id, because }) => ({
      id,
      because: because.slice(0, maxReasons),
      reasons: because.length,
    })),
  }
}

function resolvePicks(
  differing: readonly ComponentComparison[],
  ids: readonly ComponentId[],
  name: string,
): ComponentComparison[] {
  const rowsById = new Map(differing.map((row) => [row.id, row]))
  return [...new Set(ids)].map((id) => {
    const row = rowsById.get(id)
    if (row !== undefined) return row
    throw new AlmanacError(
      'request.invalid',
      `${id} cannot be pushed, because it is the same here and on ${name}, or in neither.${didYouMean(id, rowsById.keys())}`,
    )
  })
}

/** Computes the closure over the remote as it is, with the differences here applied to the common part. */
async function closure(
  deps: RemotesDeps,
  run: JobRun,
  { local, listed }: ComparisonData,
  differing: readonly ComponentComparison[],
  picked: readonly ComponentComparison[],
): Promise<Closure> {
  const { store, clock } = deps
  const wanted = differing.flatMap((row) => (row.listed === null ? [] : [{ id: row.id, digest: row.listed }]))
  await fetchContents(deps, run.client, listed.generation, wanted, (done, total) =>
    run.reportStep('fetch', done, total),
  )
  const breathe = createYielder()
  const remoteView = new OverlayView(local.view)
  const changes: Change[] = []
  for (const { id, listed: digest } of differing) {
    const { type, key } = splitId(id)
    const held = digest === null ? null : (store.read((reader) => reader.remotes.content(digest)) ?? null)
    if (held === null) remoteView.remove(type, key)
    else remoteView.put(held)
    const change = changeBetween(held, (local.view.get(type, key) as Component | undefined) ?? null)
    if (change !== null) changes.push(change)
    await breathe()
  }
  const graph = local.graph()
  await breathe()
  const ids = differing.map(({ id }) => id)
  const context = {
    base: remoteView,
    view: local.view,
    baseGraph: updateGraph(graph, ids, remoteView),
    graph,
    today: parseCivilDate(clock.today())!,
  }
  await breathe()
  const wantedIds = new Set(picked.map(({ id }) => id))
  // What others changed there is pushed only if a user picks it; without it, the remote reports what is not valid.
  const pickable = new Set<ComponentId>()
  for (const row of differing) {
    if (wantedIds.has(row.id) || !hasDrifted(row)) pickable.add(row.id)
    await breathe()
  }
  const whole = await runInChunks(closureSteps(changes, wantedIds, { ...context, pickable }))
  await breathe()
  const unrequestedIds = unrequestedRemovals(changes, wantedIds, whole)
  if (unrequestedIds.size === 0) return whole
  const allowedIds = new Set([...pickable].filter((id) => !unrequestedIds.has(id)))
  await breathe()
  return runInChunks(closureSteps(changes, wantedIds, { ...context, pickable: allowedIds }))
}

/**
 * Removals that no selected removal requires. A component that exists only on the remote may be another user's work,
 * so it is removed only if a user requests it or if what it belongs to is removed.
 */
function unrequestedRemovals(
  changes: readonly Change[],
  picked: ReadonlySet<ComponentId>,
  { needed }: Closure,
): Set<ComponentId> {
  const removed = new Set(changes.flatMap(({ id, kind }) => (kind === 'removed' ? [id] : [])))
  const requestedIds = new Set([...removed].filter((id) => picked.has(id)))
  const open = new Map(needed.flatMap(({ id, because }) => (removed.has(id) ? [[id, because] as const] : [])))
  for (let more = true; more;) {
    more = false
    for (const [id, because] of open)
      if (because.some(({ of }) => requestedIds.has(of))) {
        requestedIds.add(id)
        open.delete(id)
        more = true
      }
  }
  return new Set(open.keys())
}

/** The remote's validation of a push: its changes, its findings, the permissions that we lack there. */
export async function validatePush(
  run: JobRun,
  comparison: ComparisonData,
  { ids, cameAlong }: PushSelection,
  approvals: number,
): Promise<RemotePlan> {
  run.reportStep('plan', 0, ids.length)
  const planFields = { base: comparison.listed.generation, rationale: run.job.rationale }
  const list = streamChangeList(comparison.local, ids, planFields, (done) =>
    run.reportStep('plan', done, ids.length),
  )
  return { ...(await planRemotely(run, list, approvals)), cameAlong }
}

/** The remote's validation of a restore of one of its generations. */
export async function validateRollback(
  run: JobRun,
  generation: number,
  approvals: number,
): Promise<RemotePlan> {
  run.reportStep('plan')
  const body = Buffer.from(JSON.stringify({ generation, rationale: run.job.rationale }))
  const list = async function* (): AsyncGenerator<Uint8Array> {
    yield body
  }
  return { ...(await planRemotely(run, list, approvals)), cameAlong: [] }
}

async function planRemotely(
  { client, remote }: JobRun,
  list: Parameters<JobRun['client']['plan']>[0],
  approvals: number,
): Promise<Omit<RemotePlan, 'cameAlong'>> {
  const { plan, changes, total, findings, findingsTotal, budget } = await client.plan(list)
  if (plan.lineage !== remote.org.lineage)
    throw remoteError(
      remote,
      'integration.unreadable',
      'validated the change list for an org other than the pinned one.',
    )
  const remoteFindings = findings as unknown as Finding[]
  return {
    base: plan.base,
    changeDigest: plan.changeDigest,
    counts: plan.counts,
    changes: changes.map(({ id, kind, words, values, lacks }) => ({
      id,
      kind: kind === 'renamed' ? 'changed' : kind,
      words,
      values,
      lacks,
    })),
    total,
    findings: remoteFindings,
    findingsTotal: findingsTotal ?? remoteFindings.length,
    refused: hasErrors(remoteFindings) || changes.some(({ lacks }) => lacks !== null),
    budget,
    approvals,
  }
}
