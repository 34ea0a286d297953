// Saves and deletes the record of a form, and shows why a save was refused.
import { shallowRef, watch, type Ref } from 'vue'
import { useRouter } from 'vue-router'
import {
  deleteRecord,
  updateRecord,
  type FieldDescription,
  type HistoryEntry,
  type ObjectDescription,
  type RecordJson,
  type RecordValue,
} from '../../api/records.ts'
import { ApiError, isNotFound } from '../../api/request.ts'
import { useOrg } from '../../stores/org.ts'
import { useTabs } from '../../stores/tabs.ts'
import { useAction } from '../../stores/use-action.ts'
import { useNames } from '../../stores/use-names.ts'
import { useUi } from '../../stores/ui.ts'
import { isSameValue } from './grid/cell-conflict.ts'
import { insertOnce } from './insert-once.ts'
import { useRecordChanges } from './record-changes.ts'
import { useRecordEdits, type TypedValues } from './record-edits.ts'
import { useRecordPlaces } from './record-places.ts'
import { archivedProblem, faultsOf, problemsOf } from './record-problems.ts'
import { newRecordPath, recordPath } from '../../text/record-address.ts'
import { referrersIn, type Referrers } from './referrers.ts'

interface SavedForm {
  /** Of the object. */
  key: Readonly<Ref<string>>
  /** Of the record, under which its edits are kept. */
  path: Readonly<Ref<string>>
  /** Of the record. */
  id: Readonly<Ref<string>>
  isNew: Readonly<Ref<boolean>>
  object: Readonly<Ref<ObjectDescription | null>>
  record: Ref<RecordJson | null>
  /** The newest first. */
  history: Readonly<Ref<readonly HistoryEntry[]>>
  typed: Readonly<Ref<TypedValues>>
  /** By field. */
  problems: Ref<Record<string, string>>
  changedByOthers: Ref<string>
  storedOf(field: FieldDescription): RecordValue
  load(): Promise<void>
  hasConflicts(): boolean
  /** The page from which a new record was added; null if none. */
  backAfterAdd(): string | null
}

