// A rollback or a revert as a change list under review: planned, resolved, then applied, submitted or saved as drafts.
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { isSameContent } from '#kernel/change/value-diff.ts'
import { fetchDraftNames } from '../api/drafts.ts'
import { applyList, planList, type RestorePick } from '../api/pipeline.ts'
import { isNotFound, messageOf } from '../api/request.ts'
import { submitRequest, type Submitted } from '../api/requests.ts'
import { saveDrafts, type BatchedDraft } from '../api/sheet.ts'
import type { ApplyAnswer, ChangeView, ComponentId, Conflict, PlanAnswer } from '../api/wire.ts'
import { pretty } from '../text/pretty.ts'
import { changeViews } from './change-views.ts'
import { confirmableLosses } from './confirmable-losses.ts'
import { useDocuments } from './documents.ts'
import { useOrg } from './org.ts'
import { listAsSeen } from './list-as-seen.ts'
import { refusalsOf } from './refusals.ts'
import { staleConflicts } from './stale-conflicts.ts'
import { useAction } from './use-action.ts'
import { useLatest } from './use-latest.ts'

export type RestoreList =
  { kind: 'restore'; generation: number } | { kind: 'revert'; generation: number; components?: ComponentId[] }

/** Number of changes per request. */
const page = 1000

