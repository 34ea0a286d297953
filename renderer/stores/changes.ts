// The change list: the effects of the drafts, which of them are included, and the outcome of an apply.
import { defineStore } from 'pinia'
import { ref } from 'vue'
import { messageOf } from '../api/request.ts'
import type { ComponentId } from '../api/wire.ts'
import { useDocuments } from './documents.ts'
import { createDraftList } from './draft-list.ts'
import { createDraftTicks, useReviewDecision } from './draft-ticks.ts'
import { createListDelivery } from './list-delivery.ts'
import { createSharedRead } from './shared-read.ts'
import { createTickedPlan } from './ticked-plan.ts'

export const useChanges = defineStore('changes', () => {
  const documents = useDocuments()
  const { off, rationale } = useReviewDecision()
  const failure = ref('')
  const selected = ref<ComponentId | null>(null)
  const load = createSharedRead(readAll)
  const list = createDraftList(rationale, () => void load())
  const ticks = createDraftTicks(list, off)
  const plan = createTickedPlan(list, ticks, { rationale, failure })
  const delivery = createListDelivery({ list, ticks, plan, rationale, failure, load })

  async function readAll(): Promise<void> {
    list.loading.value = true
    try {
      await delivery.lookUpLostApply()
      await documents.saveAll()
      const all = await list.read()
      ticks.prune()
      list.all.value = all
      failure.value = ''
      if (delivery.applying.value === '') delivery.endReports()
      await plan.validate()
    } catch (error) {
      failure.value = messageOf(error)
    } finally {
      list.loading.value = false
    }
  }

  function tick(ids: Iterable<ComponentId>, on: boolean): void {
    ticks.tick(ids, on)
    plan.validateSoon()
  }

  function tickUnreadable(id: ComponentId, on: boolean): void {
    ticks.tickUnreadable(id, on)
    plan.validateSoon()
  }

  const { index, views, need, all, drafted, others, writers, you, unreadable, conflicts, loading } = list
  const { forcedUnreadable, tickedIds, pick, draftOf } = ticks
  const { ticked, needed, counts, selectedCount, findings, unlisted, findingsOf, errors, denials } = plan
  const { typedName, nameTyped, needsApproval, refusals, applying, applied, submitted } = delivery
  return {
    ...{ index, views, need, all, drafted, others, writers, you, unreadable, conflicts, loading },
    ...{ off, forcedUnreadable, tickedIds, pick, draftOf, tick, tickUnreadable },
    ...{ ticked, needed, counts, selectedCount, findings, unlisted, findingsOf, errors, denials },
    ...{ isCurrent: plan.isCurrent, isPicking: plan.isPicking, tickOf: plan.tickOf },
    validateAgain: () => plan.validate(true),
    ...{ typedName, nameTyped, needsApproval, refusals, applying, applied, submitted },
    ...{ lostReplyOutcome: delivery.lostReplyOutcome, apply: delivery.apply, submit: delivery.submit },
    ...{ rationale, failure, selected, load },
  }
})
