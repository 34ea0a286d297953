// Applies the change list or submits it for approval: exactly the list that the user saw, and never twice.
import { computed, ref, shallowRef, type Ref } from 'vue'
import { applyDrafts, type DraftPick } from '../api/pipeline.ts'
import { ApiError, isUnreachable, messageOf } from '../api/request.ts'
import { editRequest, submitRequest, type Submitted } from '../api/requests.ts'
import type { ApplyAnswer, ComponentId, PlanAnswer } from '../api/wire.ts'
import { useDocuments } from './documents.ts'
import type { DraftList } from './draft-list.ts'
import type { DraftTicks } from './draft-ticks.ts'
import { listAsSeen } from './list-as-seen.ts'
import {
  findAppliedGeneration,
  outcomeWords,
  waitingWords,
  type LostReplyOutcome,
  type SentApply,
} from './lost-reply.ts'
import { useOrg } from './org.ts'
import { refusalsOf } from './refusals.ts'
import type { TickedPlan } from './ticked-plan.ts'

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

interface DeliveryDeps {
  list: DraftList
  ticks: DraftTicks
  plan: TickedPlan
  rationale: Ref<string>
  failure: Ref<string>
  /** Reads the change list again. */
  load(): Promise<void>
}

export function createListDelivery({ list, ticks, plan, rationale, failure, load }: DeliveryDeps) {
  const org = useOrg()
  const documents = useDocuments()
  const typedName = ref('')
  const applying = ref<'' | 'apply' | 'submit'>('')
  const applied = shallowRef<ApplyAnswer | null>(null)
  const submitted = shallowRef<Submitted | null>(null)
  /** The drafts left out of the last list that was sent: its report disappears once there are others. */
  let unsentIds: ReadonlySet<ComponentId> = new Set()
  /** The apply that got no response. */
  let lostApply: SentApply | null = null
  const lostReplyOutcome = shallowRef<LostReplyOutcome | null>(null)

  const nameTyped = computed(() => !org.production || typedName.value === org.org?.name)
  const needsApproval = computed(() => (org.org?.requiredApprovals ?? 0) > 0)
  const refusals = computed(() =>
    refusalsOf({
      selectedCount: plan.selectedCount.value + ticks.forcedUnreadable.value.size,
      errors: plan.errors.value.length,
      denials: plan.denials.value,
    }),
  )

  /** Removes the report of the last apply or submit once there are other drafts. */
  function endReports(): void {
    if ([...list.drafted.value].every((id) => unsentIds.has(id))) return
    applied.value = null
    submitted.value = null
  }

  /** Looks up the outcome of an apply whose response was lost. @throws ApiError while the server does not respond */
  async function lookUpLostApply(): Promise<void> {
    if (lostApply === null) return
    const generation = await findAppliedGeneration(lostApply)
    lostApply = null
    lostReplyOutcome.value = outcomeWords(generation)
    if (generation === null) return
    rationale.value = ''
    typedName.value = ''
    await documents.refreshAll()
  }

  /** Sends exactly what the user saw: the list is bound to its digest. */
  async function send(
    verb: 'apply' | 'submit',
    request: (reviewed: ReviewedList) => Promise<void>,
  ): Promise<void> {
    if (plan.isPicking.value || lostApply !== null || applying.value !== '') return
    applying.value = verb
    failure.value = ''
    lostReplyOutcome.value = null
    let reviewed: PlanAnswer['plan'] | null = null
    try {
      reviewed = await listAsSeen(
        () => plan.ticked.value,
        () => !plan.isCurrent.value,
      )
      if (verb === 'apply' && refusals.value.length > 0) return
      const { lineage, base, changeDigest } = reviewed
      const selected = plan.selectedIds.value
      const rest = [...list.drafted.value].filter((id) => verb === 'submit' || !selected.has(id))
      await documents.saveAll()
      await request({ ...ticks.pick.value, lineage, base, changeDigest, rationale: rationale.value })
      unsentIds = new Set(rest)
      rationale.value = ''
      typedName.value = ''
      org.markChanged()
      await documents.refreshAll()
      await load()
      endReports()
    } catch (error) {
      if (verb === 'apply' && reviewed !== null && isUnreachable(error)) lostApply = reviewed
      await load()
      if (lostApply !== null) failure.value = waitingWords
      else if (!isUnreachable(error)) failure.value = refusalOf(error)
    } finally {
      applying.value = ''
    }
  }

  async function apply(): Promise<void> {
    if (refusals.value.length > 0 || !nameTyped.value) return
    await send('apply', async (reviewed) => {
      applied.value = await applyDrafts(reviewed)
      submitted.value = null
    })
  }

  /** The list waits for approvals, or for its date; the drafts stay until it is applied. */
  async function submit({ instead, ...terms }: SubmitTerms): Promise<void> {
    await send('submit', async (reviewed) => {
      submitted.value =
        instead === undefined
          ? await submitRequest({ ...reviewed, ...terms })
          : await editRequest(instead.id, {
              ...omitEmptyTerms({ ...reviewed, ...terms }),
              revision: instead.revision,
            })
      applied.value = null
    })
  }

  return {
    ...{ typedName, nameTyped, needsApproval, refusals, applying, applied, submitted, lostReplyOutcome },
    ...{ endReports, lookUpLostApply, apply, submit },
  }
}

/** Leaves empty fields unchanged. */
function omitEmptyTerms<T extends { title: string; rationale: string }>({ title, rationale, ...others }: T) {
  return {
    ...others,
    ...(title === '' ? {} : { title }),
    ...(rationale === '' ? {} : { rationale }),
  }
}

function refusalOf(error: unknown): string {
  const isStale = error instanceof ApiError && error.code === 'conflict.stale_plan'
  return isStale
    ? `${error.message} The list has been reloaded. Review it again, then apply.`
    : messageOf(error)
}
