// A change request is made, and edited by its author; each time its change list is judged anew (completions 4).
import type { ComponentId } from '#kernel/components/component.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ChangeRequestSummary } from '#kernel/requests/index.ts'
import { demandAuthor, type By } from '../access/index.ts'
import type { ApplyRequest, ChangeSource, PlanOutcome } from '../pipeline/index.ts'
import { demandAction, demandSeen } from './happened.ts'
import { knownRequest } from './knowing.ts'
import type { RequestParts } from './parts.ts'
import { accessOf, personOf, sightOf } from './person.ts'
import { summaryOf } from './summary.ts'

/** The change list as an apply takes it, and what is said of it. */
export interface NewChangeRequest extends Pick<
  ApplyRequest,
  'base' | 'lineage' | 'changeDigest' | 'planBase' | 'rationale' | 'most'
> {
  source: ChangeSource
  title?: string | undefined
  /** The civil date on which it applies itself. */
  applyOn?: string | null | undefined
}

/** What is left out stays as it is. */
export interface ChangeRequestEdit extends Partial<NewChangeRequest> {
  /** The revision that was seen. */
  revision: number
  /** Components that are taken out of the list as it is. */
  without?: readonly ComponentId[] | undefined
}

export interface Submitted {
  request: ChangeRequestSummary
  /** What its validation said. */
  outcome: PlanOutcome
}

export interface Submitting {
  /** @throws AlmanacError access.denied where they may not author, and those of keeping a change list */
  create(by: By, given: NewChangeRequest): Promise<Submitted>
  edit(by: By, id: string, edit: ChangeRequestEdit): Promise<Submitted>
}

export function submittingOver({ store, org, clock, ids }: RequestParts): Submitting {
  const submitted = (by: By, id: string, outcome: PlanOutcome): Submitted => ({
    request: store.read((reader) => summaryOf(reader, reader.changeRequest(id)!, sightOf(reader, by))),
    outcome,
  })
  return {
    create: async (by, { title = '', applyOn = null, ...list }) => {
      if (by.operator !== true) store.read((reader) => demandAuthor(accessOf(reader, by.actor)))
      const id = ids.uuid()
      const terms = { id, revision: null, title: title.trim(), applyOn: dayOf(applyOn, clock.today()) }
      const outcome = await org.keep({ ...list, ...author(by) }, terms)
      return submitted(by, id, outcome)
    },
    edit: async (by, id, { revision, title, applyOn, source, rationale, base, without, ...list }) => {
      const row = store.read((reader) => {
        const known = knownRequest(reader, by, id).row
        demandAction('edit', summaryOf(reader, known), personOf(reader, by.actor))
        demandSeen(known, { revision })
        return known
      })
      const today = clock.today()
      // A date that is past would count at once.
      const kept = row.applyOn !== null && row.applyOn >= today ? row.applyOn : null
      const request: ApplyRequest = {
        ...list,
        source: source ?? ofNow({ id, revision }, base, without),
        ...(source === undefined || base === undefined ? {} : { base }),
        rationale: rationale ?? row.rationale,
        ...author(by),
      }
      const outcome = await org.keep(request, {
        ...{ id, revision },
        title: title?.trim() ?? row.title,
        applyOn: applyOn === undefined ? kept : dayOf(applyOn, today),
      })
      return submitted(by, id, outcome)
    },
  }
}

/** The list as it is, over another generation or without a part where its author says so. */
function ofNow(
  request: { id: string; revision: number },
  base: number | undefined,
  without: readonly ComponentId[] | undefined,
): ChangeSource {
  return {
    kind: 'request',
    ...{ ...request, by: null },
    ...(base === undefined ? {} : { base }),
    ...(without === undefined ? {} : { without }),
  }
}

/** Never as the operator: what its author may not do, nobody else's hands do for them. */
function author({
  actor,
  operatorName,
  correlationId,
}: By): Pick<ApplyRequest, 'actor' | 'operatorName' | 'correlationId'> {
  return { actor, operatorName, correlationId }
}

/** @throws AlmanacError request.invalid where it is no day, or past */
export function dayOf(applyOn: string | null, today: string): string | null {
  if (applyOn === null) return null
  if (parseCivilDate(applyOn) === null)
    throw new AlmanacError('request.invalid', `"${applyOn}" is no day that exists. Write it as YYYY-MM-DD.`)
  if (applyOn < today)
    throw new AlmanacError(
      'request.invalid',
      `${applyOn} is past; today is ${today}. Choose today or a later day.`,
    )
  return applyOn
}
