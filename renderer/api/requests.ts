// Change requests: submitted, viewed, decided on, applied.
import type { AppliedRequestView, SubmittedRequestView } from '#wire/index.ts'
import { ApiError, get, post, request } from './request.ts'
import type { DraftPick, ListPick } from './pipeline.ts'
import type {
  ChangeRequestState,
  ChangeRequestSummary,
  ComponentId,
  Envelope,
  Impact,
  RecordsImpact,
  RequestDetail,
} from './wire.ts'

export type { SubmittedRequestView as Submitted } from '#wire/index.ts'

const path = '/metadata/v3/change-requests'
const one = (id: string): string => `${path}/${encodeURIComponent(id)}`

export interface RequestTerms {
  rationale?: string
  title?: string
  /** The civil date on which it is applied automatically; null for none. */
  applyOn?: string | null
  base?: number
  lineage?: string
  changeDigest?: string
}

export interface RequestQuery {
  state?: readonly ChangeRequestState[]
  author?: string
  limit?: number
  cursor?: string | null
}

export const fetchRequests = ({
  state,
  ...query
}: RequestQuery): Promise<{ requests: ChangeRequestSummary[]; nextCursor: string | null }> =>
  get(path, { ...query, state: state?.join(',') })

export const fetchRequest = (id: string): Promise<RequestDetail> => get(one(id))

/** `after` continues the stored results. */
export const fetchRequestImpact = (id: string, after?: string): Promise<Impact> =>
  post(`${one(id)}/impact`, after === undefined ? {} : { results: { after } })

/** Returns a part of the effects on stored values of records. */
export const fetchRequestRecordsImpact = (id: string, after?: string): Promise<RecordsImpact> =>
  post(`${one(id)}/impact/records`, after === undefined ? {} : { after })

/** Submits drafts, or the content of an earlier generation. */
export const submitRequest = (list: ListPick & RequestTerms): Promise<SubmittedRequestView> =>
  post<SubmittedRequestView>(path, list).catch(firstOfSame)

/** The same list is submitted only once: the result is the request that already has it. */
async function firstOfSame(error: unknown): Promise<SubmittedRequestView> {
  const [first] = error instanceof ApiError && error.code === 'conflict.exists' ? error.details : []
  const id = (first as { id?: string } | undefined)?.id
  if (id === undefined) throw error
  return fetchRequest(id)
}

export interface RequestEdit extends RequestTerms, Partial<DraftPick> {
  /** The revision that was seen. */
  revision: number
  /** Components to remove from the list of the request. */
  without?: ComponentId[]
}

export const editRequest = (id: string, edit: RequestEdit): Promise<SubmittedRequestView> =>
  request('PUT', one(id), { body: edit })

/** What the user saw; the server refuses the decision if it has changed since. */
export interface RequestVersion {
  digest: string
  revision: number
}

export const approveRequest = (
  id: string,
  { digest, revision }: RequestVersion,
  comment: string,
): Promise<ChangeRequestSummary> => post(`${one(id)}/approve`, { digest, revision, comment })

export const rejectRequest = (id: string, reason: string): Promise<ChangeRequestSummary> =>
  post(`${one(id)}/reject`, { reason })

export const withdrawRequest = (id: string, reason: string): Promise<ChangeRequestSummary> =>
  post(`${one(id)}/withdraw`, { reason })

export const commentOnRequest = (id: string, text: string): Promise<ChangeRequestSummary> =>
  post(`${one(id)}/comments`, { text })

export const scheduleRequest = (id: string, applyOn: string | null): Promise<ChangeRequestSummary> =>
  post(`${one(id)}/schedule`, { applyOn })

export const applyRequest = (
  id: string,
  { digest, revision }: RequestVersion,
): Promise<AppliedRequestView<Envelope>> => post(`${one(id)}/apply`, { digest, revision })

export const fetchRequiredApprovals = async (): Promise<number> =>
  (await get<{ required: number }>('/setup/v3/approvals')).required

export const requireApprovals = (
  required: number,
): Promise<{ required: number; request?: ChangeRequestSummary }> =>
  request('PUT', '/setup/v3/approvals', { body: { required } })
