// The user on whose behalf a write happens; every write leaves an audit row with it
// (docs/reference/pipeline-and-approvals.md).
import type { OrgReader, OrgTransactor } from '../ports/org-store.ts'
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { SystemPermission } from '#kernel/components/permission-set/system-permissions.ts'
import { requirePermission, effectiveAccess } from './effective-access.ts'

export interface Actor {
  actor: string
  correlationId: string
  /** The command line on the org's own folder: a user who can write to the folder is its operator. */
  isOperator?: boolean
  /** The user of the operating system who acts as `actor` on the command line or through the one-time link. */
  operatorName?: string | undefined
}

/** @throws AlmanacError `access.denied` if the actor is not an operator and lacks the permission. */
export function requireActorPermission(
  by: Actor,
  reader: Pick<OrgReader, 'generations' | 'people'>,
  permission: SystemPermission,
  purpose: string,
): void {
  if (by.isOperator === true) return
  const view = reader.generations.view(reader.generations.active())
  requirePermission(effectiveAccess(reader, by.actor, view), permission, purpose)
}

export interface AuditFact {
  /** `user/mara`, `client/local`, `result/<id>`. */
  component: string
  /** `user.added`, `token.issued` and the like. */
  kind: string
  before: JsonValue
  after: JsonValue
  rationale?: string
}

/** Writes one audit row for a change to runtime state. */
export function recordAudit(
  transactor: Pick<OrgTransactor, 'audit'>,
  by: Actor,
  at: string,
  fact: AuditFact,
): void {
  transactor.audit.append({
    at,
    actor: by.actor,
    ...(by.operatorName === undefined ? {} : { operator: by.operatorName }),
    correlationId: by.correlationId,
    generation: null,
    rationale: '',
    ...fact,
  })
}
