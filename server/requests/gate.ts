// The gate before every apply: if the org requires approvals, only an approved change request passes (completions 4).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Sha256 } from '#kernel/change/index.ts'
import type { Clock } from '../ports/clock.ts'
import type { Randomness } from '../ports/randomness.ts'
import type { OrgFacts, OrgReader } from '../ports/org-store.ts'
import type { By } from '../access/index.ts'
import type { ApplyRequest, ChangeSource, Gate } from '../pipeline/index.ts'
import { demandAction, demandSeen, happened } from './happened.ts'
import { keepRequest } from './keep-request.ts'
import { noRequest } from './knowing.ts'
import { personOf } from './person.ts'
import { requiredApprovals } from './requirement.ts'
import { summaryOf } from './summary.ts'

export interface GateParts {
  clock: Clock
  random: Randomness
  sha256: Sha256
}

export function changeRequestGate({ clock, random, sha256 }: GateParts): Gate {
  return {
    admit: (reader, { source }) => {
      if (source.kind !== 'request') return admitOwn(reader, source)
      const row = demandRow(reader, source.id)
      demandSeen(row, { revision: source.revision })
      const summary = summaryOf(reader, row)
      // Its date has the rights of its author.
      demandAction('apply', summary, personOf(reader, source.by ?? row.author))
      const approvers = summary.approvals.flatMap(({ approver, counts }) => (counts ? [approver] : []))
      return { id: row.id, author: row.author, approvers, appliedBy: source.by }
    },
    applied: (transactor, request, generation) => {
      const { id, by } = request.source as Extract<ChangeSource, { kind: 'request' }>
      const row = demandRow(transactor, id)
      happened(
        transactor,
        byOf(request, by ?? row.author),
        clock.now(),
        { ...row, state: 'applied', generation },
        {
          kind: 'applied',
          text: by === null ? `on its date, ${row.applyOn}` : '',
          facts: { generation },
        },
      )
    },
    keep: (transactor, request, list, terms) =>
      keepRequest(transactor, byOf(request, request.actor), clock.now(), {
        ...{ request, list, terms, sha256 },
        newSalt: () => Buffer.from(random.bytes(32)).toString('hex'),
      }),
  }
}

function admitOwn(reader: OrgReader, source: ChangeSource): null {
  const required = requiredApprovals(reader)
  if (required === 0) return null
  throw approvalsAsked(reader.facts(), required, source)
}

function approvalsAsked(
  { name, environment }: OrgFacts,
  required: number,
  source: ChangeSource,
): AlmanacError {
  const asks = required === 1 ? 'one approval' : `${required} approvals`
  const way =
    source.kind === 'generation'
      ? `"almanac request --rollback ${source.generation}", or POST /metadata/v3/change-requests with { "generation": ${source.generation} }`
      : source.kind === 'revert'
        ? `"almanac request --revert ${source.generation}", or POST /metadata/v3/change-requests with { "revert": { "generation": ${source.generation} } }`
        : '"almanac request" with the same change list, or POST /metadata/v3/change-requests with the same body'
  return new AlmanacError(
    'deploy.approval_required',
    `${name} (${environment}) requires ${asks} before an apply; nothing was applied. Create a change request: ${way}.`,
    { details: [{ requiredApprovals: required }] },
  )
}

function demandRow(reader: OrgReader, id: string) {
  const row = reader.changeRequest(id)
  if (row === undefined) throw noRequest(id)
  return row
}

function byOf({ correlationId, operatorName }: ApplyRequest, actor: string): By {
  return { actor, operatorName, correlationId: correlationId ?? '' }
}