export function useRecordSaves(form: SavedForm) {
  const { key, path, isNew, object, record, history, typed, problems, changedByOthers, storedOf, load } = form
  const router = useRouter()
  const org = useOrg()
  const ui = useUi()
  const tabs = useTabs()
  const edits = useRecordEdits()
  const nameOf = useNames()
  const changes = useRecordChanges()
  const places = useRecordPlaces()
  const { working, failure, run: attempt } = useAction()
  /** Why the record was not deleted. */
  const referrers = shallowRef<Referrers | null>(null)
  watch(path, () => {
    referrers.value = null
    failure.value = ''
  })

  /** Puts the problems of a refused record at their fields. */
  function showProblems(error: unknown): void {
    if (!(error instanceof ApiError)) return
    problems.value = { ...problemsOf(error), ...faultsOf(object.value?.fields ?? [], typed.value) }
  }

  /** The next save is over what this one has stored, even if the record was not read again yet. */
  function showSaved(saved: RecordJson): void {
    const shown = record.value
    if (shown?.id === saved.id) record.value = { ...saved, fields: { ...shown.fields, ...saved.fields } }
  }

  /** Whether the record has everything that was sent: an earlier save succeeded, and its response was lost. */
  const hasStored = (sent: TypedValues): boolean =>
    object.value!.fields.every(
      (field) => !Object.hasOwn(sent, field.key) || isSameValue(field, storedOf(field), sent[field.key]!),
    )

  /** Shows what others have changed. What was typed stays, and nothing is saved over a change that was not seen. */
  async function showChanges(from: string, sent: TypedValues, before: RecordJson): Promise<void> {
    await load()
    if (hasStored(sent)) {
      edits.settle(from, sent, (field) => record.value?.fields[field] ?? null)
      ui.notify('The record was saved.')
      return
    }
    const fields = object.value!.fields.filter(
      ({ key: name, computed: by }) => by === null && before.fields[name] !== record.value?.fields[name],
    )
    const who = history.value[0]?.by
    const names = fields.map(({ label }) => label).join(', ')
    changedByOthers.value = `${who === undefined ? 'A different user' : nameOf(who)} changed ${names || 'the record'} in the meantime. Your changes are not saved yet: check the record, and save again.`
  }

  async function add(from: string, sent: TypedValues): Promise<void> {
    const { record: added, values } = await insertOnce({
      ...{ object: key.value, values: sent, app: places.value.app, unsure: edits.unsureOf(from) },
      isRemote: object.value!.remote !== null,
      keep: (insert) => edits.keepUnsure(from, insert),
    })
    edits.settle(from, values, (field) => added.fields[field] ?? null)
    const to = recordPath(key.value, added.id)
    edits.move(from, to)
    for (const field of Object.keys(values))
      if (!Object.hasOwn(sent, field)) edits.set(to, field, null, added.fields[field] ?? null)
    const isAsSent = values === sent
    ui.notify(
      isAsSent
        ? 'The record was added.'
        : 'The record had already been added. Your last changes are not saved yet.',
    )
    changes.note()
    const next = (isAsSent ? form.backAfterAdd() : null) ?? places.value.record(key.value, added.id)
    tabs.pass(places.value.newRecord(key.value), next)
    await router.replace(next)
  }

  const save = (): Promise<unknown> =>
    attempt(async () => {
      problems.value = {}
      changedByOthers.value = ''
      // What is typed while the save is on its way is not part of it.
      const known = new Set(object.value?.fields.map((field) => field.key))
      const sent = Object.fromEntries(Object.entries(typed.value).filter(([field]) => known.has(field)))
      const [from, over] = [path.value, record.value]
      if (form.hasConflicts()) {
        changedByOthers.value =
          'Another user changed what you edited. Choose below which value stays, then save again.'
        return
      }
      const texts = (object.value?.fields ?? []).filter(({ type }) => type === 'text')
      problems.value = faultsOf(texts, sent)
      if (Object.keys(problems.value).length > 0) return
      try {
        if (isNew.value) return await add(from, sent)
        const saved = await updateRecord(key.value, over!, sent, places.value.app)
        showSaved(saved)
        edits.settle(from, sent, (field) => saved.fields[field] ?? null)
        ui.notify('The record was saved.')
        changes.note()
      } catch (error) {
        if (error instanceof ApiError && error.code === 'conflict.stale_version')
          return await showChanges(from, sent, over!)
        // The page then shows that the record was deleted.
        if (isNotFound(error) && !isNew.value) return await load()
        const archived = error instanceof ApiError ? archivedProblem(error, object.value!.fields) : null
        if (archived !== null) {
          if (archived.field !== null) problems.value = { [archived.field]: archived.message }
          throw new Error(archived.message, { cause: error })
        }
        showProblems(error)
        throw error
      }
    })
  const remove = (): Promise<unknown> =>
    attempt(async () => {
      referrers.value = null
      try {
        await deleteRecord(key.value, record.value!, places.value.app)
      } catch (error) {
        if (error instanceof ApiError && error.code === 'record.referenced') {
          referrers.value = await referrersIn(error, { epoch: org.epoch, app: places.value.app })
          return
        }
        // It was deleted before, perhaps by a request whose response was lost.
        if (!isNotFound(error)) throw error
      }
      edits.discard(path.value)
      ui.notify('The record was deleted.')
      changes.note()
      const page = places.value.record(key.value, record.value!.id)
      await router.push(places.value.list(key.value))
      tabs.remove(page)
    })

  /** The values of a record that was deleted, as the form of a new one. */
  async function restart(): Promise<void> {
    const [from, to] = [path.value, newRecordPath(key.value)]
    const fields = object.value!.fields.filter(({ editable, computed: by }) => editable && by === null)
    for (const field of fields) {
      const value = typed.value[field.key] ?? (Object.hasOwn(typed.value, field.key) ? null : storedOf(field))
      edits.set(to, field.key, value, null)
    }
    edits.discard(from)
    const page = places.value.record(key.value, form.id.value)
    await router.push(places.value.newRecord(key.value))
    tabs.remove(page)
  }

  return { save, remove, restart, referrers, working, failure }
}
