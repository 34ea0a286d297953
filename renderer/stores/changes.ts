// The change list: what the drafts would do, what of it goes, and what came of an apply (studio: "Review").
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { fetchDrafts } from '../api/drafts.ts'
import { applyDrafts, planDrafts } from '../api/pipeline.ts'
import { ApiError, messageOf } from '../api/request.ts'
import type { ApplyAnswer, ChangeView, ComponentId, PlanAnswer } from '../api/wire.ts'
import { useDocuments } from './documents.ts'
import { useOrg } from './org.ts'
import { unreadDrafts, type UnreadDraft } from './unread-drafts.ts'

export const useChanges = defineStore('changes', () => {
  const org = useOrg()
  const documents = useDocuments()
  /** Every draft's change; the list from which the person ticks. */
  const all = shallowRef<PlanAnswer | null>(null)
  /** The plan of what is ticked; the same as `all` while everything is. */
  const ticked = shallowRef<PlanAnswer | null>(null)
  const kept = keptDecision()
  const off = ref(new Set<ComponentId>(kept.off))
  const rationale = ref(kept.rationale)
  /** The drafts; a change without one follows from another, as what a rename rewrites. */
  const drafted = shallowRef(new Set<ComponentId>())
  /** The drafts that cannot be read yet, which therefore stay unless they are ticked. */
  const unread = shallowRef<UnreadDraft[]>([])
  const insisted = ref(new Set<ComponentId>())
  const typedName = ref('')
  const loading = ref(false)
  const applying = ref(false)
  const failure = ref('')
  const applied = shallowRef<ApplyAnswer | null>(null)
  const selected = ref<ComponentId | null>(null)

  watch([off, rationale], () => {
    sessionStorage.setItem(place, JSON.stringify({ off: [...off.value], rationale: rationale.value }))
  })

  const changes = computed(() => all.value?.changes ?? [])
  const going = computed(() => changes.value.filter(({ id }) => !off.value.has(id)))
  const leaving = computed(() => {
    const staying = new Set(unread.value.map(({ id }) => id).filter((id) => !insisted.value.has(id)))
    return [...drafted.value].filter((id) => !off.value.has(id) && !staying.has(id))
  })
  /** Whether every draft goes, and with it what follows from the drafts. */
  const whole = computed(() => off.value.size === 0 && leaving.value.length === drafted.value.size)
  const findings = computed(() => ticked.value?.findings ?? [])
  const errors = computed(() => findings.value.filter(({ severity }) => severity === 'error'))
  const lacks = computed(() => (ticked.value?.changes ?? []).filter((change) => Boolean(change.lacks)))
  const nameTyped = computed(() => !org.production || typedName.value === org.org?.name)

  /** Why the list cannot go, as sentences; empty where it can. */
  const refusals = computed(() => {
    const reasons: string[] = []
    if (going.value.length === 0 && insisted.value.size === 0) reasons.push('No change is ticked.')
    if (errors.value.length === 1) reasons.push('One error stands in the way; it is shown beside its change.')
    if (errors.value.length > 1)
      reasons.push(`${errors.value.length} errors stand in the way; each is shown beside its change.`)
    for (const lack of new Set(lacks.value.map((change) => change.lacks)))
      reasons.push(`You lack ${lack}, which ${countOf(lack)} of these changes ask for.`)
    return reasons
  })
  const countOf = (lack: string | null | undefined): number =>
    lacks.value.filter((change) => change.lacks === lack).length

  // An answer that a later question has overtaken is dropped.
  let asked = 0
  let askedTicked = 0

  async function load(): Promise<void> {
    loading.value = true
    try {
      const mine = ++asked
      await documents.keepAll()
      const [found, drafts] = await Promise.all([planDrafts(true, rationale.value), fetchDrafts()])
      if (mine !== asked) return
      all.value = found
      drafted.value = new Set(drafts.map(({ id }) => id))
      unread.value = unreadDrafts(drafts, found)
      const unreadIds = new Set(unread.value.map(({ id }) => id))
      insisted.value = new Set([...insisted.value].filter((id) => unreadIds.has(id)))
      const known = new Set([...drafted.value, ...changes.value.map(({ id }) => id)])
      off.value = new Set([...off.value].filter((id) => known.has(id) && !unreadIds.has(id)))
      failure.value = ''
      await planTicked()
    } catch (error) {
      failure.value = messageOf(error)
    }
    loading.value = false
  }

  async function planTicked(): Promise<void> {
    const mine = ++askedTicked
    if (whole.value) {
      ticked.value = all.value
      return
    }
    const found = leaving.value.length === 0 ? null : await planDrafts(leaving.value, rationale.value)
    if (mine === askedTicked) ticked.value = found
  }

  /** Judges anew what a rationale may decide, such as the extension of a flag. */
  async function judge(): Promise<void> {
    try {
      await load()
    } catch (error) {
      failure.value = messageOf(error)
    }
  }

  function tick(ids: ComponentId[], on: boolean): void {
    const next = new Set(off.value)
    for (const id of ids)
      if (on) next.delete(id)
      else next.add(id)
    off.value = next
    planAnew()
  }

  /** Lets a draft that cannot be read yet go with the others all the same, or stay. */
  function tickUnread(id: ComponentId, on: boolean): void {
    const next = new Set(insisted.value)
    if (on) next.add(id)
    else next.delete(id)
    insisted.value = next
    planAnew()
  }

  function planAnew(): void {
    void planTicked().catch((error: unknown) => (failure.value = messageOf(error)))
  }

  async function apply(): Promise<void> {
    applying.value = true
    failure.value = ''
    try {
      await load()
      const plan = ticked.value?.plan
      if (plan === undefined || refusals.value.length > 0 || !nameTyped.value) return
      const drafts = whole.value ? true : leaving.value
      applied.value = await applyDrafts({
        drafts,
        base: plan.base,
        changeDigest: plan.changeDigest,
        rationale: rationale.value,
      })
      rationale.value = ''
      typedName.value = ''
      org.moved()
      await documents.refreshAll()
      await load()
    } catch (error) {
      failure.value = refusalOf(error)
    } finally {
      applying.value = false
    }
  }

  const changeOf = (id: string): ChangeView | undefined => changes.value.find((change) => change.id === id)

  return {
    all,
    ticked,
    off,
    rationale,
    typedName,
    loading,
    applying,
    failure,
    applied,
    selected,
    changes,
    drafted,
    unread,
    insisted,
    going,
    findings,
    errors,
    refusals,
    nameTyped,
    load,
    judge,
    tick,
    tickUnread,
    apply,
    changeOf,
  }
})

const place = 'almanac.decision'

/** What was unticked and why the list is to go, from before a reload of the window. */
function keptDecision(): { off: ComponentId[]; rationale: string } {
  try {
    const { off, rationale } = JSON.parse(sessionStorage.getItem(place) ?? '') as {
      off: ComponentId[]
      rationale: string
    }
    return { off: Array.isArray(off) ? off : [], rationale: String(rationale ?? '') }
  } catch {
    return { off: [], rationale: '' }
  }
}

function refusalOf(error: unknown): string {
  const stale = error instanceof ApiError && error.code === 'conflict.stale_plan'
  return stale ? `${error.message} The list is read anew: look at it again, then apply.` : messageOf(error)
}
