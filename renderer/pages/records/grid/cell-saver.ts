// Saves cells of a grid of records: each write is one save of its record with its version, one after the other. A
// refused one keeps what was typed. A record that was changed in the meantime is never overwritten unseen.
import type { RecordJson, RecordValue, RecordValues } from '../../../api/records.ts'
import { ApiError, isUnreachable, messageOf } from '../../../api/request.ts'
import { queriedNames, storedName } from '../grid-columns.ts'
import { useRecordEdits } from '../record-edits.ts'
import { archivedProblem } from '../record-problems.ts'
import { recordPath } from '../../../text/record-address.ts'
import { valueFault } from '../value-fault.ts'
import { changedColumns, columnOf, conflictOf, isSameValue, type SavedGrid } from './cell-conflict.ts'
import { useCellSaves, type CellSave } from './cell-saves.ts'
import { waitForServer } from './wait-for-server.ts'

export interface TypedCell {
  value: RecordValue
  /** The name of the record that a reference names. */
  display?: string
}

export interface SaverDeps {
  /** What the page shows. A save continues with what it showed when the cell was written. */
  grid(): SavedGrid
  /** The record as the grid shows it; undefined if it is on a different page. */
  shown(id: string): RecordJson | undefined
  /** Shows the record as it is stored now. */
  show(record: RecordJson): void
  update(
    object: string,
    record: Pick<RecordJson, 'id' | 'version'>,
    values: RecordValues,
  ): Promise<RecordJson>
  read(object: string, id: string, names: readonly string[]): Promise<RecordJson>
  /** The user who changed one of the fields last; empty if unknown. */
  lastWriter(object: string, id: string, fields: readonly string[]): Promise<string>
  onSaved(): void
  /** Calls back when the connection to the server is restored. Returns the function that ends this. */
  onReconnect(listener: () => void): () => void
}

/** A value that is written only over the one that is expected. */
export interface RestoredCell extends TypedCell {
  /** Read when the turn of the save comes. */
  over: () => RecordValue
}

export interface RestoreOutcome {
  /** What the server stored, by field; null if nothing was saved. */
  saved: RecordValues | null
  /** Fields that others changed since, which are as they were. */
  changed: { label: string; by: string }[]
}

/** How often a save is repeated if others changed only what is computed, such as roll-ups. */
const mostTries = 4

