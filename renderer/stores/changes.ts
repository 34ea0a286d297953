// The change list: the effects of the drafts, which of them are included, and the outcome of an apply.
import type { Contributor } from '#kernel/requests/index.ts'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { fetchDraftNames, fetchDrafts, type DraftNames } from '../api/drafts.ts'
import { applyDrafts, diffDrafts, planDrafts, type DiffAnswer, type DraftPick } from '../api/pipeline.ts'
import { ApiError, isUnreachable, messageOf } from '../api/request.ts'
import { editRequest, submitRequest, type Submitted } from '../api/requests.ts'
import type { ApplyAnswer, ComponentId, Conflict, PlanAnswer } from '../api/wire.ts'
import { changeViews, namesIn, pageSize } from './change-views.ts'
import { useDocuments } from './documents.ts'
import { loadDecision, saveDecision } from './review-decision.ts'
import { useOrg } from './org.ts'
import { updateTicks as nextTicks, untickedDrafts } from './own-drafts.ts'
import { refusalsOf } from './refusals.ts'
import {
  findAppliedGeneration,
  unheardWords,
  waitingWords,
  type LostReplyOutcome,
  type SentApply,
} from './lost-reply.ts'
import { findUnreadableDrafts, type UnreadableDraft } from './unreadable-drafts.ts'

/** Whether a change is ticked, not ticked, or comes along with another. */
export type TickState = 'on' | 'off' | 'tied'

/** Above so many drafts the list is shown before it is validated. */
const many = 1000
const firstPage = { from: 0, count: pageSize }
const noPage = { from: 0, count: 0 }
const pause = 200

