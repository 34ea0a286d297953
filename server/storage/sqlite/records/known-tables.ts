// The tables of the objects, as they were read in this and in earlier transactions.
import type { ObjectId } from '#kernel/records/index.ts'
import type { RecordTable } from '../../../ports/record-table.ts'
import type { Db } from '../db.ts'
import type { MappedTable } from './rows.ts'
import { enterTable, hasRoomFor, mappedTable } from './table-map.ts'

export class KnownTables {
  readonly #db: Db
  readonly #tables = new Map<ObjectId, MappedTable | null>()
  #entered = new WeakSet<RecordTable>()

  constructor(db: Db) {
    this.#db = db
  }

  /** Null if the object has no table. */
  find(object: ObjectId): MappedTable | null {
    let table = this.#tables.get(object)
    if (table === undefined) this.#tables.set(object, (table = mappedTable(this.#db, object)))
    return table
  }

  get(object: ObjectId): MappedTable {
    const table = this.find(object)
    if (table === null) throw new Error(`${object} has no table: enter it first.`)
    return table
  }

  hasRoomFor(table: RecordTable): boolean {
    if (this.#entered.has(table)) return true
    const hasRoom = hasRoomFor(this.#db, table)
    if (hasRoom) this.#entered.add(table)
    return hasRoom
  }

  isEntered(table: RecordTable): boolean {
    return this.#entered.has(table)
  }

  /** Adds what an object needs. Returns whether something was added. */
  enter(table: RecordTable): boolean {
    const isChanged = enterTable(this.#db, table)
    if (isChanged) this.#tables.delete(table.id)
    this.#entered.add(table)
    return isChanged
  }

  forget(): void {
    this.#tables.clear()
    this.#entered = new WeakSet()
  }
}
