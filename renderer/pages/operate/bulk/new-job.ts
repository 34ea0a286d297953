// The bulk job that is being created: kept while other pages are shown. Nothing is sent before it is created.
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import {
  createIngest,
  openRows as openSentRows,
  type IngestJob,
  type IngestOperation,
} from '../../../api/ingest.ts'
import { fetchObject, type ObjectDescription } from '../../../api/records.ts'
import { ApiError, isNotFound, messageOf } from '../../../api/request.ts'
import { useUploads } from '../../../stores/uploads.ts'
import { columnProblems, guessColumns, memberColumns, targetsOf, type ColumnProblem } from './column-map.ts'
import { readFileHead, type FileHead } from './file-head.ts'

export const useNewJob = defineStore('new-bulk-job', () => {
  const uploads = useUploads()
  const objectKey = ref('')
  const operation = ref<IngestOperation>('upsert')
  const externalId = ref('')
  const object = shallowRef<ObjectDescription | null>(null)
  const referenced = shallowRef<ReadonlyMap<string, ObjectDescription>>(new Map())
  const file = shallowRef<File | null>(null)
  const head = shallowRef<FileHead | null>(null)
  const fileFault = ref('')
  const objectFault = ref('')
  /** The name of the target of each column; empty for one that is not loaded. */
  const map = ref<string[]>([])
  /** What the server has refused, until something is changed. */
  const refused = shallowRef<ColumnProblem[]>([])

  async function readObject(): Promise<void> {
    const key = objectKey.value
    object.value = null
    objectFault.value = ''
    if (key === '') return
    try {
      const found = await fetchObject(key)
      const keys = [...new Set(found.fields.flatMap(({ references }) => references ?? []))]
      // A user who cannot see a referenced object refers to its records by id.
      const others = await Promise.all(keys.map((each) => fetchObject(each).catch(() => null)))
      if (objectKey.value !== key) return
      referenced.value = new Map(others.flatMap((each) => (each === null ? [] : [[each.key, each] as const])))
      object.value = found
      chooseKey()
    } catch (error) {
      if (objectKey.value !== key) return
      objectFault.value = isNotFound(error)
        ? `The object ${key} does not exist, or you cannot see it.`
        : messageOf(error)
    }
  }
  watch(objectKey, readObject)

  const uniqueFields = computed(
    () => object.value?.fields.filter(({ unique, computed: how }) => unique && how === null) ?? [],
  )
  /** An operation that finds records does so by the first unique field, if there is one. */
  function chooseKey(): void {
    if (object.value === null) return
    const known = uniqueFields.value.some(({ key }) => key === externalId.value)
    if (operation.value === 'insert') externalId.value = ''
    else if (!known) externalId.value = operation.value === 'upsert' ? (uniqueFields.value[0]?.key ?? '') : ''
  }
  watch(operation, chooseKey)

  const choice = computed(() =>
    object.value === null
      ? null
      : { object: object.value, operation: operation.value, externalId: externalId.value },
  )
  const targets = computed(() => (choice.value === null ? [] : targetsOf(choice.value, referenced.value)))
  function guess(): void {
    const found = head.value
    if (found === null) map.value = []
    else
      map.value =
        found.format === 'csv'
          ? guessColumns(found.columns, targets.value)
          : memberColumns(found.columns, targets.value)
  }
  watch([head, () => objectKey.value, object], guess)
  // What was chosen stays, as far as it can.
  watch(targets, (now) => {
    if (map.value.length !== head.value?.columns.length) return guess()
    const guessed = head.value.format === 'csv' ? guessColumns(head.value.columns, now) : []
    map.value = map.value.map((name, at) =>
      now.some((each) => each.name === name) ? name : (guessed[at] ?? ''),
    )
  })
  watch([map, choice, head], () => (refused.value = []), { deep: true })

  const problems = computed((): ColumnProblem[] => {
    if (choice.value === null || head.value === null) return []
    const found = columnProblems(choice.value, { ...head.value, map: map.value }, targets.value)
    return [...refused.value, ...found]
  })
  const needsKey = computed(() => operation.value === 'upsert' && externalId.value === '')
  const isReady = computed(
    () =>
      head.value !== null &&
      object.value !== null &&
      !needsKey.value &&
      problems.value.every(({ isWarning }) => isWarning),
  )

  async function chooseFile(chosen: File): Promise<void> {
    const found = await readFileHead(chosen)
    fileFault.value = 'fault' in found ? found.fault : ''
    file.value = 'fault' in found ? null : chosen
    head.value = 'fault' in found ? null : found
  }

  /** A new job for rows of another one, which are corrected before they are sent again. */
  async function openRows(job: IngestJob, of: 'failed' | 'unprocessed', name: string): Promise<void> {
    const blob = await (await openSentRows(job.id, of)).blob()
    clear()
    operation.value = job.operation
    objectKey.value = job.object!
    externalId.value = job.externalId ?? ''
    await chooseFile(new File([blob], name))
  }

  /** The columns as the server takes them. */
  function columns(): (string | null)[] {
    const names = map.value.map((name) => (name === '' ? null : name))
    if (head.value!.format === 'csv') return names
    // Later rows can have members that the first ones do not have.
    const taken = new Set(map.value.map((name) => name.split('.')[0]))
    return [
      ...names,
      ...targets.value.flatMap(({ name, through }) => (through !== null || taken.has(name) ? [] : [name])),
    ]
  }

  /** Creates the job, and begins to upload the file. @throws ApiError */
  async function create(): Promise<IngestJob> {
    const { format } = head.value!
    const sent = columns()
    try {
      const job = await createIngest({
        ...{ object: objectKey.value, operation: operation.value, format, columns: sent },
        externalId: externalId.value === '' ? undefined : externalId.value,
        hasHeader: format === 'csv',
      })
      uploads.start(job.id, file.value!)
      clear()
      return job
    } catch (error) {
      if (error instanceof ApiError && error.code === 'ingest.columns')
        refused.value = (error.details as { column: string; message: string }[]).map(
          ({ column, message }) => {
            const at = sent.indexOf(column)
            return { column: at < 0 ? null : at, message, isWarning: false }
          },
        )
      throw error
    }
  }

  function clear(): void {
    objectKey.value = externalId.value = fileFault.value = ''
    operation.value = 'upsert'
    file.value = head.value = object.value = null
    map.value = []
    refused.value = []
  }

  return {
    ...{ objectKey, operation, externalId, object, file, head, fileFault, objectFault, map },
    ...{ uniqueFields, targets, problems, needsKey, isReady },
    ...{ readObject, chooseFile, openRows, create, clear },
  }
})
