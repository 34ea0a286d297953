// Reads change requests: lists, and one request with its changes over today's generation
// (docs/reference/pipeline-and-approvals.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type {
  ChangeRequestDetailOf,
  ChangeRequestStanding,
  ChangeRequestState,
  ChangeRequestSummary,
  Contribution,
} from '#kernel/requests/index.ts'
import type { Actor } from '../access/index.ts'
import {
  createYielder,
  isIdVisible,
  pastChanges,
  requestViewer,
  redactFindings,
  type ApplyRequest,
  type ChangeRow,
  type PlanOutcome,
  type LazyList,
} from '../pipeline/index.ts'
import type { ChangeRequestRow } from '../ports/change-requests.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { findVisibleRequest, createRequestFilter, type VisibleRequest } from './request-visibility.ts'
import type { RequestDeps } from './deps.ts'
import { personOf, viewerOf } from './person.ts'
import { summaryOf } from './summary.ts'

export interface RequestFilter {
  states?: readonly ChangeRequestState[] | undefined
  author?: string | undefined
  /** Returns only requests that are older than this id. */
  before?: string | undefined
  limit: number
}

export interface RequestPage {
  requests: ChangeRequestSummary[]
  /** The id before which the next page begins; null at the end. */
  next: string | null
}

export type ChangeRequestDetail = ChangeRequestDetailOf<LazyList<ChangeRow>>

export interface RequestReader {
  /** Requests are read in pieces between other work, because many may be hidden. */
  list(by: Actor, filter: RequestFilter): Promise<RequestPage>
  /** @throws AlmanacError change_request.not_found */
  get(by: Actor, id: string, most?: number): Promise<ChangeRequestDetail>
  /**
   * Its change list, to be checked as its author and shown as far as `by` can see it.
   * @throws AlmanacError change_request.not_found; access.denied unless `by` wrote it or holds deploy.approve
   */
  planRequestOf(by: Actor, id: string): ApplyRequest
  /** Whether a user can know of it. */
  canSee(by: Actor, id: string): boolean
}

/** Maximum number of components that a message names. */
const maxNamedComponents = 5
/** Number of rows per read. */
const page = 50

export function createRequestReader({ store, org }: RequestDeps): RequestReader {
  return {
    list: (by, filter) => listRequests(store, by, filter),
    canSee: (by, id) =>
      store.read((reader) => {
        const row = reader.requests.get(id)
        return row !== undefined && createRequestFilter(reader, viewerOf(reader, by))(row)
      }),
    planRequestOf: (by, id) =>
      store.read((reader) => {
        const { row } = findVisibleRequest(reader, by, id)
        if (by.actor !== row.author && !personOf(reader, by.actor).canApprove)
          throw new AlmanacError(
            'access.denied',
            `${by.actor} needs deploy.approve to see the impact of other users' requests.`,
          )
        return planRequestAs(by, row)
      }),
    get: async (by, id, most = Infinity) => {
      const { facts, known, past, active } = store.read((reader) => {
        const row = findVisibleRequest(reader, by, id)
        return {
          facts: factsOf(reader, row, most),
          known: row,
          past: pastOf(reader, row, most),
          active: reader.generations.active(),
        }
      })
      if (past !== null) return { ...facts, ...past }
      return { ...facts, ...(await assessRequest(org, by, { row: known.row, active, most })) }
    },
  }
}

async function listRequests(
  store: RequestDeps['store'],
  by: Actor,
  { states, author, before, limit }: RequestFilter,
): Promise<RequestPage> {
  const stored = states?.map((state) => (state === 'approved' ? 'open' : state))
  const requests: ChangeRequestSummary[] = []
  const breathe = createYielder()
  for (let last = before; ;) {
    const rows = store.read((reader) => {
      const viewer = viewerOf(reader, by)
      const known = createRequestFilter(reader, viewer)
      const found = reader.requests.list({ states: stored, author, before: last, limit: page })
      return found.map((row) =>
        known(row) ? summaryOf(reader, row, requestViewer(reader, row, viewer)) : row.id,
      )
    })
    for (const row of rows) {
      if (typeof row === 'string' || (states !== undefined && !states.includes(row.state))) continue
      if (requests.length === limit) return { requests, next: requests.at(-1)!.id }
      requests.push(row)
    }
    if (rows.length < page) return { requests, next: null }
    const end = rows.at(-1)!
    last = typeof end === 'string' ? end : end.id
    await breathe()
  }
}

type Facts = ChangeRequestSummary & Pick<ChangeRequestDetail, 'comments' | 'history' | 'contributions'>
type RequestAssessment = Omit<ChangeRequestDetail, keyof Facts>

