// Saves cells of a grid of records: each write is one save of its record with its version, one after the other. A
// refused one keeps what was typed. A record that was changed in the meantime is never overwritten unseen.
import type { RecordJson, RecordValue, RecordValues } from '../../../api/records.ts'
import { ApiError, messageOf } from '../../../api/request.ts'
import { queriedNames, storedName, type GridColumn } from '../grid-columns.ts'
import { useRecordEdits } from '../record-edits.ts'
import { recordPath } from '../record-words.ts'
import { useCellSaves, type CellSave } from './cell-saves.ts'

export interface TypedCell {
  value: RecordValue
  /** The name of the record that a reference names. */
  display?: string
}

export interface SavedGrid {
  object: string
  columns: readonly GridColumn[]
}

export interface SaverDeps {
  /** What the page shows. A save continues with what it showed when the cell was written. */
  grid(): SavedGrid
  /** The record as the grid shows it; undefined if it is on a different page. */
  shown(id: string): RecordJson | undefined
  /** Shows the record as it is stored now. */
  show(record: RecordJson): void
  update(object: string, record: { id: string; version: number }, values: RecordValues): Promise<RecordJson>
  read(object: string, id: string, names: readonly string[]): Promise<RecordJson>
  /** The user who changed the record last; empty if unknown. */
  lastWriter(object: string, id: string): Promise<string>
  onSaved(): void
}

/** How often a save is repeated if others changed only what is computed, such as roll-ups. */
const mostTries = 4

export function createCellSaver(deps: SaverDeps) {
  const edits = useRecordEdits()
  const saves = useCellSaves()
  /** The last save of each record that is on its way. */
  const queues = new Map<string, Promise<void>>()
  /** The latest version of records with saves on their way. */
  const latest = new Map<string, RecordJson>()

  /** Saves fields of one record together. */
  function write(id: string, cells: Readonly<Record<string, TypedCell>>): Promise<void> {
    const grid = deps.grid()
    const path = recordPath(grid.object, id)
    const shown = deps.shown(id)
    if (!latest.has(id) && shown !== undefined) latest.set(id, shown)
    const values: Record<string, RecordValue> = {}
    for (const [field, { value, display }] of Object.entries(cells)) {
      if (isStored(grid, id, field, value) && saves.of(path, field)?.state !== 'saving') {
        discard(id, field)
        continue
      }
      values[field] = value
      edits.keep(path, field, value)
      saves.set(path, field, { state: 'saving', display })
    }
    if (Object.keys(values).length === 0) return queues.get(id) ?? Promise.resolve()
    const queue = (queues.get(id) ?? Promise.resolve())
      .then(() => send({ grid, path, id, values }))
      .finally(() => {
        if (queues.get(id) !== queue) return
        queues.delete(id)
        latest.delete(id)
      })
    queues.set(id, queue)
    return queue
  }

  interface Save {
    grid: SavedGrid
    /** Of the record. */
    path: string
    id: string
    values: RecordValues
  }

  async function send(save: Save, triesLeft = mostTries): Promise<void> {
    const { grid, id, values } = save
    const base = latest.get(id)!
    const read = (): Promise<RecordJson> => deps.read(grid.object, id, queriedNames(grid.columns))
    try {
      const saved = await deps.update(grid.object, base, values)
      const merged = { ...base, version: saved.version, fields: { ...base.fields, ...saved.fields } }
      show(await read().catch(() => merged))
      for (const field of Object.keys(values)) settle(save, field)
      deps.onSaved()
    } catch (error) {
      if (!isStale(error)) return refuse(save, error)
      const current = await read().catch((readError: unknown) => refuse(save, readError))
      if (current === undefined) return undefined
      show(current)
      const changed = changedColumns(grid, base, current)
      if (changed.length === 0 && triesLeft > 1) return send(save, triesLeft - 1)
      const by = await deps.lastWriter(grid.object, id).catch(() => '')
      for (const field of Object.keys(values))
        mark(save, field, conflictOf(columnOf(grid, field), { base, current, changed, by }))
    }
  }

  function show(record: RecordJson): void {
    latest.set(record.id, record)
    deps.show(record)
  }

  /** What was typed into the cell since the save was sent stays, and its own save follows. */
  function settle({ path, values }: Save, field: string): void {
    if (edits.of(path)[field] !== values[field]) return
    edits.drop(path, field)
    saves.drop(path, field)
  }

  function mark({ path, values }: Save, field: string, outcome: CellSave): void {
    if (edits.of(path)[field] !== values[field]) return
    saves.set(path, field, { ...outcome, display: saves.of(path, field)?.display })
  }

  function refuse(save: Save, error: unknown): undefined {
    const details =
      error instanceof ApiError ? (error.details as { field?: unknown; message?: unknown }[]) : []
    for (const field of Object.keys(save.values)) {
      const own = details.find((each) => each.field === field)?.message
      mark(save, field, { state: 'refused', message: typeof own === 'string' ? own : messageOf(error) })
    }
  }

  function isStored(grid: SavedGrid, id: string, field: string, value: RecordValue): boolean {
    const column = columnOf(grid, field)
    const record = latest.get(id)
    if (column === undefined || record === undefined) return false
    return (record.fields[storedName(column)] ?? null) === value
  }

  /** Saves all unsaved values of a record again, over its current version. */
  function retry(id: string): Promise<void> {
    const path = recordPath(deps.grid().object, id)
    const cells = Object.entries(edits.of(path)).map(
      ([field, value]) => [field, { value, display: saves.of(path, field)?.display }] as const,
    )
    return write(id, Object.fromEntries(cells))
  }

  function discard(id: string, field: string): void {
    const path = recordPath(deps.grid().object, id)
    edits.drop(path, field)
    saves.drop(path, field)
  }

  return { write, retry, discard }
}

const columnOf = ({ columns }: SavedGrid, field: string): GridColumn | undefined =>
  columns.find((each) => each.along === null && each.field.key === field)

/** Columns of entered values that differ. Computed ones follow from them, and nobody typed them. */
function changedColumns({ columns }: SavedGrid, before: RecordJson, now: RecordJson): GridColumn[] {
  return columns
    .filter(({ field, along }) => along === null && field.computed === null)
    .filter((column) => before.fields[storedName(column)] !== now.fields[storedName(column)])
}

function conflictOf(
  column: GridColumn | undefined,
  {
    base,
    current,
    changed,
    by,
  }: { base: RecordJson; current: RecordJson; changed: readonly GridColumn[]; by: string },
): CellSave {
  const valueIn = ({ fields }: RecordJson): RecordValue =>
    (column === undefined ? null : fields[storedName(column)]) ?? null
  return {
    ...{ state: 'conflict', by, before: valueIn(base), theirs: valueIn(current) },
    theirName: String((column && current.fields[column.name]) ?? ''),
    others: changed.filter((each) => each !== column).map(({ label }) => label),
  }
}

const isStale = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'conflict.stale_version'
