// The drafts in the change list: their writers, the changes that they make, and those that make none yet.
import type { Contributor } from '#kernel/requests/index.ts'
import { ref, shallowRef, type Ref } from 'vue'
import { fetchDraftNames, fetchDrafts, type DraftNames } from '../api/drafts.ts'
import { diffDrafts, planDrafts, type DiffAnswer, type DraftPick } from '../api/pipeline.ts'
import type { ComponentId, Conflict, PlanAnswer } from '../api/wire.ts'
import { changeViews, namesIn, pageSize } from './change-views.ts'
import { useOrg } from './org.ts'
import { staleConflicts } from './stale-conflicts.ts'
import type { UnreadableDraft } from './unreadable-drafts.ts'

/** Above this number of drafts, the list is shown before it is validated. */
const many = 1000
const firstPage = { from: 0, count: pageSize }
const noPage = { from: 0, count: 0 }

export type DraftList = ReturnType<typeof createDraftList>

/** `onStale` is called if the drafts have changed since the list was read. */
export function createDraftList(rationale: Ref<string>, onStale: () => void) {
  const org = useOrg()
  const { index, views, begin, need } = changeViews(onStale)
  /** Every readable draft, validated together; the list in which the user ticks. */
  const all = shallowRef<PlanAnswer | null>(null)
  /** The drafts; a change without one follows from another, such as the references of a rename. */
  const drafted = shallowRef<ReadonlySet<ComponentId>>(new Set())
  /** The drafts that others wrote, with their authors. */
  const others = shallowRef<ReadonlyMap<ComponentId, string>>(new Map())
  /** All writers of each draft that the user did not write alone. */
  const writers = shallowRef<ReadonlyMap<ComponentId, readonly Contributor[]>>(new Map())
  const you = shallowRef<Contributor | null>(null)
  /** The drafts that cannot be read yet, which are left out unless they are ticked. */
  const unreadable = shallowRef<UnreadableDraft[]>([])
  /**
   * The drafts whose active component has changed in the meantime; they are left out until a user has resolved them.
   */
  const conflicts = shallowRef<readonly Conflict[]>([])
  const loading = ref(false)

  /** Reads the plan of all drafts that can be in it. `all` stays the earlier one until the caller sets it. */
  async function read(): Promise<PlanAnswer> {
    const names = fetchDraftNames()
    // Ticks count as soon as there is something to tick.
    names.then(setNames, () => undefined)
    const plan = await readPlan(names)
    await readUnreadable((await names).drafts, plan)
    return plan
  }

  function setNames({ drafts, others: authors, ...names }: DraftNames): void {
    drafted.value = new Set(drafts)
    writers.value = new Map(Object.entries(names.writers) as [ComponentId, Contributor[]][])
    you.value = names.you
    others.value = new Map(Object.entries(authors) as [ComponentId, string][])
  }

  async function readPlan(names: Promise<DraftNames>): Promise<PlanAnswer> {
    // Requested together with the names: few lists contain drafts of others, which would have to be named.
    const mayBeOwn = (org.org?.drafts ?? 0) > many && others.value.size === 0
    const early = mayBeOwn ? diffFirstPage({ drafts: true }) : undefined
    early?.catch(() => undefined)
    try {
      const { drafts, others: authors } = await names
      const areOwn = Object.keys(authors).length === 0
      const plan = await (areOwn ? planPick({ drafts: true }, names, early) : planPick({ drafts }, names))
      conflicts.value = []
      return plan
    } catch (error) {
      const stale = staleConflicts(error)
      if (stale.length === 0) throw error
      const ids = new Set(stale.map(({ id }) => id))
      const rest = (await names).drafts.filter((id) => !ids.has(id))
      conflicts.value = stale
      return planPick({ drafts: rest }, names)
    }
  }

  /** Many drafts are shown before they are validated. */
  async function planPick(
    pick: DraftPick,
    names: Promise<DraftNames>,
    early?: Promise<DiffAnswer>,
  ): Promise<PlanAnswer> {
    const isLong = (org.org?.drafts ?? (await names).drafts.length) > many
    if (isLong) {
      const diff = await (early ?? diffFirstPage(pick))
      await names
      begin(pick, diff)
    }
    const plan = await planDrafts(pick, rationale.value, isLong ? noPage : undefined)
    begin(pick, { ...plan, changeDigest: plan.plan.changeDigest })
    return plan
  }

  async function readUnreadable(names: readonly ComponentId[], plan: PlanAnswer): Promise<void> {
    const readable = readableIds()
    // Only the text of a draft that makes no change shows the reason.
    if (names.every((id) => readable.has(id))) {
      unreadable.value = []
      return
    }
    // With the schemas of all types, which no other list of drafts needs.
    const [drafts, { findUnreadableDrafts }] = await Promise.all([
      fetchDrafts(),
      import('./unreadable-drafts.ts'),
    ])
    unreadable.value = findUnreadableDrafts(drafts, readable, plan.findings)
  }

  /** The ids of every change and of every draft in conflict. */
  function readableIds(): Set<ComponentId> {
    return new Set([...namesIn(index.value), ...conflicts.value.map(({ id }) => id)])
  }

  return {
    ...{ index, views, need, all, drafted, others, writers, you, unreadable, conflicts, loading },
    ...{ read, readableIds },
  }
}

const diffFirstPage = (pick: DraftPick): Promise<DiffAnswer> => diffDrafts(pick, firstPage, true)
