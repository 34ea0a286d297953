// Load: reads the change list from its source, as its author can see it.
import type { Closure } from '#kernel/change/index.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { parseCivilDate, type CivilDate } from '#kernel/dates/civil-date.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Viewer } from '../../access/index.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import type { Audience } from '../change-redaction.ts'
import { loadChanges, type LoadedChanges } from '../change-source.ts'
import type { PipelineDeps } from '../deps.ts'
import type { PipelineCache } from '../pipeline-cache.ts'
import type { ApplyRequest } from '../request.ts'
import { requestViewer } from '../request-viewer.ts'
import { expandSource, selectionOf } from '../selection.ts'
import { withImports } from '../with-imports.ts'
import type { Stage } from './stage.ts'

/** What every list of stages starts with. */
export interface StageInput {
  deps: PipelineDeps
  reader: OrgReader
  cache: PipelineCache
  request: ApplyRequest
  /** Skips access checks. */
  trusted: boolean
}

export interface LoadResult {
  /** The active generation, on which the candidate is based. */
  base: number
  baseView: ComponentView
  /** Null if the author sees everything. */
  viewer: Viewer | null
  audience: Audience
  today: CivilDate
  /** What picked drafts need; null if not requested. */
  closure: Closure | null
  loadedChanges: LoadedChanges
  /** The generation that the author saw. */
  authorBase: number
}

/** @throws AlmanacError of the source, conflict.stale_plan, generation.not_found, user.not_found */
export const load: Stage<'load', StageInput, LoadResult> = {
  name: 'load',
  run: ({ deps, reader, cache, request, trusted }) => {
    requireLineage(reader, request)
    const base = reader.generations.active()
    requirePlanBase(request, base)
    const baseView = reader.generations.view(base)
    const viewer = trusted || request.isOperator === true ? null : deps.access.viewer(reader, request.actor)
    const audience = audienceOf(deps, reader, request, viewer)
    const today = parseCivilDate(deps.clock.today())!
    const closure = selectionOf(reader, request, {
      base,
      baseView,
      viewer,
      today,
      sha256: deps.sha256,
      baseGraph: () => cache.graphs.at(reader, base),
    })
    const { actor: user, rationale } = request
    const source = expandSource(request.source, closure)
    const loadedChanges = withImports(
      loadChanges(reader, source, { user, viewer, rationale }),
      request.imports,
    )
    const authorBase = request.base ?? loadedChanges.base ?? base
    requireBase(reader, authorBase, base)
    return { base, baseView, viewer, audience, today, closure, loadedChanges, authorBase }
  },
}

function audienceOf(
  { access }: PipelineDeps,
  reader: OrgReader,
  { viewerKey, actor, source }: ApplyRequest,
  viewer: Viewer | null,
): Audience {
  if (viewerKey === undefined || viewerKey === actor) return { viewer, isAuthor: true }
  const own = viewerKey === null ? null : access.viewer(reader, viewerKey)
  const row = source.kind === 'request' ? reader.requests.get(source.id) : undefined
  return { viewer: row === undefined ? own : requestViewer(reader, row, own), isAuthor: false }
}

/**
 * A plan of another org is not valid here, even if both have the same content. @throws AlmanacError conflict.stale_plan
 */
function requireLineage(reader: OrgReader, { lineage }: ApplyRequest): void {
  const here = reader.properties.get().lineage
  if (lineage === undefined || lineage === here) return
  throw new AlmanacError(
    'conflict.stale_plan',
    `The plan was created for the org with lineage ${lineage}, but this org has lineage ${here}. Create a plan here and review it.`,
    { details: [{ lineage, found: here }] },
  )
}

/** @throws AlmanacError conflict.stale_plan if the plan was created over another generation */
function requirePlanBase({ planBase, changeDigest }: ApplyRequest, base: number): void {
  if (planBase === undefined || planBase === base) return
  throw new AlmanacError(
    'conflict.stale_plan',
    `The plan was created against generation ${planBase}, but generation ${base} is active now. Create a new plan and review it.`,
    { details: [{ reviewed: changeDigest ?? null, planned: planBase, base }] },
  )
}

/** @throws AlmanacError generation.not_found */
function requireBase(reader: OrgReader, base: number, active: number): void {
  if (base === active || base === 0) return
  if (base > active)
    throw new AlmanacError(
      'generation.not_found',
      `Generation ${base}, on which the change list is based, does not exist here; the newest is ${active}. Retrieve again, or name an existing base.`,
    )
  if (base < 0 || reader.generations.get(base) === undefined)
    throw new AlmanacError(
      'generation.not_found',
      `Generation ${base}, on which the change list is based, does not exist here. Retrieve again and apply against generation ${active}.`,
    )
}