export const useRestore = defineStore('restore', () => {
  const org = useOrg()
  const documents = useDocuments()
  const { index, views, begin, need } = changeViews(() => void load())
  const list = shallowRef<RestoreList | null>(null)
  const plan = shallowRef<PlanAnswer | null>(null)
  const conflicts = shallowRef<readonly Conflict[]>([])
  const settled = shallowRef<{ id: ComponentId; after: unknown }[]>([])
  const without = shallowRef<ComponentId[]>([])
  /** Objects whose losses are confirmed. */
  const breaking = shallowRef<ComponentId[]>([])
  /** The generation over which conflicts were resolved. */
  const reviewedGeneration = ref<number | null>(null)
  const rationale = ref('')
  const typedName = ref('')
  const loading = ref(false)
  const { working, failure, run: attempt } = useAction()
  /** Whether the generation does not exist, or has none before it. */
  const missing = ref(false)

  /** The generation that is restored. */
  const restored = computed((): number => {
    const { kind, generation } = list.value ?? { kind: 'restore', generation: 0 }
    return kind === 'restore' ? generation : generation - 1
  })

  const pick = computed((): RestorePick => {
    const restoreList = list.value
    const confirmed = breaking.value.length === 0 ? {} : { breaking: breaking.value }
    if (restoreList === null || restoreList.kind === 'restore')
      return { generation: restoreList?.generation ?? 0, ...confirmed }
    const { generation, components } = restoreList
    return {
      revert: {
        ...{ generation, components },
        ...(without.value.length === 0 ? {} : { without: without.value }),
        ...(settled.value.length === 0 ? {} : { settled: settled.value }),
      },
      ...confirmed,
    }
  })
  const counts = computed(() => plan.value?.plan.counts)
  const selectedCount = computed(() => {
    const { added = 0, changed = 0, renamed = 0, removed = 0 } = counts.value ?? {}
    return added + changed + renamed + removed
  })
  const findings = computed(() => plan.value?.findings ?? [])
  const unlisted = computed(() => Math.max(0, (plan.value?.findingsTotal ?? 0) - findings.value.length))
  const findingsOf = computed(() => Map.groupBy(findings.value, ({ component }) => component))
  const losses = computed(() => confirmableLosses(findings.value, index.value))
  const errors = computed(() => findings.value.filter(({ severity }) => severity === 'error'))
  const refusals = computed(() =>
    selectedCount.value === 0
      ? []
      : refusalsOf({
          selectedCount: selectedCount.value,
          errors: errors.value.length,
          denials: plan.value?.denials ?? [],
        }),
  )
  const nameTyped = computed(() => !org.production || typedName.value === org.org?.name)
  const ready = computed(
    () => !working.value && plan.value !== null && selectedCount.value > 0 && errors.value.length === 0,
  )

  /** Null closes the list. */
  function open(restoreList: RestoreList | null): void {
    latest.cancel()
    list.value = restoreList
    loading.value = false
    plan.value = null
    conflicts.value = []
    settled.value = []
    without.value = []
    breaking.value = []
    reviewedGeneration.value = null
    rationale.value = ''
    typedName.value = ''
    failure.value = ''
    missing.value = false
    void load()
  }

  const latest = useLatest()
  async function load(): Promise<void> {
    if (list.value === null) return
    const base = org.org?.generation.generation ?? null
    loading.value = true
    await latest.run(() => planPick(), {
      onResult(answer) {
        plan.value = answer
        conflicts.value = []
        failure.value = ''
        missing.value = false
        begin(pick.value, { ...answer, changeDigest: answer.plan.changeDigest })
      },
      onError(error) {
        plan.value = null
        conflicts.value = staleConflicts(error)
        reviewedGeneration.value ??= base
        failure.value = conflicts.value.length === 0 ? messageOf(error) : ''
        missing.value = isNotFound(error)
      },
      onEnd: () => (loading.value = false),
    })
  }

  const planPick = (part?: { from: number; count: number }): Promise<PlanAnswer> =>
    planList(pick.value, {
      rationale: rationale.value,
      base: settled.value.length > 0 ? reviewedGeneration.value : null,
      page: part,
    })

  /** Sets what one component becomes; undefined removes it. If equal to the current version, nothing changes. */
  function settle(conflict: Conflict, value: unknown): void {
    if (isSameContent(value ?? null, conflict.theirs)) without.value = [...without.value, conflict.id]
    else settled.value = [...settled.value, { id: conflict.id, after: value ?? null }]
    conflicts.value = conflicts.value.filter(({ id }) => id !== conflict.id)
    if (conflicts.value.length === 0) void load()
  }

  function confirmLosses(id: ComponentId, on: boolean): void {
    const others = breaking.value.filter((each) => each !== id)
    breaking.value = on ? [...others, id] : others
    void load()
  }

  const seenPlan = () =>
    listAsSeen(
      () => plan.value,
      () => loading.value,
    )
  const reviewedList = async () => {
    const { lineage, base, changeDigest } = await seenPlan()
    return { ...pick.value, lineage, base, changeDigest, rationale: rationale.value }
  }

  // Each returns undefined if it failed; `failure` contains the reason.
  const apply = (): Promise<ApplyAnswer | undefined> =>
    attempt(async () => {
      const applied = await applyList(await reviewedList())
      org.markChanged()
      await documents.refreshAll()
      return applied
    })

  const submit = (title: string): Promise<Submitted | undefined> =>
    attempt(async () => submitRequest({ ...(await reviewedList()), title }))

  /** Saves the changes as drafts, which can be edited and ticked before they are applied. Replaces no other draft. */
  const draft = (): Promise<number | undefined> =>
    attempt(async () => {
      await seenPlan()
      const changes = await allChanges()
      const drafted = new Set((await fetchDraftNames()).drafts)
      const conflict = changes.find(({ id }) => drafted.has(id))
      if (conflict !== undefined)
        throw new Error(`${conflict.id} already has a draft. Apply or discard it first.`)
      await saveDrafts(changes.map((change) => draftOf(change, restored.value, breaking.value)))
      org.markChanged()
      await documents.refreshAll()
      return changes.length
    })

  async function allChanges(): Promise<ChangeView[]> {
    const changes: ChangeView[] = []
    for (let from = 0; from < selectedCount.value; from += page) {
      const answer = await planPick({ from, count: page })
      changes.push(...answer.changes)
    }
    return changes
  }

  return {
    ...{
      list,
      plan,
      index,
      views,
      need,
      pick,
      conflicts,
      rationale,
      typedName,
      loading,
      working,
      failure,
      missing,
    },
    ...{
      counts,
      selectedCount,
      findings,
      unlisted,
      findingsOf,
      losses,
      breaking,
      errors,
      refusals,
      nameTyped,
      ready,
    },
    ...{ open, load, settle, confirmLosses, apply, submit, draft },
  }
})

/** @param restores the generation whose removed components are restored under their ids */
function draftOf(
  { id, kind, after, renamedFrom }: ChangeView,
  restores: number,
  breaking: readonly ComponentId[],
): BatchedDraft {
  if (kind === 'removed') return { id, version: 0, text: null }
  const hints = {
    ...(renamedFrom === undefined ? {} : { renamedFrom }),
    ...(breaking.includes(id) ? { breaking: true } : {}),
  }
  const text = pretty({ ...(after as object), ...hints })
  return { id, version: 0, text, ...(kind === 'added' ? { restores } : {}) }
}
