// Undoes the changes of a generation over the active one: their inverse, merged three-way with later changes
// (docs/reference/pipeline-and-approvals.md).
import { appendAll } from '#kernel/append-all.ts'
import { isSameContent, type CandidateComponent } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { idOf, splitId, type ApplyHints, type ComponentId } from '#kernel/components/component.ts'
import { parseComponent } from '#kernel/components/parse.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { Viewer } from '../access/index.ts'
import type { ComponentIdentity } from '../ports/identities.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { renamedViews } from './renamed-views.ts'
import type { Conflict, RevertSource } from './request.ts'
import { isIdHidden, isIdVisible, viewerAt } from './id-visibility.ts'

export interface RevertedChanges {
  components: CandidateComponent[]
  removals: ComponentId[]
  restoredIdentities: Map<ComponentId, ComponentIdentity>
  /** Changed since, and not resolved. `mine` is what the revert would restore. */
  conflicts: Conflict[]
  /** Findings of reading the resolved components. */
  findings: Finding[]
}

/** One change of the generation: its id then, and the id before it. */
interface Unit {
  id: ComponentId
  /** Null if the name was free. */
  from: ComponentId | null
}

/**
 * Returns the inverse of a generation, or of some of its changes.
 * @throws AlmanacError generation.not_found, component.not_found, access.denied if it changed what `viewer` hides
 */
export function revertedChanges(
  reader: OrgReader,
  source: RevertSource,
  viewer: Viewer | null,
): RevertedChanges {
  const { generation, settled = [], without = [] } = source
  const active = reader.generations.active()
  requireRevertibleGeneration(generation, active)
  const renamed = renamedBy(reader, generation)
  const since = reader.identities.keyMovesBetween(generation, active)
  const viewers = {
    before: viewerAt(reader, viewer, generation - 1),
    after: viewerAt(reader, viewer, generation),
  }
  const units = unitsOf(reader, source, renamed, viewers)
  const undone = new Set(units.map(({ id }) => id))
  const views = renamedViews(reader, generation, {
    currentIds: since,
    previousIds: renamed,
    undoneIds: undone,
  })
  const answers = new Map(settled.map((each) => [each.id, each.after]))
  const excluded = new Set<string>(without)
  const result: RevertedChanges = {
    ...{ components: [], removals: [], restoredIdentities: new Map() },
    ...{ conflicts: [], findings: [] },
  }
  for (const unit of units) {
    const { id, from } = unit
    const now = since.has(id) ? since.get(id)! : id
    const theirs = now === null ? null : views.active(now)
    const [base, mine] = [views.after(id), from === null ? null : views.before(from)]
    const named = mine === null ? (now ?? id) : idOf(mine)
    if (excluded.has(named) || excluded.has(id)) continue
    if (!answers.has(named) && !isSame(theirs, base) && isSame(theirs, mine)) continue
    if (!isVisible(unit, viewers)) throw hiddenRevert(generation, viewer!)
    if (theirs === null && from !== null) {
      const identity = reader.identities.at(generation - 1, from)
      if (identity !== undefined) result.restoredIdentities.set(named, identity)
    }
    if (answers.has(named)) {
      const { component, findings, hints } = settledComponent(answers.get(named), named)
      appendAll(result.findings, findings)
      if (findings.length === 0) restore(result, component, theirs, hints)
    } else if (isSame(theirs, base)) restore(result, mine, theirs)
    else result.conflicts.push({ id: named, base, theirs, mine })
  }
  return result
}

/** New id → old id of what one generation renamed. */
function renamedBy(reader: Pick<OrgReader, 'identities'>, generation: number): Map<ComponentId, ComponentId> {
  const moved = reader.identities.keyMovesBetween(generation - 1, generation)
  return new Map(
    [...moved].flatMap(([old, id]): [ComponentId, ComponentId][] => (id === null ? [] : [[id, old]])),
  )
}

function requireRevertibleGeneration(generation: number, active: number): void {
  if (generation > 1 && generation <= active) return
  const message =
    generation === 1
      ? 'Generation 1 is the first of the org, so there is nothing before it to return to.'
      : `Generation ${generation} does not exist; the newest is ${active}.`
  throw new AlmanacError('generation.not_found', message)
}

function unitsOf(
  reader: Pick<OrgReader, 'components'>,
  { generation, components }: RevertSource,
  renamed: ReadonlyMap<ComponentId, ComponentId>,
  viewers: RevertViewers,
): Unit[] {
  const gone = new Set(renamed.values())
  const all = reader.components
    .changedBetween(generation - 1, generation)
    .filter(
      (id) => !gone.has(id) || renamed.has(id) || reader.components.digest(generation, id) !== undefined,
    )
    .map((id): Unit => ({ id, from: renamed.get(id) ?? (gone.has(id) ? null : id) }))
  if (components === undefined) return all
  return components.map((requestedId) => {
    const unit = all.find(({ id, from }) => id === requestedId || from === requestedId)
    if (unit !== undefined && isVisible(unit, viewers)) return unit
    throw new AlmanacError(
      'component.not_found',
      `Generation ${generation} did not change ${requestedId}. Choose one of the components that it changed.`,
    )
  })
}

/** What one user can see: just before the generation, and at it. */
interface RevertViewers {
  before: Viewer | null
  after: Viewer | null
}

/** Whether the user sees what the generation changed in a component, as it was and as it became. */
function isVisible({ id, from }: Unit, { before, after }: RevertViewers): boolean {
  const shown = [...(from === null ? [] : [!isIdHidden(from, before)]), !isIdHidden(id, after)]
  return shown.every(Boolean) && (isIdVisible(id, after) || (from !== null && isIdVisible(from, before)))
}

/** The component's versions would show what is hidden. */
function hiddenRevert(generation: number, { user }: Viewer): AlmanacError {
  return new AlmanacError(
    'access.denied',
    `${user} cannot see all of what generation ${generation} changed. Revert single components of it, or ask a user with a read grant on its sets.`,
  )
}

function isSame(one: Component | null, other: Component | null): boolean {
  return one === null || other === null ? one === other : isSameContent(one, other)
}

function restore(
  { components, removals }: RevertedChanges,
  target: Component | null,
  theirs: Component | null,
  { breaking }: ApplyHints = {},
): void {
  if (target !== null) {
    const moved = theirs !== null && theirs.key !== target.key
    components.push({
      component: target,
      hints: {
        ...(moved ? { renamedFrom: theirs.key } : {}),
        ...(breaking === undefined ? {} : { breaking }),
      },
    })
  } else if (theirs !== null) removals.push(idOf(theirs))
}

function settledComponent(
  json: unknown,
  id: ComponentId,
): { component: Component | null; findings: readonly Finding[]; hints: ApplyHints } {
  if (json === null || json === undefined) return { component: null, findings: [], hints: {} }
  const { component, findings, hints } = parseComponent(json, id)
  if (component !== null && component.type !== splitId(id).type)
    throw new AlmanacError(
      'request.invalid',
      `The resolved text of ${id} is a ${component.type}. Keep its type.`,
    )
  return { component: component as Component | null, findings, hints }
}
