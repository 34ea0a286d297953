// The user on whose behalf a write happens; every write leaves an audit row with it (completions 4, 6).
import type { OrgReader, OrgTransactor } from '../ports/org-store.ts'
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { SystemPermission } from '#kernel/components/permission-set/body.ts'
import { demand, effectiveAccess } from './effective-access.ts'

export interface By {
  actor: string
  correlationId: string
  /** The command line on the org's own folder: a user who can write the folder is its operator. */
  operator?: boolean
  /** The user of the operating system who acts as `actor` on the command line or through the one-time link. */
  operatorName?: string | undefined
}

/** @throws AlmanacError `access.denied` if the actor is not an operator and lacks the permission. */
export function demandOf(by: By, reader: OrgReader, permission: SystemPermission, purpose: string): void {
  if (by.operator === true) return
  const view = reader.view(reader.activeGeneration())
  demand(effectiveAccess(reader, by.actor, view), permission, purpose)
}

export interface RuntimeFact {
  /** `user/mara`, `client/local`, `result/<id>`. */
  component: string
  /** `user.added`, `token.issued` and the like. */
  kind: string
  before: JsonValue
  after: JsonValue
  rationale?: string
}

/** Writes one audit row for a change of runtime state. */
export function note(transactor: OrgTransactor, by: By, at: string, fact: RuntimeFact): void {
  transactor.appendAudit({
    at,
    actor: by.actor,
    ...(by.operatorName === undefined ? {} : { operator: by.operatorName }),
    correlationId: by.correlationId,
    generation: null,
    rationale: '',
    ...fact,
  })
}
