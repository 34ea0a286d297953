// Writes cells of a grid of records in steps that can be undone. An undo is one more save of each record.
import { computed, type Ref } from 'vue'
import type { RecordJson, RecordValues } from '../../../api/records.ts'
import { noteChange } from '../../../stores/last-change.ts'
import { useNames } from '../../../stores/use-names.ts'
import { count } from '../../../text/words.ts'
import { storedName, type GridColumn } from '../grid-columns.ts'
import { useRecordEdits } from '../record-edits.ts'
import { recordPath } from '../../../text/record-address.ts'
import { useCellSaves } from './cell-saves.ts'
import type { createCellSaver, RestoredCell, TypedCell } from './cell-saver.ts'
import { useGridSteps, type StepCells } from './grid-steps.ts'

/** A cell of a step: its new value, or why it has none. */
export type CellWrite =
  { record: RecordJson; column: GridColumn; typed: TypedCell } | { record?: undefined; why: string }

export interface WriterDeps {
  object: () => string
  saver: ReturnType<typeof createCellSaver>
  /** Why nothing can be written; null if it can. */
  whyFixed: () => string | null
  status: Ref<string>
  /** How a record is called: by its name, or by its row. */
  recordName(record: RecordJson): string
  /** Selects the cells of a step that was undone or redone. */
  show(records: ReadonlySet<string>, fields: ReadonlySet<string>): void
}

export function createGridWriter({ object, saver, whyFixed, status, recordName, show }: WriterDeps) {
  const edits = useRecordEdits()
  const saves = useCellSaves()
  const steps = useGridSteps()
  const nameOf = useNames()
  /** Identifies this grid for Ctrl+Z in other places of the page. */
  const owner = {}
  const stack = computed(() => steps.of(object()))
  const undoLabel = computed(() => (void steps.changes, stack.value.last?.label ?? null))
  const redoLabel = computed(() => (void steps.changes, stack.value.next?.label ?? null))

  /** Saves each record once, with all of its cells, as one step. */
  function write(label: string, writes: readonly CellWrite[], verb: string | null): void {
    const path = (id: string): string => recordPath(object(), id)
    const changes = new Map<string, { before: StepCells; after: StepCells }>()
    let written = 0
    for (const each of writes) {
      if (each.record === undefined) continue
      const { record, column, typed } = each
      const { key } = column.field
      const step = changes.get(record.id) ?? { before: {}, after: {} }
      step.before[key] = cellNow(path(record.id), record, column)
      step.after[key] = typed
      changes.set(record.id, step)
      written += 1
    }
    if (changes.size === 0) {
      if (verb !== null) status.value = writeWords(writes, { verb, written: 0, records: 0, refused: [] })
      return
    }
    const started = `Saving ${count(written, 'cell')}…`
    if (verb !== null) status.value = started
    stack.value.push({ label, changes })
    steps.note()
    noteChange(owner)
    const saved = [...changes].map(async ([id, { after }]) => {
      keepStored(after, await saver.write(id, { ...after }))
    })
    if (verb !== null)
      void Promise.all(saved).then(() => {
        // The user may have done something else in the meantime.
        if (status.value === started) status.value = savedWords(writes, verb)
      })
  }

  /** What was saved of several cells, and the records of those that were not. */
  function savedWords(writes: readonly CellWrite[], verb: string): string {
    const cells = writes.flatMap((each) => (each.record === undefined ? [] : [each]))
    const isRefused = ({ record, column }: (typeof cells)[number]): boolean =>
      Object.hasOwn(edits.of(recordPath(object(), record.id)), column.field.key)
    const kept = cells.filter((cell) => !isRefused(cell))
    const refused = cells.filter(isRefused)
    return writeWords(writes, {
      ...{ verb, written: kept.length, records: new Set(kept.map(({ record }) => record.id)).size },
      refused: refused.map(({ record, column }) => `${column.field.label} in ${recordName(record)}`),
    })
  }

  /** What the cell had before a step: what is stored, or what is about to be. */
  function cellNow(path: string, record: RecordJson, column: GridColumn): TypedCell {
    const { key, references } = column.field
    const save = saves.of(path, key)
    const typed = edits.of(path)[key]
    if (save?.state === 'saving' && typed !== undefined) return { value: typed, display: save.display }
    const name = references === null ? null : record.fields[column.name]
    return {
      value: record.fields[storedName(column)] ?? null,
      ...(typeof name === 'string' ? { display: name } : {}),
    }
  }

  async function travel(way: 'undo' | 'redo'): Promise<void> {
    const why = whyFixed()
    if (why !== null) return void (status.value = why)
    const step = way === 'undo' ? stack.value.undo() : stack.value.redo()
    steps.note()
    if (step === null) return void (status.value = `There is nothing to ${way}.`)
    const done = `${way === 'undo' ? 'Undone' : 'Redone'}: ${step.label}.`
    status.value = done
    const records = new Set(step.changes.keys())
    show(records, new Set([...step.changes.values()].flatMap(({ after }) => Object.keys(after ?? {}))))
    const outcomes = await Promise.all(
      [...step.changes].map(([id, { before = {}, after = {} }]) =>
        way === 'undo' ? restore(id, after, before) : restore(id, before, after),
      ),
    )
    const changed = outcomes.flat()
    if (changed.length === 0) return
    const who = [...new Set(changed.map(({ by }) => (by === '' ? 'a different user' : nameOf(by))))].join(
      ', ',
    )
    const what = [...new Set(changed.map(({ label }) => label))].join(', ')
    status.value = `${done} ${count(changed.length, 'cell')} (${what}) ${changed.length === 1 ? 'is' : 'are'} as before, because ${who} changed ${changed.length === 1 ? 'it' : 'them'} since.`
  }

  async function restore(
    id: string,
    from: StepCells,
    to: StepCells,
  ): Promise<{ label: string; by: string }[]> {
    const path = recordPath(object(), id)
    const cells: Record<string, RestoredCell> = {}
    for (const [field, cell] of Object.entries(to)) {
      const typed = edits.of(path)[field]
      const isSaving = saves.of(path, field)?.state === 'saving'
      // A value that was not saved is discarded; one that was typed elsewhere stays.
      if (typed !== undefined && !isSaving) {
        if (typed === from[field]?.value) saver.discard(id, field)
        continue
      }
      cells[field] = { ...cell, over: () => from[field]?.value ?? null }
    }
    if (Object.keys(cells).length === 0) return []
    const { saved, changed } = await saver.restore(id, cells)
    keepStored(to, saved)
    return changed
  }

  return {
    owner,
    write,
    undo: () => void travel('undo'),
    redo: () => void travel('redo'),
    undoLabel,
    redoLabel,
  }
}

