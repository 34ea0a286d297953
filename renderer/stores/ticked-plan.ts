// The plan of the ticked changes: its counts, findings and dependencies.
import { computed, ref, shallowRef, type Ref } from 'vue'
import { planDrafts } from '../api/pipeline.ts'
import { messageOf } from '../api/request.ts'
import type { ComponentId, PlanAnswer } from '../api/wire.ts'
import { namesIn } from './change-views.ts'
import type { DraftList } from './draft-list.ts'
import type { DraftTicks } from './draft-ticks.ts'
import { useLatest } from './use-latest.ts'

/** Whether a change is ticked, is not ticked, or is included because another needs it. */
export type TickState = 'on' | 'off' | 'tied'
export type TickedPlan = ReturnType<typeof createTickedPlan>

const pause = 200

export function createTickedPlan(
  list: DraftList,
  ticks: DraftTicks,
  { rationale, failure }: { rationale: Ref<string>; failure: Ref<string> },
) {
  /** The same as the plan of all drafts while everything is ticked. */
  const ticked = shallowRef<PlanAnswer | null>(null)
  const isValidating = ref(false)
  /** Whether a tick changed whose effect on the list is not known yet. */
  const isPicking = ref(false)
  const latest = useLatest()
  let timer = 0

  /** Validates the ticked changes; with `always` even if the list is known, for a new rationale. */
  async function validate(always = false): Promise<void> {
    window.clearTimeout(timer)
    const pick = ticks.pick.value
    const isKnown = ticks.whole.value && list.unreadable.value.length === 0 && !always
    const known = isKnown ? list.all.value : null
    if (known !== null || (pick.drafts !== true && pick.drafts.length === 0)) {
      latest.cancel()
      ticked.value = known
      isValidating.value = isPicking.value = false
      return
    }
    isValidating.value = true
    await latest.run(() => planDrafts(pick, rationale.value, { from: 0, count: 0 }), {
      onResult: (plan) => (ticked.value = plan),
      onError: (error) => (failure.value = messageOf(error)),
      onEnd: () => (isValidating.value = isPicking.value = false),
    })
  }

  /** Validates once no tick has changed for a moment. */
  function validateSoon(): void {
    isValidating.value = isPicking.value = true
    latest.cancel()
    window.clearTimeout(timer)
    timer = window.setTimeout(() => void validate(), pause)
  }

  const selectedIds = computed(() => new Set(namesIn(ticked.value?.index ?? [])))
  /** Why a change that is not ticked is included, by id. */
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
  const isCurrent = computed(() => !list.loading.value && !isValidating.value && list.all.value !== null)

  /** Called for every change of a long list: its dependencies are looked up once. */
  const tickOf = computed(() => {
    const [excluded, selected, needs] = [ticks.excludedIds.value, selectedIds.value, needed.value]
    const [drafted, isUnsure] = [list.drafted.value, isValidating.value]
    const draft = ticks.draftOf.value
    return (change: ComponentId): TickState => {
      const id = draft(change)
      // A draft that is left out can be included again, also where a rename changes its component.
      if (excluded.has(id)) return needs.has(id) && !isUnsure ? 'tied' : 'off'
      if (drafted.has(id)) return 'on'
      return isUnsure || selected.has(id) ? 'tied' : 'off'
    }
  })

  return {
    ...{ ticked, validate, validateSoon, selectedIds, needed, counts, selectedCount, findings, unlisted },
    ...{ findingsOf, errors, denials, isCurrent, isPicking, tickOf },
  }
}
