// Builds the home page for its viewer: what they cannot see is neither listed nor counted.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { daysLeft } from '#kernel/components/feature-flag/lifetime.ts'
import { addDays, parseCivilDate, type CivilDate } from '#kernel/dates/civil-date.ts'
import { refusalOf, waitingStates, type ChangeRequestSummary } from '#kernel/requests/index.ts'
import type {
  HomeDraft,
  HomeFlag,
  HomeGeneration,
  HomeRejectedRequest,
  HomeRequest,
  HomeView,
} from '#wire/index.ts'
import { hasPermission } from '../../access/index.ts'
import {
  createYielder,
  pastChanges,
  visibleDraftBriefsInChunks,
  redactGeneration,
} from '../../pipeline/index.ts'
import type { OrgReader, OrgStore } from '../../ports/org-store.ts'
import type { DraftSummary } from '#wire/index.ts'
import type { SignedInRequest } from '../route.ts'
import { viewingActor } from './viewing-actor.ts'
import { draftState } from './draft-state.ts'
import { homeDays } from './home-days.ts'

type HomeContext = Pick<
  SignedInRequest<unknown, unknown, unknown>,
  'services' | 'access' | 'by' | 'visibility' | 'viewer' | 'snapshot' | 'shown'
>

const maxDays = 200
const maxRequests = 100
/** Limits for the viewer's own rejected requests: their number, and the days for which they are shown. */
const maxRejected = 5
const rejectedDays = 14
const maxFlags = 50
const maxDrafts = 5
const maxGenerations = 5
const maxWords = 2
const maxListed = 1000

export async function homeView(context: HomeContext, days: number): Promise<HomeView> {
  const { services, access, viewer } = context
  const by = viewingActor(context)
  const today = parseCivilDate(services.clock.today())!
  const until = addDays(today, days)
  const all = await homeDays(context, today, until)
  const { requests } = await services.requests.list(by, { states: waitingStates, limit: maxRequests })
  const rejected = await services.requests.list(by, {
    states: ['rejected'],
    author: by.actor,
    limit: maxRejected,
  })
  await nextTurn()
  const shown = await visibleDraftBriefsInChunks(services.store, viewer)
  await nextTurn()
  const drafts = shown.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
  await nextTurn()
  const conflicts = await overtakenDrafts(services.store, drafts, context.snapshot.generation)
  return services.store.read((reader) => {
    const nameOf = createNameLookup(reader)
    const requestOf = (each: ChangeRequestSummary): HomeRequest => homeRequest(each, nameOf)
    const own = drafts.filter(({ author }) => author === access.user)
    const draftOf = (row: DraftSummary): HomeDraft => homeDraft(row, nameOf)
    return {
      today,
      until,
      days: all.slice(0, maxDays),
      daysTotal: all.length,
      requests: requests.filter(({ applyOn }) => applyOn !== null && applyOn <= until).map(requestOf),
      flags: homeFlags(context, reader, today, until),
      toApprove: requests.filter((each) => canApprove(context, each)).map(requestOf),
      rejected: rejected.requests
        .filter(({ updatedAt }) => updatedAt >= addDays(today, -rejectedDays))
        .map((each) => ({ ...requestOf(each), ...rejectionOf(reader, each.id, nameOf) })),
      conflicts: conflicts.map(draftOf),
      drafts: own.slice(0, maxDrafts).map(draftOf),
      draftsTotal: own.length,
      othersTotal: drafts.length - own.length,
      applied: recentGenerations(context, reader, nameOf),
    }
  })
}

function createNameLookup(reader: OrgReader): (user: string) => string {
  const names = new Map<string, string>()
  return (user) => {
    const name = names.get(user) ?? reader.people.user(user)?.name ?? user
    names.set(user, name)
    return name
  }
}