/** From now on, the step knows the values as the server stored them. */
function keepStored(cells: StepCells, saved: RecordValues | null): void {
  for (const [field, value] of Object.entries(saved ?? {}))
    if (cells[field] !== undefined) cells[field] = { ...cells[field], value }
}

const mostReasons = 3

interface Written {
  verb: string
  /** How many cells, in how many records. */
  written: number
  records: number
  /** Names of the cells that were not saved. */
  refused: readonly string[]
}

/** `4 cells pasted in 2 records. 1 cell is not saved: Net in O-2. 2 cells are left out: Duty is a formula.` */
function writeWords(writes: readonly CellWrite[], { verb, written, records, refused }: Written): string {
  const reasons = writes.flatMap((each) => (each.record === undefined ? [each.why] : []))
  const further = refused.length - mostReasons
  const unsaved =
    refused.length === 0
      ? ''
      : ` ${count(refused.length, 'cell')} ${refused.length === 1 ? 'is' : 'are'} not saved: ${refused.slice(0, mostReasons).join(', ')}${further > 0 ? ` and ${count(further, 'other', 'others')}` : ''}.`
  const words = `${count(written, 'cell')} ${verb} in ${count(records, 'record')}.${unsaved}`
  if (reasons.length === 0) return words
  const different = [...new Set(reasons)]
  const more = different.length - mostReasons
  return `${words} ${count(reasons.length, 'cell')} ${reasons.length === 1 ? 'is' : 'are'} left out: ${different.slice(0, mostReasons).join(' ')}${more > 0 ? ` And ${count(more, 'other reason')}.` : ''}`
}
