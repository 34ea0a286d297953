// A change request is created, and edited by its author; its change list is checked again each time
// (docs/reference/pipeline-and-approvals.md).
import type { ComponentId } from '#kernel/components/component.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ChangeRequestSummary } from '#kernel/requests/index.ts'
import { requireAuthorPermission, type Actor } from '../access/index.ts'
import type { ApplyRequest, ChangeSource, PlanOutcome } from '../pipeline/index.ts'
import { requireAction, requireRevision } from './request-transition.ts'
import { findVisibleRequest } from './request-visibility.ts'
import type { RequestDeps } from './deps.ts'
import { accessOf, personOf, viewerOf } from './person.ts'
import { summaryOf } from './summary.ts'

/** The change list in the form of an apply, and its description. */
export interface NewChangeRequest extends Pick<
  ApplyRequest,
  'base' | 'lineage' | 'changeDigest' | 'planBase' | 'rationale' | 'most'
> {
  source: ChangeSource
  title?: string | undefined
  /** The civil date on which it is applied automatically. */
  applyOn?: string | null | undefined
}

/** Omitted terms stay unchanged. */
export interface ChangeRequestEdit extends Partial<NewChangeRequest> {
  /** The revision that was read. */
  revision: number
  /** Components that are removed from the list. */
  without?: readonly ComponentId[] | undefined
}

export interface SubmitOutcome {
  request: ChangeRequestSummary
  /** The result of its validation. */
  outcome: PlanOutcome
}

export interface RequestSubmitter {
  /** @throws AlmanacError access.denied if the author must not author, and those of keeping a change list */
  create(by: Actor, given: NewChangeRequest): Promise<SubmitOutcome>
  edit(by: Actor, id: string, edit: ChangeRequestEdit): Promise<SubmitOutcome>
}

export function createRequestSubmitter({ store, org, clock, ids }: RequestDeps): RequestSubmitter {
  const toOutcome = (by: Actor, id: string, outcome: PlanOutcome): SubmitOutcome => ({
    request: store.read((reader) => summaryOf(reader, reader.requests.get(id)!, viewerOf(reader, by))),
    outcome,
  })
  return {
    create: async (by, { title = '', applyOn = null, ...list }) => {
      if (by.isOperator !== true) store.read((reader) => requireAuthorPermission(accessOf(reader, by.actor)))
      const id = ids.uuid()
      const terms = { id, revision: null, title: title.trim(), applyOn: parseApplyOn(applyOn, clock.today()) }
      const outcome = await org.submit({ ...list, ...author(by) }, terms)
      return toOutcome(by, id, outcome)
    },
    edit: async (by, id, { revision, title, applyOn, source, rationale, base, without, ...list }) => {
      const row = store.read((reader) => {
        const known = findVisibleRequest(reader, by, id).row
        requireAction('edit', summaryOf(reader, known), personOf(reader, by.actor))
        requireRevision(known, { revision })
        return known
      })
      const today = clock.today()
      // A past date would take effect immediately.
      const pendingDate = row.applyOn !== null && row.applyOn >= today ? row.applyOn : null
      const request: ApplyRequest = {
        ...list,
        source: source ?? currentSource({ id, revision }, base, without),
        ...(source === undefined || base === undefined ? {} : { base }),
        rationale: rationale ?? row.rationale,
        ...author(by),
      }
      const outcome = await org.submit(request, {
        ...{ id, revision },
        title: title?.trim() ?? row.title,
        applyOn: applyOn === undefined ? pendingDate : parseApplyOn(applyOn, today),
      })
      return toOutcome(by, id, outcome)
    },
  }
}

/** The current list, over another generation or without a part, as its author requests. */
function currentSource(
  request: { id: string; revision: number },
  base: number | undefined,
  without: readonly ComponentId[] | undefined,
): ChangeSource {
  return {
    kind: 'request',
    ...{ ...request, appliedBy: null },
    ...(base === undefined ? {} : { base }),
    ...(without === undefined ? {} : { without }),
  }
}

/** Never as the operator: what its author is not allowed to do must not be done on their behalf. */
function author({
  actor,
  operatorName,
  correlationId,
}: Actor): Pick<ApplyRequest, 'actor' | 'operatorName' | 'correlationId'> {
  return { actor, operatorName, correlationId }
}

/** @throws AlmanacError request.invalid if it is not a date, or is in the past */
export function parseApplyOn(applyOn: string | null, today: string): string | null {
  if (applyOn === null) return null
  if (parseCivilDate(applyOn) === null)
    throw new AlmanacError(
      'request.invalid',
      `"${applyOn}" is not a date that exists. Write it as YYYY-MM-DD.`,
    )
  if (applyOn < today)
    throw new AlmanacError(
      'request.invalid',
      `${applyOn} is in the past; today is ${today}. Choose today or a later date.`,
    )
  return applyOn
}
