// The rows of a bulk job that are saved in one transaction, with what has become of each and the place of the next one.
import { zstdCompressSync } from 'node:zlib'
import type { ScopePath } from '#kernel/components/scopes.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { isStorageFailure } from '#kernel/errors/storage-failure.ts'
import type { ObjectId } from '#kernel/records/index.ts'
import type {
  IngestColumn,
  IngestEnd,
  IngestJob,
  IngestOperation,
  IngestOutcome,
  IngestPlace,
} from '../../ports/ingest.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import { saveItem } from '../save/save-item.ts'
import type { SaveContext } from '../save/save.ts'
import { saveContexts } from '../saves.ts'
import { resolveItem, type CommandItem } from './command-item.ts'
import { foreseeRows } from '../ingest/foresee-rows.ts'
import {
  openColumns,
  type IngestColumns,
  type IngestItem,
  type RowContent,
} from '../ingest/ingest-columns.ts'
import { noteIngest } from '../ingest/ingest-event.ts'
import type { CommandDeps } from './save-command.ts'

export interface IngestCommand {
  /** Id of the job. */
  ingest: string
  /** The one that was active when the rows were sent; they are saved in the one that is active when their batch begins. */
  generation: number
  /** The creator of the job. */
  user: string
  /** The registered client that has created it. */
  client: string | null
  correlationId: string
  scopePath: ScopePath
  object: ObjectId
  operation: IngestOperation
  externalId: string | null
  columns: readonly IngestColumn[]
  /** See `IngestJob`. */
  fields: IngestJob['fields']
  /** How many erasures of rows the job had when the rows were read. */
  erased: number
  rows: IngestRows
}

/** Rows that follow one another. */
export interface IngestRows {
  /** Where the first one begins. */
  place: IngestPlace
  /** JSON of `IngestRow[]`. */
  rows: Uint8Array
  count: number
  /** As they were sent. */
  source: Uint8Array
  /** Whether no row follows. */
  isLast: boolean
}

/** A row, with its line and the place after it. */
export type IngestRow = {
  line: number
  /** In bytes, from the first row of the batch; and in lines. */
  end: number
  endLine: number
} & (RowContent | { fault: string })

export interface IngestReply {
  /** Rows that were processed: not all of them if the time of a save was used up. */
  done: number
  /** Of these. */
  failed: number
  /** The one in which they were saved. */
  generation: number
}

/**
 * @throws AlmanacError `ingest.columns`, `object.not_found`: the job cannot go on; `ingest.state`: it was ended or continued
 * by another process; `org.busy`, `storage.*`
 */
export function runIngest(
  deps: CommandDeps,
  tx: RecordTransactor,
  command: IngestCommand,
): Promise<IngestReply> {
  return tx.savepoint(() => ingest(deps, tx, command))
}

async function ingest(deps: CommandDeps, tx: RecordTransactor, command: IngestCommand): Promise<IngestReply> {
  const { user: actor, scopePath, correlationId } = command
  // Not what was active when the rows were sent: they may have waited for the batches of others since.
  const present = deps.snapshots.active()
  const { generation } = present
  const access = deps.accessOf(actor, generation, scopePath)
  const columns = openColumns({ present, access }, command)
  const newContext = saveContexts(deps, tx, { generation, actor, access, correlationId, scopePath })
  const { place, source, isLast } = command.rows
  const rows = JSON.parse(Buffer.from(command.rows.rows).toString()) as IngestRow[]
  const contents = rows.map((row) => readRow(columns, row))
  const items = contents.flatMap((content) => ('item' in content ? [content.item] : []))
  await tx.foresee(foreseeRows(present, columns.object, items))
  const outcomes: IngestOutcome[] = []
  const until = Date.parse(deps.clock.now()) + batchMs
  let end: Pick<IngestRow, 'end' | 'endLine'> = { end: 0, endLine: 0 }
  for (const [index, row] of rows.entries()) {
    const context = newContext()
    // The others follow in a transaction of their own.
    if (outcomes.length > 0 && Date.parse(deps.clock.now()) > until) break
    const content = contents[index]!
    const ended =
      'item' in content ? await saveRow(context, columns.object, command, content.item) : content.refused
    outcomes.push([row.line, row.end - end.end, ...ended])
    end = row
  }
  const done = outcomes.length
  const state = isLast && done === rows.length ? 'completed' : 'processing'
  await tx.advanceIngest({
    job: command.ingest,
    ...{ rows: place.rows, erased: command.erased },
    place: {
      offset: place.offset + end.end,
      rows: place.rows + done,
      lines: place.lines + end.endLine,
    },
    state,
    at: deps.clock.now(),
    batch: {
      job: command.ingest,
      first: place.rows + 1,
      outcomes,
      source: zstdCompressSync(source.subarray(0, end.end)),
    },
  })
  if (state === 'completed') await noteIngest(tx, (await tx.ingest(command.ingest))!, () => deps.ids.uuid())
  return { done, failed: outcomes.filter(([, , ended]) => ended === 'failed').length, generation }
}

/**
 * How long a batch takes rows, in milliseconds: saves of users wait for it, and for the one before, which is perhaps still
 * being written. Each row has the time of a save.
 */
const batchMs = 200

function readRow(columns: IngestColumns, row: IngestRow): { item: IngestItem } | { refused: IngestEnd } {
  if ('fault' in row) return { refused: ['failed', 'ingest.row', row.fault] }
  try {
    return { item: columns.itemOf(row) }
  } catch (error) {
    return { refused: failureOf(error) }
  }
}

async function saveRow(
  context: SaveContext,
  object: string,
  { operation, externalId }: IngestCommand,
  { id, fields }: IngestItem,
): Promise<IngestEnd> {
  const { tx } = context
  const item: CommandItem = {
    ...{ op: operation, object, fields },
    ...(id === undefined ? {} : { id }),
    ...(externalId === null ? {} : { externalId }),
  }
  try {
    return await tx.savepoint(async (): Promise<IngestEnd> => {
      const resolved = await resolveItem(context, item, [])
      const save = resolved.op === 'update' ? { ...resolved, endsUnchanged: true } : resolved
      const record = await saveItem(context, save)
      if (save.op === 'delete') return ['deleted', save.id]
      if (save.op === 'insert') return ['created', record!.id]
      return [context.touched === 0 ? 'unchanged' : 'changed', record!.id]
    })
  } catch (error) {
    const failure = failureOf(error)
    context.confirmed.clear()
    return failure
  }
}

/** Throws what fails more than the row. */
function failureOf(error: unknown): IngestEnd {
  if (!(error instanceof AlmanacError) || isStorageFailure(error)) throw error
  return ['failed', error.code, error.message]
}