/** A user cannot approve their own request, or one that they already approved. */
function canApprove(context: HomeContext, request: ChangeRequestSummary): boolean {
  const { access } = context
  const by = viewingActor(context)
  const person = {
    user: by.actor,
    canApprove: hasPermission(access, 'deploy.approve'),
    operator: by.operatorName,
  }
  return (
    request.state === 'open' &&
    refusalOf('approve', request, person) === null &&
    !request.approvals.some(({ approver, counts }) => approver === by.actor && counts)
  )
}

function homeRequest(
  { id, title, author, state, applyOn, approvals, requiredApprovals, counts }: ChangeRequestSummary,
  nameOf: (user: string) => string,
): HomeRequest {
  return {
    id,
    title,
    author,
    authorName: nameOf(author),
    state,
    applyOn,
    approvals: approvals.filter((approval) => approval.counts).length,
    requiredApprovals,
    changes: counts.added + counts.changed + counts.renamed + counts.removed,
  }
}

function rejectionOf(
  reader: OrgReader,
  id: string,
  nameOf: (user: string) => string,
): Pick<HomeRejectedRequest, 'reason' | 'rejectedBy' | 'at'> {
  const event = reader.requests.events(id).findLast(({ kind }) => kind === 'rejected')!
  return { reason: event.text, rejectedBy: nameOf(event.actor), at: event.at }
}

function homeDraft(row: DraftSummary, nameOf: (user: string) => string): HomeDraft {
  return { id: row.id, state: draftState(row), updatedAt: row.updatedAt, authorName: nameOf(row.author) }
}

/** Finds the first draft whose component has changed; works in pieces between other work. */
async function overtakenDrafts(
  store: OrgStore,
  drafts: readonly DraftSummary[],
  active: number,
): Promise<DraftSummary[]> {
  const overtaken: DraftSummary[] = []
  const breathe = createYielder()
  for (const draft of drafts) {
    if (draft.baseGeneration >= active) continue
    if (store.read((reader) => isOvertaken(reader, draft, active))) overtaken.push(draft)
    if (overtaken.length === maxDrafts) break
    const pause = breathe()
    if (pause !== undefined) await pause
  }
  return overtaken
}

/** Returns whether the component has changed since the draft began. */
function isOvertaken(reader: OrgReader, { id, baseDigest }: DraftSummary, active: number): boolean {
  const now = reader.components.digest(active, id) ?? null
  return baseDigest !== null && now !== baseDigest
}

function homeFlags(
  { shown }: HomeContext,
  reader: OrgReader,
  today: CivilDate,
  until: CivilDate,
): HomeFlag[] {
  return [...shown.list('feature_flag')]
    .filter(({ body }) => body.expiresOn >= today && body.expiresOn <= until)
    .sort((a, b) => (a.body.expiresOn < b.body.expiresOn ? -1 : 1))
    .slice(0, maxFlags)
    .map(({ key, label, body }) => ({
      key,
      label,
      ownerName:
        'user' in body.owner
          ? (reader.people.user(body.owner.user)?.name ?? body.owner.user)
          : (reader.people.group(body.owner.group)?.name ?? body.owner.group),
      expiresOn: body.expiresOn,
      daysLeft: daysLeft(body.expiresOn, today),
    }))
}

function recentGenerations(
  { access, viewer, snapshot }: HomeContext,
  reader: OrgReader,
  nameOf: (user: string) => string,
): HomeGeneration[] {
  const rows = reader.generations.list({ before: snapshot.generation + 1, limit: maxGenerations })
  return rows.map((row) => {
    const { generation, at, actor, rationale, counts } = redactGeneration(reader, row, {
      access,
      viewer,
    })
    const size = counts.added + counts.changed + counts.renamed + counts.removed
    // Avoids listing thousands of changes in order to show two.
    const listed = generation > 1 && size <= maxListed
    const { changes, total } = listed
      ? pastChanges(reader, generation - 1, generation, viewer, maxWords)
      : { changes: [], total: size }
    const words = [...changes].map((change) => change.words)
    return { generation, at, actorName: nameOf(actor), rationale, changes: words, total }
  })
}
