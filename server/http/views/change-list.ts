// Converts the change list of a request for the pipeline, and the result of the pipeline for the HTTP surface.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { truncateInput } from '#kernel/errors/truncate-input.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { AppliedView, PlanView } from '#wire/index.ts'
import {
  appliedView,
  planView,
  type ApplyOutcome,
  type ApplyRequest,
  type ChangeSource,
  type PlanOutcome,
  type RevertSource,
} from '../../pipeline/index.ts'
import type { SignedInRequest } from '../route.ts'
import { maxChanges } from './generation-changes.ts'

export interface ChangeListInput {
  components?: unknown[] | undefined
  descriptions?: Record<string, string> | undefined
  removals?: ComponentId[] | undefined
  prune?: boolean | undefined
  unread?: ComponentId[] | undefined
  drafts?: true | ComponentId[] | undefined
  dependencies?: boolean | undefined
  rationale?: string | undefined
  base?: number | undefined
  lineage?: string | undefined
  changeDigest?: string | undefined
  planBase?: number | undefined
  /** Restores its content. */
  generation?: number | undefined
  revert?: RevertInput | undefined
  /** The components whose losses are confirmed: of a generation or a revert all, of other lists those that are removed. */
  breaking?: ComponentId[] | undefined
}

export interface RevertInput {
  generation: number
  components?: ComponentId[] | undefined
  without?: ComponentId[] | undefined
  settled?: { id: ComponentId; after: unknown }[] | undefined
}

type CallerContext = Pick<
  SignedInRequest<unknown, unknown, unknown>,
  'services' | 'access' | 'visibility' | 'by'
>

/** @throws AlmanacError `request.malformed` if it names both drafts and components, or neither. */
export function applyRequestOf({ access, by }: CallerContext, list: ChangeListInput): ApplyRequest {
  const { source, ...terms } = changeSourceOf(list)
  if (source === null)
    throw new AlmanacError(
      'request.malformed',
      'The change list is empty. Send components, removals or drafts.',
    )
  return { source, ...terms, ...by, actor: access.user }
}

export type ChangeListTerms = Pick<
  ApplyRequest,
  'base' | 'lineage' | 'changeDigest' | 'planBase' | 'rationale'
> & {
  /** Returns null if none is named. */
  source: ChangeSource | null
}

/** @throws AlmanacError `request.malformed` if it names both drafts and components. */
export function changeSourceOf(list: ChangeListInput): ChangeListTerms {
  const { base, lineage, changeDigest, rationale } = list
  // The reviewed plan has the base that is sent with its digest.
  const planBase = changeDigest === undefined ? undefined : (list.planBase ?? base)
  return {
    source: sourceOf(list),
    ...(base === undefined ? {} : { base }),
    ...(lineage === undefined ? {} : { lineage }),
    ...(changeDigest === undefined ? {} : { changeDigest }),
    ...(planBase === undefined ? {} : { planBase }),
    ...(rationale === undefined ? {} : { rationale }),
  }
}

function sourceOf(list: ChangeListInput): ChangeSource | null {
  const { components, descriptions, removals, prune, unread } = list
  const { drafts, dependencies, generation, revert, breaking } = list
  const hasComponents = [components, descriptions, removals, prune, unread].some((each) => each !== undefined)
  if (drafts !== undefined && hasComponents)
    throw new AlmanacError('request.malformed', 'Send either drafts, or components and removals, not both.')
  if (generation !== undefined && (hasComponents || drafts !== undefined))
    throw new AlmanacError('request.malformed', 'Send either a generation or a change list, not both.')
  if (revert !== undefined && (hasComponents || drafts !== undefined || generation !== undefined))
    throw new AlmanacError('request.malformed', 'Send either a revert or a different change list, not both.')
  const confirmed = breaking === undefined ? {} : { breaking }
  if (revert !== undefined) return { kind: 'revert', ...revert, ...confirmed } as RevertSource
  if (generation !== undefined) return { kind: 'generation', generation, ...confirmed }
  requireRemoved(list)
  requireServices(list)
  if (drafts !== undefined)
    return drafts === true
      ? { kind: 'drafts', ...confirmed }
      : { kind: 'drafts', ids: drafts, ...(dependencies === true ? { dependencies } : {}), ...confirmed }
  if (!hasComponents) return null
  return {
    kind: 'components',
    components: components ?? [],
    ...(descriptions === undefined ? {} : { descriptions }),
    ...(removals === undefined ? {} : { removals }),
    ...(prune === undefined ? {} : { prune }),
    ...confirmed,
    ...(unread === undefined
      ? {}
      : { invalidComponents: unread.map((id) => ({ id, partialEntry: null, faults: [''] })) }),
  }
}

/** @throws AlmanacError `request.malformed` if it describes an external service that it does not contain */
function requireServices({ components = [], descriptions = {} }: ChangeListInput): void {
  const named = Object.keys(descriptions)
  if (named.length === 0) return
  const services = new Set(
    components.map((each) => {
      const { type, key } = (each ?? {}) as { type?: unknown; key?: unknown }
      return type === 'external_service' ? key : undefined
    }),
  )
  const other = named.find((key) => !services.has(key))
  if (other !== undefined)
    throw new AlmanacError(
      'request.malformed',
      `"descriptions" contains ${JSON.stringify(truncateInput(other))}, but the list has no external service with this key. Add the service, or remove the description.`,
    )
}

/** @throws AlmanacError `request.malformed` if it confirms a component that it does not remove */
function requireRemoved({ drafts, removals = [], prune, breaking = [] }: ChangeListInput): void {
  if (drafts !== undefined || prune === true) return
  const removed = new Set(removals)
  const other = breaking.find((id) => !removed.has(id))
  if (other !== undefined)
    throw new AlmanacError(
      'request.malformed',
      `The list does not remove ${other}, so "breaking" cannot contain it. Put "breaking": true on the component.`,
    )
}

/** Returns the plan of a change list as far as the caller can see it. */
export async function planChangeList(
  caller: CallerContext,
  list: ChangeListInput,
  options: Pick<ApplyRequest, 'includesClosure' | 'page' | 'includesIndex' | 'skipsValidation'> = {},
): Promise<PlanView> {
  const request = { ...applyRequestOf(caller, list), ...options, most: maxChanges }
  return planReply(caller, await caller.services.org.plan(request))
}

/** Returns a plan with its lists in memory. */
export function planReply(caller: Pick<CallerContext, 'access'>, outcome: PlanOutcome): PlanView {
  const { plan, changes, ...view } = planView({ ...outcome, changes: [...outcome.changes] }, caller.access)
  return { plan: { ...plan, changes: [...plan.changes] }, changes: [...changes], ...view }
}

/** Returns the result of an apply with its list in memory, and records its duration. */
export function appliedReply(caller: CallerContext, outcome: ApplyOutcome): AppliedView {
  caller.services.metrics.observeApply(outcome.ms)
  const { generation, changes, ...view } = appliedView(
    { ...outcome, changes: [...outcome.changes] },
    caller.access,
  )
  return { generation, changes: [...changes], ...view }
}