export const useChanges = defineStore('changes', () => {
  const org = useOrg()
  const documents = useDocuments()
  const { index, views, begin, need } = changeViews(() => void load())
  /** Every readable draft, validated together; the list in which the user ticks. */
  const all = shallowRef<PlanAnswer | null>(null)
  /** The plan of the ticked changes; the same as `all` while everything is ticked. */
  const ticked = shallowRef<PlanAnswer | null>(null)
  const kept = loadDecision()
  const off = shallowRef<ReadonlySet<ComponentId>>(new Set(kept.off))
  /** Drafts of others that the user ticked. */
  const tickedOthers = shallowRef<ReadonlySet<ComponentId>>(new Set())
  /** The drafts that others wrote, with their authors. */
  const others = shallowRef<ReadonlyMap<ComponentId, string>>(new Map())
  /** All writers of each draft that the user did not write alone. */
  const writers = shallowRef<ReadonlyMap<ComponentId, readonly Contributor[]>>(new Map())
  const you = shallowRef<Contributor | null>(null)
  const excludedIds = computed(() =>
    untickedDrafts({ off: off.value, tickedOthers: tickedOthers.value }, others.value),
  )
  const rationale = ref(kept.rationale)
  /** The drafts; a change without one follows from another, such as the references of a rename. */
  const drafted = shallowRef<ReadonlySet<ComponentId>>(new Set())
  /** The drafts that cannot be read yet, which are left out unless they are ticked. */
  const unreadable = shallowRef<UnreadableDraft[]>([])
  const forcedUnreadable = shallowRef<ReadonlySet<ComponentId>>(new Set())
  /** The drafts whose active component changed meanwhile; they are left out until a user has settled them. */
  const conflicts = shallowRef<readonly Conflict[]>([])
  const typedName = ref('')
  const loading = ref(false)
  const isValidating = ref(false)
  const applying = ref<'' | 'apply' | 'submit'>('')
  const failure = ref('')
  const applied = shallowRef<ApplyAnswer | null>(null)
  const submitted = shallowRef<Submitted | null>(null)
  const selected = ref<ComponentId | null>(null)
  /** The drafts left out of the last list that was sent: its report ends once there are others. */
  let stayed: ReadonlySet<ComponentId> = new Set()
  /** Sent, without a response. */
  let unheard: SentApply | null = null
  const lostReplyOutcome = shallowRef<LostReplyOutcome | null>(null)

  watch([off, rationale], () => saveDecision({ off: [...off.value], rationale: rationale.value }))

  const staying = computed(() => {
    const ids = new Set(conflicts.value.map(({ id }) => id))
    for (const { id } of unreadable.value) if (!forcedUnreadable.value.has(id)) ids.add(id)
    return ids
  })
  /** The request to the server: all own drafts, or the ticked ones with what they need. */
  const pick = computed((): DraftPick => {
    if (excludedIds.value.size + others.value.size + staying.value.size === 0) return { drafts: true }
    const ids = [...drafted.value].filter((id) => !excludedIds.value.has(id) && !staying.value.has(id))
    return { drafts: ids, dependencies: true }
  })
  const whole = computed(() => excludedIds.value.size === 0 && forcedUnreadable.value.size === 0)
  const selectedIds = computed(() => new Set(namesIn(ticked.value?.index ?? [])))
  /** Drafts under an old id, by the id that a rename in the list gives them. */
  const renamedDrafts = computed(
    () =>
      new Map<ComponentId, ComponentId>(
        index.value.flatMap(({ id, from }) =>
          from !== undefined && drafted.value.has(from) && !drafted.value.has(id) ? [[id, from]] : [],
        ),
      ),
  )
  /** A getter that returns a function: an action would be wrapped at each of ten thousand calls. */
  const draftOf = computed(() => {
    const renamed = renamedDrafts.value
    return (id: ComponentId): ComponentId => renamed.get(id) ?? id
  })
  /** Why a change that is not ticked comes along, by id. */
  const needed = computed(() => new Map(ticked.value?.closure?.needed.map((need) => [need.id, need])))
  const counts = computed(() => ticked.value?.plan.counts)
  const selectedCount = computed(() => {
    const { added = 0, changed = 0, renamed = 0, removed = 0 } = counts.value ?? {}
    return added + changed + renamed + removed
  })
  // Each line shows whose draft it is.
  const findings = computed(() =>
    (ticked.value?.findings ?? []).filter(({ code }) => code !== 'draft.author'),
  )
  const unlisted = computed(() =>
    Math.max(0, (ticked.value?.findingsTotal ?? 0) - (ticked.value?.findings.length ?? 0)),
  )
  const findingsOf = computed(() => Map.groupBy(findings.value, ({ component }) => component))
  const errors = computed(() => findings.value.filter(({ severity }) => severity === 'error'))
  const denials = computed(() => ticked.value?.denials ?? [])
  const nameTyped = computed(() => !org.production || typedName.value === org.org?.name)
  const needsApproval = computed(() => (org.org?.requiredApprovals ?? 0) > 0)
  const refusals = computed(() =>
    refusalsOf({
      selectedCount: selectedCount.value + forcedUnreadable.value.size,
      errors: errors.value.length,
      denials: denials.value,
    }),
  )
  const settled = computed(() => !loading.value && !isValidating.value && all.value !== null)

  /** Called for every change of a long list: its dependencies are looked up once. */
  const tickOf = computed(() => {
    const [stays, going, own, unsure] = [
      excludedIds.value,
      selectedIds.value,
      drafted.value,
      isValidating.value,
    ]
    const draft = draftOf.value
    return (change: ComponentId): TickState => {
      const id = draft(change)
      if (stays.has(id)) return going.has(id) && !unsure ? 'tied' : 'off'
      if (own.has(id)) return 'on'
      return unsure || going.has(id) ? 'tied' : 'off'
    }
  })

  // A response to an earlier request than the latest is dropped.
  let asked = 0
  let askedTicked = 0

  let running: Promise<void> | null = null
  let again = false

  /** Reads the list; any calls meanwhile share one more read after this one. */
  function load(): Promise<void> {
    if (running !== null) {
      again = true
      return running
    }
    running = loadOnce().finally(() => (running = null))
    return running
  }

  async function loadOnce(): Promise<void> {
    do {
      again = false
      await readAll()
    } while (again)
  }

  async function readAll(): Promise<void> {
    const mine = ++asked
    loading.value = true
    try {
      await lookUp()
      await documents.keepAll()
      const fetched = fetchDraftNames()
      // Ticks count from the moment at which there is something to tick.
      fetched.then(
        (names) => mine === asked && takeNames(names),
        () => undefined,
      )
      const found = await readList(mine, fetched)
      const { drafts } = await fetched
      if (mine !== asked || found === null) return
      await takeUnread(mine, drafts, found)
      if (mine !== asked) return
      all.value = found
      failure.value = ''
      if (applying.value === '') endReports()
      await planTicked()
    } catch (error) {
      if (mine === asked) failure.value = messageOf(error)
    } finally {
      if (mine === asked) loading.value = false
    }
  }

  function endReports(): void {
    if ([...drafted.value].every((id) => stayed.has(id))) return
    applied.value = null
    submitted.value = null
  }

  function takeNames({ drafts, others: authors, ...written }: DraftNames): void {
    drafted.value = new Set(drafts)
    writers.value = new Map(Object.entries(written.writers) as [ComponentId, Contributor[]][])
    you.value = written.you
    others.value = new Map(Object.entries(authors) as [ComponentId, string][])
  }

  /** The plan of every readable draft; many are shown before they are validated. Null if a later request came. */
  async function readList(mine: number, names: Promise<DraftNames>): Promise<PlanAnswer | null> {
    const firstLook = (wanted: DraftPick): Promise<DiffAnswer> => diffDrafts(wanted, firstPage, true)
    const ask = async (wanted: DraftPick, look?: Promise<DiffAnswer>): Promise<PlanAnswer | null> => {
      const long = (org.org?.drafts ?? (await names).drafts.length) > many
      if (long) {
        const first = await (look ?? firstLook(wanted))
        if (mine !== asked) return null
        await names
        begin(wanted, first)
      }
      const plan = await planDrafts(wanted, rationale.value, long ? noPage : undefined)
      if (mine !== asked) return null
      begin(wanted, { ...plan, changeDigest: plan.plan.changeDigest })
      return plan
    }
    // Requested together with the names: few lists contain drafts of others, which would have to be named.
    const mayBeOwn = (org.org?.drafts ?? 0) > many && others.value.size === 0
    const early = mayBeOwn ? firstLook({ drafts: true }) : undefined
    early?.catch(() => undefined)
    try {
      const { drafts, others } = await names
      const plan = await (Object.keys(others).length === 0 ? ask({ drafts: true }, early) : ask({ drafts }))
      if (mine === asked) conflicts.value = []
      return plan
    } catch (error) {
      const found = conflictsOf(error)
      if (found.length === 0) throw error
      const ids = new Set(found.map(({ id }) => id))
      const rest = (await names).drafts.filter((id) => !ids.has(id))
      if (mine !== asked) return null
      conflicts.value = found
      return ask({ drafts: rest })
    }
  }

  async function takeUnread(mine: number, names: readonly ComponentId[], plan: PlanAnswer): Promise<void> {
    const read = new Set(namesIn(index.value))
    for (const { id } of conflicts.value) read.add(id)
    // Only the text of a draft that makes no change shows why.
    const drafts = names.every((id) => read.has(id)) ? [] : await fetchDrafts()
    if (mine !== asked) return
    unreadable.value = findUnreadableDrafts(drafts, read, plan.findings)
    const unreadIds = new Set(unreadable.value.map(({ id }) => id))
    forcedUnreadable.value = new Set([...forcedUnreadable.value].filter((id) => unreadIds.has(id)))
    const known = new Set([...drafted.value, ...read])
    off.value = new Set([...off.value].filter((id) => known.has(id) && !unreadIds.has(id)))
  }

  /** Validates the ticked changes; with `true` even if the list is known, for a new rationale. */
  async function planTicked(anew = false): Promise<void> {
    const mine = ++askedTicked
    window.clearTimeout(soon)
    const wanted = pick.value
    const known = whole.value && unreadable.value.length === 0 && !anew ? all.value : null
    const nothing = wanted.drafts !== true && wanted.drafts.length === 0
    try {
      isValidating.value = known === null
      const found = known ?? (nothing ? null : await planDrafts(wanted, rationale.value, noPage))
      if (mine === askedTicked) ticked.value = found
    } catch (error) {
      if (mine === askedTicked) failure.value = messageOf(error)
    }
    if (mine === askedTicked) isValidating.value = false
  }

  let soon = 0
  function planSoon(): void {
    isValidating.value = true
    askedTicked++
    window.clearTimeout(soon)
    soon = window.setTimeout(() => void planTicked(), pause)
  }

  function tick(ids: Iterable<ComponentId>, on: boolean): void {
    const own = [...ids].map(draftOf.value).filter((id) => on || drafted.value.has(id))
    const next = nextTicks(
      { off: off.value, tickedOthers: tickedOthers.value },
      { ids: own, on },
      others.value,
    )
    off.value = next.off
    tickedOthers.value = next.tickedOthers
    planSoon()
  }

  /** Includes a draft that cannot be read yet, or leaves it out. */
  function tickUnreadable(id: ComponentId, on: boolean): void {
    const next = new Set(forcedUnreadable.value)
    if (on) next.add(id)
    else next.delete(id)
    forcedUnreadable.value = next
    planSoon()
  }

  /** Looks up the outcome of an apply whose response was lost. @throws ApiError while the server does not respond */
  async function lookUp(): Promise<void> {
    if (unheard === null) return
    const generation = await findAppliedGeneration(unheard)
    unheard = null
    lostReplyOutcome.value = unheardWords(generation)
    if (generation === null) return
    rationale.value = ''
    typedName.value = ''
    await documents.refreshAll()
  }

  /** Sends exactly what the user saw: the list is bound to its digest. */
  async function send(verb: 'apply' | 'submit', go: (seen: ReviewedList) => Promise<void>): Promise<void> {
    const plan = ticked.value?.plan
    if (plan === undefined || !settled.value || unheard !== null) return
    applying.value = verb
    failure.value = ''
    lostReplyOutcome.value = null
    const { lineage, base, changeDigest } = plan
    const stays = [...drafted.value].filter((id) => verb === 'submit' || !selectedIds.value.has(id))
    try {
      await documents.keepAll()
      await go({ ...pick.value, lineage, base, changeDigest, rationale: rationale.value })
      stayed = new Set(stays)
      rationale.value = ''
      typedName.value = ''
      org.moved()
      await documents.refreshAll()
      await load()
      endReports()
    } catch (error) {
      if (verb === 'apply' && isUnreachable(error)) unheard = { base, changeDigest }
      await load()
      if (unheard !== null) failure.value = waitingWords
      else if (!isUnreachable(error)) failure.value = refusalOf(error)
    } finally {
      applying.value = ''
    }
  }

  async function apply(): Promise<void> {
    if (refusals.value.length > 0 || !nameTyped.value) return
    await send('apply', async (seen) => {
      applied.value = await applyDrafts(seen)
      submitted.value = null
    })
  }

  /** The list waits for approvals, or for its date; the drafts stay until it is applied. */
  async function submit({ instead, ...terms }: SubmitTerms): Promise<void> {
    await send('submit', async (seen) => {
      submitted.value =
        instead === undefined
          ? await submitRequest({ ...seen, ...terms })
          : await editRequest(instead.id, {
              ...omitEmptyTerms({ ...seen, ...terms }),
              revision: instead.revision,
            })
      applied.value = null
    })
  }

  return {
    ...{
      all,
      ticked,
      others,
      denials,
      writers,
      you,
      index,
      views,
      need,
      off,
      rationale,
      drafted,
      unread: unreadable,
      insisted: forcedUnreadable,
      conflicts,
      typedName,
    },
    ...{
      loading,
      judging: isValidating,
      settled,
      applying,
      failure,
      applied,
      submitted,
      selected,
      pick,
      needed,
      counts,
    },
    ...{
      appliedUnheard: lostReplyOutcome,
      going: selectedCount,
      findings,
      unlisted,
      findingsOf,
      errors,
      refusals,
      nameTyped,
      needsApproval,
    },
    ...{
      tickOf,
      draftOf,
      load,
      judge: () => planTicked(true),
      tick,
      tickUnread: tickUnreadable,
      apply,
      submit,
    },
  }
})

/** Empty fields stay unchanged. */
function omitEmptyTerms<T extends { title: string; rationale: string }>({ title, rationale, ...others }: T) {
  return {
    ...others,
    ...(title === '' ? {} : { title }),
    ...(rationale === '' ? {} : { rationale }),
  }
}

export interface SubmitTerms {
  title: string
  applyOn: string | null
  /** The request that gets this list, instead of a new one. */
  instead?: { id: string; revision: number }
}

interface ReviewedList extends DraftPick {
  base: number
  lineage: string
  changeDigest: string
  rationale: string
}

function conflictsOf(error: unknown): Conflict[] {
  return error instanceof ApiError && error.code === 'conflict.stale_generation'
    ? (error.details as Conflict[])
    : []
}

function refusalOf(error: unknown): string {
  const stale = error instanceof ApiError && error.code === 'conflict.stale_plan'
  return stale
    ? `${error.message} The list has been reloaded. Review it again, then apply.`
    : messageOf(error)
}
