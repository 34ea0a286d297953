// Writes rows of the tables of records: several new ones with each statement, and of an old one the columns that change, so
// that indexes over others stay as they are.
import type Database from 'better-sqlite3'
import type { SqlValue } from './encoding.ts'
import type { MappedTable, Row } from './rows.ts'

/** More rows per statement gain little. */
const maxRowsPerStatement = 10

export class RowWriter {
  readonly #statement: (sql: string) => Database.Statement<unknown[]>
  /** By the number of rows. */
  readonly #inserts = new WeakMap<MappedTable, Database.Statement<unknown[]>[]>()
  #table: MappedTable | null = null
  /** New rows of the table that are not written yet. */
  #rows: Row[] = []

  /** @param statement prepares a statement once */
  constructor(statement: (sql: string) => Database.Statement<unknown[]>) {
    this.#statement = statement
  }

  insert(table: MappedTable, row: Row): void {
    if (this.#table !== table || this.#rows.length === maxRowsPerStatement) this.flush()
    this.#table = table
    this.#rows.push(row)
  }

  /** @param before the row as it is stored; if omitted, every column is set */
  update({ name, written }: MappedTable, row: Row, before?: Row): void {
    this.flush()
    const changed =
      before === undefined ? written : written.filter((column) => row[column] !== before[column])
    if (changed.length === 0) return
    const values = changed.map((column) => row[column])
    this.#statement(`UPDATE ${name} SET ${changed.join(' = ?, ')} = ? WHERE id = ?`).run(values, row['id'])
  }

  /** Writes the new rows. Called before anything reads or changes a table, and before a commit or a savepoint. */
  flush(): void {
    if (this.#rows.length === 0) return
    const table = this.#table!
    const values: SqlValue[] = []
    for (const row of this.#rows) for (const column of table.written) values.push(row[column]!)
    this.#insertOf(table, this.#rows.length).run(values)
    this.forget()
  }

  /** Drops the new rows that are not written yet: they were undone. */
  forget(): void {
    this.#rows = []
  }

  #insertOf(table: MappedTable, rows: number): Database.Statement<unknown[]> {
    let inserts = this.#inserts.get(table)
    if (inserts === undefined) this.#inserts.set(table, (inserts = []))
    return (inserts[rows] ??= this.#statement(insertSql(table, rows)))
  }
}

function insertSql({ name, written }: MappedTable, rows: number): string {
  const row = `(${written.map(() => '?').join(', ')})`
  return `INSERT INTO ${name} (${written.join(', ')}) VALUES ${Array<string>(rows).fill(row).join(', ')}`
}
