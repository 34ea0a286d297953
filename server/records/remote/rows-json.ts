// Rows of a source as the caller can see them. Virtual formulas are evaluated here, after the fetch.
import type { RecordJson } from '#wire/records.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import type { RemoteRow } from '../../virtual/index.ts'
import type { CursorSeal } from '../query/cursor-seal.ts'
import { isReadAlone } from '../read/full-read.ts'
import type { ProjectedField } from '../read/projection.ts'
import { recordsJson } from '../read/record-json.ts'
import type { RemoteReferences } from '../read/remote-references.ts'
import { recordOf, type OpenedObject } from './remote-object.ts'
import type { RecordCaller } from '../read/record-caller.ts'

export interface RowsParts {
  /** Reads local records that rows refer to. */
  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T>
  stable: CursorSeal
}

export async function rowsJson(
  { read, stable }: RowsParts,
  caller: RecordCaller,
  { object }: OpenedObject,
  {
    rows,
    projection,
    remote,
  }: { rows: readonly RemoteRow[]; projection: readonly ProjectedField[]; remote: RemoteReferences },
): Promise<RecordJson[]> {
  const records = rows.map((row) => recordOf(caller, stable, object, row))
  const json = (reader: Pick<RecordReader, 'get'>): Promise<RecordJson[]> =>
    recordsJson(caller, reader, object.key, records, projection, { remote })
  const isAlone = isReadAlone(caller, object.key, projection)
  const shown = await (isAlone ? json(noRecords) : read(json))
  return shown.map((record, at) => withWrongTypes(caller, record, rows[at]!, projection))
}

/** For rows that refer to no local record: the file of records is not opened. */
const noRecords: Pick<RecordReader, 'get'> = { get: () => Promise.resolve([]) }

const wrongType = 'integration.wrong_type'

function withWrongTypes(
  { access }: RecordCaller,
  record: RecordJson,
  { errors }: RemoteRow,
  projection: readonly ProjectedField[],
): RecordJson {
  if (errors.size === 0) return record
  const wrong = projection.flatMap(({ name, path: [first] }) => {
    const { object, field } = first!
    return errors.has(field.key) && access.canReadField(object, field.key) ? [[name, wrongType] as const] : []
  })
  return wrong.length === 0
    ? record
    : { ...record, errors: { ...record.errors, ...Object.fromEntries(wrong) } }
}
