// A guided flow: its steps, the draft that they fill, and one save at the end.
import { computed, nextTick, watch, type Ref } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import type { FlowDescription } from '../../api/apps.ts'
import type { FieldDescription, ObjectDescription, RecordJson } from '../../api/records.ts'
import { ApiError } from '../../api/request.ts'
import type { FieldHost } from '../../placed/field-host.ts'
import { flowPath } from '../../stores/app-places.ts'
import { useTabs } from '../../stores/tabs.ts'
import { useAction } from '../../stores/use-action.ts'
import { useUi } from '../../stores/ui.ts'
import { insertOnce } from '../records/insert-once.ts'
import { useRecordChanges } from '../records/record-changes.ts'
import { placesIn } from '../records/record-places.ts'
import { problemsOf } from '../records/record-problems.ts'
import { callForStep, callProblems, dueCalls, hasCalled, missingDate } from './flow-calls.ts'
import { useFlowDrafts, type FlowDraft } from './flow-drafts.ts'
import { fieldsOfStep, stepProblems } from './step-problems.ts'

interface ShownFlow {
  app: Readonly<Ref<string>>
  flow: Readonly<Ref<FlowDescription | null>>
  object: Readonly<Ref<ObjectDescription | null>>
  /** The element that contains the fields of the step. */
  page: Readonly<Ref<HTMLElement | null>>
}

export function useFlow({ app, flow, object, page }: ShownFlow) {
  const route = useRoute()
  const router = useRouter()
  const ui = useUi()
  const tabs = useTabs()
  const drafts = useFlowDrafts()
  const changes = useRecordChanges()
  const { working, failure, run: attempt } = useAction()
  const path = computed(() => flowPath(app.value, String(route.params.flow ?? '')))
  const draft = computed<FlowDraft>(() => drafts.of(path.value))
  const steps = computed(() => flow.value?.steps ?? [])
  const fieldsOf = (at: number): FieldDescription[] =>
    fieldsOfStep(steps.value[at]?.sections ?? [], object.value?.fields ?? [])
  const problemsIn = (at: number): Record<string, string> => stepProblems(fieldsOf(at), draft.value.values)
  const isComplete = (at: number): boolean =>
    Object.keys(problemsIn(at)).length === 0 && hasCalled(steps.value[at]!, draft.value)
  /** The furthest step that the user can go to: each before it is complete. */
  const reachable = computed(() => {
    const incomplete = steps.value.findIndex((_, at) => !isComplete(at))
    return incomplete < 0 ? steps.value.length - 1 : incomplete
  })
  const asked = computed(() => {
    const step = Number(route.query.step ?? 1)
    return Number.isInteger(step) && step > 0 ? step - 1 : 0
  })
  const at = computed(() => Math.max(0, Math.min(asked.value, reachable.value)))
  // Otherwise the page would go to the step of the URL as soon as the fields before it are filled.
  watch([asked, object, steps, () => drafts.isRestored], () => {
    if (!drafts.isRestored || object.value === null) return
    if (steps.value.length > 0 && asked.value > at.value)
      void router.replace({ path: path.value, query: { ...route.query, step: String(at.value + 1) } })
  })
  const isLast = computed(() => at.value === steps.value.length - 1)
  const controls = 'input, select, textarea, svc-lookup-field'
  /** Goes to a step, whose first field then has the focus, because the control that was used can be gone. */
  async function go(to: number): Promise<void> {
    await router.push({ path: path.value, query: { ...route.query, step: String(to + 1) } })
    await nextTick()
    page.value?.querySelector<HTMLElement>(controls)?.focus()
  }

  async function showProblems(found: Record<string, string>): Promise<void> {
    draft.value.problems = found
    const names = Object.keys(found)
    const first = steps.value.findIndex((_, step) => fieldsOf(step).some(({ key }) => names.includes(key)))
    if (first < 0) return
    if (first !== at.value) await go(first)
    await nextTick()
    const field = fieldsOf(first).find(({ key }) => names.includes(key))!
    const cell = page.value?.querySelector(`[data-field="${CSS.escape(field.key)}"]`)
    cell?.querySelector<HTMLElement>(controls)?.focus()
  }

  async function next(): Promise<void> {
    failure.value = ''
    const found = problemsIn(at.value)
    if (Object.keys(found).length > 0) return showProblems(found)
    if (!(await callOperations())) return
    if (isLast.value) return save()
    draft.value.problems = {}
    await go(at.value + 1)
  }
  /** Calls what the steps up to this one have not called for their values. Returns whether nothing was refused. */
  async function callOperations(): Promise<boolean> {
    const due = dueCalls(steps.value.slice(0, at.value + 1), draft.value)
    if (due.length === 0) return true
    const done = await attempt(async () => {
      for (const step of due)
        try {
          await callForStep(step, draft.value, app.value)
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          await showProblems(callProblems(step.invoke!, error))
          throw error.code === 'config.as_of_required' ? new Error(missingDate, { cause: error }) : error
        }
      return true
    })
    return done === true
  }
  const back = (): Promise<void> => go(at.value - 1)

  const label = (): string => object.value?.label ?? 'record'

  /** @throws ApiError */
  async function add(): Promise<{ record: RecordJson; notice: string }> {
    const adding = draft.value
    const values = { ...adding.values }
    const { record, values: added } = await insertOnce({
      ...{ object: flow.value!.object, values, app: app.value, unsure: adding.unsure },
      isRemote: object.value!.remote !== null,
      keep: (unsure) => (adding.unsure = unsure),
    })
    return {
      record,
      notice:
        added === values
          ? `The ${label()} was added.`
          : `The ${label()} had already been added, without your last change.`,
    }
  }

  async function save(): Promise<void> {
    await attempt(async () => {
      try {
        const { record, notice } = await add()
        ui.notify(notice)
        drafts.discard(path.value)
        changes.note()
        const added = placesIn(app.value).record(flow.value!.object, record.id)
        tabs.pass(path.value, added)
        await router.replace(added)
      } catch (error) {
        if (error instanceof ApiError) await showProblems(problemsOf(error))
        throw error
      }
    })
  }

  const host: FieldHost = {
    object: () => object.value!,
    id: () => null,
    valueOf: ({ key }) => draft.value.values[key] ?? null,
    displayOf: (field) => draft.value.displays[field] ?? '',
    isEdited: () => false,
    canEdit: ({ editable }) => editable,
    problemOf: (field) => draft.value.problems[field],
    // A new record is nobody else's.
    conflictOf: () => undefined,
    keepMine: () => undefined,
    takeTheirs: () => undefined,
    failureOf: () => undefined,
    change({ key }, value, display) {
      const { [key]: _, ...values } = draft.value.values
      draft.value.values = value === null ? values : { ...values, [key]: value }
      if (display !== undefined) draft.value.displays = { ...draft.value.displays, [key]: display }
      const { [key]: __, ...problems } = draft.value.problems
      draft.value.problems = problems
    },
    along: () => null,
    explained: () => '',
    explain: () => undefined,
  }

  return { path, steps, at, isLast, reachable, host, next, back, go, working, failure, draft }
}
