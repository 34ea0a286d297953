// One record as a form: what is stored, what is typed and not saved yet, and the problems of a refused save.
import { computed, ref, shallowRef, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import {
  deleteRecord,
  fetchRecord,
  fetchRecordHistory,
  insertRecord,
  updateRecord,
  type FieldDescription,
  type HistoryEntry,
  type PlacedPage,
  type RecordJson,
  type RecordValue,
} from '../../api/records.ts'
import { ApiError, isNotFound, messageOf } from '../../api/request.ts'
import type { FieldHost } from '../../placed/field-host.ts'
import { noteRecordName } from '../../stores/record-names.ts'
import { useTabs } from '../../stores/tabs.ts'
import { useAction } from '../../stores/use-action.ts'
import { useLatest } from '../../stores/use-latest.ts'
import { useOrg } from '../../stores/org.ts'
import { useUi } from '../../stores/ui.ts'
import { useViewedUser } from '../../stores/viewed-user.ts'
import { columnsOfView, shownName, type GridColumn } from './grid-columns.ts'
import { usePreset } from './preset.ts'
import { useRecordChanges } from './record-changes.ts'
import { useRecordEdits } from './record-edits.ts'
import { useRecordLayouts } from './record-layouts.ts'
import { useRecordPlaces } from './record-places.ts'
import { nameFieldOf } from './record-source.ts'
import { recordPath, recordValueWords } from './record-words.ts'
import { useObject } from './use-object.ts'

interface Loaded {
  found: RecordJson
  names: Record<string, string>
  along: GridColumn[]
  past: HistoryEntry[]
}

export function useRecordForm() {
  const route = useRoute()
  const router = useRouter()
  const org = useOrg()
  const ui = useUi()
  const viewed = useViewedUser()
  const tabs = useTabs()
  const edits = useRecordEdits()
  const changes = useRecordChanges()
  const layouts = useRecordLayouts()
  const places = useRecordPlaces()
  const key = computed(() => String(route.params.object ?? ''))
  const id = computed(() => String(route.params.id ?? ''))
  const isNew = computed(() => id.value === 'new')
  const { object, missing: objectMissing, failure: objectFailure } = useObject(() => key.value)
  const record = shallowRef<RecordJson | null>(null)
  /** Names of the records that references name, by field. */
  const displays = ref<Record<string, string>>({})
  /** Fields along references that the layout shows. */
  const along = shallowRef<GridColumn[]>([])
  const history = shallowRef<HistoryEntry[]>([])
  const missing = ref(false)
  const loadFailure = ref('')
  const problems = ref<Record<string, string>>({})
  const isStale = ref(false)
  const latest = useLatest()
  const { working, failure, run: attempt } = useAction()

  const path = computed(() => recordPath(key.value, id.value))
  const typed = computed(() => (viewed.isViewing ? {} : edits.of(path.value)))
  const edited = computed(() => Object.keys(typed.value).length)
  const layout = computed<PlacedPage | null>(() =>
    object.value === null ? null : layouts.layoutOf(object.value),
  )
  const storedOf = ({ key: name }: FieldDescription): RecordValue => record.value?.fields[name] ?? null
  const valueOf = (field: FieldDescription): RecordValue =>
    Object.hasOwn(typed.value, field.key) ? typed.value[field.key]! : storedOf(field)
  const title = computed(() => {
    if (isNew.value) return `New ${object.value?.label ?? key.value}`
    const name = object.value === null ? null : nameFieldOf(object.value)
    const shown = name === null ? null : record.value?.fields[name]
    return shown == null ? id.value : String(shown)
  })
  watch(title, (name) => {
    if (record.value !== null) noteRecordName(path.value, name)
  })

  const pathsOf = (page: PlacedPage | null): string[] =>
    (page?.sections ?? []).flatMap(({ items }) =>
      items.flatMap((item) => (item.type === 'field' && item.key.includes('.') ? [item.key] : [])),
    )

  async function read(): Promise<Loaded> {
    const { fields } = object.value!
    const [shown, columns] = await Promise.all([
      Promise.all(fields.map(async (field) => [field.key, await shownName(field, org.epoch)] as const)),
      columnsOfView(object.value!, pathsOf(layout.value), org.epoch),
    ])
    const all = [
      ...fields.map((field) => field.key),
      ...shown.map(([, name]) => name),
      ...columns.map(({ name }) => name),
    ]
    const [found, past] = await Promise.all([
      fetchRecord(key.value, id.value, [...new Set(all)], places.value.app),
      fetchRecordHistory(key.value, id.value),
    ])
    return {
      ...{ found, along: columns, past },
      names: Object.fromEntries(shown.map(([field, name]) => [field, String(found.fields[name] ?? '')])),
    }
  }

  function load(): Promise<void> {
    if (object.value === null || isNew.value || object.value.fields.length === 0) return Promise.resolve()
    return latest.run(read, {
      onResult(loaded) {
        record.value = loaded.found
        displays.value = loaded.names
        along.value = loaded.along
        history.value = loaded.past.toReversed()
        missing.value = false
        loadFailure.value = ''
      },
      onError(error) {
        missing.value = isNotFound(error)
        loadFailure.value = messageOf(error)
      },
    })
  }
  watch(
    [
      object,
      id,
      () => viewed.viewed?.key,
      () => changes.at,
      () => pathsOf(layout.value).join(),
      () => places.value.app,
    ],
    ([, now, user], before) => {
      if (before[1] !== now || before[2] !== user) {
        record.value = null
        history.value = []
        problems.value = {}
        isStale.value = false
      }
      void load()
    },
    { immediate: true },
  )

  function change(field: FieldDescription, value: RecordValue, display?: string): void {
    edits.set(path.value, field.key, value, storedOf(field))
    if (display !== undefined) displays.value = { ...displays.value, [field.key]: display }
    const { [field.key]: _, ...others } = problems.value
    problems.value = others
  }
  const preset = usePreset({ object, isNew, change })

  /** Puts the problems of a refused record at their fields. */
  function showProblems(error: unknown): void {
    if (!(error instanceof ApiError)) return
    isStale.value = error.code === 'conflict.stale_version'
    problems.value = problemsOf(error)
  }

  const save = (): Promise<unknown> =>
    attempt(async () => {
      problems.value = {}
      isStale.value = false
      try {
        if (isNew.value) {
          const added = await insertRecord(key.value, typed.value, { app: places.value.app })
          edits.discard(path.value)
          ui.notify('The record was added.')
          changes.note()
          const next = preset.back.value ?? places.value.record(key.value, added.id)
          tabs.pass(places.value.record(key.value, 'new'), next)
          await router.replace(next)
          return
        }
        await updateRecord(key.value, record.value!, typed.value, places.value.app)
        edits.discard(path.value)
        ui.notify('The record was saved.')
        changes.note()
      } catch (error) {
        showProblems(error)
        throw error
      }
    })
  function discard(): void {
    edits.discard(path.value)
    problems.value = {}
    failure.value = ''
    isStale.value = false
    void load()
    void preset.enter()
  }
  /** The typed values stay, over the current version. */
  const reload = (): Promise<void> => {
    failure.value = ''
    isStale.value = false
    return load()
  }
  const remove = (): Promise<unknown> =>
    attempt(async () => {
      await deleteRecord(key.value, record.value!, places.value.app)
      edits.discard(path.value)
      ui.notify('The record was deleted.')
      changes.note()
      await router.push(places.value.list(key.value))
    })

  const host: FieldHost = {
    object: () => object.value!,
    id: () => (isNew.value ? null : id.value),
    valueOf,
    displayOf: (field) => displays.value[field] ?? '',
    isEdited: (field) => Object.hasOwn(typed.value, field.key),
    canEdit: ({ editable }) =>
      editable &&
      !viewed.isViewing &&
      (isNew.value ? object.value!.rights.create : object.value!.rights.update),
    problemOf: (field) => problems.value[field],
    hasFailed: (field) => record.value?.errors?.[field] !== undefined,
    change,
    along(name) {
      const column = along.value.find((each) => each.path === name)
      if (column === undefined || record.value === null) return null
      const value = record.value.fields[column.name] ?? null
      return { label: column.label, words: recordValueWords(column.field, value) }
    },
    explained: () => (typeof route.query.why === 'string' ? route.query.why : ''),
    explain: (field) => void router.replace({ query: { ...route.query, why: field.key } }),
  }

  return {
    ...{ key, id, isNew, object, objectMissing, objectFailure, record, history, layout, title, places },
    ...{ missing, loadFailure, problems, isStale, working, failure, edited, displays },
    ...{ host, storedOf, load, save, discard, reload, remove },
  }
}

/** The problems of a refused record, by field. */
export function problemsOf({ details }: ApiError): Record<string, string> {
  const found = (details as { field?: string | null; message?: string }[]).filter(
    ({ field, message }) => typeof field === 'string' && typeof message === 'string',
  )
  return Object.fromEntries(found.map(({ field, message }) => [field!, message!]))
}