function factsOf(reader: OrgReader, { row, viewer }: VisibleRequest, most: number): Facts {
  const history = reader.requests.events(row.id).map(({ request: _, ...event }) => event)
  return {
    ...summaryOf(reader, row, viewer),
    contributions: row.contributors.length === 0 ? [] : contributionsOf(reader, { row, viewer }, most),
    comments: history.filter(({ kind }) => kind === 'commented'),
    history,
  }
}

/** Contributions to the changes that this user can see. */
function contributionsOf(
  reader: Pick<OrgReader, 'requests'>,
  { row, viewer }: VisibleRequest,
  most: number,
): Contribution[] {
  const contributions: Contribution[] = []
  for (const { id, writers } of reader.requests.items(row.id))
    if (writers !== null && isIdVisible(id, viewer) && contributions.length < most)
      contributions.push({ id, writers })
  return contributions
}

/** For an applied request: what its generation changed. */
function pastOf(reader: OrgReader, { row, viewer }: VisibleRequest, most: number): RequestAssessment | null {
  const { generation, counts } = row
  if (generation === null) return null
  const { changes, total } = pastChanges(reader, generation - 1, generation, viewer, most)
  const all = counts.added + counts.changed + counts.renamed + counts.removed
  const isAuthor = viewer === null || viewer.user === row.author
  const findings = isAuthor ? row.findings : redactFindings(row.findings, viewer, new Set())
  return {
    ...{ changes, total, hidden: Math.max(0, all - total) },
    ...{ findings, findingsTotal: row.errors + row.warnings },
    standing: null,
    lacks: [],
    budget: null,
  }
}

interface AssessmentInput {
  row: ChangeRequestRow
  active: number
  most: number
}

/**
 * For a request that waits or was not applied: what it would change now, with its author's rights, as this user sees
 * it.
 */
async function assessRequest(
  org: RequestDeps['org'],
  by: Actor,
  { row, active, most }: AssessmentInput,
): Promise<RequestAssessment> {
  const nothing = {
    changes: [],
    total: 0,
    hidden: 0,
    findings: [],
    findingsTotal: 0,
    budget: null,
    lacks: [],
  }
  // It proposes a setting, which is not part of a generation.
  if (row.proposedApprovals !== null)
    return { ...nothing, standing: { generation: active, stale: null, message: '', conflicts: [] } }
  try {
    const outcome = await org.plan({ ...planRequestAs(by, row), most })
    const { changes, total, hidden, findings, findingsTotal, budget } = outcome
    const lacks = [...new Set(outcome.denials.map(({ permission }) => permission))]
    const standing = standingOf(row, outcome)
    return { changes, total, hidden, findings, findingsTotal, budget, lacks, standing }
  } catch (error) {
    const standing = error instanceof AlmanacError ? staleStanding(error, active) : null
    if (standing === null) throw error
    return { ...nothing, standing }
  }
}

function planRequestAs(by: Actor, row: ChangeRequestRow): ApplyRequest {
  return {
    source: { kind: 'request', id: row.id, revision: row.revision, appliedBy: null },
    actor: row.author,
    rationale: row.rationale,
    viewerKey: by.isOperator === true ? null : by.actor,
  }
}

function standingOf({ digest }: ChangeRequestRow, outcome: PlanOutcome): ChangeRequestStanding {
  const { base: generation, changeDigest } = outcome
  if (changeDigest === digest) return { generation, stale: null, message: '', conflicts: [] }
  const message = `Against generation ${generation}, it would change something other than what was submitted. Its author can edit it to have it reviewed again.`
  return { generation, stale: 'conflict.stale_plan', message, conflicts: [] }
}

/** As shown to the reader, who is not always its author. Only conflicts that the reader can see are included. */
function staleStanding(
  { code, message, details }: AlmanacError,
  active: number,
): ChangeRequestStanding | null {
  if (code === 'generation.not_found') return { generation: active, stale: code, message, conflicts: [] }
  if (code !== 'conflict.stale_generation') return null
  const ids = (details as readonly { id: string }[]).map(({ id }) => id)
  const more = ids.length > maxNamedComponents ? ` and ${ids.length - maxNamedComponents} more` : ''
  const what =
    ids.length === 0 ? 'something that you cannot see' : ids.slice(0, maxNamedComponents).join(', ') + more
  const staleMessage = `Generation ${active} changed ${what} after the author read it, and this request changes it too. The author can keep their version against generation ${active}, remove it from the request, or submit a different change list.`
  return { generation: active, stale: code, message: staleMessage, conflicts: details }
}
