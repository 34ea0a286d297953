// One record as a form: what is stored, what is typed and not saved yet, and the problems of a refused save.
import { computed, ref, shallowRef, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import type {
  FieldDescription,
  HistoryEntry,
  PlacedPage,
  RecordJson,
  RecordValue,
} from '../../api/records.ts'
import { isNotFound, messageOf } from '../../api/request.ts'
import { shownOnceSaved, type FieldHost } from '../../placed/field-host.ts'
import { noteRecordName } from '../../stores/record-names.ts'
import { useLatest } from '../../stores/use-latest.ts'
import { useOrg } from '../../stores/org.ts'
import { useUi } from '../../stores/ui.ts'
import { useViewedUser } from '../../stores/viewed-user.ts'
import { isSameValue } from './grid/cell-conflict.ts'
import type { GridColumn } from './grid-columns.ts'
import { usePreset } from './preset.ts'
import { useRecordConflicts } from './record-conflicts.ts'
import { useRecordEdits } from './record-edits.ts'
import { useRecordLayouts } from './record-layouts.ts'
import { useRecordPlaces } from './record-places.ts'
import { useRecordSaves } from './record-saves.ts'
import { pathsOf, readRecord, type ReadRecord } from './read-record.ts'
import { nameFieldOf } from './record-source.ts'
import { idOfSegment, newRecordPath, recordPath } from '../../text/record-address.ts'
import { recordValueWords } from './record-words.ts'
import { useLiveRecords } from './use-live-records.ts'
import { useObject } from './use-object.ts'

export function useRecordForm() {
  const route = useRoute()
  const router = useRouter()
  const org = useOrg()
  const viewed = useViewedUser()
  const ui = useUi()
  const edits = useRecordEdits()
  const layouts = useRecordLayouts()
  const places = useRecordPlaces()
  const key = computed(() => String(route.params.object ?? ''))
  const named = computed(() => idOfSegment(String(route.params.id ?? '')))
  /** Empty for a new record. */
  const id = computed(() => named.value ?? '')
  const isNew = computed(() => named.value === null)
  const { object, missing: objectMissing, failure: objectFailure } = useObject(() => key.value)
  const record = shallowRef<RecordJson | null>(null)
  /** Names of the records that references name, by field. */
  const displays = ref<Record<string, string>>({})
  /** Under which name the name of the record that a reference refers to was read, by field. */
  const storedNames = ref<Record<string, string>>({})
  /** Fields along references that the layout shows. */
  const along = shallowRef<GridColumn[]>([])
  const history = shallowRef<HistoryEntry[]>([])
  /** The cursor of the changes before those that are shown. */
  const earlier = shallowRef<string | null>(null)
  const missing = ref(false)
  const loadFailure = ref('')
  const problems = ref<Record<string, string>>({})
  /** What others changed while the user edited the record. */
  const changedByOthers = ref('')
  const latest = useLatest()

  const path = computed(() => (isNew.value ? newRecordPath(key.value) : recordPath(key.value, id.value)))
  const typed = computed(() => (viewed.isViewing ? {} : edits.of(path.value)))
  const edited = computed(() => Object.keys(typed.value).length)
  /** Values that were typed into fields which the object does not have any more, or which the user cannot see now. */
  const gone = computed(() => {
    const known = new Set(object.value?.fields.map((field) => field.key))
    return object.value === null ? [] : Object.entries(typed.value).filter(([field]) => !known.has(field))
  })
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

  const read = (): Promise<ReadRecord> =>
    readRecord(object.value!, id.value, {
      ...{ paths: pathsOf(layout.value), epoch: org.epoch, app: places.value.app },
    })

  let lastRead: Promise<void> = Promise.resolve()
  /** Resolves once the record is shown as it is stored, even if a later read has replaced this one. */
  async function load(): Promise<void> {
    lastRead = readLatest()
    for (let awaited: Promise<void> | null = null; awaited !== lastRead;) {
      awaited = lastRead
      await awaited
    }
  }
  function readLatest(): Promise<void> {
    if (object.value === null || isNew.value || object.value.fields.length === 0) return Promise.resolve()
    return latest.run(read, {
      onResult(loaded) {
        record.value = loaded.found
        displays.value = { ...loaded.names, ...typedDisplays() }
        storedNames.value = loaded.read
        along.value = loaded.along
        history.value = loaded.past.changes
        earlier.value = loaded.past.nextCursor
        missing.value = false
        loadFailure.value = ''
        dropStored()
      },
      onError(error) {
        missing.value = isNotFound(error)
        loadFailure.value = messageOf(error)
      },
    })
  }
  watch(
    [object, id, () => viewed.viewed?.key, () => pathsOf(layout.value).join(), () => places.value.app],
    ([, now, user], before) => {
      if (before[1] !== now || before[2] !== user) {
        record.value = null
        missing.value = false
        loadFailure.value = ''
        history.value = []
        earlier.value = null
        problems.value = {}
        changedByOthers.value = ''
      }
      void load()
    },
    { immediate: true },
  )

  // A typed value that others have changed too becomes a conflict.
  useLiveRecords(() => key.value, load)
  watch(edited, (count) => {
    if (count === 0) changedByOthers.value = ''
  })

  /** What is stored in the meantime is not an edit: a save succeeded whose response was lost. */
  function dropStored(): void {
    const before = edited.value
    for (const field of object.value!.fields) {
      const [value, base] = [typed.value[field.key], edits.baseOf(path.value, field.key)]
      const stored = storedOf(field)
      if (value !== undefined && base !== stored && isSameValue(field, stored, value) && !working.value)
        edits.drop(path.value, field.key)
    }
    if (before === 0 || edited.value > 0) return
    failure.value = ''
    ui.notify('The record was saved.')
  }

  function change(field: FieldDescription, value: RecordValue, display?: string): void {
    edits.set(path.value, field.key, value, storedOf(field))
    if (display !== undefined) displays.value = { ...displays.value, [field.key]: display }
    const { [field.key]: _, ...others } = problems.value
    problems.value = others
  }
  /** The names of typed references: the stored record does not contain them. */
  const typedDisplays = (): Record<string, string> =>
    Object.fromEntries(Object.entries(displays.value).filter(([field]) => Object.hasOwn(typed.value, field)))
  const preset = usePreset({ object, isNew, change })
  const { conflicts, keepMine, takeTheirs } = useRecordConflicts({
    path: () => path.value,
    fields: () => object.value?.fields ?? [],
    stored: () => (record.value === null ? null : storedOf),
    displayOf: (field) => String(record.value?.fields[storedNames.value[field] ?? ''] ?? ''),
    history: () => history.value,
  })

  const { save, remove, restart, referrers, working, failure } = useRecordSaves({
    ...{ key, path, id, isNew, object, record, history, typed, problems, changedByOthers, storedOf, load },
    hasConflicts: () => conflicts.value.size > 0,
    backAfterAdd: () => preset.back.value,
  })
  function discard(): void {
    edits.discard(path.value)
    problems.value = {}
    failure.value = ''
    referrers.value = null
    changedByOthers.value = ''
    void load()
    void preset.enter()
  }

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
    conflictOf: (field) => conflicts.value.get(field),
    ...{ keepMine, takeTheirs },
    failureOf: (field) => record.value?.errors?.[field],
    change,
    along(name) {
      const column = along.value.find((each) => each.path === name)
      if (column === undefined || record.value === null) return null
      const value = record.value.fields[column.name] ?? null
      const isTyped = column.along !== null && Object.hasOwn(typed.value, column.along.key)
      return {
        label: column.label,
        words: isTyped ? shownOnceSaved : recordValueWords(column.field, value),
      }
    },
    explained: () => (typeof route.query.why === 'string' ? route.query.why : ''),
    explain: (field) => void router.replace({ query: { ...route.query, why: field.key } }),
  }

  return {
    ...{ key, id, isNew, object, objectMissing, objectFailure, record, history, earlier, layout },
    ...{ title, places },
    ...{
      missing,
      loadFailure,
      problems,
      changedByOthers,
      referrers,
      working,
      failure,
      edited,
      typed,
      displays,
    },
    ...{ host, storedOf, load, save, discard, remove, restart, gone },
    dropGone: (field: string): void => edits.drop(path.value, field),
  }
}
