// Discards drafts with an undo, which the server stores: it is offered after a reload too.
import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { discardDrafts, fetchDiscarded, forgetDiscarded, restoreDiscarded } from '../api/drafts.ts'
import type { ComponentId, DiscardedDrafts } from '../api/wire.ts'
import { useDocuments } from './documents.ts'
import { useOrg } from './org.ts'
import { useAction } from './use-action.ts'

export const useDiscarded = defineStore('discarded', () => {
  const org = useOrg()
  const documents = useDocuments()
  /** The drafts that the user discarded last and can restore. */
  const offer = shallowRef<DiscardedDrafts | null>(null)
  /** Whether the discarded drafts belong to the current list: later generations may have made them obsolete. */
  const current = computed(() => offer.value !== null && offer.value.at >= (org.org?.generation.at ?? ''))
  const { working, failure, run } = useAction()

  async function load(): Promise<void> {
    offer.value = await fetchDiscarded().catch(() => null)
  }

  const attempt = (work: () => Promise<void>): Promise<void> =>
    run(async () => {
      await work()
      org.markChanged()
      await documents.refreshAll()
    })

  /** `others`: whether drafts that another user wrote can be among them. */
  const discard = (drafts: ComponentId[] | 'own', others = false): Promise<void> =>
    attempt(async () => {
      // What is still being typed is part of the draft, and is restored with it.
      await documents.saveAll()
      offer.value = await discardDrafts(drafts, others)
    })

  const undo = (): Promise<void> =>
    attempt(async () => {
      if (offer.value === null) return
      await restoreDiscarded(offer.value.id)
      offer.value = null
    })

  async function dismiss(): Promise<void> {
    const id = offer.value?.id
    offer.value = null
    if (id !== undefined) await forgetDiscarded(id).catch(() => undefined)
  }

  return { offer, current, failure, working, load, discard, undo, dismiss }
})