export function createCellSaver(deps: SaverDeps) {
  const edits = useRecordEdits()
  const saves = useCellSaves()
  /** The last save of each record that is on its way. */
  const queues = new Map<string, Promise<unknown>>()
  /** The latest version of records with saves on their way. */
  const latest = new Map<string, RecordJson>()

  /** Saves fields of one record together. Returns what the server stored; null if nothing was saved. */
  function write(
    id: string,
    cells: Readonly<Record<string, TypedCell>>,
    grid = deps.grid(),
  ): Promise<RecordValues | null> {
    const path = recordPath(grid.object, id)
    const shown = deps.shown(id)
    if (!latest.has(id) && shown !== undefined) latest.set(id, shown)
    const values: Record<string, RecordValue> = {}
    for (const [field, { value, display }] of Object.entries(cells)) {
      if (storedValue(grid, id, field) === value && saves.of(path, field)?.state !== 'saving') {
        discard(id, field)
        continue
      }
      const stored = storedValue(grid, id, field)
      if (!Object.hasOwn(edits.of(path), field) && stored !== undefined) edits.rebase(path, field, stored)
      edits.keep(path, field, value)
      const message = faultOf(grid, field, value)
      saves.set(
        path,
        field,
        message === null ? { state: 'saving', display } : { state: 'refused', message, display },
      )
      if (message === null) values[field] = value
    }
    if (Object.keys(values).length === 0) {
      const queue = queues.get(id)
      if (queue === undefined) latest.delete(id)
      return (queue ?? Promise.resolve()).then(() => null)
    }
    return queued(id, () => send({ grid, path, id, values }))
  }

  /**
   * Writes earlier values back, after all saves of the record that are on their way. A field that others changed since is
   * left as it is.
   */
  function restore(id: string, cells: Readonly<Record<string, RestoredCell>>): Promise<RestoreOutcome> {
    const grid = deps.grid()
    const path = recordPath(grid.object, id)
    for (const [field, { value, display }] of Object.entries(cells)) {
      edits.keep(path, field, value)
      saves.set(path, field, { state: 'saving', display })
    }
    const values = Object.fromEntries(Object.entries(cells).map(([field, { value }]) => [field, value]))
    return queued(id, () => sendRestored({ grid, path, id, values }, cells))
  }

  function queued<T>(id: string, work: () => Promise<T>): Promise<T> {
    const queue = (queues.get(id) ?? Promise.resolve()).then(work).finally(() => {
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

  const read = ({ grid, id, values }: Save): Promise<RecordJson> =>
    deps.read(grid.object, id, [...new Set([...queriedNames(grid.columns), ...Object.keys(values)])])

  async function send(save: Save, triesLeft = mostTries): Promise<RecordValues | null> {
    const { grid, id, values } = save
    const base = latest.get(id) ?? (await read(save).catch((error: unknown) => refuse(save, error)))
    if (base === null) return null
    try {
      return await store(save, base)
    } catch (error) {
      if (!isStale(error)) return refuse(save, error)
      const current = await read(save).catch((readError: unknown) => refuse(save, readError))
      if (current === null) return null
      show(current)
      if (hasStored(save, current)) return finish(save, current)
      const changed = changedColumns(grid, base, current)
      if (changed.length === 0 && triesLeft > 1) return send(save, triesLeft - 1)
      const fields = changed.map(({ field }) => field.key)
      const by = await deps.lastWriter(grid.object, id, fields).catch(() => '')
      for (const field of Object.keys(values))
        mark(save, field, conflictOf(columnOf(grid, field), { base, current, changed, by }))
      return null
    }
  }

  async function store(save: Save, base: RecordJson): Promise<RecordValues> {
    const { grid, values } = save
    const saved = await deps.update(grid.object, base, values)
    const merged = { ...base, version: saved.version, fields: { ...base.fields, ...saved.fields } }
    const current = await read(save).catch(() => merged)
    show(current)
    return finish(save, current)
  }

  function finish(save: Save, current: RecordJson): RecordValues {
    const fields = Object.keys(save.values)
    for (const field of fields) settle(save, field)
    deps.onSaved()
    return Object.fromEntries(fields.map((field) => [field, current.fields[field] ?? null]))
  }

  /** Whether an earlier save succeeded, and its response was lost. */
  const hasStored = ({ grid, values }: Save, current: RecordJson): boolean =>
    Object.entries(values).every(([field, value]) =>
      isSameValue(columnOf(grid, field)?.field, current.fields[field] ?? null, value),
    )

  async function sendRestored(
    save: Save,
    cells: Readonly<Record<string, RestoredCell>>,
    triesLeft = mostTries,
  ): Promise<RestoreOutcome> {
    const { grid, id, values } = save
    const refused = { saved: null, changed: [] }
    const current = await read(save).catch((error: unknown) => refuse(save, error))
    if (current === null) return refused
    show(current)
    const fields = Object.keys(values)
    const isNow = (field: string, value: RecordValue): boolean =>
      isSameValue(columnOf(grid, field)?.field, current.fields[field] ?? null, value)
    const pending = fields.filter((field) => !isNow(field, values[field]!))
    const open = pending.filter((field) => isNow(field, cells[field]!.over()))
    const lost = pending.filter((field) => !open.includes(field))
    for (const field of fields) if (!open.includes(field)) settle(save, field)
    const by = lost.length === 0 ? '' : await deps.lastWriter(grid.object, id, lost).catch(() => '')
    const changed = lost.map((field) => ({ label: columnOf(grid, field)?.field.label ?? field, by }))
    if (open.length === 0) return { saved: null, changed }
    const left = { ...save, values: Object.fromEntries(open.map((field) => [field, values[field]!])) }
    try {
      return { saved: await store(left, current), changed }
    } catch (error) {
      if (!isStale(error) || triesLeft === 1) return { saved: refuse(left, error), changed }
      const again = await sendRestored(left, cells, triesLeft - 1)
      return { saved: again.saved, changed: [...changed, ...again.changed] }
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

  const waiting = waitForServer({
    ...{ onReconnect: deps.onReconnect, probe: read },
    resume: ({ id, grid, path, values }: Save) => {
      // What was typed or discarded in the meantime has its own save.
      const isPending = Object.entries(values).some(([field, value]) => edits.of(path)[field] === value)
      if (isPending) void retry(id, grid)
    },
  })

  function refuse(save: Save, error: unknown): null {
    if (isUnreachable(error)) waiting.add(save.path, save)
    const details =
      error instanceof ApiError ? (error.details as { field?: unknown; message?: unknown }[]) : []
    for (const field of Object.keys(save.values)) {
      const own = details.find((each) => each.field === field)?.message
      mark(save, field, { state: 'refused', message: typeof own === 'string' ? own : refusalOf(save, error) })
    }
    return null
  }

  /** Undefined if the grid does not know it. */
  function storedValue(grid: SavedGrid, id: string, field: string): RecordValue | undefined {
    const column = columnOf(grid, field)
    const record = latest.get(id)
    if (column === undefined || record === undefined) return undefined
    return record.fields[storedName(column)] ?? null
  }

  /**
   * Saves all unsaved values of a record again, over its current version. One over which others have stored a different
   * value becomes a conflict first.
   */
  async function retry(id: string, grid = deps.grid()): Promise<unknown> {
    const path = recordPath(grid.object, id)
    const values = { ...edits.of(path) }
    const save: Save = { grid, path, id, values }
    const current = await currentOf(save)
    const cells: Record<string, TypedCell> = {}
    for (const [field, value] of Object.entries(values)) {
      const stored = current?.fields[field]
      const seen = seenValue(path, field)
      const isSame = (other: RecordValue): boolean =>
        isSameValue(columnOf(grid, field)?.field, stored ?? null, other)
      if (stored === undefined || seen === undefined || isSame(seen) || isSame(value))
        cells[field] = { value, display: saves.of(path, field)?.display }
      else await showConflict(save, field, { before: seen, current: current! })
    }
    return write(id, cells, grid)
  }

  /** The record as it is stored, with every unsaved field; undefined if it cannot be read now. */
  async function currentOf(save: Save): Promise<RecordJson | undefined> {
    const known = latest.get(save.id) ?? deps.shown(save.id)
    const isKnown = known !== undefined && Object.keys(save.values).every((field) => field in known.fields)
    return isKnown ? known : read(save).catch(() => undefined)
  }

  /** The stored value that the user has last seen at an unsaved field; undefined if it is not known. */
  function seenValue(path: string, field: string): RecordValue | undefined {
    const save = saves.of(path, field)
    return save?.state === 'conflict' ? save.theirs : edits.baseOf(path, field)
  }

  async function showConflict(
    save: Save,
    field: string,
    { before, current }: { before: RecordValue; current: RecordJson },
  ): Promise<void> {
    const { grid, id } = save
    const by = await deps.lastWriter(grid.object, id, [field]).catch(() => '')
    const column = columnOf(grid, field)
    mark(save, field, {
      ...{ state: 'conflict', by, before, theirs: current.fields[field] ?? null, others: [] },
      theirName: String((column && current.fields[column.name]) ?? ''),
    })
  }

  function discard(id: string, field: string): void {
    const path = recordPath(deps.grid().object, id)
    edits.drop(path, field)
    saves.drop(path, field)
  }

  return {
    write: (id: string, cells: Readonly<Record<string, TypedCell>>) => write(id, cells),
    retry: (id: string) => retry(id),
    ...{ restore, discard },
  }
}

/** A value that does not fit its field is not sent: the user reads why at once. */
function faultOf(grid: SavedGrid, field: string, value: RecordValue): string | null {
  const column = columnOf(grid, field)
  return column === undefined ? null : valueFault(column.field, value)
}

/** Beside the name of the record, in the words of the grid. */
function refusalOf({ grid }: { grid: SavedGrid }, error: unknown): string {
  if (isUnreachable(error)) return 'The server is not responding. It is saved when the server responds again.'
  if (error instanceof ApiError && error.code === 'record.not_found')
    return 'The record was deleted, or you can no longer see it.'
  const fields = grid.columns.map(({ field }) => field)
  const archived = error instanceof ApiError ? archivedProblem(error, fields) : null
  return archived?.message ?? messageOf(error)
}

const isStale = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'conflict.stale_version'
