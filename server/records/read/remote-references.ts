// References to virtual objects that a read follows. Their rows are read after the transaction, because a source can take
// seconds; until then the values are null.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RecordJson } from '#wire/records.ts'

/** Rows of one virtual object, by their ids. */
export interface FoundRows {
  rows: ReadonlyMap<string, RecordJson>
  /** Why rows can be missing that exist; null if every row was looked for. */
  failure: AlmanacError | null
  warnings: readonly AlmanacError[]
}

export type FindRows = (
  object: string,
  ids: readonly string[],
  fields: readonly string[],
) => Promise<FoundRows>

/** A field of a row that a reference names. */
export interface RemoteField {
  object: string
  row: string
  field: string
}

interface Place {
  json: RecordJson
  name: string
  field: string
}

export class RemoteReferences {
  /** By object and row. */
  readonly #places = new Map<string, Map<string, Place[]>>()

  get isEmpty(): boolean {
    return this.#places.size === 0
  }

  add(json: RecordJson, name: string, { object, row, field }: RemoteField): void {
    const rows = this.#places.get(object) ?? new Map<string, Place[]>()
    this.#places.set(object, rows)
    const places = rows.get(row) ?? []
    rows.set(row, places)
    places.push({ json, name, field })
  }

  /** Enters the values. A row that does not exist, or that the caller cannot see, leaves null and an error. */
  async fill(find: FindRows): Promise<AlmanacError[]> {
    const warnings: AlmanacError[] = []
    for (const [object, rows] of this.#places) {
      const fields = new Set([...rows.values()].flat().map(({ field }) => field))
      const found = await find(object, [...rows.keys()], [...fields])
      warnings.push(...(found.failure === null ? [] : [found.failure]), ...found.warnings)
      for (const [id, places] of rows)
        for (const place of places) enter(place, found.rows.get(id), found.failure)
    }
    return warnings
  }
}

function enter(
  { json, name, field }: Place,
  row: RecordJson | undefined,
  failure: AlmanacError | null,
): void {
  const error = row === undefined ? (failure?.code ?? 'record.not_found') : row.errors?.[field]
  json.fields[name] = row?.fields[field] ?? null
  if (error !== undefined) json.errors = { ...json.errors, [name]: error }
}
